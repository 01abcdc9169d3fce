import {
  createTombstone,
  loginRevocation,
  parseTombstoneSubject,
  type RevocableToken,
  revocationSubjects,
  type TokenState,
  tokenState,
  tombstoneSubject,
  userRevocation,
} from '@poolgate/provider';
import type { GatewayDeps } from './deps.ts';

/**
 * The one module of the gateway that reads and writes revocations. A provider that records them itself has done so in the write that ended
 * something; then there is nothing left to write here.
 */
type RevocationDeps = Pick<GatewayDeps, 'records' | 'userPoolId' | 'clock' | 'provider'>;
type RevocationReads = Pick<GatewayDeps, 'records' | 'userPoolId' | 'clock'>;

/** Revokes one login here: its access tokens are refused from the next request on, at every replica. */
export async function recordLoginRevocation(deps: RevocationDeps, originJti: string): Promise<void> {
  const { records, userPoolId, clock, provider } = deps;
  if (provider.recordsRevocations) return;
  const isRefreshable = provider.extensions.end_login === undefined;
  await records.revocations.record(loginRevocation(userPoolId, originJti, clock.now(), isRefreshable));
}

/**
 * Revokes every login of a user here: access tokens that were issued until now are refused. Whoever calls has told the
 * provider, so that nothing is refreshed.
 */
export async function recordUserRevocation(deps: RevocationDeps, sub: string): Promise<void> {
  const { records, userPoolId, clock, provider } = deps;
  if (provider.recordsRevocations) return;
  await records.revocations.record(userRevocation(userPoolId, sub, clock.now()));
}

/**
 * Removes the local record of a deleted user and leaves a tombstone, so that no token of it revives the record, for as
 * long as any token could live.
 */
export async function recordUserDeletion(deps: RevocationDeps, sub: string): Promise<void> {
  const { records, userPoolId, clock, provider } = deps;
  if (provider.recordsRevocations) return;
  await records.revocations.record(createTombstone(userPoolId, sub, clock.now()));
  await records.localUsers.delete(userPoolId, sub);
}

/** The revocations that are in force of whom a token is for, and of its login. */
export type ActiveRevocations = Parameters<typeof tokenState>[1];

/** Whether an access token still counts, by one read of what was revoked. */
export async function readRevocationState(
  { records, userPoolId, clock }: RevocationReads,
  token: RevocableToken,
): Promise<TokenState> {
  return tokenState(
    token,
    await records.revocations.listBySubjects(userPoolId, revocationSubjects(token), clock.now()),
  );
}

/** Which of some `sub`s belonged to users who were deleted here: their tombstones stand. */
export async function findDeletedUsers(
  { records, userPoolId, clock }: RevocationReads,
  subs: readonly string[],
): Promise<ReadonlySet<string>> {
  const tombstones = await records.revocations.listBySubjects(userPoolId, subs.map(tombstoneSubject), clock.now());
  return new Set(tombstones.flatMap((row) => parseTombstoneSubject(row) ?? []));
}
