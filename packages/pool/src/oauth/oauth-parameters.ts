import { OAuthError, type OAuthErrorCode } from '@poolgate/provider';

/** Parameters of a request to the authorization endpoint: of each name every value, as they came. */
export type OAuthParameters = Readonly<Record<string, readonly string[]>>;

/** What no parameter may hold: no client sends it, and neither a header nor a database could carry all of it. */
const UNREADABLE = /[\p{Cc}\p{Cs}]/u;

/** No client needs more; the rest of a request would only be kept. */
const MAX_LENGTH = 4_096;

/** It is verified when it comes, and not kept. */
const UNCOUNTED = 'id_token_hint';

/** @throws {OAuthError} a value that cannot be kept or sent back */
export function checkOAuthParameters(parameters: OAuthParameters, refuse: OAuthErrorFactory): void {
  const values = Object.values(parameters).flat();
  if (values.some((value) => UNREADABLE.test(value)))
    throw refuse('invalid_request', 'A parameter has control characters.');
  const counted = Object.entries(parameters).flatMap(([name, sent]) => (name === UNCOUNTED ? [] : sent));
  const length = counted.reduce((sum, value) => sum + value.length, 0);
  if (length > MAX_LENGTH) throw refuse('invalid_request', 'The request is too long.');
}

/** Makes a refusal: for the page, or, once the address is proven, for the client's callback. */
export type OAuthErrorFactory = (error: OAuthErrorCode, message: string) => OAuthError;

/** A refusal that stays on our page. */
export const createPageError: OAuthErrorFactory = (error, message) => new OAuthError(error, message);

/**
 * The value of a parameter; undefined where there is none, or an empty one (RFC 6749 §3.1).
 * @throws {OAuthError} it came twice
 */
export function readOAuthParameter(
  parameters: OAuthParameters,
  name: string,
  refuse: OAuthErrorFactory,
): string | undefined {
  const values = Object.hasOwn(parameters, name) ? (parameters[name] ?? []) : [];
  if (values.length > 1) throw refuse('invalid_request', `The parameter ${name} came more than once.`);
  return values[0] || undefined;
}
