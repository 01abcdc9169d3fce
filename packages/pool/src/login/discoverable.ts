import type { ProviderExtensions } from '@poolgate/provider';
import type { ClockPort, MacPorts, RandomPort, RequestCallerPort, StoreReads } from '../kernel/ports.ts';
import { type AssertionAnswer, readAssertion } from '../passkeys/passkey-answers.ts';
import { passkeyNotFound, passkeysDisabled } from '../passkeys/passkey-errors.ts';
import { discoverableOptions, isOfRelyingParty, newPasskeyChallenge, requirePasskeys } from '../passkeys/passkeys.ts';
import { checkSecretHash, type PoolAndClient } from '../pools/pools.ts';
import type { PoolSettings, WebAuthnSettings } from '../settings.ts';
import { flowNotAllowed } from '../shared/login-errors.ts';
import type { PasskeyRecord, UserWithCredential } from '../store/records.ts';
import { loginCandidate } from '../users/login-candidate.ts';
import { findUser } from '../users/users.ts';
import { askPreAuthentication } from './ask-pre-authentication.ts';
import { encryptSession, newChallengeSession } from './challenge-session.ts';
import type { Factor } from './challenges/challenge.ts';
import type { LoginPorts } from './challenges/login-ports.ts';
import { passkeyInAnswer, passkeyVerdict, webAuthn } from './challenges/web-authn.ts';
import { answerFactor } from './judge.ts';
import { openPendingSession } from './pending-session.ts';
import { recordRefusedStart } from './record-decision.ts';
import type { AuthResponse } from './respond.ts';
import { spendBeforeJudging } from './spend-session.ts';

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
 * Starts a login that names no user: any passkey of the relying party may answer.
 * @throws {ProviderError} `WebAuthnNotEnabledException`, `InvalidParameterException`: not on this pool, or through this client
 */
export function startDiscoverable(
  ports: MacPorts & ClockPort & RandomPort & RequestCallerPort,
  scope: PoolAndClient,
  { SecretHash }: Parameters<Start>[0],
): Awaited<ReturnType<Start>> {
  const settings = requireDiscoverableOffered(scope);
  checkSecretHash(ports, scope, [''], SecretHash);
  const challenge = newPasskeyChallenge(ports.random);
  const content = { ...UNKNOWN_USER, challenge: NAME, proofs: [], state: Buffer.from(challenge, 'base64url') } as const;
  return {
    Session: encryptSession(ports, newChallengeSession(ports, scope, content)),
    CredentialRequestOptions: JSON.stringify(discoverableOptions(settings, challenge)),
  };
}

/**
 * Answers it. The challenge is spent before anything of the answer is looked at.
 * @throws {ProviderError} `ResourceNotFoundException`: nobody has this passkey; else the refusals of `RespondToAuthChallenge`
 */
export async function finishDiscoverable(
  ports: LoginPorts,
  scope: PoolAndClient,
  { Session, Credential, SecretHash }: Parameters<Finish>[0],
): Promise<AuthResponse> {
  const settings = requireDiscoverableOffered(scope);
  checkSecretHash(ports, scope, [''], SecretHash);
  const pending = openPendingSession(ports, scope, 'session', { session: Session, responses: {} });
  if (pending.session.challenge !== NAME) throw pending.carrier.invalid();
  const taken = await spendBeforeJudging(ports, pending);
  const answer = readAssertion(Credential);
  const owned = await passkeyWithOwner(ports, scope, settings, answer);
  if (owned === undefined) {
    const error = passkeyNotFound();
    await recordRefusedStart(ports, scope, NAME, error);
    throw error;
  }
  const { passkey, owner } = owned;
  const { username } = owner.user;
  const candidate = loginCandidate(ports, scope.pool, username, owner);
  await askPreAuthentication({ ports, ...scope }, () => candidate, undefined);
  const request = { ports, ...scope, nowMs: ports.clock.now(), sent: { USERNAME: username } };
  return answerFactor(request, passkeyFactor(answer, passkey), { candidate, pending: taken });
}

/** @returns how passkeys are used here */
function requireDiscoverableOffered({ pool, client }: PoolAndClient): WebAuthnSettings {
  const settings = requirePasskeys(pool);
  if (!isDiscoverableOffered(pool.settings)) throw passkeysDisabled();
  if (!client.settings.allowedFlows.includes('USER_AUTH')) {
    throw flowNotAllowed('USER_AUTH is not enabled for the client.');
  }
  return settings;
}

function isDiscoverableOffered(settings: PoolSettings): boolean {
  return webAuthn.isOffered?.(settings) ?? true;
}

interface PasskeyWithOwner {
  readonly passkey: PasskeyRecord;
  readonly owner: UserWithCredential;
}

async function passkeyWithOwner(
  ports: StoreReads<'passkeys' | 'users'>,
  { pool }: PoolAndClient,
  settings: WebAuthnSettings,
  answer: AssertionAnswer,
): Promise<PasskeyWithOwner | undefined> {
  const passkey = await passkeyInAnswer(ports.store, pool, answer);
  if (passkey === undefined || !isOfRelyingParty(settings, passkey)) return undefined;
  const owner = await findUser(ports, pool, passkey.username);
  return owner && { passkey, owner };
}

/** The passkey names the user, so its answer must name the same one. */
function passkeyFactor(answer: AssertionAnswer, passkey: PasskeyRecord): Factor {
  const { counter, spentBy } = webAuthn;
  return {
    name: NAME,
    counter,
    spentBy,
    judge: (step) => passkeyVerdict(step, answer, passkey, { needsUserHandle: true }),
  };
}
