import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  stacks: { columns: { name: 'text', lease_id: 'text', lease_until_ms: 'integer' }, key: ['name'] },
  // The rows outlive their pool: the next apply learns from them that the pool is gone.
  stack_resources: {
    columns: {
      stack: 'text',
      logical_id: 'text',
      type: 'text',
      pool_id: 'text',
      physical_id: 'text',
      state: 'text',
      applied: 'text',
      described: 'text',
      modified_at_ms: 'integer',
    },
    key: ['stack', 'logical_id'],
  },
};

/** What was made from infrastructure files, by stack and logical id. */
export async function migrateStacks(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
}
