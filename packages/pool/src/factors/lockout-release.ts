import type { CallPort, ClockPort, MacPorts, Transaction } from '../kernel/ports.ts';
import { windowAllowance } from '../messages/allowance.ts';
import type { PoolRecord } from '../store/records.ts';
import { CODE_GUESSES } from './code-limits.ts';
import { guessAt } from './guess-at.ts';
import { guessSubject, monthlySubject, PASSWORD_GUESSES } from './lockout.ts';

const DAY_MS = 86_400_000;

/**
 * Releases all lockouts behind a first factor with the counts that they came from, and the password for all networks: an administrator
 * knows who asks.
 */
export async function releaseLockouts(
  ports: MacPorts & ClockPort & CallPort,
  transaction: Transaction<'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const nowMs = ports.clock.now();
  for (const subject of lockoutSubjects(ports, pool, username)) {
    await transaction.lockouts.unlock(pool.id, subject);
    await transaction.lockouts.unlock(pool.id, monthlySubject(subject, nowMs));
  }
  await releasePasswordOnAllNetworks(ports, transaction, pool, username);
}

const RECOVERY_COUNTER = windowAllowance(1, DAY_MS);

/**
 * Releases the lockouts of a user who recovered the account. Not the counts, and once a day: else who holds the mailbox guesses at the
 * other factor for as long as codes are sent.
 */
export async function releaseLockoutsByRecovery(
  ports: MacPorts & ClockPort,
  transaction: Transaction<'allowances' | 'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const subject = guessSubject(ports, pool, { name: 'recovered' }, username);
  if ((await RECOVERY_COUNTER.consume(transaction, { poolId: pool.id, subject, nowMs: ports.clock.now() })) > 0) return;
  for (const waiting of lockoutSubjects(ports, pool, username)) await transaction.lockouts.unlock(pool.id, waiting);
}

/** After a reset: the wrong guesses of the caller's network, and those of all networks, were at a password that no longer works. */
export async function releasePasswordGuesses(
  ports: MacPorts & ClockPort & CallPort,
  transaction: Transaction<'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const { subject } = guessAt(ports, pool, PASSWORD_GUESSES, username);
  await transaction.lockouts.unlock(pool.id, subject);
  await releasePasswordOnAllNetworks(ports, transaction, pool, username);
}

async function releasePasswordOnAllNetworks(
  ports: MacPorts & ClockPort & CallPort,
  transaction: Transaction<'lockouts'>,
  pool: PoolRecord,
  username: string,
): Promise<void> {
  const { dailySubject } = guessAt(ports, pool, PASSWORD_GUESSES, username);
  if (dailySubject !== undefined) await transaction.lockouts.unlock(pool.id, dailySubject);
}

function lockoutSubjects(ports: MacPorts, pool: PoolRecord, username: string): readonly string[] {
  return Object.values(CODE_GUESSES)
    .filter(({ isBehindFirstFactor }) => isBehindFirstFactor)
    .map((counter) => guessSubject(ports, pool, counter, username));
}
