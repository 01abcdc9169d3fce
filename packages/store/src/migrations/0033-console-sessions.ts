import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  // Without an owner, because keys of the environment have no row.
  console_sessions: {
    columns: {
      id_digest_hex: 'text',
      key_id: 'text',
      key_digest_hex: 'text',
      scopes: 'text',
      network: 'text',
      created_at_ms: 'integer',
      seen_at_ms: 'integer',
      ends_at_ms: 'integer',
      expires_at_ms: 'integer',
    },
    key: ['id_digest_hex'],
    indexes: [['expires_at_ms']],
  },
};

/** Sessions of the console. */
export async function migrateConsoleSessions(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
}
