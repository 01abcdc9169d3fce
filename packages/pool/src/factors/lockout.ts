import { ProviderError } from '@poolgate/provider';
import { recordEvent } from '../events.ts';
import { queueNotice } from '../messages/notices.ts';
import { poolMac } from '../pools/pools.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';

/** One kind of guess that is counted for each user, over every entry point, and locked when there are too many. */
export interface GuessCounter {
  /** Begins the counted subject's key, so that kinds of guesses never share a row. */
  readonly name: string;
  /** For how long so many failures lock; 0 is not at all. */
  readonly lockMs: (failures: number) => number;
  /** After so long without a failure, the ones before do not count any more. */
  readonly resetAfterMs: number;
  /**
   * Whether only who has proven a first factor can fail here. Then failures count over a month too, and a right answer does not
   * empty that count; waits of more than a quarter of an hour exist nowhere else.
   */
  readonly isBehindFirstFactor: boolean;
  /** Answered while the subject is locked, whatever was tried. */
  readonly lockedMessage: string;
}

const MAX_LOCK_SECONDS = 900;
const FAILURES_BEFORE_LOCK = 5;

const DAY_MS = 86_400_000;

/** Failures behind a first factor are counted in months of thirty days, counted from the epoch. */
export const MONTH_MS = 30 * DAY_MS;

/** With so many failures in a month the waits begin to grow, and the owner is notified. */
const MONTHLY_FAILURES = 100;

/** For how long so many failures in a month lock: a quarter of an hour first, twice as long each time, a day at most. */
export function monthlyLockMs(failures: number): number {
  if (failures < MONTHLY_FAILURES) return 0;
  return Math.min(MAX_LOCK_SECONDS * 1000 * 2 ** (failures - MONTHLY_FAILURES), DAY_MS);
}

/**
 * Cognito's schedule for passwords, by plain text and by SRP alike: from the fifth failure on locked for 2^(n-5) seconds,
 * for a quarter of an hour at most.
 *
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html
 */
export const PASSWORD_GUESSES: GuessCounter = {
  name: 'password',
  lockMs: (failures) =>
    failures < FAILURES_BEFORE_LOCK ? 0 : Math.min(2 ** (failures - FAILURES_BEFORE_LOCK), MAX_LOCK_SECONDS) * 1000,
  resetAfterMs: MAX_LOCK_SECONDS * 1000,
  isBehindFirstFactor: false,
  lockedMessage: 'Password attempts exceeded',
};

/** Whose guesses are counted, and when. */
export interface Guess {
  readonly counter: GuessCounter;
  readonly poolId: string;
  readonly subject: string;
  readonly nowMs: number;
}

/**
 * The key under which a user's guesses are counted, and those for a name that nobody has: that must lock alike. A keyed digest,
 * because the store has no business to keep what anybody typed.
 * @param userId the canonical user name, so that all spellings and aliases share it, or the decoy of an unknown name
 */
export function guessSubject(
  context: PoolRuntime,
  pool: PoolRecord,
  { name }: Pick<GuessCounter, 'name'>,
  userId: string,
): string {
  return `${name}:${Buffer.from(poolMac(context, pool, 'guess-subject', userId)).toString('base64url')}`;
}

/**
 * The key for attempts that name a device which the user trusts. No user name has a space in it.
 * @param deviceKey the key of a remembered device of this user
 */
export function deviceSubject(counter: GuessCounter, username: string, deviceKey: string): string {
  return `${counter.name}:${username} ${deviceKey}`;
}

/** Replicas whose clocks are further apart are not ready: each may be a minute away from that of the database. */
const CLOCKS_APART_MS = 120_000;

/**
 * The longest that guesses of a kind can seem locked to a replica: a lock that seems longer was made by a clock that has been set back
 * since.
 */
function longestLockMs({ lockMs, isBehindFirstFactor }: GuessCounter): number {
  const most = Number.MAX_SAFE_INTEGER;
  return Math.max(lockMs(most), isBehindFirstFactor ? monthlyLockMs(most) : 0) + CLOCKS_APART_MS;
}

/** Counts a guess before anybody looks at it; gives how many there are now, undefined while the subject is locked. */
export function countGuess(transaction: PoolTransaction, guess: Guess): Promise<number | undefined> {
  const { counter, poolId, subject, nowMs } = guess;
  const forgetBeforeMs = nowMs - counter.resetAfterMs;
  return transaction.lockouts.countFailure(poolId, subject, nowMs, forgetBeforeMs, longestLockMs(counter));
}

/** Whose guesses are counted, as an event reports it; undefined where nobody has that name, who is locked all the same. */
export interface GuessingUser {
  readonly pool: PoolRecord;
  readonly user: UserRecord | undefined;
}

/** Locks where this wrong guess was one too many. */
export async function lockIfTooMany(
  context: PoolRuntime,
  transaction: PoolTransaction,
  guess: Guess,
  guesses: number,
  { pool, user }: GuessingUser,
): Promise<void> {
  const { counter, poolId, subject, nowMs } = guess;
  const lockMs = Math.max(
    counter.lockMs(guesses),
    await countMonthlyFailure(context, transaction, guess, { pool, user }),
  );
  if (lockMs === 0) return;
  await transaction.lockouts.lockOut(poolId, subject, nowMs + lockMs);
  const details = { guesses: counter.name, seconds: String(lockMs / 1000) };
  await recordEvent(context, transaction, { type: 'user.locked', outcome: 'failure', pool, user, details });
}

/** Only wrong guesses are counted here: right ones neither add nor take away. Gives for how long the month's failures lock. */
async function countMonthlyFailure(
  context: PoolRuntime,
  transaction: PoolTransaction,
  { counter, poolId, subject, nowMs }: Guess,
  { pool, user }: GuessingUser,
): Promise<number> {
  if (!counter.isBehindFirstFactor) return 0;
  const month = monthlySubject(subject, nowMs);
  const failures = (await transaction.lockouts.countFailure(poolId, month, nowMs, nowMs - MONTH_MS)) ?? 0;
  if (failures === MONTHLY_FAILURES && user) await queueNotice(context, transaction, pool, user, 'codes_guessed');
  return monthlyLockMs(failures);
}

/**
 * Under which key the failures of a month are counted.
 * @param subject the key under which each of them is
 */
export function monthlySubject(subject: string, nowMs: number): string {
  return `${subject} month ${Math.floor(nowMs / MONTH_MS)}`;
}

/** Counts a wrong guess and locks where it is one too many. False while the subject is locked: then nothing was counted. */
export async function countWrongGuess(
  context: PoolRuntime,
  transaction: PoolTransaction,
  guess: Guess,
  guesser: GuessingUser,
): Promise<boolean> {
  const guesses = await countGuess(transaction, guess);
  if (guesses === undefined) return false;
  await lockIfTooMany(context, transaction, guess, guesses, guesser);
  return true;
}

/** Forgets the wrong guesses after a right one. False while the subject is locked: then the right one must be refused too. */
export function acceptRightGuess(transaction: PoolTransaction, guess: Guess): Promise<boolean> {
  const { counter, poolId, subject, nowMs } = guess;
  return transaction.lockouts.clearFailures(poolId, subject, nowMs, longestLockMs(counter));
}

/** Whether guesses are refused now. It reserves none: ask where guesses of a subject cannot come at a time. */
export async function isLocked(transaction: PoolTransaction, guess: Guess): Promise<boolean> {
  return (await lockedForMs(transaction, guess)) > 0;
}

async function lockedForMs(transaction: PoolTransaction, { counter, poolId, subject, nowMs }: Guess): Promise<number> {
  const lockout = await transaction.lockouts.bySubject(poolId, subject);
  const leftMs = lockout === undefined ? 0 : lockout.lockedUntilMs - nowMs;
  return leftMs <= longestLockMs(counter) ? Math.max(0, leftMs) : 0;
}

/** The refusal while a subject is locked; it says after how many seconds it will not be. */
export async function lockedError(transaction: PoolTransaction, guess: Guess): Promise<ProviderError> {
  const waitMs = await lockedForMs(transaction, guess);
  return new ProviderError('NotAuthorizedException', guess.counter.lockedMessage, {
    reason: 'locked',
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  });
}
