import assert from 'node:assert/strict';
import type { StartOptions } from 'poolgate';
import type {
  AssertionOverrides,
  CreationOptions,
  RegistrationOverrides,
  RequestOptions,
} from '../../../packages/pool/src/testing/software-authenticator.ts';
import {
  type AuthenticatorOptions,
  type Passkey,
  SoftwareAuthenticator,
} from '../../../packages/pool/src/testing/software-authenticator.ts';
import { createBearerHeader, type Exchange } from '../requests/exchange.ts';
import { createAnswerBody, type PendingChallenge, toPendingChallenge } from '../requests/pending-challenges.ts';
import { assertProblem, startTestService, type TestService } from '../services/test-service.ts';
import { logInForAccessToken } from './route-mfa.ts';

/** The relying party of these tests, and its page. */
export const RP_ID = 'example.com';
export const ORIGIN = 'https://login.example.com';

/** A service with passkeys. */
export function startPasskeyService(options: StartOptions = {}): Promise<TestService> {
  return startTestService({ rpId: RP_ID, origins: [ORIGIN], ...options });
}

/** An authenticator on the page of these tests. */
export function createAuthenticator(options: Partial<AuthenticatorOptions> = {}): SoftwareAuthenticator {
  return new SoftwareAuthenticator({ origin: ORIGIN, ...options });
}

/** POST /passkey/start. */
export async function startRegistration(service: TestService, access: string): Promise<CreationOptions> {
  const answer = await service.post('/passkey/start', {}, createBearerHeader(access));
  assert.equal(answer.status, 200, answer.text);
  return answer.body as unknown as CreationOptions;
}

/** POST /passkey/complete. */
export function completeRegistration(service: TestService, access: string, credential: unknown): Promise<Exchange> {
  return service.post('/passkey/complete', { credential }, createBearerHeader(access));
}

/** A complete registration, as far as the service allows it. */
export async function registerNewPasskey(
  service: TestService,
  access: string,
  authenticator: SoftwareAuthenticator,
  knobs: RegistrationOverrides = {},
): Promise<Exchange> {
  const options = await startRegistration(service, access);
  return completeRegistration(service, access, authenticator.register(options, knobs));
}

/** A registered passkey of a user who has no second factor. */
export async function createRegisteredPasskey(
  service: TestService,
  username: string,
  authenticator: SoftwareAuthenticator,
  knobs: RegistrationOverrides = {},
): Promise<Passkey> {
  const answer = await registerNewPasskey(service, await logInForAccessToken(service, username), authenticator, knobs);
  assert.equal(answer.status, 200, answer.text);
  return authenticator.latest;
}

/** The ids of a user's passkeys, oldest first. */
export async function listPasskeyIds(service: TestService, access: string): Promise<readonly string[]> {
  const { body, text } = await service.get('/passkey', createBearerHeader(access));
  assert.ok(Array.isArray(body.passkeys), text);
  return (body.passkeys as readonly { readonly credential_id: string }[]).map((passkey) => passkey.credential_id);
}

/** A login that waits for a passkey, with the options for the browser. */
export interface PendingPasskey extends PendingChallenge {
  readonly options: RequestOptions;
}

function toPendingPasskey(challenge: PendingChallenge): PendingPasskey {
  const { CREDENTIAL_REQUEST_OPTIONS = '' } = challenge.parameters;
  return { ...challenge, options: JSON.parse(CREDENTIAL_REQUEST_OPTIONS) as RequestOptions };
}

/** GET /login/passkey/challenge/web_authn. */
export async function startPasskeyLogin(service: TestService, username: string): Promise<PendingPasskey> {
  const path = '/login/passkey/challenge/web_authn';
  return toPendingPasskey(toPendingChallenge(await service.ask('GET', path, { body: { username } }), username));
}

/** POST /login/passkey/discoverable. */
export async function startDiscoverableLogin(service: TestService): Promise<PendingPasskey> {
  return toPendingPasskey(toPendingChallenge(await service.post('/login/passkey/discoverable', {}), ''));
}

/** POST /login/challenge; without a username if the login has none. */
export function answerPasskey(service: TestService, challenge: PendingPasskey, assertion: unknown): Promise<Exchange> {
  const { username, ...nameless } = createAnswerBody(challenge, assertion);
  return service.post('/login/challenge', username === '' ? nameless : { ...nameless, username });
}

/** A complete passkey login. */
export async function logInWithPasskey(
  service: TestService,
  username: string,
  authenticator: SoftwareAuthenticator,
  knobs: AssertionOverrides = {},
): Promise<Exchange> {
  const challenge = await startPasskeyLogin(service, username);
  return answerPasskey(service, challenge, authenticator.assert(challenge.options, knobs));
}

/** Expects that a registration was rejected. */
export function assertNotRegistered(answer: Exchange, about: string): void {
  assertProblem(answer, 400, 'invalid_credential', about);
}

/** Expects the error of every failed login. */
export function assertNotLoggedIn(answer: Exchange, about: string): void {
  assertProblem(answer, 401, 'invalid_credentials', about);
}
