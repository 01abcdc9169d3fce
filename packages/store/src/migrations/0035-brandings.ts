import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, POOL_OWNER, type TableShape } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  brandings: {
    columns: {
      pool_id: 'text',
      client_id: 'text',
      kind: 'text',
      id: 'text',
      content: 'text',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
    },
    key: ['pool_id', 'client_id', 'kind'],
    unique: ['pool_id', 'id'],
    owner: POOL_OWNER,
  },
};

/** The look of the pages, which Cognito's operations set. */
export async function migrateBrandings(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
}
