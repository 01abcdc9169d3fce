import type { ProviderExtensions } from '@poolgate/provider';
import { flowNotAllowedError } from '../identity/login-errors.ts';
import { findUser } from '../identity/user-records.ts';
import type { ClockPort, MacPorts, RandomPort, RequestCallerPort, StoreReads } from '../kernel/ports.ts';
import { passkeyNotFoundError, passkeysDisabledError } from '../proofs/passkeys/passkey-errors.ts';
import {
  belongsToRelyingParty,
  createDiscoverableRequestOptions,
  generatePasskeyChallenge,
  requirePasskeySettings,
} from '../proofs/passkeys/passkey-options.ts';
import { reportPasskeyRefusal } from '../proofs/passkeys/passkey-refusals.ts';
import type { AssertionResponse } from '../proofs/passkeys/passkey-responses.ts';
import { checkSecretHash, type PoolAndClient } from '../settings/pools-and-clients.ts';
import type { PoolSettings, WebAuthnSettings } from '../store/pool-and-client-settings.ts';
import type { PasskeyRecord, UserWithCredential } from '../store/records.ts';
import { createLoginCandidate } from '../users/find-login-candidate.ts';
import { answerFactor } from './answer-factor.ts';
import type { AuthResponse } from './auth-response.ts';
import { createChallengeSession, encryptChallengeSession } from './challenge-session.ts';
import type { Factor } from './challenges/challenge.ts';
import type { LoginPorts } from './challenges/login-ports.ts';
import {
  findPasskeyInAnswer,
  parsePasskeyAnswer,
  verifyPasskeyAnswer,
  webAuthnChallenge,
} from './challenges/web-authn-challenge.ts';
import { invokePreAuthentication } from './invoke-pre-authentication.ts';
import { requirePendingSession } from './pending-session.ts';
import { recordFailedLogin } from './record-decision.ts';
import { spendSessionBeforeVerification } from './spend-session.ts';

type Start = ProviderExtensions['start_discoverable_login'];
type Finish = ProviderExtensions['finish_discoverable_login'];

const NAME = 'DISCOVERABLE_LOGIN';
const UNKNOWN_USER = {
  typedName: '',
  userId: '',
  passwordVersion: '',
  deviceKey: null,
  isBoundToDevice: false,
} as const;

/**
 * Starts a login without a username. Any passkey of the relying party may respond.
 * @throws {ProviderError} `WebAuthnNotEnabledException`, `InvalidParameterException`: not available in this pool or client
 */
export function startDiscoverableLogin(
  ports: MacPorts & ClockPort & RandomPort & RequestCallerPort,
  scope: PoolAndClient,
  { SecretHash }: Parameters<Start>[0],
): Awaited<ReturnType<Start>> {
  const settings = requireDiscoverableLogin(scope);
  checkSecretHash(ports, scope, [''], SecretHash);
  const challenge = generatePasskeyChallenge(ports.random);
  const content = { ...UNKNOWN_USER, challenge: NAME, proofs: [], state: Buffer.from(challenge, 'base64url') } as const;
  return {
    Session: encryptChallengeSession(ports, createChallengeSession(ports, scope, content)),
    CredentialRequestOptions: JSON.stringify(createDiscoverableRequestOptions(settings, challenge)),
  };
}

/**
 * Handles the response. The challenge is spent before the response is examined.
 * @throws {ProviderError} `ResourceNotFoundException`: the passkey is unknown; otherwise the errors of `RespondToAuthChallenge`
 */
export async function finishDiscoverableLogin(
  ports: LoginPorts,
  scope: PoolAndClient,
  { Session, Credential, SecretHash }: Parameters<Finish>[0],
): Promise<AuthResponse> {
  const settings = requireDiscoverableLogin(scope);
  checkSecretHash(ports, scope, [''], SecretHash);
  const pending = requirePendingSession(ports, scope, 'session', { session: Session, responses: {} });
  if (pending.session.challenge !== NAME) throw pending.carrier.invalid();
  const { pending: taken } = await spendSessionBeforeVerification(ports, pending, async () => undefined);
  const answer = await parsePasskeyAnswer(ports, Credential);
  const owned = await findPasskeyWithOwner(ports, scope, settings, answer);
  if (owned === undefined) {
    const error = passkeyNotFoundError();
    reportPasskeyRefusal(ports, { answer: 'assertion', code: 'unknown_credential' });
    await recordFailedLogin(ports, scope, NAME, error);
    throw error;
  }
  const { passkey, owner } = owned;
  const { username } = owner.user;
  const candidate = createLoginCandidate(ports, scope.pool, username, owner);
  await invokePreAuthentication({ ports, ...scope }, () => candidate, undefined);
  const request = { ports, ...scope, nowMs: ports.clock.now(), sent: { USERNAME: username } };
  return answerFactor(request, createPasskeyFactor(answer, passkey), { candidate, pending: taken });
}

/** @returns the pool's passkey settings */
function requireDiscoverableLogin({ pool, client }: PoolAndClient): WebAuthnSettings {
  const settings = requirePasskeySettings(pool);
  if (!isDiscoverableLoginOffered(pool.settings)) throw passkeysDisabledError();
  if (!client.settings.allowedFlows.includes('USER_AUTH')) {
    throw flowNotAllowedError('USER_AUTH is not enabled for the client.');
  }
  return settings;
}

function isDiscoverableLoginOffered(settings: PoolSettings): boolean {
  return webAuthnChallenge.isOffered?.(settings) ?? true;
}

interface PasskeyWithOwner {
  readonly passkey: PasskeyRecord;
  readonly owner: UserWithCredential;
}

async function findPasskeyWithOwner(
  ports: StoreReads<'passkeys' | 'users'>,
  { pool }: PoolAndClient,
  settings: WebAuthnSettings,
  answer: AssertionResponse,
): Promise<PasskeyWithOwner | undefined> {
  const passkey = await findPasskeyInAnswer(ports.store, pool, answer);
  if (passkey === undefined || !belongsToRelyingParty(settings, passkey)) return undefined;
  const owner = await findUser(ports, pool, passkey.username);
  return owner && { passkey, owner };
}

/** The passkey identifies the user, and its response must name the same one. */
function createPasskeyFactor(answer: AssertionResponse, passkey: PasskeyRecord): Factor {
  const { counter, spentBy } = webAuthnChallenge;
  return {
    name: NAME,
    counter,
    spentBy,
    verifyAnswer: (step) => verifyPasskeyAnswer(step, answer, passkey, { needsUserHandle: true }),
  };
}
