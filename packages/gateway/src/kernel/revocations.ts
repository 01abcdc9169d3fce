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
 * The only module of the gateway that reads and writes revocations. A provider that records them itself has done so in the same write, and
 * then nothing is written here.
 */
type RevocationDeps = Pick<GatewayDeps, 'records' | 'userPoolId' | 'clock' | 'provider'>;
type RevocationReads = Pick<GatewayDeps, 'records' | 'userPoolId' | 'clock'>;

/** Revokes one login here: every replica refuses its access tokens from the next request on. */
export async function recordLoginRevocation(deps: RevocationDeps, originJti: string): Promise<void> {
  const { records, userPoolId, clock, provider } = deps;
  if (provider.recordsRevocations) return;
  const isRefreshable = provider.extensions.end_login === undefined;
  await records.revocations.record(loginRevocation(userPoolId, originJti, clock.now(), isRefreshable));
}

/**
 * Revokes every login of a user here: access tokens issued until now are refused. The caller has told the provider, so that nothing can be
 * refreshed.
 */
export async function recordUserRevocation(deps: RevocationDeps, sub: string): Promise<void> {
  const { records, userPoolId, clock, provider } = deps;
  if (provider.recordsRevocations) return;
  await records.revocations.record(userRevocation(userPoolId, sub, clock.now()));
}

/**
 * Deletes the local record of a deleted user and leaves a tombstone, so that none of the user's tokens can recreate the record while it is
 * valid.
 */
export async function recordUserDeletion(deps: RevocationDeps, sub: string): Promise<void> {
  const { records, userPoolId, clock, provider } = deps;
  if (provider.recordsRevocations) return;
  await records.revocations.record(createTombstone(userPoolId, sub, clock.now()));
  await records.localUsers.delete(userPoolId, sub);
}

/** The active revocations of a token's user and login. */
export type ActiveRevocations = Parameters<typeof tokenState>[1];

/** Whether an access token is still valid, with one read of the revocations. */
export async function readRevocationState(
  { records, userPoolId, clock }: RevocationReads,
  token: RevocableToken,
): Promise<TokenState> {
  return tokenState(
    token,
    await records.revocations.listBySubjects(userPoolId, revocationSubjects(token), clock.now()),
  );
}

/** Returns which of some `sub`s belong to deleted users with a tombstone. */
export async function findDeletedUsers(
  { records, userPoolId, clock }: RevocationReads,
  subs: readonly string[],
): Promise<ReadonlySet<string>> {
  const tombstones = await records.revocations.listBySubjects(userPoolId, subs.map(tombstoneSubject), clock.now());
  return new Set(tombstones.flatMap((row) => parseTombstoneSubject(row) ?? []));
}
