import type { GatewayDeps } from '../deps.ts';
import { subOfTombstone, tombstoneOf } from '../guards/tombstone.ts';

const DAY_MS = 86_400_000;
/** The longest life that Cognito allows an access token. */
const ACCESS_TOKEN_MS = DAY_MS;
/** The longest life that Cognito allows a refresh token. */
const REFRESH_TOKEN_MS = 3650 * DAY_MS;

type Ends = Pick<GatewayDeps, 'records' | 'userPoolId' | 'clock' | 'provider'>;

/** Ends one login here: its access tokens are refused from the next request on, at every replica. */
export async function endLogin(deps: Ends, originJti: string): Promise<void> {
  // A provider that ends the login itself leaves only access tokens to refuse; else its refresh token lives on.
  const lifeMs = deps.provider.extensions.end_login ? ACCESS_TOKEN_MS : REFRESH_TOKEN_MS;
  await end(deps, `login:${originJti}`, lifeMs);
}

/**
 * Ends every login of a user here: access tokens that were issued until now are refused. Whoever calls has told the
 * provider, so that nothing is refreshed.
 */
export async function endLogins(deps: Ends, sub: string): Promise<void> {
  await end(deps, `user:${sub}`, ACCESS_TOKEN_MS);
}

/**
 * Removes the local record of a deleted user and leaves a tombstone, so that no token of it revives the record, for as
 * long as any token could live.
 */
export async function tombstone(deps: Ends, sub: string): Promise<void> {
  await end(deps, tombstoneOf(sub), REFRESH_TOKEN_MS);
  await deps.records.deleteLocalUser(deps.userPoolId, sub);
}

/** Which of some `sub`s belonged to users who were deleted here: their tombstones stand. */
export async function deletedAmong(
  { records, userPoolId, clock }: Pick<Ends, 'records' | 'userPoolId' | 'clock'>,
  subs: readonly string[],
): Promise<ReadonlySet<string>> {
  const endings = await records.endings(userPoolId, subs.map(tombstoneOf), clock.now());
  return new Set(endings.map(({ subject }) => subOfTombstone(subject)));
}

function end({ records, userPoolId, clock }: Ends, subject: string, lifeMs: number): Promise<void> {
  const endedAtMs = clock.now();
  return records.end({ userPoolId, subject, endedAtMs, expiresAtMs: endedAtMs + lifeMs });
}
