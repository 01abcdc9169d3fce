import { OAuthError, type OAuthErrorCode } from '@poolgate/provider';

/** Parameters of a request to the authorization endpoint: every value of each name, as received. */
export type OAuthParameters = Readonly<Record<string, readonly string[]>>;

/** Characters that no parameter may contain. No client sends them, and neither a header nor a database could store all of them. */
const UNREADABLE = /[\p{Cc}\p{Cs}]/u;

/** No client needs more, and a longer request would only use storage. */
const MAX_LENGTH = 4_096;

/** It is verified on arrival and not stored. */
const UNCOUNTED = 'id_token_hint';

/** @throws {OAuthError} a value cannot be stored or returned */
export function checkOAuthParameters(parameters: OAuthParameters, refuse: OAuthErrorFactory): void {
  const values = Object.values(parameters).flat();
  if (values.some((value) => UNREADABLE.test(value)))
    throw refuse('invalid_request', 'A parameter has control characters.');
  const counted = Object.entries(parameters).flatMap(([name, sent]) => (name === UNCOUNTED ? [] : sent));
  const length = counted.reduce((sum, value) => sum + value.length, 0);
  if (length > MAX_LENGTH) throw refuse('invalid_request', 'The request is too long.');
}

/** Creates an error: for the page, or, once the address is verified, for the client's callback. */
export type OAuthErrorFactory = (error: OAuthErrorCode, message: string) => OAuthError;

/** An error that is shown on a page of this service. */
export const createPageError: OAuthErrorFactory = (error, message) => new OAuthError(error, message);

/** Returns a parameter's value; undefined if it is absent or empty (RFC 6749 §3.1). */
export function readOAuthParameter(
  parameters: OAuthParameters,
  name: string,
  refuse: OAuthErrorFactory,
): string | undefined {
  const values = Object.hasOwn(parameters, name) ? (parameters[name] ?? []) : [];
  if (values.length > 1) throw refuse('invalid_request', `The parameter ${name} was sent more than once.`);
  return values[0] || undefined;
}
