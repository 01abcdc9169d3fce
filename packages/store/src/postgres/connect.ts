import { Kysely } from 'kysely';
import pg from 'pg';
import type { Tables } from '../tables.ts';
import { SharedConnectionDialect } from './dialect.ts';
import { limitedPool } from './limited-pool.ts';
import { beginUnder, type Limits, limitsIn } from './limits.ts';

// Covers waiting for a free connection as well: in a burst of logins that wait is as long as their arithmetic,
// which keeps this thread busy while the timer runs.
const CONNECT_MS = 5_000;

const INT8_OID = 20;

/** 64-bit integers here are counts and times below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
};

/**
 * Kysely on a pool of connections to PostgreSQL, or to a pooler that hands on connections between transactions: nothing is kept
 * on a connection, and nothing is asked for when it is made that a pooler refuses.
 */
export function connectPostgres(databaseUrl: string, limitsFor: (own: Partial<Limits>) => Limits): Kysely<Tables> {
  const { url: connectionString, limits: own } = limitsIn(databaseUrl);
  const limits = limitsFor(own);
  const pool = new pg.Pool({
    connectionString,
    application_name: 'poolgate',
    keepAlive: true,
    types,
    max: limits.connections,
    connectionTimeoutMillis: CONNECT_MS,
  });
  // Unheard, the loss of a connection would end the process: of an idle one, which the pool replaces by itself, and of one
  // in a transaction between two statements, of which the next fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const dialect = new SharedConnectionDialect({ pool: limitedPool(pool, limits.query_timeout) }, beginUnder(limits));
  return new Kysely<Tables>({ dialect });
}
