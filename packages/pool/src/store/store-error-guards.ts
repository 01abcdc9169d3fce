import type { ConflictError, OrphanError } from './store-errors.ts';

/** Whether a write was refused because a unique key is taken. */
export function isConflictError(error: unknown): error is ConflictError {
  return error instanceof Error && error.name === 'ConflictError';
}

/** Whether a write was refused because the owner of its row does not exist. */
export function isOrphanError(error: unknown): error is OrphanError {
  return error instanceof Error && error.name === 'StoreFault' && 'reason' in error && error.reason === 'foreign_key';
}
