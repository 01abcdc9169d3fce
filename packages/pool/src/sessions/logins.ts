import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord } from '../store/records.ts';

const PAGE = 100;

/**
 * Revokes every login of a user but one; all of them where that one is not known.
 * @returns the ids of those that are known to have ended; undefined where all have
 */
export async function revokeOtherLogins(
  transaction: PoolTransaction,
  pool: PoolRecord,
  {
    username,
    loginId,
    nowMs,
  }: { readonly username: string; readonly loginId: string | undefined; readonly nowMs: number },
): Promise<readonly string[] | undefined> {
  if (loginId === undefined) {
    await transaction.revokeLoginsOfUser(pool.id, username, nowMs);
    return undefined;
  }
  const ended: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await transaction.activeLogins(pool.id, username, nowMs, PAGE, cursor);
    for (const { id } of page.rows) {
      if (id !== loginId && (await transaction.revokeLogin(id, nowMs))) ended.push(id);
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ended;
}
