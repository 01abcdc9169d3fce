import type { ProviderError } from '@poolgate/provider';
import type { StorePort, Transaction } from '../kernel/ports.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import { MAX_ANSWERS } from './challenge-session.ts';
import type { PendingSession } from './login-decision.ts';

/** The result of reserving an answer to a session: the current session, or an error. */
export type SessionReservation =
  | { readonly pending: PendingSession | undefined; readonly refusal?: undefined }
  | { readonly refusal: ProviderError };

/**
 * Reserves one answer to the pending session, as the first statement of the deciding write, so that parallel answers wait for each other.
 * It also spends the session, until {@link unspendPendingSession}. This saves a statement, because almost every answer spends it.
 */
export async function reservePendingSession(
  transaction: Transaction<'challengeSessions'>,
  pending: PendingSession | undefined,
): Promise<SessionReservation> {
  if (pending === undefined || pending.spent !== undefined) return { pending };
  const { id, expiresAtMs } = pending.session;
  const refusal = findSpentSessionError(pending, await transaction.challengeSessions.reserveAndSpend(id, expiresAtMs));
  return refusal === undefined ? { pending: { ...pending, spent: 'in-write' } } : { refusal };
}

/** A session that was spent before its answer is checked, and what was read with it. */
export interface SpentSession<Found> {
  readonly pending: PendingSession;
  readonly found: Found;
}

/**
 * Spends a session before its answer is checked, so that only one of several answers is verified.
 * @param read issues all its reads at once, so that they share the round trip
 * @throws {ProviderError} `NotAuthorizedException`: it is already spent
 */
export async function spendSessionBeforeVerification<Found>(
  ports: StorePort,
  pending: PendingSession,
  read: (transaction: PoolTransaction) => Promise<Found>,
): Promise<SpentSession<Found>> {
  const { id, expiresAtMs } = pending.session;
  const [answers, found] = await ports.store.write(
    (transaction) => Promise.all([transaction.challengeSessions.reserveAndSpend(id, expiresAtMs), read(transaction)]),
    { isIssuedAtOnce: true },
  );
  const refusal = findSpentSessionError(pending, answers);
  if (refusal !== undefined) throw refusal;
  return { pending: { ...pending, spent: 'before-verification' }, found };
}

/** Restores the session after an answer that counted for nothing. A session that was spent before verification stays spent. */
export async function unspendPendingSession(
  transaction: Transaction<'challengeSessions'>,
  pending: PendingSession | undefined,
): Promise<void> {
  if (pending?.spent === 'in-write') await transaction.challengeSessions.unspend(pending.session.id);
}

/** @param answers the number of answers, including this one */
function findSpentSessionError({ carrier }: PendingSession, answers: number | undefined): ProviderError | undefined {
  return answers === undefined || answers > MAX_ANSWERS ? carrier.spent() : undefined;
}
