import type { CallContext, ProviderExtensions } from '@poolgate/provider';
import type { Factor } from '../challenges/challenge.ts';
import { passkeyOf, passkeyVerdict, webAuthn } from '../challenges/web-authn.ts';
import { candidateOf } from '../domain/masking.ts';
import { type AssertionAnswer, readAssertion } from '../domain/passkey-answers.ts';
import { passkeyNotFound, passkeysDisabled } from '../domain/passkey-refusals.ts';
import { discoverableOptions, isUsable, newPasskeyChallenge, requirePasskeys } from '../domain/passkeys.ts';
import { checkSecretHash, type PoolAndClient } from '../domain/pools.ts';
import { flowRefused } from '../domain/refusals.ts';
import { findUser } from '../domain/users.ts';
import type { PoolRuntime } from '../runtime.ts';
import type { PoolSettings, WebAuthnSettings } from '../settings.ts';
import type { PasskeyRecord, UserWithCredential } from '../store/records.ts';
import { openPending } from './pending.ts';
import { newSession, sealSession } from './session.ts';
import { spendFirst } from './settle.ts';
import { tellNobody } from './tell.ts';
import { type AuthResponse, take } from './turn.ts';

type Start = ProviderExtensions['start_discoverable_login'];
type Finish = ProviderExtensions['finish_discoverable_login'];

const NAME = 'DISCOVERABLE_LOGIN';
const NOBODY = { typedName: '', userId: '', saltHex: '', deviceKey: null, isBoundToDevice: false } as const;

/**
 * Starts a login that names nobody: any passkey of the relying party may answer.
 * @throws {ProviderError} `WebAuthnNotEnabledException`, `InvalidParameterException`: not on this pool, or through this client
 */
export function startDiscoverable(
  context: PoolRuntime,
  scope: PoolAndClient,
  { SecretHash }: Parameters<Start>[0],
): Awaited<ReturnType<Start>> {
  const settings = requireOffered(scope);
  checkSecretHash(context, scope, [''], SecretHash);
  const challenge = newPasskeyChallenge(context.random);
  const content = { ...NOBODY, challenge: NAME, proofs: [], state: Buffer.from(challenge, 'base64url') } as const;
  return {
    Session: sealSession(context, newSession(context, scope, content)),
    CredentialRequestOptions: JSON.stringify(discoverableOptions(settings, challenge)),
  };
}

/**
 * Answers it. The challenge is spent before anything of the answer is looked at.
 * @throws {ProviderError} `ResourceNotFoundException`: nobody has this passkey; else the refusals of `RespondToAuthChallenge`
 */
export async function finishDiscoverable(
  context: PoolRuntime,
  scope: PoolAndClient,
  { Session, Credential, SecretHash }: Parameters<Finish>[0],
  { sourceAddress }: CallContext,
): Promise<AuthResponse> {
  const settings = requireOffered(scope);
  checkSecretHash(context, scope, [''], SecretHash);
  const pending = openPending(context, scope, 'session', { session: Session, responses: {} });
  if (pending.session.challenge !== NAME) throw pending.carrier.foreign();
  const taken = await spendFirst(context, pending);
  const answer = readAssertion(Credential);
  const owned = await ownedPasskey(context, scope, settings, answer);
  if (owned === undefined) {
    const error = passkeyNotFound();
    await tellNobody(context, scope, NAME, error);
    throw error;
  }
  const { passkey, owner } = owned;
  const { username } = owner.user;
  const candidate = candidateOf(context, scope.pool, username, owner);
  const step = {
    context,
    ...scope,
    nowMs: context.clock.now(),
    sourceAddress,
    candidate,
    sent: { USERNAME: username },
  };
  return take(step, passkeyFactor(answer, passkey), taken);
}

/** @returns how passkeys are used here */
function requireOffered({ pool, client }: PoolAndClient): WebAuthnSettings {
  const settings = requirePasskeys(pool);
  if (!isOffered(pool.settings)) throw passkeysDisabled();
  if (!client.settings.allowedFlows.includes('USER_AUTH')) {
    throw flowRefused('USER_AUTH is not enabled for the client.');
  }
  return settings;
}

function isOffered(settings: PoolSettings): boolean {
  return webAuthn.isOffered?.(settings) ?? true;
}

interface Owned {
  readonly passkey: PasskeyRecord;
  readonly owner: UserWithCredential;
}

async function ownedPasskey(
  context: PoolRuntime,
  { pool }: PoolAndClient,
  settings: WebAuthnSettings,
  answer: AssertionAnswer,
): Promise<Owned | undefined> {
  const passkey = await passkeyOf(context.store, pool, answer);
  if (passkey === undefined || !isUsable(settings, passkey)) return undefined;
  const owner = await findUser(context, pool, passkey.username);
  return owner && { passkey, owner };
}

/** The passkey names the user, so its answer must name the same one. */
function passkeyFactor(answer: AssertionAnswer, passkey: PasskeyRecord): Factor {
  const { counter, spentBy } = webAuthn;
  return {
    name: NAME,
    counter,
    spentBy,
    answer: (step) => passkeyVerdict(step, answer, passkey, { needsUserHandle: true }),
  };
}
