import { type Kysely, sql } from 'kysely';
import { toSearchRows } from '../pool/user-search-values.ts';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, POOL_OWNER, type TableShape, USER_OWNER } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  groups: {
    columns: {
      pool_id: 'text',
      name: 'text',
      description: 'text?',
      precedence: 'integer?',
      role_arn: 'text?',
      created_at_ms: 'integer',
      modified_at_ms: 'integer',
    },
    key: ['pool_id', 'name'],
    owner: POOL_OWNER,
  },
  user_search: {
    columns: { pool_id: 'text', attribute: 'text', value: 'text', username: 'text' },
    key: ['pool_id', 'attribute', 'value', 'username'],
    owner: USER_OWNER,
    indexes: [['pool_id', 'username']],
  },
  not_me_links: {
    columns: { pool_id: 'text', username: 'text', digest_hex: 'text', expires_at_ms: 'integer' },
    key: ['digest_hex'],
    owner: USER_OWNER,
    indexes: [['pool_id', 'username'], ['expires_at_ms']],
  },
  // Without an owner: events outlive their user, and the pool may be at another provider.
  events: {
    columns: {
      id: 'text',
      user_pool_id: 'text',
      at_ms: 'integer',
      type: 'text',
      outcome: 'text',
      client_id: 'text?',
      actor_kind: 'text',
      actor_id: 'text?',
      sub: 'text?',
      username: 'text?',
      request_id: 'text',
      source_address: 'text',
      details: 'text',
      expires_at_ms: 'integer',
    },
    // Only the id. With the pool in the key, SQLite would scan all events of a pool instead of looking up a user's.
    key: ['id'],
    indexes: [['user_pool_id', 'id'], ['user_pool_id', 'sub', 'id'], ['user_pool_id', 'type', 'id'], ['expires_at_ms']],
  },
  webhooks: {
    columns: {
      id: 'text',
      url: 'text',
      events: 'text',
      secret_sealed: 'text',
      description: 'text',
      created_at_ms: 'integer',
    },
    key: ['id'],
  },
  deliveries: {
    columns: {
      webhook_id: 'text',
      event_id: 'text',
      event: 'text',
      tries: 'integer',
      next_try_at_ms: 'integer',
      leased_until_ms: 'integer',
      dead_at_ms: 'integer?',
      last_failure: 'text?',
      expires_at_ms: 'integer',
    },
    key: ['webhook_id', 'event_id'],
    owner: { table: 'webhooks', columns: ['webhook_id'], key: ['id'] },
    // Pending deliveries by due time for the dispatcher; failed ones for the sweep, and by webhook for lists.
    indexes: [['dead_at_ms', 'next_try_at_ms', 'event_id'], ['webhook_id', 'dead_at_ms'], ['expires_at_ms']],
  },
  idempotency_keys: {
    columns: { digest_hex: 'text', request_digest_hex: 'text', answer_sealed: 'text?', expires_at_ms: 'integer' },
    key: ['digest_hex'],
    indexes: [['expires_at_ms']],
  },
};

// Rows that are deleted with their user and with their group.
async function createMemberships(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const text = types.text.$castTo<never>();
  const integer = types.integer.$castTo<never>();
  await database.schema
    .createTable('memberships')
    .addColumn('pool_id', text, (column) => column.notNull())
    .addColumn('username', text, (column) => column.notNull())
    .addColumn('group_name', text, (column) => column.notNull())
    .addColumn('created_at_ms', integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('memberships_key', ['pool_id', 'username', 'group_name'])
    .addForeignKeyConstraint('memberships_user', ['pool_id', 'username'], 'users', ['pool_id', 'username'], (owner) =>
      owner.onDelete('cascade'),
    )
    .addForeignKeyConstraint('memberships_group', ['pool_id', 'group_name'], 'groups', ['pool_id', 'name'], (owner) =>
      owner.onDelete('cascade'),
    )
    .modifyEnd(types.tableOptions)
    .execute();
  await createIndex(database, 'memberships', ['pool_id', 'group_name', 'username']);
}

async function createIndex(database: Kysely<unknown>, table: string, columns: readonly string[]): Promise<void> {
  const name = `${table}_by_${columns.map((column) => column.replace(' ', '_')).join('_')}`;
  await database.schema
    .createIndex(name)
    .on(table)
    .columns([...columns])
    .execute();
}

async function widenLogins(database: Kysely<unknown>, { text }: ColumnTypes): Promise<void> {
  await database.schema.alterTable('logins').addColumn('source_address', text.$castTo<never>()).execute();
  await database.schema.dropIndex('logins_by_pool_id_username').execute();
  await createIndex(database, 'logins', ['pool_id', 'username', 'created_at_ms desc', 'id']);
}

interface SearchedUser {
  readonly pool_id: string;
  readonly username: string;
  readonly attributes: string;
}

// Far below SQLite's maximum number of parameters in a statement.
const USERS_AT_ONCE = 500;

async function fillSearchRows(database: Kysely<unknown>, users: readonly SearchedUser[]): Promise<void> {
  const rows = users.flatMap(({ pool_id, username, attributes }) =>
    toSearchRows(JSON.parse(attributes) as Record<string, string>).map(
      ({ attribute, value }) => sql`(${pool_id}, ${attribute}, ${value}, ${username})`,
    ),
  );
  if (rows.length === 0) return;
  await sql`insert into user_search (pool_id, attribute, value, username) values ${sql.join(rows)}`.execute(database);
}

async function fillSearch(database: Kysely<unknown>): Promise<void> {
  let users: readonly SearchedUser[] = [];
  do {
    const { pool_id, username } = users.at(-1) ?? { pool_id: '', username: '' };
    const page = sql<SearchedUser>`select pool_id, username, attributes from users
      where (pool_id, username) > (${pool_id}, ${username}) order by pool_id, username limit ${sql.lit(USERS_AT_ONCE)}`;
    users = (await page.execute(database)).rows;
    await fillSearchRows(database, users);
  } while (users.length === USERS_AT_ONCE);
}

// The defaults of a new pool. The database does not know where its notices could link to.
const NEW_SETTINGS = {
  requireVerificationBeforeUpdate: ['email', 'phone_number'],
  verifierPasswords: true,
  notMeUrl: null,
};

async function fillSettings(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; settings: string }>`select id, settings from pools`.execute(database);
  for (const { id, settings } of rows) {
    const filled = JSON.stringify({ ...NEW_SETTINGS, ...JSON.parse(settings) });
    await sql`update pools set settings = ${filled} where id = ${id}`.execute(database);
  }
}

/** Groups, the search of users, the audit log, webhooks, idempotency keys and "this wasn't me" links. */
export async function migrateAccounts(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  await createMemberships(database, types);
  await createIndex(database, 'users', ['pool_id', 'status', 'username']);
  await createIndex(database, 'users', ['pool_id', 'enabled', 'username']);
  await widenLogins(database, types);
  await fillSearch(database);
  await fillSettings(database);
}
