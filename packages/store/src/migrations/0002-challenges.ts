import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, POOL_OWNER, type TableShape, USER_OWNER } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  devices: {
    columns: {
      pool_id: 'text',
      username: 'text',
      device_key: 'text',
      group_key: 'text',
      name: 'text?',
      salt_hex: 'text',
      verifier_sealed: 'text',
      remembered: 'flag',
      last_ip: 'text?',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
      last_authenticated_at_ms: 'integer',
    },
    // Without the user: a key that one user registered is taken for all users.
    key: ['pool_id', 'device_key'],
    owner: USER_OWNER,
    indexes: [['pool_id', 'username', 'created_at_ms', 'device_key']],
  },
  totp_factors: {
    columns: {
      pool_id: 'text',
      username: 'text',
      state: 'text',
      secret_sealed: 'text',
      name: 'text',
      last_step: 'integer',
      created_at_ms: 'integer',
    },
    key: ['pool_id', 'username', 'state'],
    owner: USER_OWNER,
  },
  recovery_codes: {
    columns: { pool_id: 'text', username: 'text', digest_hex: 'text', created_at_ms: 'integer' },
    key: ['pool_id', 'username', 'digest_hex'],
    owner: USER_OWNER,
  },
  messages: {
    columns: {
      id: 'text',
      pool_id: 'text',
      channel: 'text',
      sealed: 'text',
      tries: 'integer',
      next_try_at_ms: 'integer',
      leased_until_ms: 'integer',
      handed_over: 'flag',
      expires_at_ms: 'integer',
      dead_at_ms: 'integer?',
      last_failure: 'text?',
      created_at_ms: 'integer',
    },
    key: ['id'],
    owner: POOL_OWNER,
    // Waiting messages by age for the queue; failed ones by time for the sweep and for lists.
    indexes: [
      ['dead_at_ms', 'created_at_ms'],
      ['pool_id', 'dead_at_ms'],
    ],
  },
  local_devices: {
    columns: {
      user_pool_id: 'text',
      sub: 'text',
      device_key: 'text',
      name: 'text?',
      remembered: 'flag?',
      created_at_ms: 'integer',
      updated_at_ms: 'integer',
    },
    key: ['user_pool_id', 'sub', 'device_key'],
  },
};

// The new settings of a pool from the first release: the defaults of a new pool.
const NEW_SETTINGS = {
  mfaMethods: ['SOFTWARE_TOKEN_MFA'],
  deviceTracking: { challengeRequiredOnNewDevice: true, onlyRememberedOnUserPrompt: true },
  firstFactors: ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP'],
  recovery: ['verified_email'],
};

async function addColumns(database: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  const type = text.$castTo<never>();
  await database.schema
    .alterTable('users')
    .addColumn('mfa_methods', type, (column) => column.notNull().defaultTo('[]'))
    .execute();
  await database.schema.alterTable('users').addColumn('preferred_mfa', type).execute();
  await database.schema.alterTable('logins').addColumn('device_key', type).execute();
}

async function fillSettings(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; settings: string }>`select id, settings from pools`.execute(database);
  for (const { id, settings } of rows) {
    const filled = JSON.stringify({ ...NEW_SETTINGS, ...JSON.parse(settings) });
    await sql`update pools set settings = ${filled} where id = ${id}`.execute(database);
  }
}

/** Devices, second factors, recovery codes and queued messages. */
export async function migrateChallenges(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  await addColumns(database, types);
  await fillSettings(database);
}
