import { windowAllowance } from '../messages/allowance.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord } from '../store/records.ts';
import { CODE_GUESSES } from './code-limits.ts';
import { guessSubject, monthSubject } from './lockout.ts';

const DAY_MS = 86_400_000;

/** Ends all waits behind a first factor, and the counts that they came from: an administrator knows who asks. */
export async function endWaits(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const nowMs = context.clock.now();
  for (const subject of subjectsOf(context, pool, username)) {
    await transaction.releaseSubject(pool.id, subject);
    await transaction.releaseSubject(pool.id, monthSubject(subject, nowMs));
  }
}

const RECOVERIES = windowAllowance(1, DAY_MS);

/**
 * Ends the waits of a user who recovered the account. Not the counts, and once a day: else who holds the mailbox guesses at the
 * other factor for as long as codes are sent.
 */
export async function endWaitsByRecovery(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const subject = guessSubject(context, pool, { name: 'recovered' }, username);
  if ((await RECOVERIES.take(transaction, { poolId: pool.id, subject, nowMs: context.clock.now() })) > 0) return;
  for (const waiting of subjectsOf(context, pool, username)) await transaction.releaseSubject(pool.id, waiting);
}

function subjectsOf(context: PoolRuntime, pool: PoolRecord, username: string): readonly string[] {
  return Object.values(CODE_GUESSES)
    .filter(({ isBehindFirstFactor }) => isBehindFirstFactor)
    .map((counter) => guessSubject(context, pool, counter, username));
}
