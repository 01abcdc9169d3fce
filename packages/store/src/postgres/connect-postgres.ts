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
  // Without a listener, a lost connection would end the process. The pool replaces idle connections; in a transaction, the next statement
  // fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Connections to a database. */
export interface PostgresConnections {
  /** Builds queries, and runs those that need no batch. */
  readonly kysely: Kysely<Tables>;
  readonly pool: BatchPool;
  /** The statements that begin every batched transaction. */
  readonly begin: readonly BatchStatement[];
  close(): Promise<void>;
}

/**
 * Creates connection pools for PostgreSQL servers, or for a pooler that reassigns connections between transactions. No state is kept on a
 * connection, and connecting requires nothing that a pooler refuses.
 * @throws TypeError, StoreUnavailable for invalid TLS settings in the URL
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
