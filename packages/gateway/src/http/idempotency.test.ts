import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../errors.ts';
import { movableClock, testDeps } from '../testing/gateway-deps.ts';
import { idempotencyRecords } from '../testing/idempotency-records.ts';
import { answerOnce, type IdempotentRequest } from './idempotency.ts';

const PASSWORD = 'Planted-Password1!';
const REQUEST: IdempotentRequest = {
  key: 'planted-key-1',
  route: 'adminUserCreate',
  callerId: 'key1',
  body: Buffer.from(JSON.stringify({ email: 'ada@example.com', temp_password: PASSWORD })),
};

function service() {
  const clock = movableClock();
  const records = idempotencyRecords();
  const deps = testDeps({ clock, records });
  let made = 0;
  const work = async () => ({ status: 201, body: { made: ++made, temp_password: PASSWORD } });
  const ask = (change: Partial<IdempotentRequest> = {}, run = work) => answerOnce(deps, { ...REQUEST, ...change }, run);
  return { ask, records, clock, made: () => made };
}

const refused = (code: string) => (error: unknown) => error instanceof GatewayError && error.code === code;

test('a repeated request gets the first answer, byte for byte, and nothing is done again', async () => {
  const { ask, made } = service();
  const first = await ask();
  assert.equal(JSON.stringify(await ask()), JSON.stringify(first));
  assert.equal(made(), 1);
});

test('keys of other callers and of other routes are other keys', async () => {
  const { ask, made } = service();
  await ask();
  await ask({ callerId: 'key2' });
  await ask({ route: 'adminGroupCreate' });
  assert.equal(made(), 3);
});

test('the same key with another body is a mistake, also while the first one is at work', async () => {
  const { ask } = service();
  const other = { body: Buffer.from('{"email":"bob@example.com"}') };
  await ask({}, async () => {
    await assert.rejects(ask(other), refused('idempotency_conflict'));
    return { status: 201, body: { made: 1, temp_password: '' } };
  });
  await assert.rejects(ask(other), refused('idempotency_conflict'));
});

test('who comes while the first one is at work is told when to come again', async () => {
  const { ask } = service();
  await ask({}, async () => {
    await assert.rejects(ask(), (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['idempotency_in_progress', 409, 1]);
      return true;
    });
    return { status: 201, body: { made: 1, temp_password: '' } };
  });
});

test('what was refused may be tried again with the same key', async () => {
  const { ask, made } = service();
  await assert.rejects(
    ask({}, () => Promise.reject(new GatewayError('user_exists'))),
    refused('user_exists'),
  );
  assert.equal((await ask()).status, 201);
  assert.equal(made(), 1);
});

test('a claim whose process stopped lapses after two minutes, an answer after a day', async () => {
  const { ask, clock, made } = service();
  void ask({}, () => new Promise(() => {}));
  await assert.rejects(ask(), refused('idempotency_in_progress'));
  clock.nowMs += 120_000;
  await ask();
  clock.nowMs += 24 * 3_600_000 - 1;
  await ask();
  assert.equal(made(), 1);
  clock.nowMs += 1;
  await ask();
  assert.equal(made(), 2);
});

test('neither request nor answer nor key lies in the store in clear, nor a digest to guess a password against', async () => {
  const { ask, records } = service();
  await ask();
  await ask({ callerId: 'key2' });
  const rows = [...records.claims.values()];
  assert.doesNotMatch(JSON.stringify(rows), /planted/i);
  assert.equal(new Set(rows.map(({ requestDigestHex }) => requestDigestHex)).size, 2);
});

test('a key that is empty, too long or not printable is refused', async () => {
  const { ask } = service();
  for (const key of ['', 'a b', 'x'.repeat(256), 'ä', 'a\n']) {
    await assert.rejects(ask({ key }), refused('malformed_request'), key);
  }
});
