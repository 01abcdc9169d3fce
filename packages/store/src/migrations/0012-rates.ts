import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  // No index besides the key. The time changes with every request, and PostgreSQL updates a row in place if no indexed column changes.
  rates: { columns: { name: 'text', whole_at_ms: 'integer' }, key: ['name'] },
};

/** Rate limits over the last minute, by name, shared by all replicas. */
export async function migrateRates(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  for (const change of types.forgettable) await sql`alter table rates ${change}`.execute(database);
}
