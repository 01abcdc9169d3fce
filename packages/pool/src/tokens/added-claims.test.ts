import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClockPort, createTestClientRecord, createTestPoolRecord } from '../testing/test-ports.ts';
import { createUserRecord } from '../users/create-user-record.ts';
import { requestAddedClaims } from './added-claims.ts';
import type { AddClaimsHook, ClaimsRequest } from './claims-hook.ts';

const pool = createTestPoolRecord();
const client = createTestClientRecord(pool);
const named = { username: 'ada', sub: '7', attributes: { email: 'ada@example.com' } };
const user = {
  ...createUserRecord(createClockPort(), pool, named, 'CONFIRMED'),
  groups: [{ name: 'admins', precedence: 1, roleArn: null }],
};

const ask = (addClaims: AddClaimsHook) => requestAddedClaims({ addClaims }, { pool, client, user });

test('the hook receives the user of the tokens, and adds claims to both', async () => {
  const questions: ClaimsRequest[] = [];
  const added = await ask((question) => {
    questions.push(question);
    return { access: { tenant: 'acme' }, id: { plan: ['a', 1] } };
  });
  assert.deepEqual(added, { access: { tenant: 'acme' }, id: { plan: ['a', 1] } });
  assert.deepEqual(await ask(async () => ({ id: { plan: 'b' } })), { access: {}, id: { plan: 'b' } });
  const { sub, username, attributes } = named;
  assert.deepEqual(questions, [
    { userPoolId: pool.id, clientId: 'client', sub, username, groups: ['admins'], attributes },
  ]);
  assert.deepEqual(await requestAddedClaims({}, { pool, client, user }), {});
});

test('a hook that fails, or returns invalid JSON, prevents tokens', async () => {
  const loop: Record<string, unknown> = {};
  loop.loop = loop;
  const hooks: AddClaimsHook[] = [
    () => {
      throw new Error('down');
    },
    () => Promise.reject(new Error('down')),
    () => ({ id: loop }),
    () => ({ access: { big: 1n } }),
  ];
  for (const hook of hooks) {
    const message = 'Adding claims to the tokens failed.';
    await assert.rejects(ask(hook), { name: 'ProviderError', code: 'UnexpectedLambdaException', message });
  }
});
