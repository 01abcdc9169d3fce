import { GatewayError, type Refusals, TOKEN_REFUSALS } from '../errors.ts';
import type { PublicCaller, UserCaller } from '../guards/caller.ts';

/** Who sets an authenticator up: a user who is logged in, or a login that waits for it. */
export interface Enrolling {
  /** As the provider takes it. */
  readonly proof: { readonly AccessToken: string } | { readonly Session: string };
  /** What its refusals mean. */
  readonly refusals: Refusals;
}

/** What refusals mean inside a login, where a session stands in for the token. */
const SESSION_REFUSALS: Refusals = {
  NotAuthorizedException: 'invalid_session',
  UserNotFoundException: 'invalid_session',
};

/** @throws {GatewayError} unauthenticated where there is neither a user nor a session */
export function enrollingBy(caller: UserCaller | PublicCaller, session: string | undefined): Enrolling {
  if (caller.kind === 'user') return { proof: { AccessToken: caller.accessToken }, refusals: TOKEN_REFUSALS };
  if (session === undefined) throw new GatewayError('unauthenticated');
  return { proof: { Session: session }, refusals: SESSION_REFUSALS };
}
