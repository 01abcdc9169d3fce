import { ConflictError, ROW_CHANGED, StoreFault, StoreUnavailable } from '../sql/store-errors.ts';

/** An error from the server with its SQLSTATE (https://www.postgresql.org/docs/18/errcodes-appendix.html). */
interface ServerError extends Error {
  readonly code: string;
  readonly table?: string;
}

const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const DISK_FULL = '53100';
const QUERY_CANCELED = '57014';

/** The error of a statement that must change a row and changes none: invalid argument for logarithm. */
const NO_ROW_CHANGED = '2201E';

/** Serialization failure, deadlock, lock timeout, and a row that changed since it was read. A retry may succeed. */
const RETRYABLE: readonly string[] = ['40001', '40P01', '55P03', NO_ROW_CHANGED];

/** Error codes and classes that pass by themselves, or with the database's next primary. */
const UNAVAILABLE = new Map([
  ['08', 'the connection failed'],
  [NO_ROW_CHANGED, ROW_CHANGED],
  ['25006', 'this server is read-only'],
  ['28', 'the server refused the login'],
  ['3D', 'the database does not exist'],
  ['40', 'concurrent writes kept colliding'],
  ['53', 'the server lacks resources'],
  ['55P03', 'a lock was not free in time'],
  ['57', 'the server canceled the statement or is shutting down'],
  ['58', 'the server reported a system error'],
  ['XX', 'the server reported an internal error'],
]);

/** After these errors the server closes the connection: it shuts down, ended the connection on request, or detected a protocol violation. */
const ENDS_CONNECTION = /^(?:08|57P|25P0[34]$)/;

/** Whether the server reported an error. */
export function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error && typeof (error as Partial<ServerError>).code === 'string';
}

/** Whether the connection is unusable after an error, even if it still looks open. */
export function endsConnection(error: unknown): boolean {
  return isServerError(error) && ENDS_CONNECTION.test(error.code);
}

/** Whether the server canceled a statement, usually because it took too long. */
export function isCancellation(error: unknown): boolean {
  return isServerError(error) && error.code === QUERY_CANCELED;
}

function isUniqueViolation(error: ServerError): boolean {
  return error.code === UNIQUE_VIOLATION;
}

/** The server quotes rows and parameters in the details, which must not be passed on with the error. */
function removeValues(error: ServerError): Error {
  return Object.assign(new Error(`SQLSTATE ${error.code}`), { code: error.code, table: error.table });
}

function translateServerError(error: ServerError): Error {
  if (isUniqueViolation(error)) return new ConflictError(error.table ?? 'unknown');
  const cause = removeValues(error);
  const reason = UNAVAILABLE.get(error.code) ?? UNAVAILABLE.get(error.code.slice(0, 2));
  if (reason !== undefined) return new StoreUnavailable(reason, { cause, mayLackRoom: error.code === DISK_FULL });
  return new StoreFault(error.code === FOREIGN_KEY_VIOLATION ? 'foreign_key' : error.code, { cause });
}

function isProgrammerError(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError;
}

/** Translates an error of the server or driver. The driver's own errors all mean a lost connection. */
export function translatePostgresError(error: unknown): Error {
  if (isServerError(error)) return translateServerError(error);
  if (isProgrammerError(error)) return error;
  return new StoreUnavailable('no connection to the server', { cause: error });
}

/** Whether the operation behind a translated error can simply be repeated. */
export function isRetryableError(error: unknown): boolean {
  const cause = error instanceof StoreUnavailable ? (error.cause as Partial<ServerError> | undefined) : undefined;
  return RETRYABLE.includes(String(cause?.code));
}
