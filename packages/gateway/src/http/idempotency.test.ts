import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createMovableClock, createTestDeps, createTestKeyRing } from '../testing/gateway-deps.ts';
import { createIdempotencyRecords } from '../testing/idempotency-records.ts';
import { type IdempotentRequest, respondOnce } from './idempotency.ts';

const PASSWORD = 'Planted-Password1!';
const REQUEST: IdempotentRequest = {
  key: 'planted-key-1',
  route: 'adminUserCreate',
  callerId: 'key1',
  body: Buffer.from(JSON.stringify({ email: 'ada@example.com', temp_password: PASSWORD })),
};

function service() {
  const clock = createMovableClock();
  const records = createIdempotencyRecords();
  const deps = createTestDeps({ clock, records });
  let made = 0;
  const work = async () => ({ status: 201, body: { made: ++made, temp_password: PASSWORD } });
  const ask = (change: Partial<IdempotentRequest> = {}, run = work) =>
    respondOnce(deps, { ...REQUEST, ...change }, run);
  return { ask, records, clock, deps, made: () => made };
}

const refused = (code: string) => (error: unknown) => error instanceof GatewayError && error.code === code;

test('a repeated request gets the first response, byte for byte, and nothing runs again', async () => {
  const { ask, made } = service();
  const first = await ask();
  assert.equal(JSON.stringify(await ask()), JSON.stringify(first));
  assert.equal(made(), 1);
});

test('keys of other callers and of other routes are separate', async () => {
  const { ask, made } = service();
  await ask();
  await ask({ callerId: 'key2' });
  await ask({ route: 'adminGroupCreate' });
  assert.equal(made(), 3);
});

test('the same key with another body is an error, also while the first request runs', async () => {
  const { ask } = service();
  const other = { body: Buffer.from('{"email":"bob@example.com"}') };
  await ask({}, async () => {
    await assert.rejects(ask(other), refused('idempotency_conflict'));
    return { status: 201, body: { made: 1, temp_password: '' } };
  });
  await assert.rejects(ask(other), refused('idempotency_conflict'));
});

test('a repetition while the first request runs is told when to retry', async () => {
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

test('a refused request may be retried with the same key', async () => {
  const { ask, made } = service();
  await assert.rejects(
    ask({}, () => Promise.reject(new GatewayError('user_exists'))),
    refused('user_exists'),
  );
  assert.equal((await ask()).status, 201);
  assert.equal(made(), 1);
});

test('a claim whose process stopped expires after two minutes, a response after a day', async () => {
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

test('the store contains neither request nor response nor key in plain text, nor a digest to guess a password against', async () => {
  const { ask, records } = service();
  await ask();
  await ask({ callerId: 'key2' });
  const rows = [...records.claims.values()];
  assert.doesNotMatch(JSON.stringify(rows), /planted/i);
  assert.equal(new Set(rows.map(({ requestDigestHex }) => requestDigestHex)).size, 2);
});

test('a response is returned after it is stored, and an error after the key is free again', async () => {
  for (const [method, work] of [
    ['storeAnswer', async () => ({ status: 201, body: {} })],
    ['release', () => Promise.reject(new GatewayError('user_exists'))],
  ] as const) {
    const { deps, records } = service();
    const begun = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const slow = async () => {
      begun.resolve();
      await written.promise;
    };
    const idempotencyKeys = { ...records.idempotencyKeys, [method]: slow };
    let isSettled = false;
    const settled = respondOnce({ ...deps, records: { ...records, idempotencyKeys } }, REQUEST, work)
      .catch((error: unknown) => assert.ok(refused('user_exists')(error)))
      .finally(() => {
        isSettled = true;
      });
    await begun.promise;
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    assert.equal(isSettled, false, method);
    written.resolve();
    await settled;
  }
});

test('a response that cannot be stored is not returned, and the key is free again', async () => {
  const { ask, deps, records, made } = service();
  const storeAnswer = () => Promise.reject(new Error('store down'));
  const failing = { ...records, idempotencyKeys: { ...records.idempotencyKeys, storeAnswer } };
  const work = async () => ({ status: 201, body: {} });
  await assert.rejects(respondOnce({ ...deps, records: failing }, REQUEST, work), { message: 'store down' });
  await ask();
  assert.equal(made(), 1);
});

test('what was encrypted with a lost key is a conflict, whether request or response', async () => {
  const { ask, deps } = service();
  await ask();
  const { keyRing } = deps;
  const withoutAnswers = {
    ...keyRing,
    decrypt: (...[purpose, ...rest]: Parameters<typeof keyRing.decrypt>) =>
      purpose === 'idempotency-answer' ? undefined : keyRing.decrypt(purpose, ...rest),
  };
  for (const ring of [createTestKeyRing(), withoutAnswers]) {
    const again = respondOnce({ ...deps, keyRing: ring }, REQUEST, () => assert.fail('it is done again'));
    await assert.rejects(again, refused('idempotency_conflict'));
  }
});

test('a key that is empty, too long or not printable is refused', async () => {
  const { ask } = service();
  for (const key of ['', 'a b', 'x'.repeat(256), 'ä', 'a\n']) {
    const message = 'The Idempotency-Key must have 1 to 255 visible ASCII characters.';
    await assert.rejects(ask({ key }), { code: 'malformed_request', message }, key);
  }
  assert.equal((await ask({ key: 'x'.repeat(255) })).status, 201);
});
