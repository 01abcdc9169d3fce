import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape, USER_OWNER } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  passkeys: {
    columns: {
      pool_id: 'text',
      credential_id: 'text',
      username: 'text',
      public_key: 'text',
      counter: 'integer',
      transports: 'text',
      attachment: 'text?',
      aaguid: 'text',
      name: 'text',
      relying_party_id: 'text',
      is_backup_eligible: 'flag',
      is_backed_up: 'flag',
      created_at_ms: 'integer',
      last_used_at_ms: 'integer?',
    },
    // Without the user: a login without a username finds its user by the credential.
    key: ['pool_id', 'credential_id'],
    owner: USER_OWNER,
    indexes: [['pool_id', 'username', 'created_at_ms', 'credential_id']],
  },
  passkey_ceremonies: {
    columns: {
      pool_id: 'text',
      username: 'text',
      client_id: 'text',
      challenge_digest_hex: 'text',
      expires_at_ms: 'integer',
    },
    key: ['pool_id', 'username', 'client_id'],
    owner: USER_OWNER,
    indexes: [['expires_at_ms']],
  },
  local_passkeys: {
    columns: {
      user_pool_id: 'text',
      sub: 'text',
      credential_id: 'text',
      name: 'text',
      updated_at_ms: 'integer',
    },
    key: ['user_pool_id', 'sub', 'credential_id'],
  },
};

// Existing pools have no passkeys until their relying party and origins are set, because the database does not know the service's address.
const NEW_SETTINGS = { webAuthn: null };

async function fillSettings(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; settings: string }>`select id, settings from pools`.execute(database);
  for (const { id, settings } of rows) {
    const filled = JSON.stringify({ ...NEW_SETTINGS, ...JSON.parse(settings) });
    await sql`update pools set settings = ${filled} where id = ${id}`.execute(database);
  }
}

/** Passkeys, their pending registrations, and the names that users give them. */
export async function migratePasskeys(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  await fillSettings(database);
}
