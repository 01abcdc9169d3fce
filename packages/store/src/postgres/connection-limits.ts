import type { BatchStatement } from './statement-batch.ts';

/** How long the database may take, in milliseconds; 0 is without end. */
export interface TimeLimits {
  /** The server gives up a statement of a transaction after this time. */
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
  /** This side gives up waiting for an answer, and has the server cancel the statement. */
  readonly query_timeout: number;
  /** How long is waited for a connection, for a free one as well as for a new one. */
  readonly connection_timeout: number;
}

/** What is asked of the database at most. */
export interface ConnectionLimits extends TimeLimits {
  /** How many connections may be open. */
  readonly connections: number;
}

const REQUEST_TIMES: TimeLimits = {
  statement_timeout: 2_000,
  // Above the server's deadlock_timeout (1 s), so that a deadlock is told as one and frees the other side.
  lock_timeout: 1_200,
  idle_in_transaction_session_timeout: 10_000,
  // Above the server's, which also free its side at once. A statement outside a transaction has only this one, and a server that
  // vanished without a word is noticed by this side only.
  query_timeout: 4_000,
  // In a burst of logins the wait for a free one is as long as their arithmetic, which keeps this thread busy while the timer runs.
  connection_timeout: 5_000,
};

/** The limits that hold for requests; those that the URL names in place of ours. */
export function createRequestLimits(own: Partial<TimeLimits>): ConnectionLimits {
  return { ...REQUEST_TIMES, ...own, connections: 10 };
}

/**
 * A migration takes as long as it needs, also where its role or the URL has limits. It waits for another one for an hour.
 */
const MIGRATION_LIMITS: ConnectionLimits = {
  connections: 1,
  statement_timeout: 0,
  lock_timeout: 3_600_000,
  idle_in_transaction_session_timeout: 0,
  query_timeout: 0,
  connection_timeout: REQUEST_TIMES.connection_timeout,
};

/** The limits that hold for migrations. */
export function createMigrationLimits(): ConnectionLimits {
  return MIGRATION_LIMITS;
}

const NAMES = Object.keys(REQUEST_TIMES) as readonly (keyof TimeLimits)[];

/** The names of the limits that the server knows. */
export const SERVER_LIMITS = NAMES.filter((name) => name !== 'query_timeout' && name !== 'connection_timeout');

/**
 * Takes the limits out of a database URL, where its owner named some. The driver would send them when it connects, as startup
 * parameters that PgBouncer refuses.
 */
export function extractLimits(url: string): { readonly url: string; readonly limits: Partial<TimeLimits> } {
  const plain = new URL(url);
  const limits: Partial<Record<keyof TimeLimits, number>> = {};
  for (const name of NAMES) {
    const value = Number(plain.searchParams.get(name) ?? Number.NaN);
    if (Number.isSafeInteger(value) && value >= 0) limits[name] = value;
    plain.searchParams.delete(name);
  }
  return { url: plain.href, limits };
}

/**
 * What begins a transaction under these limits: one message, so that it costs no round trip of its own. They end with the
 * transaction, whoever is given the connection next.
 */
export function formatBeginStatement(limits: TimeLimits): string {
  return ['begin', ...SERVER_LIMITS.map((name) => `set local ${name} = ${limits[name]}`)].join('; ');
}

/** The same as statements of a batch: the server skips all behind one that fails, so that nothing runs outside the transaction. */
export function createBeginStatements(limits: TimeLimits): readonly BatchStatement[] {
  const settings = SERVER_LIMITS.map((name) => `set_config('${name}', '${limits[name]}', true)`);
  return ['begin', `select ${settings.join(', ')}`].map((sql) => ({ sql, values: [] }));
}
