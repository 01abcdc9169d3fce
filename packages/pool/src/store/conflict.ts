import type { ConflictError } from './pool-store.ts';

/** Whether a write was refused because a unique key is taken. */
export function isConflict(error: unknown): error is ConflictError {
  return error instanceof Error && error.name === 'ConflictError';
}
