import type { ProviderError } from '@poolgate/provider';
import { packMfaSetup } from '../challenges/mfa-setup.ts';
import { saltHexOf } from '../domain/masking.ts';
import { clientAndPool, type PoolAndClient } from '../domain/pools.ts';
import { otherChallenge } from '../domain/refusals.ts';
import { findUser } from '../domain/users.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolReads, PoolTransaction } from '../store/pool-store.ts';
import type { UserRecord, UserWithCredential } from '../store/records.ts';
import { readTotp } from './attempt.ts';
import { CARRIERS } from './carrier.ts';
import { nextStep } from './next-step.ts';
import { MOST_ANSWERS, newSession, openAnySession, type Session, sealSession } from './session.ts';

const { foreign, expired, spent } = CARRIERS.session;

/** A login that waits until its user has set up a second factor. */
export interface MfaSetup extends PoolAndClient {
  readonly session: Session;
  readonly user: UserRecord;
}

/**
 * The login behind the session of a pending `MFA_SETUP`; the operations that set a factor up name no client.
 * @throws {ProviderError} `NotAuthorizedException`: unknown or expired, or the user is gone or got another password;
 *   `InvalidParameterException`: another challenge is pending
 */
export async function openMfaSetup(context: PoolRuntime, sealed: string): Promise<MfaSetup> {
  const session = openAnySession(context, sealed);
  if (session === undefined) throw foreign();
  if (context.clock.now() >= session.expiresAtMs) throw expired();
  if (session.challenge !== 'MFA_SETUP') throw otherChallenge();
  const owner = await clientAndPool(context, session.clientId);
  const found = await userOf(context, context.store, owner, session);
  if (found === undefined) throw foreign();
  return { ...owner, session, user: found.user };
}

/** The user whose password the login is about; undefined where it is gone or has another one. */
async function userOf(
  context: PoolRuntime,
  store: PoolReads,
  { pool }: PoolAndClient,
  { userId, saltHex }: Session,
): Promise<UserWithCredential | undefined> {
  const found = await findUser({ store }, pool, userId);
  const isSame = found?.user.username === userId && saltHexOf(context, pool, found) === saltHex;
  return isSame ? found : undefined;
}

/**
 * Reserves one answer to the session, first of all in a write, and looks whether the login still asks for a factor to be set up:
 * two logins that were begun with the password alone must not set up one each.
 * @returns the refusal to answer with; the session is not spent
 */
export async function reserveMfaSetup(
  context: PoolRuntime,
  transaction: PoolTransaction,
  setup: MfaSetup,
): Promise<ProviderError | undefined> {
  const { session, pool } = setup;
  const answers = await transaction.reserveSession(session.id, session.expiresAtMs);
  if (answers === undefined || answers > MOST_ANSWERS) return spent();
  const current = await userOf(context, transaction, setup, session);
  if (current === undefined) return foreign();
  const totp = await readTotp(transaction, pool, session.userId);
  const { proofs } = session;
  const facts = { proofs, device: 'none', isBoundToDevice: false, hasActiveTotp: totp !== undefined } as const;
  const next = nextStep({ ...current, ...facts, settings: pool.settings, nowMs: context.clock.now() });
  return next.kind === 'challenge' && next.name === 'MFA_SETUP' ? undefined : foreign();
}

/** Spends the session, in the write that {@link reserveMfaSetup} began; the refusal where somebody else was faster. */
export async function spendMfaSetup(
  transaction: PoolTransaction,
  { session }: MfaSetup,
): Promise<ProviderError | undefined> {
  return (await transaction.spendSession(session.id)) ? undefined : spent();
}

/** The session that takes the place of a spent one: the same challenge of the same login, one step further. */
export function renewMfaSetup(
  context: PoolRuntime,
  setup: MfaSetup,
  { totpProven }: { readonly totpProven: boolean },
): string {
  return sealSession(context, newSession(context, setup, { ...setup.session, state: packMfaSetup({ totpProven }) }));
}
