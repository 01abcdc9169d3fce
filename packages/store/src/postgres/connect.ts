import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Tables } from '../tables.ts';

/** Limits that hold for requests; a migration has none. */
export const REQUEST_LIMITS: pg.PoolConfig = {
  max: 10,
  // Covers waiting for a free connection as well: in a burst of logins that wait is as long as their arithmetic,
  // which keeps this thread busy while the timer runs.
  connectionTimeoutMillis: 5_000,
  statement_timeout: 2_000,
  // Above the server's deadlock_timeout (1 s), so that a deadlock is told as one and frees the other side.
  lock_timeout: 1_200,
  idle_in_transaction_session_timeout: 10_000,
  // A server that vanished without a word is noticed by this side only.
  query_timeout: 5_000,
};

/** One connection that may take as long as a migration needs. */
export const MIGRATION_LIMITS: pg.PoolConfig = { max: 1, connectionTimeoutMillis: 5_000 };

const INT8_OID = 20;

/** 64-bit integers here are counts and times below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
};

/** Kysely on a pool of connections to PostgreSQL. */
export function connectPostgres(connectionString: string, limits: pg.PoolConfig): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'poolgate',
    keepAlive: true,
    types,
    ...limits,
  });
  // Unheard, the loss of a connection would end the process: of an idle one, which the pool replaces by itself, and of one
  // in a transaction between two statements, of which the next fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}
