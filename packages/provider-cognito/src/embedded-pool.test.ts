import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Output } from '@poolgate/provider';
import { bigIntEngine, makeDeviceVerifier, secureRandom } from '@poolgate/srp';
import { type CognitoProvider, createCognitoProvider } from './cognito-provider.ts';
import { type EmbeddedService, startEmbeddedService } from './testing/embedded-service.ts';
import { logInBySrp } from './testing/srp-login.ts';
import { CALL } from './testing/test-provider.ts';

let service: EmbeddedService;
let provider: CognitoProvider;

before(async () => {
  service = await startEmbeddedService();
  const { url, userPoolId, clientId, adminKey } = service;
  provider = createCognitoProvider({
    region: 'us-east-1',
    userPoolId,
    clientId,
    clientSecrets: [],
    endpoint: url,
    credentials: async () => adminKey,
    clock: Date,
  });
});

after(async () => {
  provider.close();
  await service[Symbol.asyncDispose]();
});

function login(more: { readonly username?: string; readonly password?: string } = {}) {
  const { userPoolId, clientId, demoUser } = service;
  return logInBySrp(provider, { userPoolId, clientId, ...demoUser, ...more });
}

function requireTokens({ AuthenticationResult = {} }: Output<'RespondToAuthChallenge'>) {
  const { AccessToken = '', RefreshToken = '', NewDeviceMetadata = {} } = AuthenticationResult;
  assert.notEqual(AccessToken, '');
  assert.notEqual(RefreshToken, '');
  return { AccessToken, RefreshToken, ...NewDeviceMetadata };
}

test('an SRP login ends with tokens that the published keys verify', async () => {
  const { AccessToken } = requireTokens(await login());
  const [header = '', claims = ''] = AccessToken.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  const { kid } = JSON.parse(header) as { kid: string };
  const keys = await provider.signingKeys(service.userPoolId);
  assert.ok(keys?.some((key) => key.kid === kid));
  const description = await provider.describe(service.userPoolId);
  assert.equal(description?.issuer, (JSON.parse(claims) as { iss: string }).iss);
});

test('a wrong password and an unknown user get the same error', async () => {
  const refused = { code: 'NotAuthorizedException', reason: 'invalid_credentials' };
  await assert.rejects(login({ password: 'Wrong-Passw0rd!' }), refused);
  await assert.rejects(login({ username: 'nobody@poolgate.test' }), refused);
});

test('a refresh gives a new access token, and a revoked token none', async () => {
  const { RefreshToken } = requireTokens(await login());
  const ClientId = service.clientId;
  const renewed = await provider.operations.getTokensFromRefreshToken({ ClientId, RefreshToken }, CALL);
  assert.ok(renewed.AuthenticationResult?.AccessToken);
  const Token = renewed.AuthenticationResult.RefreshToken ?? RefreshToken;
  await provider.operations.revokeToken({ ClientId, Token }, CALL);
  await assert.rejects(provider.operations.getTokensFromRefreshToken({ ClientId, RefreshToken: Token }, CALL), {
    reason: 'invalid_grant',
  });
});

test('a device is registered, listed, remembered and forgotten', async () => {
  const { AccessToken, DeviceKey = '', DeviceGroupKey = '' } = requireTokens(await login());
  const device = { deviceKey: DeviceKey, deviceGroupKey: DeviceGroupKey };
  const { config } = makeDeviceVerifier({ engine: bigIntEngine, random: secureRandom, device });
  const { confirmDevice, listDevices, updateDeviceStatus, getDevice, forgetDevice } = provider.operations;
  await confirmDevice({ AccessToken, DeviceKey, DeviceSecretVerifierConfig: config, DeviceName: 'A browser' }, CALL);
  await updateDeviceStatus({ AccessToken, DeviceKey, DeviceRememberedStatus: 'remembered' }, CALL);
  const { Devices = [] } = await listDevices({ AccessToken, Limit: 10 }, CALL);
  assert.deepEqual(
    Devices.map((device) => device.DeviceKey),
    [DeviceKey],
  );
  assert.ok(Math.abs((Devices[0]?.DeviceCreateDate ?? 0) - Date.now() / 1_000) < 600);
  await forgetDevice({ AccessToken, DeviceKey }, CALL);
  await assert.rejects(getDevice({ AccessToken, DeviceKey }, CALL), { reason: 'device_not_found' });
});

test('an invalid token and an invalid session are distinguished from a wrong password', async () => {
  await assert.rejects(provider.operations.getUser({ AccessToken: 'a.b.c' }, CALL), { reason: 'invalid_token' });
  const Session = 'no-session-of-anybody-at-all';
  const ChallengeResponses = { USERNAME: service.demoUser.username, SOFTWARE_TOKEN_MFA_CODE: '000000' };
  const answer = {
    ClientId: service.clientId,
    ChallengeName: 'SOFTWARE_TOKEN_MFA',
    Session,
    ChallengeResponses,
  } as const;
  await assert.rejects(provider.operations.respondToAuthChallenge(answer, CALL), { reason: 'invalid_session' });
});

test('an administrator signs, and reads the user', async () => {
  const UserPoolId = service.userPoolId;
  const { Enabled, UserStatus, UserCreateDate } = await provider.operations.adminGetUser(
    { UserPoolId, Username: service.demoUser.username },
    CALL,
  );
  assert.deepEqual([Enabled, UserStatus, typeof UserCreateDate], [true, 'CONFIRMED', 'number']);
  await assert.rejects(provider.operations.adminGetUser({ UserPoolId, Username: 'nobody' }, CALL), {
    code: 'UserNotFoundException',
    reason: undefined,
  });
});

test("a wrong signing secret is the operator's fault, not the caller's", async () => {
  const { url, userPoolId, clientId, adminKey } = service;
  const credentials = async () => ({ ...adminKey, secretAccessKey: 'not-the-secret' });
  const ids = { region: 'us-east-1', userPoolId, clientId, clientSecrets: [] };
  const wrong = createCognitoProvider({ ...ids, endpoint: url, credentials, clock: Date });
  const act = wrong.operations.adminGetUser({ UserPoolId: userPoolId, Username: 'nobody' }, CALL);
  await assert.rejects(act, { code: 'AccessDeniedException', reason: undefined });
  wrong.close();
});
