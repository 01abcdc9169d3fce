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

/** One user's factors change one at a time: what is decided rests on what is there. */
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

/** An enrolment that begins once it is written. */
export interface TotpEnrolment {
  /** Base32, to be shown once. */
  readonly secretCode: string;
  readonly write: (transaction: PoolTransaction) => Promise<void>;
}

/** Draws the secret of an authenticator. It waits beside the one that works, and replaces one that waited before. */
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

/** A code of an authenticator that is being enrolled. */
export interface TotpEnrolmentProof extends PoolAndClient {
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
