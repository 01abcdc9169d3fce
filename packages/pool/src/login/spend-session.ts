import type { ProviderError } from '@poolgate/provider';
import type { StoreWrites, Transaction } from '../kernel/ports.ts';
import { MAX_ANSWERS } from './challenge-session.ts';
import type { Factor } from './challenges/challenge.ts';
import type { PendingSession } from './login-decision.ts';

/** What became of reserving an answer to a session: the session from here on, or the refusal. */
export type SessionReservation =
  | { readonly pending: PendingSession | undefined; readonly refusal?: undefined }
  | { readonly refusal: ProviderError };

/**
 * Reserves one answer to the pending session, first of all in the deciding write, so that parallel answers to one session wait
 * for each other. What spends the session says its factor.
 */
export async function reservePendingSession(
  transaction: Transaction<'challengeSessions'>,
  { spentBy }: Factor,
  pending: PendingSession | undefined,
): Promise<SessionReservation> {
  if (pending === undefined || pending.spent !== undefined) return { pending };
  const { id, expiresAtMs } = pending.session;
  if (spentBy !== 'reservation') {
    const refusal = findSpentSessionError(pending, await transaction.challengeSessions.reserve(id, expiresAtMs));
    return refusal === undefined ? { pending } : { refusal };
  }
  const refusal = findSpentSessionError(pending, await transaction.challengeSessions.reserveAndSpend(id, expiresAtMs));
  return refusal === undefined ? { pending: { ...pending, spent: 'in-write' } } : { refusal };
}

/**
 * Spends a session before its answer is looked at: of several, one is verified. An answer without a session, or to one that is spent
 * for it already, has nothing to spend.
 * @throws {ProviderError} `NotAuthorizedException`: it is spent
 */
export async function spendSessionBeforeVerification<Pending extends PendingSession | undefined>(
  ports: StoreWrites<'challengeSessions'>,
  pending: Pending,
): Promise<Pending> {
  if (pending === undefined || pending.spent !== undefined) return pending;
  const { id, expiresAtMs } = pending.session;
  const refusal = findSpentSessionError(
    pending,
    await ports.store.write((transaction) => transaction.challengeSessions.reserveAndSpend(id, expiresAtMs), {
      isIssuedAtOnce: true,
    }),
  );
  if (refusal !== undefined) throw refusal;
  return { ...pending, spent: 'before-verification' };
}

/** True for the one answer that may go on; an answer without a session, or to one that is spent for it, has nothing to spend. */
export async function spendPendingSession(
  transaction: Transaction<'challengeSessions'>,
  pending: PendingSession | undefined,
): Promise<boolean> {
  return (
    pending === undefined || pending.spent !== undefined || transaction.challengeSessions.spend(pending.session.id)
  );
}

/** After an answer that counted for nothing. What was spent before it was verified stays spent. */
export async function unspendPendingSession(
  transaction: Transaction<'challengeSessions'>,
  pending: PendingSession | undefined,
): Promise<void> {
  if (pending?.spent === 'in-write') await transaction.challengeSessions.unspend(pending.session.id);
}

/** @param answers how many there were, this one included */
function findSpentSessionError({ carrier }: PendingSession, answers: number | undefined): ProviderError | undefined {
  return answers === undefined || answers > MAX_ANSWERS ? carrier.spent() : undefined;
}
