import type { PublicCaller, UserCaller } from '../kernel/caller.ts';
import { type ErrorMapping, GatewayError, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';

/** Who sets an authenticator up: a user who is logged in, or a login that waits for it. */
export interface TotpEnrollment {
  /** As the provider takes it. */
  readonly proof: { readonly AccessToken: string } | { readonly Session: string };
  /** What its refusals mean. */
  readonly errors: ErrorMapping;
}

/** What refusals mean inside a login, where a session stands in for the token. */
const SESSION_ERRORS: ErrorMapping = {
  NotAuthorizedException: 'invalid_session',
  UserNotFoundException: 'invalid_session',
};

/** @throws {GatewayError} unauthenticated where there is neither a user nor a session */
export function requireTotpEnrollment(caller: UserCaller | PublicCaller, session: string | undefined): TotpEnrollment {
  if (caller.kind === 'user') return { proof: { AccessToken: caller.accessToken }, errors: TOKEN_ERRORS };
  if (session === undefined) throw new GatewayError('unauthenticated');
  return { proof: { Session: session }, errors: SESSION_ERRORS };
}
