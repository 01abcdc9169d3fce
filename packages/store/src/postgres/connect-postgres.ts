import { Kysely } from 'kysely';
import pg from 'pg';
import type { PostgresServers } from '../sql/database-url.ts';
import type { Tables } from '../sql/tables.ts';
import { type ConnectionLimits, extractLimits, formatBeginStatement, type TimeLimits } from './connection-limits.ts';
import { createLimitedPool } from './limited-pool.ts';
import { SharedConnectionDialect } from './postgres-dialect.ts';
import { extractTls } from './postgres-tls.ts';
import { ServerPools } from './server-pools.ts';

const INT8_OID = 20;

/** 64-bit integers here are counts and times below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
};

function openConnectionPool(connectionString: string, limits: ConnectionLimits, ssl: pg.PoolConfig['ssl']): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'poolgate',
    keepAlive: true,
    types,
    max: limits.connections,
    connectionTimeoutMillis: limits.connection_timeout,
    ...(ssl === undefined ? {} : { ssl }),
  });
  // Unheard, the loss of a connection would end the process: of an idle one, which the pool replaces by itself, and of one
  // in a transaction between two statements, of which the next fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Kysely on pools of connections to PostgreSQL servers, or to a pooler that hands on connections between transactions: nothing is
 * kept on a connection, and nothing is asked for when it is made that a pooler refuses.
 * @throws TypeError, StoreUnavailable where what the URL says of TLS cannot be
 */
export function connectPostgres(
  { urls, mustTakeWrites }: PostgresServers,
  limitsFor: (own: Partial<TimeLimits>) => ConnectionLimits,
): Kysely<Tables> {
  const limits = limitsFor(extractLimits(urls[0] ?? '').limits);
  const pools = urls.map((url) => {
    const { url: plain, ssl } = extractTls(extractLimits(url).url);
    return openConnectionPool(plain, limits, ssl);
  });
  const pool = createLimitedPool(new ServerPools(pools, mustTakeWrites), limits.query_timeout);
  return new Kysely<Tables>({ dialect: new SharedConnectionDialect({ pool }, formatBeginStatement(limits)) });
}
