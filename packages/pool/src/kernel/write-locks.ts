import type { Transaction } from './ports.ts';

/** Long enough for any write. A row that outlives its use is swept. */
const LOCK_MS = 60_000;

/**
 * Serializes writes about one subject across all replicas. Call it first, so that everything the write then reads stays true until it ends.
 * @param thing the subject of the lock; names of one kind share a prefix
 */
export async function lockForUpdate(transaction: Transaction<'locks'>, thing: string, nowMs: number): Promise<void> {
  await transaction.locks.lock(thing, nowMs + LOCK_MS);
}

/** Serializes changes to pools, clients and their settings, including the setup at startup. */
export function lockSettings(transaction: Transaction<'locks'>, nowMs: number): Promise<void> {
  return lockForUpdate(transaction, 'set-up', nowMs);
}
