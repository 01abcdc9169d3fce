import assert from 'node:assert/strict';
import type { Output } from '@poolgate/provider';
import type { PoolSettings } from '../store/index.ts';
import {
  type AssertionOverrides,
  type CreationOptions,
  type RegistrationOverrides,
  type RequestOptions,
  SoftwareAuthenticator,
} from './software-authenticator.ts';
import { type LoginOutput, respondToChallenge, startChoiceLogin, startPasswordLogin } from './test-logins.ts';
import { type PoolHandle, TEST_CALL, type TestPool } from './test-pool.ts';
import { requireTokens } from './test-tokens.ts';

/** The page on which test authenticators are used. */
export const TEST_ORIGIN = 'http://localhost:3000';

/** The passkey settings of test pools. */
export const WEB_AUTHN: NonNullable<PoolSettings['webAuthn']> = {
  relyingPartyId: 'localhost',
  origins: [TEST_ORIGIN],
  userVerification: 'preferred',
  factorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
};

/** Creation options from the pool. */
export async function startRegistration({ operations }: PoolHandle, accessToken: string): Promise<CreationOptions> {
  const { CredentialCreationOptions } = await operations.startWebAuthnRegistration(
    { AccessToken: accessToken },
    TEST_CALL,
  );
  return CredentialCreationOptions as CreationOptions;
}

/** Sends an authenticator's response. */
export function completeRegistration({ operations }: PoolHandle, accessToken: string, credential: unknown) {
  return operations.completeWebAuthnRegistration({ AccessToken: accessToken, Credential: credential }, TEST_CALL);
}

/** Registers a passkey from start to end, and returns its id. */
export async function registerPasskey(
  pool: PoolHandle,
  accessToken: string,
  authenticator: SoftwareAuthenticator,
  knobs: RegistrationOverrides = {},
): Promise<string> {
  const options = await startRegistration(pool, accessToken);
  await completeRegistration(pool, accessToken, authenticator.register(options, knobs));
  return authenticator.latest.id;
}

/** A new authenticator with a passkey of the user, who logs in with the password to register it. */
export async function createAuthenticatorWithPasskey(
  pool: PoolHandle,
  username: string,
  authenticator = new SoftwareAuthenticator({ origin: TEST_ORIGIN }),
): Promise<SoftwareAuthenticator> {
  await registerPasskey(pool, requireTokens(await startPasswordLogin(pool, username)).access, authenticator);
  return authenticator;
}

/** A choice-based login that requests a passkey immediately. */
export function startPasskeyLogin(pool: PoolHandle, username: string): Promise<LoginOutput> {
  return startChoiceLogin(pool, username, { PREFERRED_CHALLENGE: 'WEB_AUTHN' });
}

/** The request options of a pending challenge. */
export function readRequestOptions({ ChallengeName, ChallengeParameters }: LoginOutput): Required<RequestOptions> {
  assert.equal(ChallengeName, 'WEB_AUTHN');
  return JSON.parse(ChallengeParameters?.CREDENTIAL_REQUEST_OPTIONS ?? '');
}

/** Answers the challenge with the authenticator's passkey, or as the overrides say. */
export function answerPasskey(
  pool: PoolHandle,
  before: LoginOutput,
  username: string,
  authenticator: SoftwareAuthenticator,
  knobs: AssertionOverrides = {},
): Promise<LoginOutput> {
  const assertion = authenticator.assert(readRequestOptions(before), knobs);
  return respondToChallenge(pool, before, username, { CREDENTIAL: JSON.stringify(assertion) });
}

/** A passkey login from start to end. */
export async function loginByPasskey(
  pool: PoolHandle,
  username: string,
  authenticator: SoftwareAuthenticator,
  knobs: AssertionOverrides = {},
): Promise<LoginOutput> {
  return answerPasskey(pool, await startPasskeyLogin(pool, username), username, authenticator, knobs);
}

/** Starts a login without a username. */
export async function startDiscoverableLogin({ embedded, clientId }: TestPool) {
  const { start_discoverable_login: start } = embedded.extensions;
  assert.ok(start);
  const { Session, CredentialRequestOptions } = await start({ ClientId: clientId }, TEST_CALL);
  return { Session, options: JSON.parse(CredentialRequestOptions) as RequestOptions };
}

/** Answers it with the authenticator's passkey, or as the overrides say. */
export function finishDiscoverableLogin(
  { embedded, clientId }: TestPool,
  { Session, options }: { readonly Session: string; readonly options: RequestOptions },
  authenticator: SoftwareAuthenticator,
  knobs: AssertionOverrides = {},
): Promise<Output<'RespondToAuthChallenge'>> {
  const { finish_discoverable_login: finish } = embedded.extensions;
  assert.ok(finish);
  const Credential = JSON.stringify(authenticator.assert(options, knobs));
  return finish({ ClientId: clientId, Session, Credential }, TEST_CALL);
}
