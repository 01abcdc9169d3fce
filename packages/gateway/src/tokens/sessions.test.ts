import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderExtensions } from '@poolgate/provider';
import { createAccountService, createRefusingOperation, createUserHeader } from '../testing/account-service.ts';
import { CLIENT_ID, START_MS } from '../testing/gateway-deps.ts';

const user = createUserHeader('ada', undefined, 'mine');

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const list_logins: ProviderExtensions['list_logins'] = async ({ NextToken }) =>
  NextToken === undefined
    ? {
        Logins: [{ Id: 'mine', SessionId: 'tknmine', ClientId: CLIENT_ID, StartedAt: 0, ExpiresAt: 3600 }],
        NextToken: 'next',
      }
    : {
        Logins: [
          {
            Id: 'other',
            SessionId: 'tknother',
            ClientId: CLIENT_ID,
            StartedAt: 0,
            RefreshedAt: 60,
            ExpiresAt: 3600,
            DeviceKey: 'us-east-1_d',
            SourceAddress: '192.0.2.1',
            UserAgent: FIREFOX,
            IsApplication: true,
          },
        ],
      };

const end_login_by_id: ProviderExtensions['end_login_by_id'] = async ({ LoginId }) => ({ Id: LoginId });

test("sessions are listed page by page, and the caller's is marked", async () => {
  const { ask, calls } = await createAccountService({ extensions: { list_logins } });
  const first = await ask('GET', '/user/sessions', undefined, user);
  assert.equal(first.status, 200);
  const times = { started_at: '1970-01-01T00:00:00.000Z', expires_at: '1970-01-01T01:00:00.000Z' };
  const unknown = { browser: null, system: null, place: null };
  const none = { refreshed_at: null, device_key: null, source_address: null, kind: 'session', ...unknown };
  assert.deepEqual(first.body.sessions, [
    { id: 'mine', session_id: 'tknmine', client_id: CLIENT_ID, current: true, ...times, ...none },
  ]);
  assert.equal(first.body.next_cursor, 'next');
  const second = await ask('GET', '/user/sessions?limit=1&cursor=next', undefined, user);
  assert.deepEqual(second.body.sessions, [
    {
      ...{ id: 'other', session_id: 'tknother', client_id: CLIENT_ID, current: false, ...times },
      ...{ refreshed_at: '1970-01-01T00:01:00.000Z', device_key: 'us-east-1_d', source_address: '192.0.2.1' },
      ...{ kind: 'application', browser: 'Firefox', system: 'Windows', place: null },
    },
  ]);
  assert.equal(second.body.next_cursor, null);
  const limits = calls.map(([, input]) => (input as { Limit: number }).Limit);
  assert.deepEqual(limits, [20, 1]);
});

test('an invalid cursor or limit is 422', async () => {
  const { ask } = await createAccountService({
    extensions: { list_logins: createRefusingOperation('InvalidParameterException') },
  });
  const answer = await ask('GET', '/user/sessions?cursor=x', undefined, user);
  const error = { field: 'cursor', code: 'refused', message: 'is not a cursor of this list' };
  assert.deepEqual([answer.status, answer.body.errors], [422, [error]]);
  for (const limit of ['0', '61', 'x', '']) {
    assert.equal((await ask('GET', `/user/sessions?limit=${limit}`, undefined, user)).status, 422, limit);
  }
});

test('a session is ended at the provider and here; one of another user is 404 and ends nothing', async () => {
  const ended = await createAccountService({ extensions: { end_login_by_id } });
  assert.equal((await ended.ask('DELETE', '/user/sessions/other', undefined, user)).status, 200);
  assert.deepEqual([...ended.revocations.keys()], ['login:other']);
  for (const options of [{}, { reason: 'login_not_found' }] as const) {
    const refused = createRefusingOperation('ResourceNotFoundException', options);
    const { ask, revocations } = await createAccountService({ extensions: { end_login_by_id: refused } });
    const answer = await ask('DELETE', '/user/sessions/foreign', undefined, user);
    assert.deepEqual([answer.status, answer.body.code, revocations.size], [404, 'session_not_found', 0]);
  }
});

test('a caller who ends their own session is signed out', async () => {
  const { ask } = await createAccountService({ extensions: { list_logins, end_login_by_id } });
  assert.equal((await ask('DELETE', '/user/sessions/mine', {}, user)).status, 200);
  assert.equal((await ask('GET', '/user/sessions', undefined, user)).status, 401);
});

const sessionId = (digit: number) => `tkn${String(digit).repeat(25)}`;

test('a provider without session tracking returns 403', async () => {
  for (const code of ['UnsupportedOperationException', 'OperationNotEnabledException'] as const) {
    const { ask } = await createAccountService({
      operations: { listUserSessions: createRefusingOperation(code), revokeUserSession: createRefusingOperation(code) },
    });
    for (const [method, path] of [
      ['GET', '/user/sessions'],
      ['DELETE', `/user/sessions/${sessionId(1)}`],
    ] as const) {
      const answer = await ask(method, path, undefined, user);
      assert.deepEqual([answer.status, answer.body.code], [403, 'feature_disabled']);
    }
  }
  const { ask } = await createAccountService({
    operations: { listUserSessions: createRefusingOperation('InvalidParameterException') },
  });
  assert.equal((await ask('GET', '/user/sessions', undefined, user)).status, 403);
});

test("Cognito's sessions are shown newest first, page by page, in whatever order it returns them", async () => {
  const session = (digit: number, CreateDate: number, more: object = {}) => ({
    SessionId: sessionId(digit),
    ClientId: CLIENT_ID,
    CreateDate,
    LastActiveDate: CreateDate,
    IsCurrentSession: digit === 2,
    ...more,
  });
  const given = [session(1, 10), session(3, 30, { LastActiveDate: 90, LastIPAddress: '192.0.2.1' }), session(4, 20)];
  const { ask, calls } = await createAccountService({
    operations: {
      listUserSessions: async ({ NextToken }) =>
        NextToken === undefined ? { Sessions: given, NextToken: 'next' } : { Sessions: [session(2, 20)] },
    },
  });
  const all = await ask('GET', '/user/sessions', undefined, user);
  assert.equal(all.status, 200);
  const shown = all.body.sessions as readonly Readonly<Record<string, unknown>>[];
  assert.deepEqual(
    shown.map(({ id, current }) => [id, current]),
    [3, 2, 4, 1].map((digit) => [sessionId(digit), digit === 2]),
  );
  assert.deepEqual(shown[0], {
    ...{ id: sessionId(3), session_id: sessionId(3), client_id: CLIENT_ID, current: false },
    ...{ started_at: '1970-01-01T00:00:30.000Z', refreshed_at: '1970-01-01T00:01:30.000Z', expires_at: null },
    ...{ device_key: null, source_address: '192.0.2.1', kind: 'session', browser: null, system: null, place: null },
  });
  assert.equal(shown[1]?.refreshed_at, null);
  assert.equal(all.body.next_cursor, null);
  assert.equal(calls.length, 2);
  const seen: unknown[] = [];
  let query = '?limit=1';
  for (;;) {
    const { body } = await ask('GET', `/user/sessions${query}`, undefined, user);
    seen.push(...(body.sessions as { readonly id: string }[]).map(({ id }) => id));
    if (body.next_cursor === null) break;
    query = `?limit=1&cursor=${encodeURIComponent(String(body.next_cursor))}`;
  }
  assert.deepEqual(
    seen,
    shown.map(({ id }) => id),
  );
  for (const cursor of ['x', '1:', ':a', '1:A', '1e9:a']) {
    const answer = await ask('GET', `/user/sessions?cursor=${encodeURIComponent(cursor)}`, undefined, user);
    assert.equal((answer.body.errors as { field: string }[])[0]?.field, 'cursor', cursor);
  }
});

test("a Cognito session is ended by ID; the caller's own and invalid ones are not", async () => {
  const revoked: string[] = [];
  const { ask } = await createAccountService({
    operations: {
      revokeUserSession: async ({ SessionId }) => {
        revoked.push(SessionId);
        return {};
      },
    },
  });
  assert.equal((await ask('DELETE', `/user/sessions/${sessionId(1)}`, undefined, user)).status, 200);
  for (const id of ['mine', '0b1fb0f5-6a9e-4f7e-9a39-1d5ff4a1f0f1', `${sessionId(1)}1`]) {
    assert.equal((await ask('DELETE', `/user/sessions/${id}`, undefined, user)).status, 404, id);
  }
  assert.deepEqual(revoked, [sessionId(1)]);
  for (const [code, status] of [
    ['ResourceNotFoundException', 404],
    ['InvalidParameterException', 400],
    ['NotAuthorizedException', 401],
  ] as const) {
    const refusing = await createAccountService({ operations: { revokeUserSession: createRefusingOperation(code) } });
    assert.equal((await refusing.ask('DELETE', `/user/sessions/${sessionId(1)}`, undefined, user)).status, status);
  }
});

test('a forced logout ends every login here, then at the provider, with both methods', async () => {
  for (const method of ['POST', 'PUT'] as const) {
    const { ask, calls, revocations } = await createAccountService({ operations: { globalSignOut: async () => ({}) } });
    assert.equal((await ask(method, '/logout/forced', undefined, user)).status, 200);
    assert.equal(revocations.get('user:ada')?.endedAtMs, START_MS);
    assert.deepEqual(
      calls.map(([name]) => name),
      ['globalSignOut'],
    );
  }
});

test('a forced logout that fails at the provider is reported, and has ended the tokens here', async () => {
  const { ask, revocations } = await createAccountService({
    operations: { globalSignOut: createRefusingOperation('InternalErrorException') },
  });
  assert.equal((await ask('POST', '/logout/forced', undefined, user)).status, 503);
  assert.ok(revocations.has('user:ada'));
});

test('listing and ending sessions requires a token', async () => {
  const { ask, calls } = await createAccountService({ extensions: { list_logins } });
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

const ends = { end_login: async () => {}, end_login_by_id, list_logins };

test('a logout revokes its login here, unless the provider has recorded that', async () => {
  for (const recordsRevocations of [false, true]) {
    const { ask, calls, revocations } = await createAccountService({ extensions: ends, recordsRevocations });
    assert.equal((await ask('POST', '/logout', undefined, user)).status, 200);
    assert.deepEqual([...revocations.keys()], recordsRevocations ? [] : ['login:mine']);
    assert.deepEqual(calls, [['end_login', { AccessToken: user.authorization?.slice('Bearer '.length) }]]);
  }
});

test('a logout at a provider that cannot end one login revokes it here', async () => {
  const { ask, calls, revocations } = await createAccountService({});
  assert.equal((await ask('PUT', '/logout', {}, user)).status, 200);
  assert.deepEqual([...revocations.keys()], ['login:mine']);
  assert.deepEqual(calls, []);
});

test('a logout also ends the refresh token sent with it, and reports an invalid one', async () => {
  const revokeToken = async () => ({});
  const sent = await createAccountService({ operations: { revokeToken }, extensions: ends });
  assert.equal((await sent.ask('POST', '/logout', { refresh_token: 'r' }, user)).status, 200);
  assert.deepEqual(sent.calls.at(-1), ['revokeToken', { ClientId: CLIENT_ID, Token: 'r' }]);
  for (const code of ['NotAuthorizedException', 'InvalidParameterException'] as const) {
    const { ask, revocations } = await createAccountService({
      operations: { revokeToken: createRefusingOperation(code) },
      extensions: ends,
    });
    const answer = await ask('POST', '/logout', { refresh_token: 'r' }, user);
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_grant']);
    assert.ok(revocations.has('login:mine'));
  }
});

test('what the provider does not end, or cannot be written here, is not reported as ended', async () => {
  const refused = { ...ends, end_login: createRefusingOperation('NotAuthorizedException') };
  const { ask } = await createAccountService({ extensions: refused });
  const answer = await ask('POST', '/logout', undefined, user);
  assert.deepEqual([answer.status, answer.body.code], [401, 'unauthenticated']);
  for (const [method, path] of [
    ['POST', '/logout'],
    ['DELETE', '/user/sessions/other'],
  ] as const) {
    const service = await createAccountService({ extensions: ends });
    service.revocations.set = () => {
      throw Object.assign(new Error('the store is down'), { code: 'store_unavailable' });
    };
    assert.equal((await service.ask(method, path, undefined, user)).status, 503, path);
  }
});

test('a logout with a token without a login ends every login of its user', async () => {
  const nameless = createUserHeader('ada');
  for (const [extensions, recordsRevocations, revoked, asked] of [
    [{}, false, ['user:ada'], []],
    [ends, false, ['user:ada'], ['globalSignOut']],
    [ends, true, [], ['globalSignOut']],
  ] as const) {
    const operations = { globalSignOut: async () => ({}) };
    const { ask, calls, revocations } = await createAccountService({ operations, extensions, recordsRevocations });
    assert.equal((await ask('POST', '/logout', undefined, nameless)).status, 200);
    assert.deepEqual([...revocations.keys()], revoked);
    assert.deepEqual(
      calls.map(([name]) => name),
      asked,
    );
  }
});
