import { ProviderError } from '@poolgate/provider';
import { failureReason, recordEvent } from '../events.ts';
import type { ClockPort, KeyRingPort, RandomPort, Transaction } from '../kernel/ports.ts';
import type { NotificationPorts } from '../messages/delivery-ports.ts';
import { queueNotice } from '../messages/notices.ts';
import type { PoolAndClient } from '../pools/pools.ts';
import { invalidSession } from '../shared/login-errors.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { CODE_GUESSES } from './code-limits.ts';
import { guessAt } from './guess-at.ts';
import { countWrongGuess, isLocked } from './lockout.ts';
import { lockForUpdate } from './locks.ts';
import { lockedForCodes } from './stored-codes.ts';
import { activatedTotp, isTotpPending, matchingTimeStep, newTotpSecret, offersTotp } from './totp.ts';

/** One user's factors change one at a time: what is decided rests on what is there. */
export function lockFactors(
  transaction: Transaction<'locks'>,
  pool: PoolRecord,
  username: string,
  nowMs: number,
): Promise<void> {
  return lockForUpdate(transaction, `factors/${pool.id}/${username}`, nowMs);
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
export interface StartedEnrolment {
  /** Base32, to be shown once. */
  readonly secretCode: string;
  readonly write: (transaction: PoolTransaction) => Promise<void>;
}

/** Draws the secret of an authenticator. It waits beside the one that works, and replaces one that waited before. */
export function startEnrolment(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  username: string,
): StartedEnrolment {
  const { secretCode, record } = newTotpSecret(ports, pool, username);
  return {
    secretCode,
    async write(transaction) {
      await lockFactors(transaction, pool, username, record.createdAtMs);
      await transaction.authenticators.put(record);
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
  ports: NotificationPorts,
  transaction: PoolTransaction,
  proof: EnrolmentProof,
): Promise<ProviderError | undefined> {
  const { pool, client, user } = proof;
  const refusal = await activateTotp(ports, transaction, proof);
  const about = { type: 'factor.added', pool, user, clientId: client.id } as const;
  const factor = 'SOFTWARE_TOKEN_MFA';
  if (refusal !== undefined) {
    const details = { factor, reason: failureReason(refusal) };
    await recordEvent(ports, transaction, { ...about, outcome: 'failure', details });
    return refusal;
  }
  await recordEvent(ports, transaction, { ...about, details: { factor } });
  await queueNotice(ports, transaction, pool, user, 'factor_changed');
  return undefined;
}

async function activateTotp(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  proof: EnrolmentProof,
): Promise<ProviderError | undefined> {
  const { pool, user, nowMs } = proof;
  const { username } = user;
  await lockFactors(transaction, pool, username, nowMs);
  const pending = await transaction.authenticators.byState(pool.id, username, 'pending');
  if (!isTotpPending(pending, nowMs)) return totpNotAssociated();
  const active = await transaction.authenticators.byState(pool.id, username, 'active');
  if (active !== undefined && !proof.mayReplace) return invalidSession();
  const guess = guessAt(ports, pool, CODE_GUESSES.ENROLMENT, username);
  if (await isLocked(transaction, guess)) return lockedForCodes(transaction, guess);
  const step = matchingTimeStep(ports, pool, pending, proof.code, nowMs);
  if (step === undefined) {
    await countWrongGuess(ports, transaction, guess, { pool, user });
    return totpCodeMismatch();
  }
  await transaction.authenticators.take(pool.id, username, 'pending');
  await transaction.authenticators.put(activatedTotp(pending, active, { step, name: proof.name }));
  if (active !== undefined) await transaction.devices.forgetTrust(pool.id, username, nowMs);
  return undefined;
}

function totpCodeMismatch(): ProviderError {
  return new ProviderError('EnableSoftwareTokenMFAException', 'Code mismatch');
}

function totpNotAssociated(): ProviderError {
  return new ProviderError('SoftwareTokenMFANotFoundException', 'No software token is waiting to be verified.');
}
