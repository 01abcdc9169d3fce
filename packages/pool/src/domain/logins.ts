import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord } from '../store/records.ts';

const PAGE = 100;

/** Ends every login of a user but one; all of them where that one is not known. */
export async function endOtherLogins(
  transaction: PoolTransaction,
  pool: PoolRecord,
  {
    username,
    loginId,
    nowMs,
  }: { readonly username: string; readonly loginId: string | undefined; readonly nowMs: number },
): Promise<void> {
  if (loginId === undefined) return transaction.revokeLoginsOf(pool.id, username, nowMs);
  let cursor: string | undefined;
  do {
    const page = await transaction.livingLogins(pool.id, username, nowMs, PAGE, cursor);
    for (const { id } of page.rows) if (id !== loginId) await transaction.revokeLogin(id, nowMs);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}
