import { ProviderError } from '@poolgate/provider';
import type { NotificationPorts } from '../../delivery/delivery-ports.ts';
import { queueFactorNotice } from '../../delivery/notices.ts';
import { invalidSessionError } from '../../identity/login-errors.ts';
import { recordEvent, toFailureReason } from '../../kernel/audit-events.ts';
import type { ClockPort, KeyRingPort, RandomPort, Transaction } from '../../kernel/ports.ts';
import { lockForUpdate } from '../../kernel/write-locks.ts';
import type { PoolAndClient } from '../../settings/pools-and-clients.ts';
import type { PoolTransaction } from '../../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../../store/records.ts';
import { codesLockedError } from '../codes/stored-codes.ts';
import { CODE_GUESS_COUNTERS } from '../lockouts/code-limits.ts';
import { countWrongGuess, isLocked } from '../lockouts/lockout.ts';
import { createUserGuess } from '../lockouts/user-guess.ts';
import { createTotpSecret, findMatchingTimeStep, isTotpOffered, isTotpPending, toActiveTotp } from './totp.ts';

/** Serializes changes to a user's factors, because each decision depends on the existing ones. */
export function lockUserFactors(
  transaction: Transaction<'locks'>,
  pool: PoolRecord,
  username: string,
  nowMs: number,
): Promise<void> {
  return lockForUpdate(transaction, `factors/${pool.id}/${username}`, nowMs);
}

/** @throws {ProviderError} `SoftwareTokenMFANotFoundException` */
export function requireTotpOffered({ settings }: PoolRecord): void {
  if (isTotpOffered(settings)) return;
  throw new ProviderError(
    'SoftwareTokenMFANotFoundException',
    'Software Token MFA has not been enabled by the userPool',
    { reason: 'flow_disabled' },
  );
}

/** A new enrollment, which starts when its record is written. */
export interface TotpEnrolment {
  /** Base32, shown only once. */
  readonly secretCode: string;
  readonly write: (transaction: PoolTransaction) => Promise<void>;
}

/** Generates the secret of an authenticator. It waits in addition to the active one, and replaces an earlier pending one. */
export function startTotpEnrolment(
  ports: ClockPort & RandomPort & KeyRingPort,
  pool: PoolRecord,
  username: string,
): TotpEnrolment {
  const { secretCode, record } = createTotpSecret(ports, pool, username);
  return {
    secretCode,
    async write(transaction) {
      await lockUserFactors(transaction, pool, username, record.createdAtMs);
      await transaction.authenticators.put(record);
    },
  };
}

/** A code from an authenticator that is being enrolled. */
export interface TotpEnrolmentProof extends PoolAndClient {
  readonly user: UserRecord;
  readonly code: string;
  /** The user's name for the authenticator. */
  readonly name: string;
  readonly nowMs: number;
  /** Whether it may replace an active authenticator. This requires a login with all factors. */
  readonly mayReplace: boolean;
}

/**
 * Verifies a pending authenticator with its first code and activates it. A wrong code counts as a guess. A correct one clears no counter,
 * because a user's own new authenticator proves nothing about other factors. If it replaces another one, devices that were remembered
 * because of that are forgotten.
 * @returns the error to return after the write, because a wrong code must stay counted
 */
export async function finishTotpEnrolment(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  proof: TotpEnrolmentProof,
): Promise<ProviderError | undefined> {
  const { pool, client, user } = proof;
  const refusal = await activateTotp(ports, transaction, proof);
  const about = { type: 'factor.added', pool, user, clientId: client.id } as const;
  const factor = 'SOFTWARE_TOKEN_MFA';
  if (refusal !== undefined) {
    const details = { factor, reason: toFailureReason(refusal) };
    await recordEvent(ports, transaction, { ...about, outcome: 'failure', details });
    return refusal;
  }
  await recordEvent(ports, transaction, { ...about, details: { factor } });
  await queueFactorNotice(ports, transaction, pool, user, ['authenticator_added']);
  return undefined;
}

async function activateTotp(
  ports: NotificationPorts,
  transaction: PoolTransaction,
  proof: TotpEnrolmentProof,
): Promise<ProviderError | undefined> {
  const { pool, user, nowMs } = proof;
  const { username } = user;
  await lockUserFactors(transaction, pool, username, nowMs);
  const pending = await transaction.authenticators.byState(pool.id, username, 'pending');
  if (!isTotpPending(pending, nowMs)) return totpNotAssociatedError();
  const active = await transaction.authenticators.byState(pool.id, username, 'active');
  if (active !== undefined && !proof.mayReplace) return invalidSessionError();
  const guess = createUserGuess(ports, pool, CODE_GUESS_COUNTERS.ENROLMENT, username);
  if (await isLocked(transaction, guess)) return codesLockedError(transaction, guess);
  const step = findMatchingTimeStep(ports, pool, pending, proof.code, nowMs);
  if (step === undefined) {
    await countWrongGuess(ports, transaction, guess, { pool, user });
    return totpCodeMismatchError();
  }
  await transaction.authenticators.take(pool.id, username, 'pending');
  await transaction.authenticators.put(toActiveTotp(pending, active, { step, name: proof.name }));
  if (active !== undefined) await transaction.devices.forgetTrust(pool.id, username, nowMs);
  return undefined;
}

function totpCodeMismatchError(): ProviderError {
  return new ProviderError('EnableSoftwareTokenMFAException', 'Code mismatch');
}

function totpNotAssociatedError(): ProviderError {
  return new ProviderError('SoftwareTokenMFANotFoundException', 'No software token is waiting to be verified.');
}
