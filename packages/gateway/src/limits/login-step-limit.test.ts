import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CallContext, ProviderError } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { CLIENT_ID, createTestProvider } from '../testing/gateway-deps.ts';
import { createRateLimitedProvider, findRouteUsername } from './login-step-limit.ts';
import type { LoginStepSource, SharedRateLimit } from './shared-rate-limit.ts';

const CALL: CallContext = { requestId: 'r1', sourceAddress: '203.0.113.5' };

test('a request to a route is counted by the user that it names, unless it is a step of a device or a passkey', () => {
  const rows: readonly (readonly [user: string | undefined, body: unknown, params?: unknown])[] = [
    ['ada', { username: 'ada' }],
    ['ada@example.com', { email: 'ada@example.com' }],
    ['ada', { username: 'ada', email: 'eve@example.com' }],
    ['ada@example.com', { username: 5, email: 'ada@example.com' }],
    [undefined, { username: 5 }],
    [undefined, {}],
    [undefined, undefined],
    [undefined, null],
    [undefined, 'ada'],
    ['ada', { username: 'ada' }, null],
    ['ada', { username: 'ada', challenge_name: 'PASSWORD_VERIFIER' }],
    ['ada', { username: 'ada', challenge_name: 5 }],
    [undefined, { username: 'ada', challenge_name: 'DEVICE_SRP_AUTH' }],
    [undefined, { username: 'ada', challenge_name: 'device_password_verifier' }],
    [undefined, { username: 'ada', challenge_name: 'SELECT_CHALLENGE' }],
    [undefined, { username: 'ada' }, { challenge_name: 'web_authn' }],
    ['ada', { username: 'ada', challenge_name: 'WEB_AUTHN' }, { challenge_name: 'EMAIL_OTP' }],
    [undefined, { username: 'ada', challenge_name: 'WEB_AUTHN' }, {}],
    [undefined, { username: 'ada', device_key: 'us-east-1_0a' }],
    [undefined, { username: 'ada', challenge_value: '{"DEVICE_KEY":"us-east-1_0a"}' }],
    [undefined, { username: 'ada', challenge_value: { DEVICE_KEY: 'us-east-1_0a' } }],
    ['ada', { username: 'ada', challenge_value: '123456' }],
    ['ada', { username: 'ada', challenge_value: { code: '123456' } }],
    ['ada', { username: 'ada', challenge_value: null }],
  ];
  for (const [user, body, params = {}] of rows) {
    assert.equal(findRouteUsername({ body, params }), user, JSON.stringify([body, params]));
  }
});

/** A provider behind a limit that a test controls, with the counts and the calls. */
function counted(admit: SharedRateLimit['admit'] = async () => {}) {
  const steps: LoginStepSource[] = [];
  const calls: unknown[] = [];
  const noBusiness = () => assert.fail('of no business here');
  const sharedLimit: SharedRateLimit = {
    admit(step) {
      steps.push(step);
      return admit(step);
    },
    admitProvenClient: noBusiness,
    admitSecret: noBusiness,
    clear: noBusiness,
    countWrongSecret: noBusiness,
  };
  const called = async (...given: readonly unknown[]) => {
    calls.push(given);
    return {};
  };
  const provider = createTestProvider(() => [], {
    initiateAuth: called,
    respondToAuthChallenge: called,
    getTokensFromRefreshToken: called,
    adminInitiateAuth: called,
    getUser: async (...given) => {
      calls.push(given);
      return { Username: 'ada', UserAttributes: [] };
    },
  });
  return { steps, calls, ...createRateLimitedProvider({ clientId: CLIENT_ID, sharedLimit }, provider) };
}

test('a login step of the Cognito-compatible API is counted by address, client and named user', async () => {
  const { operations, steps, calls } = counted();
  const login = { AuthFlow: 'USER_AUTH', ClientId: 'c1', AuthParameters: { USERNAME: 'ada' } } as const;
  const answer = { ChallengeName: 'SMS_MFA', ClientId: 'c2', ChallengeResponses: { USERNAME: 'ada' } } as const;
  await operations.initiateAuth(login, CALL);
  assert.deepEqual(calls, [[login, CALL]]);
  for (const AuthParameters of [
    { USERNAME: 'ada', PREFERRED_CHALLENGE: 'WEB_AUTHN' },
    { USERNAME: 'ada', DEVICE_KEY: 'us-east-1_0a' },
    { REFRESH_TOKEN: 'x' },
  ]) {
    await operations.initiateAuth({ ...login, AuthParameters }, CALL);
  }
  await operations.respondToAuthChallenge(answer, CALL);
  await operations.respondToAuthChallenge({ ...answer, ChallengeName: 'DEVICE_SRP_AUTH' }, CALL);
  const selected = { USERNAME: 'ada', ANSWER: 'WEB_AUTHN' };
  await operations.respondToAuthChallenge({ ...answer, ChallengeResponses: selected }, CALL);
  await operations.getTokensFromRefreshToken({ RefreshToken: 'x' } as never, CALL);
  const address = '203.0.113.5';
  assert.deepEqual(steps, [
    { address, username: 'ada', clientId: 'c1' },
    { address, username: undefined, clientId: 'c1' },
    { address, username: undefined, clientId: 'c1' },
    { address, username: undefined, clientId: 'c1' },
    { address, username: 'ada', clientId: 'c2' },
    { address, username: undefined, clientId: 'c2' },
    { address, username: 'ada', clientId: 'c2' },
    { address, username: undefined, clientId: CLIENT_ID },
  ]);
});

test('other operations are not counted', async () => {
  const { operations, steps, calls } = counted(() => assert.fail('it is counted'));
  await operations.getUser({ AccessToken: 'x' }, CALL);
  assert.deepEqual([steps.length, calls.length], [0, 1]);
});

test("a step over the limit is refused in Cognito's words before anything is done, and other failures are unchanged", async () => {
  const login = { AuthFlow: 'USER_AUTH', ClientId: 'c1', AuthParameters: { USERNAME: 'ada' } } as const;
  const callForFailure = async (failure: Error) => {
    const { operations, calls } = counted(() => Promise.reject(failure));
    const error: unknown = await operations.initiateAuth(login, CALL).catch((thrown: unknown) => thrown);
    assert.deepEqual(calls, []);
    return error;
  };
  const tooMany = new GatewayError('too_many_requests');
  const refusal = await callForFailure(tooMany);
  assert.ok(refusal instanceof ProviderError);
  assert.deepEqual(
    [refusal.code, refusal.message, refusal.cause],
    ['TooManyRequestsException', 'Rate exceeded', tooMany],
  );
  for (const failure of [
    new GatewayError('unavailable'),
    new TypeError('x'),
    Object.assign(new Error('of somebody else'), { code: 'too_many_requests' }),
  ]) {
    assert.equal(await callForFailure(failure), failure);
  }
});
