import type { Transaction } from '../kernel/ports.ts';
import type { UserRecord } from '../store/records.ts';
import { revokeLoginById, revokeLoginsOfUser } from './login-revocations.ts';

const PAGE = 100;

/**
 * Revokes every login of a user except one, or all if that one is unknown.
 * @returns the ids of the logins that are known to have ended; undefined if all have
 */
export async function revokeOtherLogins(
  transaction: Transaction<'logins' | 'revocations'>,
  { user, loginId, nowMs }: { readonly user: UserRecord; readonly loginId: string | undefined; readonly nowMs: number },
): Promise<readonly string[] | undefined> {
  if (loginId === undefined) {
    await revokeLoginsOfUser(transaction, user, nowMs);
    return undefined;
  }
  const ended: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await transaction.logins.listActive(user.poolId, user.username, nowMs, PAGE, cursor);
    for (const { id } of page.rows) {
      if (id !== loginId && (await revokeLoginById(transaction, user.poolId, id, nowMs))) ended.push(id);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ended;
}
