import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  // No index beside the key: the time changes with every request, and PostgreSQL writes a row whose indexed columns stay in place.
  rates: { columns: { name: 'text', whole_at_ms: 'integer' }, key: ['name'] },
};

/** How often something was done in the last minute, by name: what limits count over all replicas. */
export async function migrateRates(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  for (const change of types.forgettable) await sql`alter table rates ${change}`.execute(database);
}
