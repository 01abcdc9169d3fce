import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAccountService, createRefusingOperation, createUserHeader } from '../testing/account-service.ts';

const user = createUserHeader('ada', undefined, 'mine');
const done = async () => ({});
const sessionId = (digit: number) => `tkn${String(digit).repeat(25)}`;

async function deactivate(given: Parameters<typeof createAccountService>[0], body: object = {}) {
  const operations = { setUserMFAPreference: done, globalSignOut: done, ...given.operations };
  const service = await createAccountService({ ...given, operations });
  const answer = await service.ask('POST', '/user/mfa/deactivate', body, user);
  return { ...service, answer, called: service.calls.map(([name]) => name) };
}

test("the other logins end at the provider and here, and the caller's continues", async () => {
  const end_other_logins = async () => ({ Ended: ['b', 'c'], OwnEnded: false });
  const { answer, revocations, ask } = await deactivate({ extensions: { end_other_logins } });
  assert.deepEqual([answer.status, answer.body.login_ended], [200, undefined]);
  assert.deepEqual([...revocations.keys()], ['login:b', 'login:c']);
  assert.equal((await ask('POST', '/user/mfa/deactivate', { end_other_sessions: false }, user)).status, 200);
});

test("if the provider does not know the caller's login, all end, and the response says so", async () => {
  const end_other_logins = async () => ({ Ended: [], OwnEnded: true });
  const { answer, revocations, called } = await deactivate({ extensions: { end_other_logins } });
  assert.deepEqual([answer.status, answer.body.login_ended], [200, true]);
  assert.ok(revocations.has('user:ada'));
  assert.ok(!called.includes('globalSignOut'));
});

test("Cognito's sessions are ended one by one, also if one has ended meanwhile", async () => {
  const Sessions = [1, 2, 3].map((digit) => ({ SessionId: sessionId(digit), IsCurrentSession: digit === 2 }));
  const revoked: string[] = [];
  const { answer, called } = await deactivate({
    operations: {
      listUserSessions: async () => ({ Sessions }),
      revokeUserSession: async ({ SessionId }) => {
        revoked.push(SessionId);
        return SessionId === sessionId(1) ? createRefusingOperation('ResourceNotFoundException')() : {};
      },
    },
  });
  assert.deepEqual([answer.status, answer.body.login_ended], [200, undefined]);
  assert.deepEqual(revoked, [sessionId(1), sessionId(3)]);
  assert.ok(!called.includes('globalSignOut'));
});

test('if Cognito does not track sessions, all end unless the request says otherwise', async () => {
  const operations = { listUserSessions: createRefusingOperation('OperationNotEnabledException') };
  const all = await deactivate({ operations });
  assert.deepEqual([all.answer.status, all.answer.body.login_ended], [200, true]);
  assert.ok(all.called.includes('globalSignOut') && all.revocations.has('user:ada'));
  const none = await deactivate({ operations }, { end_other_sessions: false });
  assert.deepEqual([none.answer.status, none.answer.body.login_ended], [200, undefined]);
  assert.deepEqual([none.called, none.revocations.size], [['setUserMFAPreference'], 0]);
});

test('a refused change ends nothing', async () => {
  const { answer, revocations, called } = await deactivate({
    operations: { setUserMFAPreference: createRefusingOperation('InvalidParameterException') },
  });
  assert.deepEqual([answer.status, revocations.size, called], [400, 0, ['setUserMFAPreference']]);
});
