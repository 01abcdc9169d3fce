import type { ConflictError, OrphanError } from './errors.ts';

/** Whether a write was refused because a unique key is taken. */
export function isConflict(error: unknown): error is ConflictError {
  return error instanceof Error && error.name === 'ConflictError';
}

/** Whether a write was refused because what its row belongs to does not exist. */
export function isOrphan(error: unknown): error is OrphanError {
  return error instanceof Error && error.name === 'StoreFault' && 'reason' in error && error.reason === 'foreign_key';
}
