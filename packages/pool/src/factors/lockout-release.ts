import { windowAllowance } from '../messages/allowance.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord } from '../store/records.ts';
import { CODE_GUESSES } from './code-limits.ts';
import { guessSubject, monthlySubject } from './lockout.ts';

const DAY_MS = 86_400_000;

/** Releases all lockouts behind a first factor, and the counts that they came from: an administrator knows who asks. */
export async function releaseLockouts(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const nowMs = context.clock.now();
  for (const subject of lockoutSubjects(context, pool, username)) {
    await transaction.lockouts.unlock(pool.id, subject);
    await transaction.lockouts.unlock(pool.id, monthlySubject(subject, nowMs));
  }
}

const RECOVERY_COUNTER = windowAllowance(1, DAY_MS);

/**
 * Releases the lockouts of a user who recovered the account. Not the counts, and once a day: else who holds the mailbox guesses at the
 * other factor for as long as codes are sent.
 */
export async function releaseLockoutsByRecovery(
  context: PoolRuntime,
  transaction: PoolTransaction,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const subject = guessSubject(context, pool, { name: 'recovered' }, username);
  if ((await RECOVERY_COUNTER.consume(transaction, { poolId: pool.id, subject, nowMs: context.clock.now() })) > 0)
    return;
  for (const waiting of lockoutSubjects(context, pool, username)) await transaction.lockouts.unlock(pool.id, waiting);
}

function lockoutSubjects(context: PoolRuntime, pool: PoolRecord, username: string): readonly string[] {
  return Object.values(CODE_GUESSES)
    .filter(({ isBehindFirstFactor }) => isBehindFirstFactor)
    .map((counter) => guessSubject(context, pool, counter, username));
}
