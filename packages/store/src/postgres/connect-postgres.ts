import { Kysely } from 'kysely';
import pg from 'pg';
import type { PostgresServers } from '../sql/database-url.ts';
import type { Tables } from '../sql/tables.ts';
import {
  type ConnectionLimits,
  createBeginStatements,
  extractLimits,
  formatBeginStatement,
  type TimeLimits,
} from './connection-limits.ts';
import { type BatchPool, LimitedPool } from './limited-pool.ts';
import { SharedConnectionDialect } from './postgres-dialect.ts';
import { extractTls } from './postgres-tls.ts';
import { ServerPools } from './server-pools.ts';
import { type BatchStatement, COLUMN_PARSERS } from './statement-batch.ts';

function openConnectionPool(connectionString: string, limits: ConnectionLimits, ssl: pg.PoolConfig['ssl']): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    application_name: 'poolgate',
    keepAlive: true,
    types: COLUMN_PARSERS,
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

/** Connections to one database. */
export interface PostgresConnections {
  /** Builds queries, and runs those that need no batch. */
  readonly kysely: Kysely<Tables>;
  readonly pool: BatchPool;
  /** What begins every transaction in a batch. */
  readonly begin: readonly BatchStatement[];
  close(): Promise<void>;
}

/**
 * Pools of connections to PostgreSQL servers, or to a pooler that hands on connections between transactions: nothing is
 * kept on a connection, and nothing is asked for when it is made that a pooler refuses.
 * @throws TypeError, StoreUnavailable where what the URL says of TLS cannot be
 */
export function connectPostgres(
  { urls, mustTakeWrites }: PostgresServers,
  limitsFor: (own: Partial<TimeLimits>) => ConnectionLimits,
): PostgresConnections {
  const limits = limitsFor(extractLimits(urls[0] ?? '').limits);
  const pools = urls.map((url) => {
    const { url: plain, ssl } = extractTls(extractLimits(url).url);
    return openConnectionPool(plain, limits, ssl);
  });
  const servers = new ServerPools(pools, mustTakeWrites);
  const pool = new LimitedPool(servers, limits.query_timeout);
  return {
    kysely: new Kysely<Tables>({ dialect: new SharedConnectionDialect({ pool }, formatBeginStatement(limits)) }),
    pool,
    begin: createBeginStatements(limits),
    close: () => servers.end(),
  };
}
