/** A unique key was taken. `key` says which: the table's noun. */
export interface ConflictError extends Error {
  readonly name: 'ConflictError';
  readonly key: string;
}

/** A row was written for a pool, client, user or group that does not exist. */
export interface OrphanError extends Error {
  readonly name: 'StoreFault';
  readonly reason: 'foreign_key';
}
