/** One-time codes and recovery codes. The store has only keyed digests. The write that accepts a code also consumes it. */
import { timingSafeEqual } from 'node:crypto';
import { ProviderError } from '@poolgate/provider';
import type { NotificationPorts } from '../../delivery/delivery-ports.ts';
import type { Contact } from '../../identity/contacts.ts';
import { generateRandomText } from '../../kernel/identifiers.ts';
import type { ClockPort, MacPorts, Random, RandomPort, Transaction } from '../../kernel/ports.ts';
import { computePoolMac } from '../../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { CodePurpose, CodeRecord, PoolRecord } from '../../store/records.ts';
import { CODE_LIMITS } from '../lockouts/code-limits.ts';
import {
  acceptRightGuess,
  countGuess,
  type Guess,
  type GuessCount,
  lockAfterTooManyGuesses,
  lockedError,
} from '../lockouts/lockout.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** @see https://docs.aws.amazon.com/cognito/latest/developerguide/limits.html */
const LIFETIME_MS: Readonly<Record<CodePurpose, number>> = {
  sign_up: DAY_MS,
  forgot_password: HOUR_MS,
  verify_email: DAY_MS,
  verify_phone_number: DAY_MS,
};

/** A code and its stored record. */
export interface IssuedCode {
  readonly code: string;
  readonly record: CodeRecord;
}

/** Generates a code for a user. It works once its record is stored, and invalidates the previous one. */
export function issueCode(
  ports: MacPorts & ClockPort & RandomPort,
  pool: PoolRecord,
  username: string,
  purpose: CodePurpose,
  contact: Contact,
): IssuedCode {
  const code = generateCode(ports.random, CODE_LIMITS[purpose].digits);
  const nowMs = ports.clock.now();
  const record: CodeRecord = {
    poolId: pool.id,
    username,
    purpose,
    digestHex: digestCode(ports, pool, username, purpose, code),
    channel: contact.channel,
    destination: contact.destination,
    expiresAtMs: nowMs + LIFETIME_MS[purpose],
    createdAtMs: nowMs,
  };
  return { code, record };
}

/** Every code of this many digits is equally likely, including those with leading zeros. */
export function generateCode(random: Random, digits: number): string {
  return generateRandomText(random, '0123456789', digits);
}

/** Keyed, because a million codes are easy to try, and bound to one user and purpose, so that digests cannot be moved. */
function digestCode(ports: MacPorts, pool: PoolRecord, username: string, purpose: CodePurpose, code: string) {
  return Buffer.from(computePoolMac(ports, pool, 'code', `${purpose}\n${username}\n${code}`)).toString('hex');
}

/** A code that a caller sent. */
export interface SubmittedCode {
  readonly pool: PoolRecord;
  /** The username, or one that no user has; unknown users cost the same. */
  readonly username: string;
  /** A few other users whose codes are also valid. Each makes a guess more likely to succeed. */
  readonly others?: readonly string[];
  readonly purpose: CodePurpose;
  readonly code: string;
  readonly guess: Guess;
  /** Counts everyone's wrong codes at this code. A correct one leaves the count unchanged. If undefined, only `guess` limits them. */
  readonly sharedGuess?: Guess;
}

/**
 * Tries a code, and consumes it if it is correct. One atomic statement counts the attempt before the code is compared, so parallel attempts
 * have no advantage.
 * @returns the record of a correct code, or the error to return after the write
 */
export async function redeemCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  sent: SubmittedCode,
): Promise<CodeRecord | ProviderError> {
  const { pool, purpose, guess, sharedGuess } = sent;
  const counted: CountedGuess[] = [];
  // The caller's own limit comes first, so that a locked network adds nothing to the shared count.
  for (const each of [guess, ...(sharedGuess === undefined ? [] : [sharedGuess])]) {
    const count = await countGuess(transaction, each);
    if (count === undefined) return codesLockedError(transaction, each);
    counted.push({ guess: each, count });
  }
  const record = await findMatchingCode(ports, transaction, sent);
  if (record === undefined) return refuseWrongCode(ports, transaction, sent, counted);
  if (record.expiresAtMs <= guess.nowMs) return codeExpiredError();
  const isMine = await transaction.codes.consume(pool.id, record.username, purpose, record.digestHex);
  await acceptRightGuess(transaction, guess);
  return isMine ? record : codeMismatchError();
}

interface CountedGuess {
  readonly guess: Guess;
  readonly count: GuessCount;
}

async function refuseWrongCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  { pool, username }: Pick<SubmittedCode, 'pool' | 'username'>,
  counted: readonly CountedGuess[],
): Promise<ProviderError> {
  const user = await transaction.users.byUsername(pool.id, username);
  for (const { guess, count } of counted)
    await lockAfterTooManyGuesses(ports, transaction, guess, count, { pool, user });
  return codeMismatchError();
}

/** A code that was sent with its session. */
export interface SessionCode extends Pick<SubmittedCode, 'pool' | 'username' | 'purpose' | 'code' | 'guess'> {
  /** The digest of the correct code. */
  readonly digestHex: string;
  readonly expiresAtMs: number;
  /** False for a user who received no code, so that every code is wrong. */
  readonly canBeRight: boolean;
}

/**
 * Compares a code with the one of its session. As in {@link redeemCode}, the attempt is counted before the comparison. The caller must
 * ensure that the code works only once.
 * @returns the error to return after the write; undefined for the correct code
 */
export async function verifySessionCode(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  sent: SessionCode,
): Promise<ProviderError | undefined> {
  const { pool, username, purpose, code, guess } = sent;
  const count = await countGuess(transaction, guess);
  if (count === undefined) return codesLockedError(transaction, guess);
  const isRight = isEqualText(digestCode(ports, pool, username, purpose, code), sent.digestHex) && sent.canBeRight;
  if (!isRight) return refuseWrongCode(ports, transaction, sent, [{ guess, count }]);
  if (sent.expiresAtMs <= guess.nowMs) return codeExpiredError();
  await acceptRightGuess(transaction, guess);
  return undefined;
}

/** Compares with every valid code, even after a match. */
async function findMatchingCode(
  ports: MacPorts,
  transaction: Transaction<'codes'>,
  { pool, username, others = [], purpose, code }: SubmittedCode,
): Promise<CodeRecord | undefined> {
  let matching: CodeRecord | undefined;
  for (const name of [username, ...others]) {
    const digestHex = digestCode(ports, pool, name, purpose, code);
    const record = await transaction.codes.byPurpose(pool.id, name, purpose);
    const isRight = isEqualText(record?.digestHex ?? '0'.repeat(digestHex.length), digestHex);
    if (record !== undefined && isRight) matching ??= record;
  }
  return matching;
}

function isEqualText(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));
}

/** The error for any code while the user's codes are locked. */
export async function codesLockedError(transaction: Transaction<'lockouts'>, guess: Guess): Promise<ProviderError> {
  const cause = await lockedError(transaction, guess);
  return new ProviderError('LimitExceededException', cause.message, {
    reason: 'locked',
    ...(cause.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: cause.retryAfterSeconds }),
  });
}

/**
 * Only a caller with the correct code learns that it has expired; for all others it is wrong. It is also Cognito's response if no code is
 * waiting.
 */
export function codeExpiredError(): ProviderError {
  return new ProviderError('ExpiredCodeException', 'Invalid code provided, please request a code again.');
}

/** Cognito's response to a wrong code that was sent to a contact. */
export function codeMismatchError(): ProviderError {
  return new ProviderError('CodeMismatchException', 'Invalid verification code provided, please try again.');
}
