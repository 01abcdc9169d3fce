import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, POOL_OWNER, type TableShape, USER_OWNER } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  identity_providers: {
    columns: {
      pool_id: 'text',
      name: 'text',
      settings: 'text',
      secret_sealed: 'text',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
    },
    key: ['pool_id', 'name'],
    owner: POOL_OWNER,
  },
  federated_identities: {
    columns: {
      pool_id: 'text',
      provider_name: 'text',
      attribute: 'text',
      value: 'text',
      username: 'text',
      issuer: 'text',
      is_primary: 'flag',
      created_at_ms: 'integer',
    },
    key: ['pool_id', 'provider_name', 'attribute', 'value'],
    owner: USER_OWNER,
    indexes: [['pool_id', 'username']],
  },
};

/** Other identity providers, and the accounts there that sign users in. */
export async function migrateFederation(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
}
