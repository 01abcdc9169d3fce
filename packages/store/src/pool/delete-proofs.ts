import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement, type Executor } from '../sql/statement.ts';
import type { Tables } from '../sql/tables.ts';

const TABLES = [
  'credentials',
  'codes',
  'devices',
  'not_me_links',
  'passkey_ceremonies',
  'passkeys',
  'recovery_codes',
  'totp_factors',
] as const satisfies readonly (keyof Tables)[];

const DELETIONS = TABLES.map((table) =>
  defineStatement((db, p: Placeholders<{ poolId: string; username: string }>) =>
    db.deleteFrom(table).where('pool_id', '=', p.poolId).where('username', '=', p.username),
  ),
);

/** Deletes every credential of a user. */
export async function deleteProofs(executor: Executor, poolId: string, username: string): Promise<void> {
  for (const deletion of DELETIONS) await executor.run(deletion, { poolId, username });
}
