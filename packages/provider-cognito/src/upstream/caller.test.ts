import assert from 'node:assert/strict';
import dns from 'node:dns';
import { test } from 'node:test';
import { ProviderError } from '@poolgate/provider';
import { type CognitoOptions, resolveOptions } from '../options/cognito-options.ts';
import {
  type CognitoReply,
  createErrorReply,
  createSuccessReply,
  startCognitoServer,
} from '../testing/cognito-server.ts';
import { CALL, CLIENT_ID, openTestProvider, POOL_ID, type TestProvider } from '../testing/test-provider.ts';
import { createTestTime } from '../testing/test-time.ts';
import { createCaller } from './caller.ts';
import { COMMANDS } from './commands.ts';
import { toUpstreamFailure } from './upstream-failure.ts';

const USER = createSuccessReply({ Username: 'ada', UserAttributes: [] });
const TOO_MANY = createErrorReply('TooManyRequestsException', 'Too many requests');
const BROKEN = createErrorReply('InternalErrorException', 'x', 500);
/** Every way in which a request can fail although it may have been carried out. */
const HALF_FAILURES: readonly CognitoReply[] = ['reset', 'cut', TOO_MANY, BROKEN, { status: 503, body: '<html>' }];

const read = ({ operations }: TestProvider) => operations.getUser({ AccessToken: 'a.b.c' }, CALL);
const prove = ({ operations }: TestProvider) =>
  operations.respondToAuthChallenge({ ClientId: CLIENT_ID, ChallengeName: 'PASSWORD_VERIFIER' }, CALL);
const refresh = ({ operations }: TestProvider) =>
  operations.getTokensFromRefreshToken({ ClientId: CLIENT_ID, RefreshToken: 'r' }, CALL);

test('a repeatable call succeeds on the third attempt', async () => {
  for (const failure of HALF_FAILURES) {
    await using server = await startCognitoServer();
    using provider = openTestProvider(server.url);
    server.setReply(() => (server.receivedRequests.length < 3 ? failure : USER));
    assert.equal((await read(provider)).Username, 'ada');
    assert.equal(server.receivedRequests.length, 3);
  }
});

test('a proof, a code and a refresh token are sent once, whatever the result', async () => {
  for (const failure of HALF_FAILURES) {
    await using server = await startCognitoServer(() => failure);
    using provider = openTestProvider(server.url);
    for (const [index, act] of [prove, refresh].entries()) {
      await assert.rejects(act(provider), { reason: 'provider_unavailable' });
      assert.equal(server.receivedRequests.length, index + 1);
    }
  }
});

test('what was certainly not received is retried, including proofs', async () => {
  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']) {
    let sent = 0;
    const time = createTestTime();
    const call = createCaller(resolveOptions(options(time)), async () => {
      sent += 1;
      if (sent < 3) throw Object.assign(new Error('no connection'), { code });
      return { AuthenticationResult: { AccessToken: 'a.b.c', ExpiresIn: 1 } };
    });
    await call('GetTokensFromRefreshToken', COMMANDS.GetTokensFromRefreshToken, {});
    assert.equal(sent, 3, code);
  }
});

test('a refused connection is unavailable, with the time to retry', async () => {
  const server = await startCognitoServer();
  await server[Symbol.asyncDispose]();
  using provider = openTestProvider(server.url);
  await assert.rejects(prove(provider), {
    code: 'InternalErrorException',
    reason: 'provider_unavailable',
    retryAfterSeconds: 1,
  });
});

test('a late response is a timeout, and the connection is closed', async () => {
  await using server = await startCognitoServer(() => 'hang');
  using provider = openTestProvider(server.url);
  const proof = prove(provider);
  await server.waitForRequests(1);
  provider.time.advance(5_000);
  await assert.rejects(proof, { code: 'InternalErrorException', reason: 'provider_timeout' });
  assert.equal(server.receivedRequests.length, 1);
});

test('a read that hangs is retried only within the time of the whole call', async () => {
  await using server = await startCognitoServer(() => 'hang');
  using provider = openTestProvider(server.url);
  const reading = read(provider);
  await server.waitForRequests(1);
  provider.time.advance(5_000);
  await server.waitForRequests(2);
  provider.time.advance(4_000);
  await assert.rejects(reading, { reason: 'provider_timeout' });
  assert.equal(server.receivedRequests.length, 2);
});

test('the delay between attempts follows the random number', async () => {
  await using server = await startCognitoServer();
  using provider = openTestProvider(server.url, { random: () => 0.5 });
  server.setReply(() => (server.receivedRequests.length < 2 ? BROKEN : USER));
  const asked = provider.time.requestedDelays;
  const reading = read(provider);
  await server.waitForRequests(1);
  while (!asked.includes(50)) await new Promise(setImmediate);
  assert.equal(server.receivedRequests.length, 1);
  provider.time.advance(50);
  assert.equal((await reading).Username, 'ada');
});

test("throttling after all attempts is unavailable, and not the caller's fault", async () => {
  await using server = await startCognitoServer(() => TOO_MANY);
  using provider = openTestProvider(server.url);
  await assert.rejects(read(provider), {
    code: 'TooManyRequestsException',
    reason: 'provider_unavailable',
    retryAfterSeconds: 1,
  });
  assert.equal(server.receivedRequests.length, 3);
});

test('over the quota nothing is sent, and the caller gets the time to retry', async () => {
  await using server = await startCognitoServer(() => USER);
  using provider = openTestProvider(server.url, { limits: { quotas: { UserRead: 2 } } });
  await read(provider);
  await read(provider);
  await assert.rejects(read(provider), { code: 'TooManyRequestsException', reason: undefined, retryAfterSeconds: 1 });
  assert.equal(server.receivedRequests.length, 2);
  provider.time.advance(1_000);
  await read(provider);
});

test('a failing service gets at most a tenth more calls', async () => {
  await using server = await startCognitoServer(() => TOO_MANY);
  using provider = openTestProvider(server.url, { limits: { quotas: { UserRead: 1_000 } } });
  for (let call = 0; call < 100; call += 1) await read(provider).catch(() => undefined);
  assert.ok(server.receivedRequests.length <= 100 + 10 + 10, `${server.receivedRequests.length} requests`);
});

test('while Cognito is down only one call per second is sent, and all work again once it is back', async () => {
  await using server = await startCognitoServer(() => 'reset');
  using provider = openTestProvider(server.url);
  for (let call = 0; call < 10; call += 1) await assert.rejects(prove(provider), { reason: 'provider_unavailable' });
  assert.equal(server.receivedRequests.length, 10);
  for (let call = 0; call < 50; call += 1) {
    await assert.rejects(prove(provider), { reason: 'provider_unavailable', retryAfterSeconds: 1 });
  }
  assert.equal(server.receivedRequests.length, 10);
  provider.time.advance(1_000);
  await assert.rejects(prove(provider), { reason: 'provider_unavailable' });
  await assert.rejects(prove(provider), { reason: 'provider_unavailable' });
  assert.equal(server.receivedRequests.length, 11);
  server.setReply(() => USER);
  provider.time.advance(1_000);
  for (let call = 0; call < 5; call += 1) await read(provider);
});

test('credentials that never arrive affect only administrators', async () => {
  await using server = await startCognitoServer(() => USER);
  using provider = openTestProvider(server.url, { credentials: () => new Promise(() => undefined) });
  const input = { UserPoolId: POOL_ID, Username: 'ada' };
  for (let call = 0; call < 10; call += 1) {
    const hanging = provider.operations.adminDeleteUser(input, CALL);
    while (provider.time.requestedDelays.length <= call) await new Promise(setImmediate);
    provider.time.advance(5_000);
    await assert.rejects(hanging, { reason: 'provider_timeout' });
  }
  assert.equal((await read(provider)).Username, 'ada');
});

test('a connection timeout means that nothing was received, so a proof is retried too', async (t) => {
  const lookup = t.mock.method(dns, 'lookup', () => undefined);
  using provider = openTestProvider('http://cognito.test', { limits: { connectMs: 20 } });
  await assert.rejects(prove(provider), { reason: 'provider_unavailable' });
  assert.equal(lookup.mock.callCount(), 3);
});

test('errors of Cognito do not open the circuit breaker', async () => {
  await using server = await startCognitoServer(() =>
    createErrorReply('NotAuthorizedException', 'Incorrect username or password.'),
  );
  using provider = openTestProvider(server.url);
  for (let call = 0; call < 40; call += 1) await assert.rejects(prove(provider), { reason: 'invalid_credentials' });
  assert.equal(server.receivedRequests.length, 40);
});

test('an internal error is no failure of Cognito', async () => {
  const call = createCaller(resolveOptions(options(createTestTime())), () => Promise.reject(new TypeError('a defect')));
  await assert.rejects(call('GetUser', COMMANDS.GetUser, {}), (error) => !(error instanceof ProviderError));
});

test('a credentials service that refuses is not mistaken for Cognito', () => {
  const refusedRole = { name: 'AccessDenied', $fault: 'client', $metadata: { httpStatusCode: 403 } };
  assert.equal(
    toUpstreamFailure(Object.assign(new Error('arn:aws:iam::1:role/x'), refusedRole))?.kind,
    'no_credentials',
  );
});

function options({ clock, timer }: ReturnType<typeof createTestTime>): CognitoOptions {
  const ids = { region: 'us-east-1', userPoolId: 'us-east-1_TestPool1', clientId: CLIENT_ID, clientSecrets: [] };
  return { ...ids, clock, timer, random: () => 0 };
}
