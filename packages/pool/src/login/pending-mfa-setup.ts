import type { ProviderError } from '@poolgate/provider';
import { wrongChallengeError } from '../identity/login-errors.ts';
import { findUser, lockUserByName } from '../identity/user-records.ts';
import type { ClockPort, KeyRingPort, RandomPort, StoreReads, Transaction } from '../kernel/ports.ts';
import { type PoolAndClient, requireClientAndPool } from '../settings/pools-and-clients.ts';
import type { SettingsPorts } from '../settings/settings-ports.ts';
import type { UserRecord, UserWithCredential } from '../store/records.ts';
import { hasPasswordVersion } from '../users/find-login-candidate.ts';
import {
  type ChallengeSession,
  createChallengeSession,
  decryptAnyChallengeSession,
  encryptChallengeSession,
  MAX_ANSWERS,
} from './challenge-session.ts';
import { encodeMfaSetupState } from './challenges/mfa-setup-challenge.ts';
import { readTotp } from './login-attempt.ts';
import { decideNextStep } from './next-step.ts';
import { SESSION_CARRIERS } from './session-carrier.ts';

const { invalid, expired, spent } = SESSION_CARRIERS.session;

/** A login that waits until its user has set up a second factor. */
export interface PendingMfaSetup extends PoolAndClient {
  readonly session: ChallengeSession;
  readonly user: UserRecord;
}

/**
 * Returns the login of a pending `MFA_SETUP` session. The operations that set up a factor name no client.
 * @throws {ProviderError} `NotAuthorizedException`: unknown or expired, or the user was deleted or has another password;
 *   `InvalidParameterException`: another challenge is pending
 */
export async function requirePendingMfaSetup(
  ports: SettingsPorts & ClockPort & KeyRingPort & StoreReads<'users'>,
  encrypted: string,
): Promise<PendingMfaSetup> {
  const session = decryptAnyChallengeSession(ports, encrypted);
  if (session === undefined) throw invalid();
  if (ports.clock.now() >= session.expiresAtMs) throw expired();
  if (session.challenge !== 'MFA_SETUP') throw wrongChallengeError();
  const owner = await requireClientAndPool(ports, session.clientId);
  const found = matchMfaSetupUser(session, await findUser(ports, owner.pool, session.userId));
  if (found === undefined) throw invalid();
  return { ...owner, session, user: found.user };
}

/** Returns the user with the login's password; undefined if deleted or the password changed. */
function matchMfaSetupUser(
  { userId, passwordVersion }: ChallengeSession,
  found: UserWithCredential | undefined,
): UserWithCredential | undefined {
  const isSame = found?.user.username === userId && hasPasswordVersion(found, passwordVersion);
  return isSame ? found : undefined;
}

/**
 * Reserves one answer to the session, as the first statement of a write, and checks that the login still requires a factor setup. Two
 * logins that started with the password alone must not set up one each.
 * @returns the error to return; the session is not spent
 */
export async function reservePendingMfaSetup(
  ports: ClockPort,
  transaction: Transaction<'authenticators' | 'challengeSessions' | 'users'>,
  setup: PendingMfaSetup,
): Promise<ProviderError | undefined> {
  const { session, pool } = setup;
  const answers = await transaction.challengeSessions.reserve(session.id, session.expiresAtMs);
  if (answers === undefined || answers > MAX_ANSWERS) return spent();
  const found = await lockUserByName(transaction, pool, session.userId);
  const current = matchMfaSetupUser(session, found);
  if (current === undefined) return invalid();
  const totp = await readTotp(transaction, pool, session.userId);
  const { proofs } = session;
  const facts = { proofs, device: 'none', isBoundToDevice: false, hasActiveTotp: totp !== undefined } as const;
  const next = decideNextStep({ ...current, ...facts, settings: pool.settings, nowMs: ports.clock.now() });
  return next.kind === 'challenge' && next.name === 'MFA_SETUP' ? undefined : invalid();
}

/** Spends the session in the write that {@link reservePendingMfaSetup} started. Returns an error if another answer was faster. */
export async function spendPendingMfaSetup(
  transaction: Transaction<'challengeSessions'>,
  { session }: PendingMfaSetup,
): Promise<ProviderError | undefined> {
  return (await transaction.challengeSessions.spend(session.id)) ? undefined : spent();
}

/** Creates the session that replaces a spent one: the same challenge of the same login, one step further. */
export function renewPendingMfaSetup(
  ports: ClockPort & RandomPort & KeyRingPort,
  setup: PendingMfaSetup,
  { totpProven }: { readonly totpProven: boolean },
): string {
  return encryptChallengeSession(
    ports,
    createChallengeSession(ports, setup, { ...setup.session, state: encodeMfaSetupState({ totpProven }) }),
  );
}
