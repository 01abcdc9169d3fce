import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape, USER_OWNER } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  registrations: {
    columns: {
      pool_id: 'text',
      username: 'text',
      name: 'text',
      is_aside: 'flag',
      is_contested: 'flag',
      created_at_ms: 'integer',
      expires_at_ms: 'integer',
    },
    key: ['pool_id', 'username'],
    owner: USER_OWNER,
    indexes: [['pool_id', 'name'], ['expires_at_ms']],
  },
};

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

// Existing registrations get another week from now, and each holds its name alone. That name is the third one, after the username and the
// `sub`.
async function fillRegistrations(database: Kysely<unknown>): Promise<void> {
  const third = sql`select min(names.name) from names where names.pool_id = users.pool_id
    and names.username = users.username and names.name <> users.username and names.name <> users.sub`;
  await sql`insert into registrations (pool_id, username, name, is_aside, is_contested, created_at_ms, expires_at_ms)
    select pool_id, username, coalesce((${third}), username), false, false, created_at_ms, created_at_ms + ${sql.lit(WEEK_MS)}
    from users where status = 'UNCONFIRMED'`.execute(database);
}

/** Registrations that wait for their confirmation; several may share a name. */
export async function migrateRegistrations(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  await fillRegistrations(database);
}
