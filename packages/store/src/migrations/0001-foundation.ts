import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, POOL_OWNER, type TableShape, USER_OWNER } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  pools: {
    columns: {
      id: 'text',
      name: 'text',
      region: 'text',
      settings: 'text',
      secret_sealed: 'text',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
    },
    key: ['id'],
  },
  clients: {
    columns: {
      pool_id: 'text',
      id: 'text',
      name: 'text',
      settings: 'text',
      secrets_sealed: 'text',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
    },
    key: ['id'],
    owner: POOL_OWNER,
    indexes: [['pool_id', 'created_at_ms']],
  },
  users: {
    columns: {
      pool_id: 'text',
      username: 'text',
      sub: 'text',
      status: 'text',
      enabled: 'flag',
      attributes: 'text',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
    },
    key: ['pool_id', 'username'],
    unique: ['pool_id', 'sub'],
    owner: POOL_OWNER,
  },
  names: {
    columns: { pool_id: 'text', name: 'text', username: 'text' },
    key: ['pool_id', 'name'],
    owner: USER_OWNER,
    indexes: [['pool_id', 'username']],
  },
  credentials: {
    columns: {
      pool_id: 'text',
      username: 'text',
      salt_hex: 'text',
      verifier_sealed: 'text',
      temporary_until_ms: 'integer?',
      set_at_ms: 'integer',
    },
    key: ['pool_id', 'username'],
    owner: USER_OWNER,
  },
  sessions: {
    columns: { id: 'text', tries: 'integer', spent: 'flag', expires_at_ms: 'integer' },
    key: ['id'],
    indexes: [['expires_at_ms']],
  },
  codes: {
    columns: {
      pool_id: 'text',
      username: 'text',
      purpose: 'text',
      digest_hex: 'text',
      channel: 'text',
      destination: 'text',
      expires_at_ms: 'integer',
      created_at_ms: 'integer',
    },
    key: ['pool_id', 'username', 'purpose'],
    owner: USER_OWNER,
    indexes: [['expires_at_ms']],
  },
  logins: {
    columns: {
      id: 'text',
      pool_id: 'text',
      client_id: 'text',
      username: 'text',
      auth_time_seconds: 'integer',
      refresh_expires_at_ms: 'integer',
      generation: 'integer',
      rotated_at_ms: 'integer?',
      revoked_at_ms: 'integer?',
      created_at_ms: 'integer',
    },
    key: ['id'],
    owner: USER_OWNER,
    indexes: [['pool_id', 'username'], ['refresh_expires_at_ms']],
  },
  signing_keys: {
    columns: {
      pool_id: 'text',
      kid: 'text',
      purpose: 'text',
      n: 'text',
      e: 'text',
      private_sealed: 'text',
      created_at_ms: 'integer',
      retired_at_ms: 'integer?',
    },
    key: ['pool_id', 'kid'],
    owner: POOL_OWNER,
  },
  // Without an owner, because guesses at unknown usernames are counted as well.
  lockouts: {
    columns: {
      pool_id: 'text',
      subject: 'text',
      failures: 'integer',
      last_failure_at_ms: 'integer',
      locked_until_ms: 'integer',
      expires_at_ms: 'integer',
    },
    key: ['pool_id', 'subject'],
    indexes: [['expires_at_ms']],
  },
  // The gateway's tables have no owner either, because its users may be at another provider.
  local_users: {
    columns: {
      user_pool_id: 'text',
      sub: 'text',
      username: 'text',
      password_reset_required: 'flag',
      is_webauthn_enabled: 'flag',
      created_at_ms: 'integer',
      updated_at_ms: 'integer',
    },
    key: ['user_pool_id', 'sub'],
  },
  endings: {
    columns: { user_pool_id: 'text', subject: 'text', ended_at_ms: 'integer', expires_at_ms: 'integer' },
    key: ['user_pool_id', 'subject'],
    indexes: [['expires_at_ms']],
  },
  pending_srp: {
    columns: { digest_hex: 'text', sealed: 'text', expires_at_ms: 'integer' },
    key: ['digest_hex'],
    indexes: [['expires_at_ms']],
  },
  admin_keys: {
    columns: {
      id: 'text',
      secret_digest_hex: 'text',
      signing_secret_sealed: 'text',
      scopes: 'text',
      label: 'text',
      created_at_ms: 'integer',
      expires_at_ms: 'integer',
      last_used_at_ms: 'integer?',
      revoked_at_ms: 'integer?',
    },
    key: ['id'],
  },
};

/** The first schema: pools and everything in them, and the gateway's own records. */
export async function migrateFoundation(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
}
