import type { ProviderError } from '@poolgate/provider';
import type { LoginCandidate } from '../identity/login-candidate.ts';
import { findUser } from '../identity/user-records.ts';
import type { ClockPort, KeyRingPort, StoreReads, StoreWrites } from '../kernel/ports.ts';
import type { DecoyPorts } from '../proofs/passwords/password-ports.ts';
import type { PoolAndClient } from '../settings/pools-and-clients.ts';
import { toCanonicalName } from '../settings/sign-in-names.ts';
import type { UserWithCredential } from '../store/records.ts';
import { hasPasswordVersion, resumeLoginCandidate } from '../users/find-login-candidate.ts';
import { decryptChallengeSession } from './challenge-session.ts';
import type { ParameterMap, SessionCarrierName } from './challenges/challenge.ts';
import type { PendingSession } from './login-decision.ts';
import { type ChallengeAnswer, SESSION_CARRIERS } from './session-carrier.ts';

/**
 * Returns the session of an answer, whatever is pending in it.
 * @throws {ProviderError} `NotAuthorizedException`: not of this pool and client, or expired; `InvalidParameterException`: missing
 */
export function requirePendingSession(
  ports: ClockPort & KeyRingPort,
  scope: PoolAndClient,
  carrierName: SessionCarrierName,
  answer: ChallengeAnswer,
): PendingSession {
  const carrier = SESSION_CARRIERS[carrierName];
  const session = decryptChallengeSession(ports, scope, carrier.extract(answer));
  if (session === undefined) throw carrier.invalid();
  if (ports.clock.now() >= session.expiresAtMs) throw carrier.expired();
  return { session, carrier };
}

/**
 * Requires the name that started the login, or the username. Accepting the user's other names would reveal them.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export function requireSameLoginName(
  { pool }: PoolAndClient,
  { session, carrier }: PendingSession,
  sent: ParameterMap,
): void {
  const canonical = (name: string) => toCanonicalName(pool.settings, name);
  const named = canonical(sent.USERNAME ?? '');
  if (named !== canonical(session.typedName) && named !== canonical(session.userId)) throw carrier.invalid();
}

/**
 * Returns the candidate of the previous step. If the user was deleted or the password changed, a first factor continues with a password
 * that no one knows, so that it costs the same. Later steps have nothing more to hide.
 * @throws {ProviderError} `NotAuthorizedException`
 */
export async function requireCurrentCandidate(
  ports: DecoyPorts & StoreReads<'users'> & StoreWrites<'challengeSessions'>,
  scope: PoolAndClient,
  pending: PendingSession,
): Promise<LoginCandidate> {
  const named = await findUser(ports, scope.pool, pending.session.userId);
  const candidate = findCurrentCandidate(ports, scope, pending, named);
  if (candidate === undefined) throw await createPendingSessionError(ports, pending);
  return candidate;
}

/**
 * Like {@link requireCurrentCandidate}; undefined if that would throw.
 * @param named the user that the user id means now
 */
export function findCurrentCandidate(
  ports: DecoyPorts,
  { pool }: PoolAndClient,
  { session }: PendingSession,
  named: UserWithCredential | undefined,
): LoginCandidate | undefined {
  const found = named?.user.username === session.userId ? named : undefined;
  const isSame = found !== undefined && hasPasswordVersion(found, session.passwordVersion);
  if (!isSame && session.proofs.length > 0) return undefined;
  return resumeLoginCandidate(ports, pool, session, found);
}

/** An accepted answer may itself have changed the password. Its session is then spent rather than foreign. */
async function createPendingSessionError(
  ports: StoreWrites<'challengeSessions'>,
  { session, carrier }: PendingSession,
): Promise<ProviderError> {
  const answers = await ports.store.write((transaction) =>
    transaction.challengeSessions.reserve(session.id, session.expiresAtMs),
  );
  return answers === undefined ? carrier.spent() : carrier.invalid();
}
