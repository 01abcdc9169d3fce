/** A unique key was already taken. `key` is the name of its table. */
export interface ConflictError extends Error {
  readonly name: 'ConflictError';
  readonly key: string;
}

/** A row was written for a pool, client, user or group that does not exist. */
export interface OrphanError extends Error {
  readonly name: 'StoreFault';
  readonly reason: 'foreign_key';
}
