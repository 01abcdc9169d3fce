import { createTombstone, loginRevocation, userRevocation } from '@poolgate/provider';
import type { Transaction } from '../kernel/ports.ts';
import type { LoginRecord, UserRecord } from '../store/records.ts';

/**
 * The only module of the pool that ends logins. Each ends in the pool's own table, which validates its refresh token, and in the same write
 * in the rows that revoke its access tokens everywhere.
 */
type LoginsOwner = Pick<UserRecord, 'poolId' | 'username' | 'sub'>;

/** A little longer than clients are notified of the end of a session. */
const SESSION_END_KEPT_MS = 3 * 24 * 60 * 60_000;

/**
 * Revokes one login.
 * @returns false if it was already revoked or is unknown; its access tokens are refused all the same
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

/** Ends the client sessions of a login, so that the clients are notified, and their logins if they want that. */
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
 * Revokes the least recently used active logins of a user that exceed the limit.
 * @param keptId a login that always stays
 * @param known those that exceed the limit, as read in this write
 * @returns the revoked logins
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
 * Deletes a user with everything that belongs to it, including the gateway's data, and leaves a tombstone.
 * @returns false if the user does not exist
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
