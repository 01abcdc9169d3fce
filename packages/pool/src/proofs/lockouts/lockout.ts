/**
 * Limits on guesses, for each user and kind of proof. A guess is reserved before it is verified, so that parallel guesses cannot exceed the
 * limit.
 */
import { ProviderError } from '@poolgate/provider';
import type { NotificationPorts } from '../../delivery/delivery-ports.ts';
import { queueNotice } from '../../delivery/notices.ts';
import { recordEvent } from '../../kernel/audit-events.ts';
import type { MacPorts, Transaction } from '../../kernel/ports.ts';
import { computePoolMac } from '../../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../../store/records.ts';

/** A kind of guess that is counted for each user across all entry points, and locked after too many. */
export interface GuessCounter {
  /** The prefix of the counted subject's key, so that kinds of guesses never share a row. */
  readonly name: string;
  /** How long this many failures lock; 0 for no lock. */
  readonly lockMs: (failures: number) => number;
  /** After this time without a failure, earlier ones no longer count. */
  readonly resetAfterMs: number;
  /**
   * Whether only a caller with a proven first factor can fail here. Failures then also count for a month, and a correct answer does not
   * reset that count. Only here do waits exceed a quarter of an hour.
   */
  readonly isBehindFirstFactor: boolean;
  /**
   * Set if anyone who knows a username can guess. Such guesses count for each network separately, and this many a day are accepted from all
   * networks together. Undefined: a user's guesses count together.
   */
  readonly perUserAndDay?: number;
  /** The error message while the subject is locked, whatever was tried. */
  readonly lockedMessage: string;
}

const MAX_LOCK_SECONDS = 900;
const FAILURES_BEFORE_LOCK = 5;

const DAY_MS = 86_400_000;

/** Failures after a first factor are counted in months of thirty days, starting at the epoch. */
export const MONTH_MS = 30 * DAY_MS;

/**
 * Wrong passwords that are accepted for a user in a day, from all networks together. One network reaches about 1,000 with the schedule
 * below, so it cannot exhaust the limit alone.
 */
const PASSWORDS_PER_DAY = 2_000;

/** After this many failures in a month, the waits grow and the owner is notified. */
const MONTHLY_FAILURES = 100;

/** How long this many failures in a month lock: a quarter of an hour first, twice as long each time, a day at most. */
export function computeMonthlyLockMs(failures: number): number {
  if (failures < MONTHLY_FAILURES) return 0;
  return Math.min(MAX_LOCK_SECONDS * 1000 * 2 ** (failures - MONTHLY_FAILURES), DAY_MS);
}

/**
 * Cognito's schedule for passwords, in plain text and by SRP. From the fifth failure on, the network is locked for 2^(n-5) seconds, up to a
 * quarter of an hour.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 */
export const PASSWORD_GUESS_COUNTER: GuessCounter = {
  name: 'password',
  lockMs: (failures) =>
    failures < FAILURES_BEFORE_LOCK ? 0 : Math.min(2 ** (failures - FAILURES_BEFORE_LOCK), MAX_LOCK_SECONDS) * 1000,
  resetAfterMs: MAX_LOCK_SECONDS * 1000,
  isBehindFirstFactor: false,
  perUserAndDay: PASSWORDS_PER_DAY,
  lockedMessage: 'Password attempts exceeded',
};

/** The subject and time of a guess. */
export interface Guess {
  readonly counter: GuessCounter;
  readonly poolId: string;
  readonly subject: string;
  /** Counts the guesses of all networks on this day; undefined if `subject` already counts all of them. */
  readonly dailySubject?: string;
  readonly nowMs: number;
}

/**
 * Returns the key that counts a user's guesses, or those for an unknown name, which must lock alike. It is a keyed digest, because the
 * store should not contain what users typed.
 * @param userId the canonical username, so that all spellings and aliases share it, or the decoy of an unknown name
 */
export function createGuessSubject(
  ports: MacPorts,
  pool: PoolRecord,
  { name }: Pick<GuessCounter, 'name'>,
  userId: string,
): string {
  return `${name}:${Buffer.from(computePoolMac(ports, pool, 'guess-subject', userId)).toString('base64url')}`;
}

/**
 * Returns the key for attempts that name a trusted device of the user. Usernames contain no space.
 * @param deviceKey the key of a remembered device of this user
 */
export function createDeviceGuessSubject(counter: GuessCounter, username: string, deviceKey: string): string {
  return `${counter.name}:${username} ${deviceKey}`;
}

/** Replicas whose clocks differ more are not ready, because each may differ from the database by a minute. */
const CLOCKS_APART_MS = 120_000;

const LONGEST_DAY_MS = DAY_MS + CLOCKS_APART_MS;

/**
 * The longest time for which guesses of a kind can seem locked to a replica. A longer lock was written by a clock that has since been set
 * back.
 */
function computeLongestLockMs({ lockMs, isBehindFirstFactor }: GuessCounter): number {
  const most = Number.MAX_SAFE_INTEGER;
  return Math.max(lockMs(most), isBehindFirstFactor ? computeMonthlyLockMs(most) : 0) + CLOCKS_APART_MS;
}

/** The number of guesses including the counted one. */
export interface GuessCount {
  readonly ofSubject: number;
  /** From all networks on this day; 0 if these are not counted. */
  readonly ofDay: number;
}

/**
 * Counts a guess before it is compared.
 * @returns undefined while guesses are locked
 */
export async function countGuess(transaction: Transaction<'lockouts'>, guess: Guess): Promise<GuessCount | undefined> {
  const { counter, poolId, subject, dailySubject, nowMs } = guess;
  const { lockouts } = transaction;
  const resetMs = nowMs - counter.resetAfterMs;
  // Issued together, the subject first, because it decides whether the day is counted.
  const [ofSubject, ofDay] = await Promise.all([
    lockouts.countFailure(poolId, subject, nowMs, resetMs, computeLongestLockMs(counter)),
    dailySubject === undefined
      ? 0
      : lockouts.countSharedFailure(poolId, dailySubject, subject, nowMs, nowMs - DAY_MS, LONGEST_DAY_MS),
  ]);
  return ofSubject === undefined || ofDay === undefined ? undefined : { ofSubject, ofDay };
}

/** The user of the guesses, as an event reports it; undefined for an unknown name, which is locked all the same. */
export interface LockoutTarget {
  readonly pool: PoolRecord;
  readonly user: UserRecord | undefined;
}

/** Locks the subject, and the user for all networks, if this wrong guess exceeded their limits. */
export async function lockAfterTooManyGuesses(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  guess: Guess,
  count: GuessCount,
  { pool, user }: LockoutTarget,
): Promise<void> {
  const { counter, poolId, subject, nowMs } = guess;
  const lockMs = Math.max(
    counter.lockMs(count.ofSubject),
    await countMonthlyFailure(ports, transaction, guess, { pool, user }),
  );
  const locks = [
    { subject, lockMs, scope: guess.dailySubject === undefined ? 'user' : 'network' },
    { subject: guess.dailySubject ?? subject, lockMs: computeDailyLockMs(guess, count.ofDay), scope: 'all_networks' },
  ];
  for (const lock of locks.filter((each) => each.lockMs > 0)) {
    await transaction.lockouts.lockOut(poolId, lock.subject, nowMs + lock.lockMs);
    const details = { guesses: counter.name, seconds: String(Math.ceil(lock.lockMs / 1000)), scope: lock.scope };
    await recordEvent(ports, transaction, { type: 'user.locked', outcome: 'failure', pool, user, details });
  }
}

/** How long the guesses of all networks lock the user: until the day ends. */
function computeDailyLockMs({ counter, nowMs }: Guess, ofDay: number): number {
  return ofDay < (counter.perUserAndDay ?? Number.POSITIVE_INFINITY) ? 0 : DAY_MS - (nowMs % DAY_MS);
}

/** Only wrong guesses are counted; correct ones change nothing. Returns how long the month's failures lock. */
async function countMonthlyFailure(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { counter, poolId, subject, nowMs }: Guess,
  { pool, user }: LockoutTarget,
): Promise<number> {
  if (!counter.isBehindFirstFactor) return 0;
  const month = createMonthlyGuessSubject(subject, nowMs);
  const failures = (await transaction.lockouts.countFailure(poolId, month, nowMs, nowMs - MONTH_MS)) ?? 0;
  if (failures === MONTHLY_FAILURES && user) await queueNotice(ports, transaction, pool, user, 'codes_guessed');
  return computeMonthlyLockMs(failures);
}

/**
 * Returns the key that counts the failures of a month.
 * @param subject the key that counts each of them
 */
export function createMonthlyGuessSubject(subject: string, nowMs: number): string {
  return `${subject} month ${Math.floor(nowMs / MONTH_MS)}`;
}

/** Counts a wrong guess and locks if it exceeds the limit. False while the subject is locked, in which case nothing was counted. */
export async function countWrongGuess(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  guess: Guess,
  guesser: LockoutTarget,
): Promise<boolean> {
  const count = await countGuess(transaction, guess);
  if (count === undefined) return false;
  await lockAfterTooManyGuesses(ports, transaction, guess, count, guesser);
  return true;
}

/**
 * Forgets the wrong guesses of the subject after a correct one. The count of all networks stays, so that a user who signs in every hour
 * does not reset an attacker's limit each time.
 * @returns false while guesses are locked, in which case the correct one must be refused too
 */
export async function acceptRightGuess(transaction: Transaction<'lockouts'>, guess: Guess): Promise<boolean> {
  const { counter, poolId, subject, dailySubject, nowMs } = guess;
  const shared = dailySubject === undefined ? [] : [{ subject: dailySubject, longestMs: LONGEST_DAY_MS }];
  return transaction.lockouts.clearFailures(poolId, subject, nowMs, computeLongestLockMs(counter), ...shared);
}

/** The locks that refuse a guess, and whether they have failures. */
export interface GuessLocks {
  readonly guess: Guess;
  readonly isLocked: boolean;
  readonly hasFailures: boolean;
}

/**
 * Whether a correct guess is refused. Simultaneous wrong guesses come before or after it, so a correct guess among many is not accepted
 * before the others lock.
 */
export async function holdGuessLocks(transaction: Transaction<'lockouts'>, guess: Guess): Promise<GuessLocks> {
  const { counter, poolId, subject, dailySubject = subject, nowMs } = guess;
  const locks = await transaction.lockouts.holdLocks(poolId, subject, dailySubject);
  const isLocked = locks.some((lock) => {
    const leftMs = lock.lockedUntilMs - nowMs;
    return leftMs > 0 && leftMs <= (lock.subject === subject ? computeLongestLockMs(counter) : LONGEST_DAY_MS);
  });
  return { guess, isLocked, hasFailures: locks.some((lock) => lock.subject === subject) };
}

/** Like {@link acceptRightGuess}, if the same write holds the locks and they refuse nothing. */
export async function forgetWrongGuesses(
  transaction: Transaction<'lockouts'>,
  { guess: { poolId, subject }, hasFailures }: GuessLocks,
): Promise<void> {
  // Most logins have no failure before them, so they need no write.
  if (hasFailures) await transaction.lockouts.unlock(poolId, subject);
}

/** Whether guesses are currently refused. It reserves none, so use it only if guesses of a subject cannot be simultaneous. */
export async function isLocked(transaction: Transaction<'lockouts'>, guess: Guess): Promise<boolean> {
  return (await readLockedForMs(transaction, guess)) > 0;
}

async function readLockedForMs(transaction: Transaction<'lockouts'>, guess: Guess): Promise<number> {
  const { counter, subject, dailySubject } = guess;
  const leftMs = await readRemainingLockMs(transaction, guess, subject, computeLongestLockMs(counter));
  if (dailySubject === undefined) return leftMs;
  return Math.max(leftMs, await readRemainingLockMs(transaction, guess, dailySubject, LONGEST_DAY_MS));
}

async function readRemainingLockMs(
  transaction: Transaction<'lockouts'>,
  { poolId, nowMs }: Guess,
  subject: string,
  longestMs: number,
): Promise<number> {
  const lockout = await transaction.lockouts.bySubject(poolId, subject);
  const leftMs = lockout === undefined ? 0 : lockout.lockedUntilMs - nowMs;
  return leftMs <= longestMs ? Math.max(0, leftMs) : 0;
}

/** The error while a subject is locked, with the seconds to wait. */
export async function lockedError(transaction: Transaction<'lockouts'>, guess: Guess): Promise<ProviderError> {
  const waitMs = await readLockedForMs(transaction, guess);
  return new ProviderError('NotAuthorizedException', guess.counter.lockedMessage, {
    reason: 'locked',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
