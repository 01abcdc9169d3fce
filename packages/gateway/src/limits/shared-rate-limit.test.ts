import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { RateTake } from '../records/index.ts';
import { createGuardRecords, createTestDeps } from '../testing/gateway-deps.ts';
import { createSharedRateLimit } from './shared-rate-limit.ts';

const ADDRESS = '203.0.113.5';

/** A limit whose store has used up the rates with these names, and its calls. */
function createLimit(login: number, user: number, client: number, isEmpty: (name: string) => boolean = () => false) {
  const asked: RateTake[][] = [];
  const take = async (takes: readonly RateTake[]) => {
    asked.push([...takes]);
    return takes.map(({ name }) => name).filter((name) => !isEmpty(name));
  };
  const rateLimits = {
    readsPerMinute: 0,
    loginStepsPerMinute: login,
    userStepsPerMinute: user,
    clientStepsPerMinute: client,
  };
  const limit = createSharedRateLimit(
    createTestDeps({ records: { ...createGuardRecords(), rates: { take } } }, { rateLimits }),
  );
  return { limit, asked, names: () => asked.flat().map(({ name }) => name) };
}

const digestName = (name: string) => createHash('sha256').update(name).digest('base64url');

test('a login step is counted by network first, then by user and client, if known', async () => {
  const { limit, asked, names } = createLimit(300, 30, 6);
  await limit.admit({ address: ADDRESS, username: 'ada', clientId: 'c1' });
  assert.deepEqual(asked, [
    [
      { name: `network ${ADDRESS}`, costMs: 2_000 },
      { name: `user ${digestName('ada')}`, costMs: 2_000 },
      { name: 'client c1', costMs: 10_000 },
    ],
  ]);
  await limit.admit({ address: '2001:db8:1:2:3::4', username: undefined, clientId: undefined });
  await limit.admitProvenClient('c2');
  assert.deepEqual(names().slice(3), ['network 2001:db8:1:2', 'client c2']);
});

test('a user is the same in any spelling of the name', async () => {
  const { limit, names } = createLimit(0, 1_800, 0);
  for (const username of ['ada', ' Ada', 'ADA ', '\uff21da']) {
    await limit.admit({ address: ADDRESS, username, clientId: 'c1' });
  }
  assert.deepEqual(names(), [`user ${digestName('ada')}`]);
});

test('0 turns each limit off without a call to the store', async () => {
  const step = { address: ADDRESS, username: 'ada', clientId: 'c1' };
  for (const [login, user, client, counted] of [
    [0, 0, 0, []],
    [1, 0, 0, ['network']],
    [0, 1, 0, ['user']],
    [0, 0, 1, ['client']],
  ] as const) {
    const { limit, names } = createLimit(login, user, client);
    await limit.admit(step);
    assert.deepEqual(
      names().map((name) => name.split(' ')[0]),
      counted,
    );
  }
  const { limit, names } = createLimit(0, 0, 0, () => true);
  limit.admitSecret(step);
  await limit.countWrongSecret(step);
  await limit.admitProvenClient('c1');
  assert.deepEqual(names(), []);
});

test('a refusal names the exceeded limit and the time to retry', async () => {
  const step = { address: ADDRESS, username: 'ada', clientId: 'c1' };
  for (const [subject, message, retryAfterSeconds] of [
    ['network', 'Too many requests from this network.', 1],
    ['user', 'Too many login steps for this user.', 2],
    ['client', 'Too many login steps for this app client.', 10],
  ] as const) {
    const { limit } = createLimit(60, 30, 6, (name) => name.startsWith(`${subject} `));
    await assert.rejects(limit.admit(step), { code: 'too_many_requests', message, retryAfterSeconds });
  }
  const { limit } = createLimit(60, 30, 6, () => true);
  await assert.rejects(limit.admitProvenClient('c1'), {
    code: 'too_many_requests',
    message: 'Too many login steps for this app client.',
  });
});

test("a tenth of a network's steps may be wrong client secrets, at least one", async () => {
  for (const [login, costMs] of [
    [300, 2_000],
    [69, 10_000],
    [5, 60_000],
    [1, 60_000],
  ] as const) {
    const { limit, asked } = createLimit(login, 30, 6);
    await limit.countWrongSecret({ address: ADDRESS, clientId: 'c1' });
    assert.deepEqual(
      asked.flat().map((take) => take.costMs),
      [costMs],
    );
  }
});

test('wrong secrets are counted in one of 64 places of their network, the same on each replica', async () => {
  const clients = Array.from({ length: 40 }, (_, number) => `client-${number}`);
  const computeSlot = (clientId: string) =>
    Number.parseInt(createHash('sha256').update(clientId).digest('hex').slice(0, 2), 16) % 64;
  for (const clientId of clients) {
    const { limit, names } = createLimit(300, 30, 6);
    await limit.countWrongSecret({ address: '::ffff:203.0.113.5', clientId });
    assert.deepEqual(names(), [`secret ${ADDRESS} ${computeSlot(clientId)}`]);
  }
});

test('a caller with too many wrong secrets is refused before the next one is checked, and no one elsewhere', async () => {
  const { limit, asked } = createLimit(60, 30, 6, () => true);
  const attempt = { address: ADDRESS, clientId: 'c1' };
  limit.admitSecret(attempt);
  assert.deepEqual(asked, [], 'nothing is asked before a secret was wrong');
  const refusal = {
    code: 'too_many_requests',
    message: 'Too many wrong secrets for this app client from this address.',
    retryAfterSeconds: 10,
  };
  await assert.rejects(limit.countWrongSecret(attempt), refusal);
  assert.throws(() => limit.admitSecret(attempt), refusal);
  limit.admitSecret({ ...attempt, address: '203.0.113.6' });
});
