import { createTombstone, loginRevocation, userRevocation } from '@poolgate/provider';
import type { Transaction } from '../kernel/ports.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';

/**
 * The one module of the pool that ends logins: each ends in the pool's own table, where its refresh token is looked up, and in the same write
 * in the rows by which its access tokens are refused everywhere.
 */
type LoginsOwner = Pick<UserRecord, 'poolId' | 'username' | 'sub'>;

/** As long as clients are told of the end of a session, and a while. */
const SESSION_END_KEPT_MS = 3 * 24 * 60 * 60_000;

/**
 * Revokes one login.
 * @returns false where it was revoked before, or is unknown; its access tokens are refused all the same
 */
export async function revokeLoginById(
  transaction: Transaction<'logins' | 'revocations'>,
  poolId: string,
  id: string,
  nowMs: number,
): Promise<boolean> {
  const wasActive = await transaction.logins.revoke(id, nowMs);
  await transaction.revocations.record(loginRevocation(poolId, id, nowMs));
  if (wasActive) await endSessionsOfLogin(transaction, poolId, id, nowMs);
  return wasActive;
}

/** Ends the sessions that clients have through a login, so that they are told, and their logins where they want that. */
async function endSessionsOfLogin(
  transaction: Transaction<'logins' | 'revocations'>,
  poolId: string,
  loginId: string,
  nowMs: number,
): Promise<void> {
  for (const session of await transaction.logins.endClientSessions(loginId, nowMs, nowMs + SESSION_END_KEPT_MS)) {
    if (!session.endsGrants) continue;
    for (const id of await transaction.logins.listGrantsOfSession(session)) {
      await transaction.logins.revoke(id, nowMs);
      await transaction.revocations.record(loginRevocation(poolId, id, nowMs));
    }
  }
}

/** Revokes every login of a user. */
export async function revokeLoginsOfUser(
  transaction: Transaction<'logins' | 'revocations'>,
  { poolId, username, sub }: LoginsOwner,
  nowMs: number,
): Promise<void> {
  await transaction.logins.revokeAllOf(poolId, username, nowMs);
  await transaction.logins.endClientSessionsOf(poolId, username, nowMs, nowMs + SESSION_END_KEPT_MS);
  await transaction.revocations.record(userRevocation(poolId, sub, nowMs));
}

/** Revokes every active login from a device. */
export async function revokeLoginsOfDevice(
  transaction: Transaction<'logins' | 'revocations'>,
  { poolId, username }: Omit<LoginsOwner, 'sub'>,
  deviceKey: string,
  nowMs: number,
): Promise<void> {
  const ids = await transaction.logins.revokeAllOfDevice(poolId, username, deviceKey, nowMs);
  for (const id of ids) {
    await transaction.revocations.record(loginRevocation(poolId, id, nowMs));
    await endSessionsOfLogin(transaction, poolId, id, nowMs);
  }
}

/**
 * Revokes the active logins of a user that are more than so many: those that were used least recently.
 * @param keptId one that stays in any case
 * @param known those that are too many, as read in this write
 * @returns those that were revoked
 */
export async function revokeExcessLogins(
  transaction: Transaction<'logins' | 'revocations'>,
  { poolId, username }: Omit<LoginsOwner, 'sub'>,
  most: number,
  nowMs: number,
  { keptId, known }: { readonly keptId?: string | undefined; readonly known?: readonly string[] | undefined } = {},
): Promise<readonly Pick<LoginRecord, 'id' | 'clientId'>[]> {
  const revoked = await transaction.logins.revokeExcess(poolId, username, most, nowMs, keptId, known);
  for (const { id } of revoked) {
    await transaction.revocations.record(loginRevocation(poolId, id, nowMs));
    await endSessionsOfLogin(transaction, poolId, id, nowMs);
  }
  return revoked;
}

/**
 * Deletes a user with everything that belongs to it, also what the gateway keeps, and leaves a tombstone.
 * @returns false where there is none
 */
export async function deleteUserAndLogins(
  transaction: Transaction<'localUsers' | 'logins' | 'revocations' | 'users'>,
  { poolId, username, sub }: LoginsOwner,
  nowMs: number,
): Promise<boolean> {
  if (!(await transaction.users.delete(poolId, username))) return false;
  await transaction.logins.endClientSessionsOf(poolId, username, nowMs, nowMs + SESSION_END_KEPT_MS);
  await transaction.revocations.record(createTombstone(poolId, sub, nowMs));
  await transaction.localUsers.delete(poolId, sub);
  return true;
}
