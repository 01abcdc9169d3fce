import type { ConflictError as ConflictErrorPort } from '@poolgate/pool/store';

/** A unique key was already taken. The message never contains the value. */
export class ConflictError extends Error implements ConflictErrorPort {
  override readonly name = 'ConflictError';
  readonly code = 'store_conflict';
  /** The table of the key, such as `users` or `names`. */
  readonly key: string;

  constructor(key: string) {
    super(`a unique key of ${key} is taken`);
    this.key = key;
  }
}

/**
 * The database is unreachable, read-only, full, closed or too slow. The same call may succeed later. A write that ends with this error may
 * or may not have happened.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly code = 'store_unavailable';
  /** Whether the cause may be a lack of space, so that a smaller write could still succeed. */
  readonly mayLackRoom: boolean;

  constructor(reason: string, { mayLackRoom = false, ...options }: ErrorOptions & { mayLackRoom?: boolean } = {}) {
    super(`the store is unavailable: ${reason}`, options);
    this.mayLackRoom = mayLackRoom;
  }
}

/** The reason if a statement that must change a row changes none, however often the write is repeated. */
export const ROW_CHANGED = 'a row kept changing after it was read';

/**
 * Why a database is refused. `store_corrupt`: it is damaged, truncated or not a database. `store_newer`: a newer version of Poolgate has
 * migrated it. `store_foreign`: it has tables with the same names that Poolgate did not create. `store_in_use`: another service uses the
 * same SQLite file. `store_not_copied`: a copy failed, and the target is unchanged. `store_migration_failed`: a migration failed and was
 * rolled back.
 */
export type StoreRefusedCode =
  | 'store_corrupt'
  | 'store_newer'
  | 'store_foreign'
  | 'store_in_use'
  | 'store_not_copied'
  | 'store_migration_failed';

/** The database must not be used in its current state. An operator has to act. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
  readonly code: StoreRefusedCode;

  constructor(code: StoreRefusedCode, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.code = code;
  }
}

/** The database rejected a statement: a row without its owner, or a bug in this package. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  readonly code = 'store_fault';
  /** `foreign_key` if the owner of a row does not exist, otherwise the database's own code. */
  readonly reason: string;

  constructor(reason: string, options?: ErrorOptions) {
    super(`the store refused a statement (${reason})`, options);
    this.reason = reason;
  }
}
