import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  replicas: { columns: { id: 'text', name: 'text', key_ids: 'text', seen_at_ms: 'integer' }, key: ['id'] },
};

/** The services that run on this database, and the ids of their keys. */
export async function migrateReplicas(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
}
