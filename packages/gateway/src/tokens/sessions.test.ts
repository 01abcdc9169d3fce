import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderExtensions } from '@poolgate/provider';
import { accountService, asUser, refusal } from '../testing/account-service.ts';
import { CLIENT_ID, START_MS } from '../testing/gateway-deps.ts';

const user = asUser('ada', undefined, 'mine');

const list_logins: ProviderExtensions['list_logins'] = async ({ NextToken }) =>
  NextToken === undefined
    ? { Logins: [{ Id: 'mine', ClientId: CLIENT_ID, StartedAt: 0, ExpiresAt: 3600 }], NextToken: 'next' }
    : {
        Logins: [
          {
            Id: 'other',
            ClientId: CLIENT_ID,
            StartedAt: 0,
            RefreshedAt: 60,
            ExpiresAt: 3600,
            DeviceKey: 'us-east-1_d',
            SourceAddress: '192.0.2.1',
          },
        ],
      };

test('sessions are listed page by page, and the one that asks is marked', async () => {
  const { ask, calls } = await accountService({ extensions: { list_logins } });
  const first = await ask('GET', '/user/sessions', undefined, user);
  assert.equal(first.status, 200);
  const times = { started_at: '1970-01-01T00:00:00.000Z', expires_at: '1970-01-01T01:00:00.000Z' };
  const none = { refreshed_at: null, device_key: null, source_address: null };
  assert.deepEqual(first.body.sessions, [{ id: 'mine', client_id: CLIENT_ID, current: true, ...times, ...none }]);
  assert.equal(first.body.next_cursor, 'next');
  const second = await ask('GET', '/user/sessions?limit=1&cursor=next', undefined, user);
  assert.deepEqual(second.body.sessions, [
    {
      ...{ id: 'other', client_id: CLIENT_ID, current: false, ...times },
      ...{ refreshed_at: '1970-01-01T00:01:00.000Z', device_key: 'us-east-1_d', source_address: '192.0.2.1' },
    },
  ]);
  assert.equal(second.body.next_cursor, null);
  const limits = calls.map(([, input]) => (input as { Limit: number }).Limit);
  assert.deepEqual(limits, [20, 1]);
});

test('a cursor of something else, and a limit that is none, are 422', async () => {
  const { ask } = await accountService({ extensions: { list_logins: refusal('InvalidParameterException') } });
  const answer = await ask('GET', '/user/sessions?cursor=x', undefined, user);
  assert.equal((answer.body.errors as { field: string }[])[0]?.field, 'cursor');
  for (const limit of ['0', '61', 'x', '']) {
    assert.equal((await ask('GET', `/user/sessions?limit=${limit}`, undefined, user)).status, 422, limit);
  }
});

test('a session is ended at the provider and here; one that is not the caller’s is 404 and ends nothing', async () => {
  const ended = await accountService({ extensions: { end_login_by_id: async () => {} } });
  assert.equal((await ended.ask('DELETE', '/user/sessions/other', undefined, user)).status, 200);
  assert.deepEqual([...ended.endings.keys()], ['login:other']);
  for (const options of [{}, { reason: 'login_not_found' }] as const) {
    const end_login_by_id = refusal('ResourceNotFoundException', options);
    const { ask, endings } = await accountService({ extensions: { end_login_by_id } });
    const answer = await ask('DELETE', '/user/sessions/foreign', undefined, user);
    assert.deepEqual([answer.status, answer.body.code, endings.size], [404, 'session_not_found', 0]);
  }
});

test('a caller who ends the session that asks is out', async () => {
  const { ask } = await accountService({ extensions: { list_logins, end_login_by_id: async () => {} } });
  assert.equal((await ask('DELETE', '/user/sessions/mine', {}, user)).status, 200);
  assert.equal((await ask('GET', '/user/sessions', undefined, user)).status, 401);
});

test('a provider that does not tell logins apart has no sessions to show: 403', async () => {
  const { ask } = await accountService({});
  for (const method of ['GET', 'DELETE'] as const) {
    const answer = await ask(method, method === 'GET' ? '/user/sessions' : '/user/sessions/x', undefined, user);
    assert.deepEqual([answer.status, answer.body.code], [403, 'feature_disabled']);
  }
});

test('a forced logout ends every login here, then at the provider, by both methods', async () => {
  for (const method of ['POST', 'PUT'] as const) {
    const { ask, calls, endings } = await accountService({ operations: { globalSignOut: async () => ({}) } });
    assert.equal((await ask(method, '/logout/forced', undefined, user)).status, 200);
    assert.equal(endings.get('user:ada')?.endedAtMs, START_MS);
    assert.deepEqual(
      calls.map(([name]) => name),
      ['globalSignOut'],
    );
  }
});

test('a forced logout that the provider cannot do now is said to have failed, and has ended the tokens here', async () => {
  const { ask, endings } = await accountService({ operations: { globalSignOut: refusal('InternalErrorException') } });
  assert.equal((await ask('POST', '/logout/forced', undefined, user)).status, 503);
  assert.ok(endings.has('user:ada'));
});

test('nobody lists or ends sessions without a token', async () => {
  const { ask, calls } = await accountService({ extensions: { list_logins } });
  for (const [method, path] of [
    ['GET', '/user/sessions'],
    ['DELETE', '/user/sessions/mine'],
    ['POST', '/logout/forced'],
    ['PUT', '/logout/forced'],
  ] as const) {
    assert.equal((await ask(method, path)).status, 401, path);
  }
  assert.deepEqual(calls, []);
});
