import type { Transaction } from './ports.ts';

/** Long enough for any write; a row that outlives its use is swept away. */
const LOCK_MS = 60_000;

/**
 * Makes writes about one thing come one after the other, over all replicas. Ask for it first: what the write reads afterwards
 * stays true until it is settled, so that a decision may rest on it.
 * @param thing what the lock is about; names of one kind begin alike
 */
export async function lockForUpdate(transaction: Transaction<'locks'>, thing: string, nowMs: number): Promise<void> {
  await transaction.locks.lock(thing, nowMs + LOCK_MS);
}

/** Pools, clients and their settings change one at a time: a start, which sets them up, is one of those who change them. */
export function lockSettings(transaction: Transaction<'locks'>, nowMs: number): Promise<void> {
  return lockForUpdate(transaction, 'set-up', nowMs);
}
