import type { ConflictError as ConflictErrorPort } from '@poolgate/pool/store';

/** A unique key was taken. Its message never holds the value. */
export class ConflictError extends Error implements ConflictErrorPort {
  override readonly name = 'ConflictError';
  readonly code = 'store_conflict';
  /** The table whose key was taken, e.g. `users`, `names`. */
  readonly key: string;

  constructor(key: string) {
    super(`a unique key of ${key} is taken`);
    this.key = key;
  }
}

/**
 * The database cannot be reached, is read-only, full, closed, or too slow. The same call may succeed later.
 * Whether a write that ends like this took place is not known.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'store_unavailable';
  /** Whether it may be for want of room, so that a smaller write may go through all the same. */
  readonly mayLackRoom: boolean;

  constructor(reason: string, { mayLackRoom = false, ...options }: ErrorOptions & { mayLackRoom?: boolean } = {}) {
    super(`the store is unavailable: ${reason}`, options);
    this.mayLackRoom = mayLackRoom;
  }
}

/** The reason where a statement that must change a row changes none, however often the write is run. */
export const ROW_CHANGED = 'a row kept changing after it was read';

/**
 * Why a database is refused:
 * `store_corrupt` it is damaged, truncated, or no database at all;
 * `store_newer` a newer version of Poolgate has migrated it;
 * `store_foreign` it holds tables of the same names that were not made here;
 * `store_in_use` another service runs on the same SQLite file;
 * `store_not_copied` it was not copied to another one, of which nothing was kept;
 * `store_migration_failed` a migration did not go through, and nothing of it was kept.
 */
export type StoreRefusedCode =
  | 'store_corrupt'
  | 'store_newer'
  | 'store_foreign'
  | 'store_in_use'
  | 'store_not_copied'
  | 'store_migration_failed';

/** The database must not be used as it is; somebody has to look at it. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
  readonly code: StoreRefusedCode;

  constructor(code: StoreRefusedCode, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.code = code;
  }
}

/** The database did not take a statement: a row that belongs to nothing, or a fault in this package. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly code = 'store_fault';
  /** `foreign_key` where the owner of a row does not exist, else the database's own code. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`the store refused a statement (${reason})`, options);
    this.reason = reason;
  }
}
