import type { PublicCaller, UserCaller } from '../kernel/caller.ts';
import { type ErrorMapping, GatewayError, TOKEN_ERRORS } from '../kernel/gateway-errors.ts';

/** The user who sets up an authenticator: signed in, or in a login that requires it. */
export interface TotpEnrollment {
  /** In the provider's form. */
  readonly proof: { readonly AccessToken: string } | { readonly Session: string };
  /** The meaning of its errors. */
  readonly errors: ErrorMapping;
}

/** The meaning of errors within a login, where a session replaces the token. */
const SESSION_ERRORS: ErrorMapping = {
  NotAuthorizedException: 'invalid_session',
  UserNotFoundException: 'invalid_session',
};

/** @throws {GatewayError} unauthenticated without a user and a session */
export function requireTotpEnrollment(caller: UserCaller | PublicCaller, session: string | undefined): TotpEnrollment {
  if (caller.kind === 'user') return { proof: { AccessToken: caller.accessToken }, errors: TOKEN_ERRORS };
  if (session === undefined) throw new GatewayError('unauthenticated');
  return { proof: { Session: session }, errors: SESSION_ERRORS };
}
