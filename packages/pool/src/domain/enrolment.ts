import { ProviderError } from '@poolgate/provider';
import { failureWord, recordEvent } from '../events.ts';
import { noticeOwner } from '../messages/notices.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { CODE_GUESSES } from './code-limits.ts';
import { lockedForCodes } from './codes.ts';
import { countWrongGuess, guessSubject, isLocked } from './lockout.ts';
import type { PoolAndClient } from './pools.ts';
import { foreignSession } from './refusals.ts';
import { isTotpPending, newTotpSecret, offersTotp, provenTotp, totpStep } from './totp.ts';
import { takeTurn } from './turns.ts';

/** One user's factors change one after the other: what is decided rests on what is there. */
export function takeFactorsTurn(
  transaction: PoolTransaction,
  pool: PoolRecord,
  username: string,
  nowMs: number,
): Promise<void> {
  return takeTurn(transaction, `factors/${pool.id}/${username}`, nowMs);
}

/** @throws {ProviderError} `SoftwareTokenMFANotFoundException` */
export function requireTotpOffered({ settings }: PoolRecord): void {
  if (offersTotp(settings)) return;
  throw new ProviderError(
    'SoftwareTokenMFANotFoundException',
    'Software Token MFA has not been enabled by the userPool',
    { reason: 'flow_disabled' },
  );
}

/** An enrolment that begins once it is written. */
export interface Enrolment {
  /** Base32, to be shown once. */
  readonly secretCode: string;
  readonly write: (transaction: PoolTransaction) => Promise<void>;
}

/** Draws the secret of an authenticator. It waits beside the one that works, and replaces one that waited before. */
export function beginEnrolment(context: PoolRuntime, pool: PoolRecord, username: string): Enrolment {
  const { secretCode, record } = newTotpSecret(context, pool, username);
  return {
    secretCode,
    async write(transaction) {
      await takeFactorsTurn(transaction, pool, username, record.createdAtMs);
      await transaction.putTotp(record);
    },
  };
}

/** A code of an authenticator that is being enrolled. */
export interface EnrolmentProof extends PoolAndClient {
  readonly user: UserRecord;
  readonly code: string;
  /** What the user calls the authenticator. */
  readonly name: string;
  readonly nowMs: number;
  /** Whether it may take the place of an authenticator that works. Only who has passed all factors may replace one. */
  readonly mayReplace: boolean;
}

/**
 * Takes the first code of a waiting authenticator, which works from then on. A wrong one counts as a guess; a right one clears no
 * counter, because an authenticator of one's own proves nothing of whatever else is guessed at. Where it replaces another one, devices that were
 * remembered on the strength of that are not remembered any more.
 * @returns the refusal to answer with once the write is settled: a wrong code must stay counted
 */
export async function finishEnrolment(
  context: PoolRuntime,
  transaction: PoolTransaction,
  proof: EnrolmentProof,
): Promise<ProviderError | undefined> {
  const { pool, client, user } = proof;
  const refusal = await enrol(context, transaction, proof);
  const about = { type: 'factor.added', pool, user, clientId: client.id } as const;
  const factor = 'SOFTWARE_TOKEN_MFA';
  if (refusal !== undefined) {
    const details = { factor, reason: failureWord(refusal) };
    await recordEvent(context, transaction, { ...about, outcome: 'failure', details });
    return refusal;
  }
  await recordEvent(context, transaction, { ...about, details: { factor } });
  await noticeOwner(context, transaction, pool, user, 'factor_changed');
  return undefined;
}

async function enrol(
  context: PoolRuntime,
  transaction: PoolTransaction,
  proof: EnrolmentProof,
): Promise<ProviderError | undefined> {
  const { pool, user, nowMs } = proof;
  const { username } = user;
  await takeFactorsTurn(transaction, pool, username, nowMs);
  const pending = await transaction.totp(pool.id, username, 'pending');
  if (!isTotpPending(pending, nowMs)) return notAssociated();
  const active = await transaction.totp(pool.id, username, 'active');
  if (active !== undefined && !proof.mayReplace) return foreignSession();
  const counter = CODE_GUESSES.ENROLMENT;
  const guess = { counter, poolId: pool.id, subject: guessSubject(context, pool, counter, username), nowMs };
  if (await isLocked(transaction, guess)) return lockedForCodes(transaction, guess);
  const step = totpStep(context, pool, pending, proof.code, nowMs);
  if (step === undefined) {
    const isCounted = await countWrongGuess(context, transaction, guess, { pool, user });
    return isCounted ? codeMismatch() : lockedForCodes(transaction, guess);
  }
  await transaction.takeTotp(pool.id, username, 'pending');
  await transaction.putTotp(provenTotp(pending, active, { step, name: proof.name }));
  if (active !== undefined) await transaction.distrustDevices(pool.id, username, nowMs);
  return undefined;
}

function codeMismatch(): ProviderError {
  return new ProviderError('EnableSoftwareTokenMFAException', 'Code mismatch');
}

function notAssociated(): ProviderError {
  return new ProviderError('SoftwareTokenMFANotFoundException', 'No software token is waiting to be verified.');
}
