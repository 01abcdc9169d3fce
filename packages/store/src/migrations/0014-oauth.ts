import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, POOL_OWNER, type TableShape, USER_OWNER } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  domains: {
    columns: {
      name: 'text',
      pool_id: 'text',
      settings: 'text',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
    },
    key: ['name'],
    owner: POOL_OWNER,
    indexes: [['pool_id', 'name']],
  },
  resource_servers: {
    columns: {
      pool_id: 'text',
      identifier: 'text',
      name: 'text',
      scopes: 'text',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
    },
    key: ['pool_id', 'identifier'],
    owner: POOL_OWNER,
  },
  authorization_requests: {
    columns: {
      digest_hex: 'text',
      pool_id: 'text',
      client_id: 'text',
      browser_digest_hex: 'text',
      request: 'text',
      created_at_ms: 'integer',
      expires_at_ms: 'integer',
    },
    key: ['digest_hex'],
    owner: POOL_OWNER,
    indexes: [['expires_at_ms'], ['pool_id']],
  },
  authorization_codes: {
    columns: {
      digest_hex: 'text',
      pool_id: 'text',
      client_id: 'text',
      username: 'text',
      session_login_id: 'text',
      authorization: 'text',
      token_login_id: 'text?',
      used_at_ms: 'integer?',
      expires_at_ms: 'integer',
      created_at_ms: 'integer',
    },
    key: ['digest_hex'],
    owner: USER_OWNER,
    indexes: [['expires_at_ms'], ['pool_id', 'username']],
  },
};

/** Domains, resource servers, authorization requests and codes, and the OAuth data of logins. */
export async function migrateOAuth(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  for (const column of ['scope', 'audience']) {
    await database.schema.alterTable('logins').addColumn(column, types.text.$castTo<never>()).execute();
  }
}
