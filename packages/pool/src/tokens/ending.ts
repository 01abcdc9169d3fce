import { type Happening, recordEvent } from '../events.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { LoginRecord, PoolRecord } from '../store/records.ts';

/** A login that ends, as far as its event tells of it. */
export type EndingLogin = Pick<LoginRecord, 'id' | 'clientId' | 'username'>;

/**
 * Ends one login: its tokens count no more.
 * @returns false where it was ended before, or is unknown: then nothing is told
 */
export async function endLogin(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  { id, clientId, username }: EndingLogin,
  told: Pick<Happening, 'type' | 'outcome'> = { type: 'login.ended' },
): Promise<boolean> {
  if (!(await transaction.revokeLogin(id, context.clock.now()))) return false;
  const user = await transaction.user(pool.id, username);
  await recordEvent(context, transaction, { ...told, pool, user, clientId, details: { login: id } });
  return true;
}
