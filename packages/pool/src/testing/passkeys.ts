import assert from 'node:assert/strict';
import type { Output } from '@poolgate/provider';
import type { PoolSettings } from '../store/index.ts';
import {
  type AssertionKnobs,
  type CreationOptions,
  type RegistrationKnobs,
  type RequestOptions,
  SoftwareAuthenticator,
} from './authenticator.ts';
import { login, respond, type Step, startChoiceLogin } from './login.ts';
import { CALL, type PoolHandle, type TestPool } from './pool.ts';
import { tokensOf } from './tokens.ts';

/** The page that test authenticators are used on. */
export const ORIGIN = 'http://localhost:3000';

/** How test pools use passkeys, where they do. */
export const WEB_AUTHN: NonNullable<PoolSettings['webAuthn']> = {
  relyingPartyId: 'localhost',
  origins: [ORIGIN],
  userVerification: 'preferred',
  factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
};

/** Creation options as the pool gives them. */
export async function startRegistration({ operations }: PoolHandle, accessToken: string): Promise<CreationOptions> {
  const { CredentialCreationOptions } = await operations.startWebAuthnRegistration({ AccessToken: accessToken }, CALL);
  return CredentialCreationOptions as CreationOptions;
}

/** Sends what an authenticator answered. */
export function completeRegistration({ operations }: PoolHandle, accessToken: string, credential: unknown) {
  return operations.completeWebAuthnRegistration({ AccessToken: accessToken, Credential: credential }, CALL);
}

/** Registers a passkey from start to end; gives its id. */
export async function registerPasskey(
  pool: PoolHandle,
  accessToken: string,
  authenticator: SoftwareAuthenticator,
  knobs: RegistrationKnobs = {},
): Promise<string> {
  const options = await startRegistration(pool, accessToken);
  await completeRegistration(pool, accessToken, authenticator.register(options, knobs));
  return authenticator.latest.id;
}

/** A new authenticator that holds a passkey of the user, who logs in for that by the password. */
export async function withPasskey(
  pool: PoolHandle,
  username: string,
  authenticator = new SoftwareAuthenticator({ origin: ORIGIN }),
): Promise<SoftwareAuthenticator> {
  await registerPasskey(pool, tokensOf(await login(pool, username)).access, authenticator);
  return authenticator;
}

/** A choice-based login that asks for a passkey at once. */
export function choosePasskey(pool: PoolHandle, username: string): Promise<Step> {
  return startChoiceLogin(pool, username, { PREFERRED_CHALLENGE: 'WEB_AUTHN' });
}

/** What a pending challenge asks an authenticator for. */
export function requestOf({ ChallengeName, ChallengeParameters }: Step): Required<RequestOptions> {
  assert.equal(ChallengeName, 'WEB_AUTHN');
  return JSON.parse(ChallengeParameters?.CREDENTIAL_REQUEST_OPTIONS ?? '');
}

/** Answers the challenge with the authenticator's passkey, or with the one that the knobs say. */
export function answerPasskey(
  pool: PoolHandle,
  before: Step,
  username: string,
  authenticator: SoftwareAuthenticator,
  knobs: AssertionKnobs = {},
): Promise<Step> {
  const assertion = authenticator.assert(requestOf(before), knobs);
  return respond(pool, before, username, { CREDENTIAL: JSON.stringify(assertion) });
}

/** A login by passkey from start to end. */
export async function passkeyStep(
  pool: PoolHandle,
  username: string,
  authenticator: SoftwareAuthenticator,
  knobs: AssertionKnobs = {},
): Promise<Step> {
  return answerPasskey(pool, await choosePasskey(pool, username), username, authenticator, knobs);
}

/** Starts a login that names no user. */
export async function startDiscoverable({ embedded, clientId }: TestPool) {
  const { start_discoverable_login: start } = embedded.extensions;
  assert.ok(start);
  const { Session, CredentialRequestOptions } = await start({ ClientId: clientId }, CALL);
  return { Session, options: JSON.parse(CredentialRequestOptions) as RequestOptions };
}

/** Answers it with the authenticator's passkey, or with the one that the knobs say. */
export function finishDiscoverable(
  { embedded, clientId }: TestPool,
  { Session, options }: { readonly Session: string; readonly options: RequestOptions },
  authenticator: SoftwareAuthenticator,
  knobs: AssertionKnobs = {},
): Promise<Output<'RespondToAuthChallenge'>> {
  const { finish_discoverable_login: finish } = embedded.extensions;
  assert.ok(finish);
  const Credential = JSON.stringify(authenticator.assert(options, knobs));
  return finish({ ClientId: clientId, Session, Credential }, CALL);
}
