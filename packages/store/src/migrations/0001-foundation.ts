import type { CreateTableBuilder, Kysely } from 'kysely';
import type { ColumnTypes } from '../database.ts';

type Kind = 'text' | 'integer' | 'flag';
type Column = Kind | `${Kind}?`;

interface TableShape {
  readonly columns: Readonly<Record<string, Column>>;
  readonly key: readonly string[];
  readonly unique?: readonly string[];
  /** The owner: its table, the columns here and there. The rows of an owner go with it. */
  readonly owner?: { readonly table: string; readonly columns: readonly string[]; readonly key: readonly string[] };
  readonly indexes?: readonly (readonly string[])[];
}

const ofPool = { table: 'pools', columns: ['pool_id'], key: ['id'] };
const ofUser = { table: 'users', columns: ['pool_id', 'username'], key: ['pool_id', 'username'] };

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
    owner: ofPool,
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
    owner: ofPool,
  },
  names: {
    columns: { pool_id: 'text', name: 'text', username: 'text' },
    key: ['pool_id', 'name'],
    owner: ofUser,
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
    owner: ofUser,
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
    owner: ofUser,
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
    owner: ofUser,
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
    owner: ofPool,
  },
  // Without an owner: guesses at names that nobody has are counted alike.
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
  // The gateway's tables have no owner either: its users may live at another provider.
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

type Builder = CreateTableBuilder<string, string>;

function withColumns(table: Builder, shape: TableShape, types: ColumnTypes): Builder {
  return Object.entries(shape.columns).reduce((builder, [name, column]) => {
    const kind = column.replace('?', '') as Kind;
    return builder.addColumn(name, types[kind].$castTo<never>(), (definition) =>
      column.endsWith('?') ? definition : definition.notNull(),
    );
  }, table);
}

function withConstraints(table: Builder, name: string, shape: TableShape): Builder {
  const keyed = table.addPrimaryKeyConstraint(`${name}_key`, [...shape.key]);
  const unique = shape.unique ? keyed.addUniqueConstraint(`${name}_unique`, [...shape.unique]) : keyed;
  const { owner } = shape;
  if (owner === undefined) return unique;
  return unique.addForeignKeyConstraint(
    `${name}_owner`,
    [...owner.columns],
    owner.table,
    [...owner.key],
    (constraint) => constraint.onDelete('cascade'),
  );
}

async function createTable(database: Kysely<unknown>, name: string, types: ColumnTypes): Promise<void> {
  const shape = TABLES[name];
  if (shape === undefined) throw new TypeError(`no table ${name}`);
  const table = withColumns(database.schema.createTable(name), shape, types);
  await withConstraints(table, name, shape).modifyEnd(types.tableOptions).execute();
  for (const columns of shape.indexes ?? []) {
    const index = `${name}_by_${columns.join('_')}`;
    await database.schema
      .createIndex(index)
      .on(name)
      .columns([...columns])
      .execute();
  }
}

/** The first schema: pools and what belongs to them, and the gateway's own records. */
export async function foundation(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const name of Object.keys(TABLES)) await createTable(database, name, types);
}
