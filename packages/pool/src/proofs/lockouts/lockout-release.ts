import { createWindowAllowance } from '../../delivery/rate-allowances.ts';
import type { CallPort, ClockPort, MacPorts, Transaction } from '../../kernel/ports.ts';
import type { PoolRecord } from '../../store/records.ts';
import { CODE_GUESS_COUNTERS } from './code-limits.ts';
import { createGuessSubject, createMonthlyGuessSubject, PASSWORD_GUESS_COUNTER } from './lockout.ts';
import { createUserGuess } from './user-guess.ts';

const DAY_MS = 86_400_000;

/**
 * Releases all lockouts that follow a first factor, with their counts, and the password's for all networks. An administrator knows who is
 * asking.
 */
export async function releaseLockouts(
  ports: MacPorts & ClockPort & CallPort,
  transaction: Transaction<'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const nowMs = ports.clock.now();
  for (const subject of listLockoutSubjects(ports, pool, username)) {
    await transaction.lockouts.unlock(pool.id, subject);
    await transaction.lockouts.unlock(pool.id, createMonthlyGuessSubject(subject, nowMs));
  }
  await releasePasswordOnAllNetworks(ports, transaction, pool, username);
}

const RECOVERY_COUNTER = createWindowAllowance(1, DAY_MS);

/**
 * Releases the lockouts of a user who recovered the account, once a day and without the counts. Otherwise, someone with access to the
 * mailbox could keep guessing at the other factor by requesting codes.
 */
export async function releaseLockoutsByRecovery(
  ports: MacPorts & ClockPort,
  transaction: Transaction<'allowances' | 'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const subject = createGuessSubject(ports, pool, { name: 'recovered' }, username);
  if ((await RECOVERY_COUNTER.consume(transaction, { poolId: pool.id, subject, nowMs: ports.clock.now() })) > 0) return;
  for (const waiting of listLockoutSubjects(ports, pool, username)) await transaction.lockouts.unlock(pool.id, waiting);
}

/** After a reset, the wrong guesses of the caller's network and of all networks concern a password that no longer works. */
export async function releasePasswordGuesses(
  ports: MacPorts & ClockPort & CallPort,
  transaction: Transaction<'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const { subject } = createUserGuess(ports, pool, PASSWORD_GUESS_COUNTER, username);
  await transaction.lockouts.unlock(pool.id, subject);
  await releasePasswordOnAllNetworks(ports, transaction, pool, username);
}

async function releasePasswordOnAllNetworks(
  ports: MacPorts & ClockPort & CallPort,
  transaction: Transaction<'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const { dailySubject } = createUserGuess(ports, pool, PASSWORD_GUESS_COUNTER, username);
  if (dailySubject !== undefined) await transaction.lockouts.unlock(pool.id, dailySubject);
}

function listLockoutSubjects(ports: MacPorts, pool: PoolRecord, username: string): readonly string[] {
  return Object.values(CODE_GUESS_COUNTERS)
    .filter(({ isBehindFirstFactor }) => isBehindFirstFactor)
    .map((counter) => createGuessSubject(ports, pool, counter, username));
}
