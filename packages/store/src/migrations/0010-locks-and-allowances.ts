import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  // Without an owner: messages to unknown addresses are counted as well, and some counters apply to all pools.
  allowances: {
    columns: { pool_id: 'text', subject: 'text', taken: 'integer', expires_at_ms: 'integer' },
    key: ['pool_id', 'subject'],
    indexes: [['expires_at_ms']],
  },
  locks: {
    columns: { name: 'text', expires_at_ms: 'integer' },
    key: ['name'],
    indexes: [['expires_at_ms']],
  },
};

// Replicas of the previous version still use the old rows, which are swept when they expire.
async function copyAllowances(database: Kysely<unknown>): Promise<void> {
  await sql`insert into allowances (pool_id, subject, taken, expires_at_ms)
    select pool_id, subject, failures, case when locked_until_ms > 0 then locked_until_ms else expires_at_ms end
    from lockouts where subject like 'send:%' or subject like 'recovered:%'`.execute(database);
}

/** Separate tables for locks and allowances, which were rows of sessions and lockouts. */
export async function migrateLocksAndAllowances(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  await copyAllowances(database);
}
