import { ConflictError, StoreFault, StoreRefused, StoreUnavailable } from '../sql/store-errors.ts';

interface SqliteError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  /** The extended result code (https://www.sqlite.org/rescode.html). */
  readonly errcode: number;
}

const UNIQUE_VIOLATIONS: readonly number[] = [1555, 2067];
const FOREIGN_KEY_VIOLATION = 787;
const BUSY = 5;

type MakeError = (error: SqliteError) => Error;

const unavailable =
  (reason: string): MakeError =>
  (error) =>
    new StoreUnavailable(reason, { cause: error });
const lacksRoom =
  (reason: string): MakeError =>
  (error) =>
    new StoreUnavailable(reason, { cause: error, mayLackRoom: true });
const toCorruptError: MakeError = (error) =>
  new StoreRefused('store_corrupt', 'the database file is damaged or is not a database', { cause: error });

/** The meaning of errors by primary result code. */
const BY_PRIMARY_CODE: Readonly<Record<number, MakeError>> = {
  3: unavailable('access to the database file is denied'),
  5: unavailable('another process holds the database'),
  6: unavailable('a table is locked'),
  7: unavailable('out of memory'),
  8: unavailable('the database is read-only'),
  // Also caused by a quota or a maximum file size.
  10: lacksRoom('the disk reported an error'),
  11: toCorruptError,
  13: lacksRoom('the disk is full'),
  14: unavailable('the database file cannot be opened'),
  26: toCorruptError,
};

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && typeof (error as Partial<SqliteError>).errcode === 'number';
}

/** Whether another connection holds the lock. */
export function isBusyError(error: unknown): boolean {
  return isSqliteError(error) && (error.errcode & 0xff) === BUSY;
}

function isUniqueViolation(error: SqliteError): boolean {
  return UNIQUE_VIOLATIONS.includes(error.errcode);
}

/** `UNIQUE constraint failed: users.pool_id, users.username` names the table. */
function findViolatedTable(error: SqliteError): string {
  return /failed: (\w+)\./.exec(error.message)?.[1] ?? 'unknown';
}

/** Translates an error of `node:sqlite`. */
export function translateSqliteError(error: unknown): Error {
  if (!isSqliteError(error)) {
    return error instanceof Error ? error : new StoreFault('unknown', { cause: error });
  }
  if (isUniqueViolation(error)) return new ConflictError(findViolatedTable(error));
  if (error.errcode === FOREIGN_KEY_VIOLATION) return new StoreFault('foreign_key', { cause: error });
  const make = BY_PRIMARY_CODE[error.errcode & 0xff];
  return make?.(error) ?? new StoreFault(String(error.errcode), { cause: error });
}

function isFileSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

/** Translates an error of the file system or of `node:sqlite` about a database file. */
export function translateFileError(error: unknown): Error {
  if (isFileSystemError(error)) return new StoreUnavailable(`the database file: ${error.code}`, { cause: error });
  return translateSqliteError(error);
}
