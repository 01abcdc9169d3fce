import type { GatewayDeps } from '../deps.ts';
import { subOfTombstone, tombstoneOf } from '../guards/tombstone.ts';

const DAY_MS = 86_400_000;
/** The longest life that Cognito allows an access token. */
const ACCESS_TOKEN_MS = DAY_MS;
/** The longest life that Cognito allows a refresh token. */
const REFRESH_TOKEN_MS = 3650 * DAY_MS;

type RevocationDeps = Pick<GatewayDeps, 'records' | 'userPoolId' | 'clock' | 'provider'>;

/** Revokes one login here: its access tokens are refused from the next request on, at every replica. */
export async function recordRevokedLogin(deps: RevocationDeps, originJti: string): Promise<void> {
  // A provider that ends the login itself leaves only access tokens to refuse; else its refresh token lives on.
  const lifeMs = deps.provider.extensions.end_login ? ACCESS_TOKEN_MS : REFRESH_TOKEN_MS;
  await record(deps, `login:${originJti}`, lifeMs);
}

/**
 * Revokes every login of a user here: access tokens that were issued until now are refused. Whoever calls has told the
 * provider, so that nothing is refreshed.
 */
export async function recordRevokedUser(deps: RevocationDeps, sub: string): Promise<void> {
  await record(deps, `user:${sub}`, ACCESS_TOKEN_MS);
}

/**
 * Removes the local record of a deleted user and leaves a tombstone, so that no token of it revives the record, for as
 * long as any token could live.
 */
export async function recordDeletedUser(deps: RevocationDeps, sub: string): Promise<void> {
  await record(deps, tombstoneOf(sub), REFRESH_TOKEN_MS);
  await deps.records.deleteLocalUser(deps.userPoolId, sub);
}

/** Which of some `sub`s belonged to users who were deleted here: their tombstones stand. */
export async function deletedUsersAmong(
  { records, userPoolId, clock }: Pick<RevocationDeps, 'records' | 'userPoolId' | 'clock'>,
  subs: readonly string[],
): Promise<ReadonlySet<string>> {
  const tombstones = await records.revocations(userPoolId, subs.map(tombstoneOf), clock.now());
  return new Set(tombstones.map(({ subject }) => subOfTombstone(subject)));
}

function record({ records, userPoolId, clock }: RevocationDeps, subject: string, lifeMs: number): Promise<void> {
  const endedAtMs = clock.now();
  return records.recordRevocation({ userPoolId, subject, endedAtMs, expiresAtMs: endedAtMs + lifeMs });
}
