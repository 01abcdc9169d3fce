import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createErrorReply, createSuccessReply, startCognitoServer } from '../testing/cognito-server.ts';
import { CALL, CLIENT_ID, openTestProvider, POOL_ID } from '../testing/test-provider.ts';

test('an endpoint with a path is called there, signed or not', async () => {
  await using server = await startCognitoServer(() => createSuccessReply({ Username: 'ada', UserAttributes: [] }));
  using provider = openTestProvider(`${server.url}/below`);
  await provider.operations.getUser({ AccessToken: 'a.b.c' }, CALL);
  await provider.operations.adminGetUser({ UserPoolId: POOL_ID, Username: 'ada' }, CALL);
  assert.deepEqual(
    server.receivedRequests.map(({ path }) => path),
    ['/below/', '/below/'],
  );
});

test('non-ASCII letters arrive unchanged, in both directions', async () => {
  const name = 'Ada Lövelace 🔑';
  await using server = await startCognitoServer(({ body }) =>
    createSuccessReply({ UserConfirmed: false, UserSub: String(body.Username) }),
  );
  using provider = openTestProvider(server.url);
  const output = await provider.operations.signUp({ ClientId: CLIENT_ID, Username: name }, CALL);
  assert.equal(server.receivedRequests[0]?.body.Username, name);
  assert.equal(output.UserSub, name);
});

test('a call that is canceled before it is sent is not sent', async () => {
  await using server = await startCognitoServer(() => createSuccessReply({ Username: 'ada', UserAttributes: [] }));
  using provider = openTestProvider(server.url);
  const proof = provider.operations.respondToAuthChallenge(
    { ClientId: CLIENT_ID, ChallengeName: 'PASSWORD_VERIFIER' },
    CALL,
  );
  while (provider.time.requestedDelays.length === 0) await null;
  provider.time.advance(5_000);
  await assert.rejects(proof, { reason: 'provider_timeout' });
  await provider.operations.getUser({ AccessToken: 'a.b.c' }, CALL);
  assert.deepEqual(
    server.receivedRequests.map(({ operation }) => operation),
    ['GetUser'],
  );
});

test("a custom service receives the caller's address with every unsigned attempt", async () => {
  let answers = 0;
  await using server = await startCognitoServer(() => {
    answers += 1;
    return answers === 1
      ? createErrorReply('InternalErrorException', 'x', 500)
      : createSuccessReply({ Username: 'ada', UserAttributes: [] });
  });
  using provider = openTestProvider(server.url);
  const from = (sourceAddress: string) => ({ requestId: 'test', sourceAddress });
  await provider.operations.getUser({ AccessToken: 'a.b.c' }, from('2001:db8::7'));
  await provider.operations.getUser({ AccessToken: 'a.b.c' }, from('192.0.2.7'));
  for (const none of ['', 'unknown', '192.0.2.7, 10.0.0.1', '192.0.2.7\r\nx-evil: 1']) {
    await provider.operations.getUser({ AccessToken: 'a.b.c' }, from(none));
  }
  await provider.operations.adminGetUser({ UserPoolId: POOL_ID, Username: 'ada' }, from('192.0.2.7'));
  assert.deepEqual(
    server.receivedRequests.map(({ headers }) => headers['x-forwarded-for']),
    ['2001:db8::7', '2001:db8::7', '192.0.2.7', ...Array(5).fill(undefined)],
  );
});
