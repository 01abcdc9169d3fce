import { GatewayError, type Refusals } from '../errors.ts';
import type { PublicCaller, UserCaller } from '../guards/caller.ts';
import { SESSION_REFUSALS, TOKEN_REFUSALS } from './refusals.ts';

/** Who sets an authenticator up: a user who is logged in, or a login that waits for it. */
export interface Enrolling {
  /** As the provider takes it. */
  readonly proof: { readonly AccessToken: string } | { readonly Session: string };
  /** What its refusals mean. */
  readonly refusals: Refusals;
}

/** @throws {GatewayError} unauthenticated where there is neither a user nor a session */
export function enrollingBy(caller: UserCaller | PublicCaller, session: string | undefined): Enrolling {
  if (caller.kind === 'user') return { proof: { AccessToken: caller.accessToken }, refusals: TOKEN_REFUSALS };
  if (session === undefined) throw new GatewayError('unauthenticated');
  return { proof: { Session: session }, refusals: SESSION_REFUSALS };
}
