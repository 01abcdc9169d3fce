import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement, type Writer } from '../sql/statement.ts';

const touchUser = defineStatement((db, p: Placeholders<{ poolId: string; username: string }>) =>
  db
    .updateTable('users')
    .set((eb) => ({ modified_at_ms: eb.ref('modified_at_ms') }))
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username),
);

/**
 * Locks a user: other writes that lock it wait until this one has ended, so that what this write counts or replaces stays unchanged. A
 * missing user is ignored.
 */
export async function lockUser(writer: Writer, poolId: string, username: string): Promise<void> {
  if (!writer.isExclusive) await writer.run(touchUser, { poolId, username });
}
