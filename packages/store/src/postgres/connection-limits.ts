import type { BatchStatement } from './statement-batch.ts';

/** Time limits in milliseconds; 0 means no limit. */
export interface TimeLimits {
  /** The server cancels a statement of a transaction after this time. */
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
  /** The client stops waiting for a response after this time, and asks the server to cancel the statement. */
  readonly query_timeout: number;
  /** How long to wait for a connection, whether free or new. */
  readonly connection_timeout: number;
}

/** The limits of database use. */
export interface ConnectionLimits extends TimeLimits {
  /** The maximum number of open connections. */
  readonly connections: number;
}

const REQUEST_TIMES: TimeLimits = {
  statement_timeout: 2_000,
  // Above the server's deadlock_timeout (1 s), so that a deadlock is reported as one and releases the other side.
  lock_timeout: 1_200,
  idle_in_transaction_session_timeout: 10_000,
  // Above the server's limits, which also release its resources at once. Statements outside of a transaction have only this limit, and only
  // the client notices a server that disappeared silently.
  query_timeout: 4_000,
  // In a burst of logins, waiting for a free connection takes the time of their arithmetic, which keeps this thread busy while the timer
  // runs.
  connection_timeout: 5_000,
};

/** The limits for requests. Limits in the URL override the defaults. */
export function createRequestLimits(own: Partial<TimeLimits>): ConnectionLimits {
  return { ...REQUEST_TIMES, ...own, connections: 10 };
}

/** A migration takes the time that it needs, even if its role or the URL has limits. It waits up to an hour for another migration. */
const MIGRATION_LIMITS: ConnectionLimits = {
  connections: 1,
  statement_timeout: 0,
  lock_timeout: 3_600_000,
  idle_in_transaction_session_timeout: 0,
  query_timeout: 0,
  connection_timeout: REQUEST_TIMES.connection_timeout,
};

/** The limits for migrations. */
export function createMigrationLimits(): ConnectionLimits {
  return MIGRATION_LIMITS;
}

const NAMES = Object.keys(REQUEST_TIMES) as readonly (keyof TimeLimits)[];

/** The names of the limits that the server supports. */
export const SERVER_LIMITS = NAMES.filter((name) => name !== 'query_timeout' && name !== 'connection_timeout');

/** Extracts the limits from a database URL. The driver would send them as startup parameters, which PgBouncer refuses. */
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
 * Formats the message that begins a transaction with these limits. It is a single message, so it needs no additional round trip. The limits
 * end with the transaction, so they do not apply to later users of the connection.
 */
export function formatBeginStatement(limits: TimeLimits): string {
  return ['begin', ...SERVER_LIMITS.map((name) => `set local ${name} = ${limits[name]}`)].join('; ');
}

/** The same as batched statements. The server skips everything after a failed one, so nothing runs outside of the transaction. */
export function createBeginStatements(limits: TimeLimits): readonly BatchStatement[] {
  const settings = SERVER_LIMITS.map((name) => `set_config('${name}', '${limits[name]}', true)`);
  return ['begin', `select ${settings.join(', ')}`].map((sql) => ({ sql, values: [] }));
}
