import { type CallContext, OAuthError, type OAuthErrorCode, type OAuthServer, ProviderError } from '@poolgate/provider';
import { GatewayError, toGatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';

/** A request to an OAuth endpoint. */
export interface OAuthRequest {
  readonly method: string;
  /** Every value of each name, as received. */
  readonly query: Readonly<Record<string, readonly string[]>>;
  /** The same for a form in the body; undefined if the body is not a form. */
  readonly form: Readonly<Record<string, readonly string[]>> | undefined;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly call: CallContext;
}

/** The response of an endpoint. */
export interface OAuthResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

/** Handles the requests of one endpoint. */
export type OAuthEndpoint = (runtime: GatewayRuntime, request: OAuthRequest) => Promise<OAuthResponse>;

/** Returns the authorization server of the request's pool. */
export async function requireOAuthServer(runtime: GatewayRuntime, call: CallContext): Promise<OAuthServer> {
  const { oauth } = runtime.provider.extensions;
  const asked = { UserPoolId: runtime.userPoolId };
  if (runtime.settings.oauth && oauth !== undefined && (await oauth.isOpen(asked, call))) return oauth;
  throw new GatewayError('not_found', 'The user pool has no domain.');
}

/** Creates a JSON response that is not cached. */
export function createJsonResponse(
  status: number,
  body: object,
  headers: OAuthResponse['headers'] = {},
): OAuthResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', pragma: 'no-cache', ...headers },
    body: JSON.stringify(body),
  };
}

/** The problem with a token, and the response to it (RFC 6750 §3.1). */
const TOKEN_STATUS: Partial<Readonly<Record<OAuthErrorCode, number>>> = { invalid_token: 401, insufficient_scope: 403 };

/** Answers an error as JSON (RFC 6749 §5.2). The response to an unexpected error has no details. */
export function toErrorResponse(
  thrown: unknown,
  { headers: { authorization } }: Pick<OAuthRequest, 'headers'>,
): OAuthResponse {
  if (!(thrown instanceof OAuthError)) return toFailureResponse(thrown);
  const { error, message } = thrown;
  const body = { error, error_description: message };
  const tokenStatus = TOKEN_STATUS[error];
  if (tokenStatus !== undefined) {
    const scope = error === 'insufficient_scope' ? ', scope="openid"' : '';
    const challenge = `Bearer error="${error}", error_description="${message}"${scope}`;
    return createJsonResponse(tokenStatus, body, { 'www-authenticate': challenge });
  }
  if (error === 'invalid_client' && authorization !== undefined) {
    return createJsonResponse(401, body, { 'www-authenticate': 'Basic realm="oauth2"' });
  }
  return createJsonResponse(400, body);
}

/** A text as an `error_description` may hold it (RFC 6749 §5.2): ASCII, without double quotes and backslashes. */
function toErrorDescription(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^ -~]/g, '?');
}

/** Answers errors that the protocol does not define: the refusal of a trigger, a limit, or a failure of the service. */
function toFailureResponse(thrown: unknown): OAuthResponse {
  const refusal = toGatewayError(thrown);
  if (refusal.code === 'trigger_refused') {
    return createJsonResponse(400, { error: 'invalid_grant', error_description: toErrorDescription(refusal.message) });
  }
  const isProtocol = refusal.status < 500 && refusal.status !== 429 && !(thrown instanceof ProviderError);
  if (isProtocol)
    return createJsonResponse(refusal.status, { error: 'invalid_request', error_description: refusal.message });
  const retryAfter = refusal.retryAfterSeconds;
  return createJsonResponse(
    refusal.status,
    { error: refusal.status === 500 ? 'server_error' : 'temporarily_unavailable' },
    retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) },
  );
}

/** Characters that no parameter may contain, because some cannot be sent in a header or stored in a database. */
export const UNREADABLE = /[\p{Cc}\p{Cs}]/u;

/**
 * Returns a form parameter; undefined if it is missing or empty.
 * @throws {OAuthError} it was sent twice, or contains invalid characters
 */
export function readFormValue({ form = {} }: Pick<OAuthRequest, 'form'>, name: string): string | undefined {
  const values = Object.hasOwn(form, name) ? (form[name] ?? []) : [];
  const [value] = values;
  if (values.length > 1) throw new OAuthError('invalid_request', `The parameter ${name} was sent more than once.`);
  if (UNREADABLE.test(value ?? '')) {
    throw new OAuthError('invalid_request', `The parameter ${name} is malformed.`);
  }
  return value || undefined;
}

/** @throws {OAuthError} the body is no form */
export function requireForm({ form }: Pick<OAuthRequest, 'form'>): void {
  if (form !== undefined) return;
  throw new OAuthError('invalid_request', 'The body must be a form (application/x-www-form-urlencoded).');
}

/** @throws {OAuthError} it is missing */
export function requireFormValue(request: Pick<OAuthRequest, 'form'>, name: string): string {
  const value = readFormValue(request, name);
  if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
  return value;
}
