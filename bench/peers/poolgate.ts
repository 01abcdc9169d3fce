import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CreationOptions } from '../../packages/pool/src/testing/software-authenticator.ts';
import { makeDeviceVerifier, secureRandom } from '../../packages/srp/src/index.ts';
import { openSslEngine as engine } from '../../packages/srp/src/openssl.ts';
import { packAll } from '../../tools/pack.ts';
import type { Account, Target } from '../load/drive.ts';
import { readFastClock } from '../load/fast-clock.ts';
import { createAuthenticator, toPlainPasskey } from '../load/passkey.ts';
import { callOperation } from '../load/request.ts';
import { computeTotpCode } from '../load/totp.ts';
import { findFreePort, type Program } from '../rig/server.ts';

const INSTALLED = fileURLToPath(new URL('../../node_modules', import.meta.url));

let unpacked: Promise<string> | undefined;

/** Unpacks the published program once per run. */
async function unpack(folder: string): Promise<string> {
  const tarballs = await packAll(join(folder, 'tarballs'));
  const ours = tarballs.find((path) => /\/poolgate-\d[^/]*$/.test(path));
  if (ours === undefined) throw new Error('the program was not packed');
  execFileSync('tar', ['xzf', ours, '-C', folder]);
  // The packages outside the bundle are installed next to it, as npm does.
  symlinkSync(INSTALLED, join(folder, 'package/node_modules'));
  return join(folder, 'package/dist/main.js');
}

/** Every limiter counts but rejects nothing: all load comes from one address. */
const WIDE_LIMITS = {
  POOLGATE_LIMIT_READS: '1000000',
  POOLGATE_LIMIT_LOGIN_STEPS: '1000000',
  POOLGATE_LIMIT_USER_STEPS: '1000000',
  POOLGATE_LIMIT_CLIENT_STEPS: '1000000',
} as const;

/**
 * Poolgate as published, on a database file with full durability; only its limits are wider. `side-by-side` calls it and the `fill…`
 * functions in clones at other commits, so their names stay.
 */
export async function poolgateProgram(folder: string): Promise<Program> {
  unpacked ??= unpack(folder);
  const port = await findFreePort();
  return {
    words: [await unpacked, 'serve'],
    folder,
    environment: {
      NODE_ENV: 'development',
      LOG_FORMAT: 'json',
      PORT: String(port),
      HOST: '127.0.0.1',
      POOLGATE_DATA_DIR: folder,
      ...WIDE_LIMITS,
    },
    readyPath: '/readyz',
    port,
  };
}

interface LoginParameters {
  readonly provider: { readonly user_pool_id: string; readonly client_id: string };
}

/** Signs the users up and confirms them with the codes of the outbox. */
export async function fillPoolgate(url: string, accounts: readonly Account[]): Promise<Target> {
  const { provider } = (await (await fetch(`${url}/login/parameters`)).json()) as LoginParameters;
  const target = { url, accounts, userPoolId: provider.user_pool_id, clientId: provider.client_id };
  for (const [index, account] of accounts.entries()) await signUp(target, account, index);
  return target;
}

async function signUp({ url, clientId }: Target, { username, password }: Account, index: number): Promise<void> {
  // Behind a trusted proxy, each request comes from a separate network, because a network has a limit per minute.
  const headers = { 'X-Forwarded-For': `10.${index >> 8}.${index & 255}.1` };
  const user = { ClientId: clientId, Username: username };
  const attributes = [{ Name: 'email', Value: username }];
  await callOperation(url, 'SignUp', { ...user, Password: password, UserAttributes: attributes }, headers);
  const outbox = (await (await fetch(`${url}/dev/outbox?to=${username}`)).json()) as { readonly code?: string }[];
  await callOperation(url, 'ConfirmSignUp', { ...user, ConfirmationCode: outbox[0]?.code }, headers);
}

/** The same service with a fast clock: an authenticator's code works once, and no client waits for the next. */
export async function createFastPoolgateProgram(folder: string): Promise<Program> {
  const program = await poolgateProgram(folder);
  return {
    ...program,
    words: [fileURLToPath(import.meta.resolve('./poolgate-fast.ts'))],
    environment: { ...program.environment, IDP_LOGIN_FLOW: 'password' },
  };
}

interface LoginResult {
  readonly AuthenticationResult: {
    readonly AccessToken: string;
    readonly RefreshToken: string;
    readonly NewDeviceMetadata: { readonly DeviceKey: string; readonly DeviceGroupKey: string };
  };
}

async function signIn({ url, clientId }: Target, { username, password }: Account): Promise<LoginResult> {
  const parameters = { USERNAME: username, PASSWORD: password };
  const input = { ClientId: clientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters: parameters };
  return (await callOperation(url, 'InitiateAuth', input)) as LoginResult;
}

/** Creates logged-in users. */
export async function fillWithTokens(url: string, accounts: readonly Account[]): Promise<Target> {
  const target = await fillPoolgate(url, accounts);
  const owners: Account[] = [];
  for (const account of accounts) {
    const { AccessToken: access, RefreshToken: refresh } = (await signIn(target, account)).AuthenticationResult;
    owners.push({ ...account, tokens: { access, refresh } });
  }
  return { ...target, accounts: owners };
}

/** Signs each user in at a separate browser. */
export async function fillWithSessions(url: string, accounts: readonly Account[]): Promise<Target> {
  const target = await fillPoolgate(url, accounts);
  const owners: Account[] = [];
  for (const account of accounts) owners.push({ ...account, cookie: await openSession(url, account) });
  return { ...target, accounts: owners };
}

async function openSession(url: string, { username, password }: Account): Promise<string> {
  const asked = await fetch(`${url}/cognito/session`);
  const { csrf_token: csrfToken } = (await asked.json()) as { readonly csrf_token: string };
  const cookie = asked.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const headers = {
    cookie,
    origin: new URL(url).origin,
    'content-type': 'application/json',
    'x-csrf-token': csrfToken,
  };
  const answer = await fetch(`${url}/cognito/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ username, password }),
  });
  const session = answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .find((pair) => pair.startsWith('__Host-poolgate='));
  if (!answer.ok || session === undefined) throw new Error(`${answer.status}: ${await answer.text()}`);
  return session;
}

/** Creates users with a remembered device each. */
export async function fillWithDevices(url: string, accounts: readonly Account[]): Promise<Target> {
  const target = await fillPoolgate(url, accounts);
  const owners: Account[] = [];
  for (const account of accounts) owners.push({ ...account, device: await rememberDevice(target, account) });
  return { ...target, accounts: owners };
}

async function rememberDevice(target: Target, account: Account): Promise<NonNullable<Account['device']>> {
  const { AuthenticationResult: result } = await signIn(target, account);
  const { DeviceKey: key, DeviceGroupKey: groupKey } = result.NewDeviceMetadata;
  const device = { deviceKey: key, deviceGroupKey: groupKey };
  const { config, devicePassword } = makeDeviceVerifier({ engine, device, random: secureRandom });
  const own = { AccessToken: result.AccessToken, DeviceKey: key };
  await callOperation(target.url, 'ConfirmDevice', { ...own, DeviceSecretVerifierConfig: config });
  await callOperation(target.url, 'UpdateDeviceStatus', { ...own, DeviceRememberedStatus: 'remembered' });
  return { key, groupKey, secret: devicePassword };
}

/** Creates users with an authenticator each, on a service with a fast clock. */
export async function fillWithTotp(url: string, accounts: readonly Account[]): Promise<Target> {
  const target = await fillPoolgate(url, accounts);
  const owners: Account[] = [];
  for (const account of accounts) owners.push({ ...account, totpSecret: await enrollTotp(target, account) });
  return { ...target, accounts: owners };
}

async function enrollTotp(target: Target, account: Account): Promise<string> {
  const { AccessToken } = (await signIn(target, account)).AuthenticationResult;
  const { SecretCode } = (await callOperation(target.url, 'AssociateSoftwareToken', { AccessToken })) as {
    readonly SecretCode: string;
  };
  const UserCode = computeTotpCode(SecretCode, readFastClock());
  await callOperation(target.url, 'VerifySoftwareToken', { AccessToken, UserCode });
  const SoftwareTokenMfaSettings = { Enabled: true, PreferredMfa: true };
  await callOperation(target.url, 'SetUserMFAPreference', { AccessToken, SoftwareTokenMfaSettings });
  return SecretCode;
}

/** Creates users with a passkey each. */
export async function fillWithPasskeys(url: string, accounts: readonly Account[]): Promise<Target> {
  const target = await fillPoolgate(url, accounts);
  const owners: Account[] = [];
  for (const account of accounts) owners.push({ ...account, passkey: await registerPasskey(target, account) });
  return { ...target, accounts: owners };
}

async function registerPasskey(target: Target, account: Account): Promise<NonNullable<Account['passkey']>> {
  const { AccessToken } = (await signIn(target, account)).AuthenticationResult;
  const { CredentialCreationOptions } = (await callOperation(target.url, 'StartWebAuthnRegistration', {
    AccessToken,
  })) as {
    readonly CredentialCreationOptions: CreationOptions;
  };
  const authenticator = createAuthenticator(target.url);
  const Credential = authenticator.register(CredentialCreationOptions);
  await callOperation(target.url, 'CompleteWebAuthnRegistration', { AccessToken, Credential });
  return toPlainPasskey(authenticator.latest);
}
