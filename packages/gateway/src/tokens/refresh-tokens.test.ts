import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderOperations } from '@poolgate/provider';
import { createAccessToken } from '../testing/access-token.ts';
import { createAccountService, createRefusingOperation } from '../testing/account-service.ts';
import { CLIENT_ID, POOL, START_MS } from '../testing/gateway-deps.ts';

const ACCESS = createAccessToken('ada', undefined, 'mine');
const SENT = { refresh_token: 'sent' };

type Refresh = ProviderOperations['getTokensFromRefreshToken'];

/** A provider that refreshes, with or without a new refresh token. */
function refreshing(
  AccessToken: string,
  more: { readonly RefreshToken?: string } = {},
): { readonly operations: object } {
  const AuthenticationResult = { AccessToken, IdToken: 'id', ExpiresIn: 3_600, TokenType: 'Bearer', ...more };
  const getTokensFromRefreshToken: Refresh = async (_, { requestId }) => {
    assert.ok(requestId);
    return { AuthenticationResult };
  };
  return { operations: { getTokensFromRefreshToken } };
}

test('a refresh gives new tokens; without rotation the sent refresh token stays valid', async () => {
  for (const [more, kept] of [
    [{}, 'sent'],
    [{ RefreshToken: 'next' }, 'next'],
  ] as const) {
    for (const path of ['/token/refresh', '/token/revalidate']) {
      const { ask, calls } = await createAccountService(refreshing(ACCESS, more));
      const { status, body } = await ask('POST', path, SENT);
      assert.equal(status, 200);
      assert.deepEqual(body, {
        status: 'success',
        access_token: ACCESS,
        refresh_token: kept,
        id_token: 'id',
        token_type: 'Bearer',
        expires_in: 3_600,
      });
      assert.deepEqual(calls, [['getTokensFromRefreshToken', { ClientId: CLIENT_ID, RefreshToken: 'sent' }]]);
    }
  }
});

test('the provider receives the named device', async () => {
  const { ask, calls } = await createAccountService(refreshing(ACCESS));
  const device_key = 'us-east-1_11111111-2222-4333-8444-555555555555';
  assert.equal((await ask('POST', '/token/refresh', { ...SENT, device_key })).status, 200);
  const input = { ClientId: CLIENT_ID, RefreshToken: 'sent', DeviceKey: device_key };
  assert.deepEqual(calls, [['getTokensFromRefreshToken', input]]);
});

test("an invalid refresh token, or one of an ended login, is 401, whatever the provider's reason", async () => {
  const answers = [];
  for (const code of [
    'NotAuthorizedException',
    'UserNotFoundException',
    'ResourceNotFoundException',
    'InvalidParameterException',
  ] as const) {
    const { ask } = await createAccountService({
      operations: { getTokensFromRefreshToken: createRefusingOperation(code) },
    });
    answers.push(await ask('POST', '/token/refresh', SENT));
  }
  const ended = await createAccountService(refreshing(ACCESS));
  const times = { endedAtMs: START_MS, expiresAtMs: START_MS + 1 };
  ended.revocations.set('login:mine', { userPoolId: POOL.userPoolId, subject: 'login:mine', ...times });
  answers.push(await ended.ask('POST', '/token/refresh', SENT));
  const detail = 'The refresh token is unknown, expired, already used or revoked. Log in again.';
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.code, body.detail], [401, 'invalid_grant', detail]);
  }
});

test('other errors are not reported as such', async () => {
  const other = await createAccountService(
    refreshing(createAccessToken('ada', undefined, 'mine', { scope: 'openid' })),
  );
  assert.equal((await other.ask('POST', '/token/refresh', SENT)).status, 403);
  const down = await createAccountService(refreshing(ACCESS));
  down.revocations.get = () => {
    throw Object.assign(new Error('the store is down'), { code: 'store_unavailable' });
  };
  assert.equal((await down.ask('POST', '/token/refresh', SENT)).status, 503);
});
