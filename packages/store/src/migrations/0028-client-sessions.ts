import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, POOL_OWNER, type TableShape } from './create-tables.ts';

const TABLES: Readonly<Record<string, TableShape>> = {
  client_sessions: {
    columns: {
      client_id: 'text',
      session_id: 'text',
      pool_id: 'text',
      username: 'text',
      sub: 'text',
      session_login_id: 'text',
      ends_grants: 'flag',
      expires_at_ms: 'integer',
      ended_at_ms: 'integer?',
      tries: 'integer',
      next_try_at_ms: 'integer',
      leased_until_ms: 'integer',
      last_failure: 'text?',
    },
    key: ['client_id', 'session_id'],
    owner: POOL_OWNER,
    indexes: [['session_login_id'], ['pool_id', 'username'], ['expires_at_ms']],
  },
};

/** The browser session of each login, and the sessions of which applications learn the end. */
export async function migrateClientSessions(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
  // Most rows have no end time; those with one are read every second.
  await sql`create index client_sessions_ended on client_sessions (next_try_at_ms) where ended_at_ms is not null`.execute(
    database,
  );
  await database.schema.alterTable('logins').addColumn('session_id', types.text.$castTo<never>()).execute();
  // API logins have none.
  await sql`create index logins_by_session_id on logins (session_id) where session_id is not null`.execute(database);
}
