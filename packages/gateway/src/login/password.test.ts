import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Output, ProviderError, type ProviderExtensions } from '@poolgate/provider';
import { createServer } from '../http/server.ts';
import { CLIENT_ID, testDeps, testProvider } from '../testing/gateway-deps.ts';

const BODY = { username: 'ada@example.com', password: 'Correct-Horse1!' };
const DEVICE = 'us-east-1_00000000-0000-4000-8000-000000000000';
const RESULT = { AccessToken: 'a', RefreshToken: 'r', IdToken: 'i', ExpiresIn: 3600, TokenType: 'Bearer' };
const TOKENS: Output<'RespondToAuthChallenge'> = { AuthenticationResult: RESULT };

type LogIn = ProviderExtensions['log_in_with_password'];

/** Logs in at a service whose provider notes what it is asked. */
async function logIn(body: object, extension: LogIn | undefined, loginFlow: 'srp' | 'password' = 'srp') {
  const flows: (string | undefined)[] = [];
  const provider = {
    ...testProvider(() => [], {
      initiateAuth: async ({ AuthFlow }) => {
        flows.push(AuthFlow);
        return TOKENS;
      },
    }),
    extensions: extension === undefined ? {} : { log_in_with_password: extension },
  };
  const app = await createServer(testDeps({ provider }, { loginFlow }));
  const answer = await app.inject({ method: 'POST', url: '/login', payload: body });
  return { status: answer.statusCode, flows, code: answer.json<{ readonly code?: string }>().code };
}

test('a provider that checks passwords in process gets the password, and no SRP', async () => {
  const asked: Parameters<LogIn>[0][] = [];
  const extension: LogIn = async (input) => {
    asked.push(input);
    return TOKENS;
  };
  const { status, flows } = await logIn({ ...BODY, device_key: DEVICE }, extension);
  assert.deepEqual([status, flows], [200, []]);
  assert.deepEqual(asked, [
    { ClientId: CLIENT_ID, Username: BODY.username, Password: BODY.password, DeviceKey: DEVICE },
  ]);
});

test('a device that it does not know is left out at the second try', async () => {
  const devices: (string | undefined)[] = [];
  const extension: LogIn = async ({ DeviceKey }) => {
    devices.push(DeviceKey);
    if (DeviceKey === undefined) return TOKENS;
    throw new ProviderError('ResourceNotFoundException', 'Device does not exist.', { reason: 'device_not_found' });
  };
  assert.equal((await logIn({ ...BODY, device_key: DEVICE }, extension)).status, 200);
  assert.deepEqual(devices, [DEVICE, undefined]);
});

test('its refusal is the answer', async () => {
  const extension: LogIn = async () => {
    throw new ProviderError('NotAuthorizedException', 'Incorrect username or password.', {
      reason: 'invalid_credentials',
    });
  };
  const { status, code } = await logIn(BODY, extension);
  assert.deepEqual([status, code], [401, 'invalid_credentials']);
});

test('any other provider is spoken SRP with, and a setting that passes the password on passes it on', async () => {
  const never: LogIn = () => assert.fail('asked in process');
  assert.deepEqual((await logIn(BODY, undefined)).flows, ['USER_SRP_AUTH']);
  assert.deepEqual((await logIn(BODY, undefined, 'password')).flows, ['USER_PASSWORD_AUTH']);
  assert.deepEqual((await logIn(BODY, never, 'password')).flows, ['USER_PASSWORD_AUTH']);
});
