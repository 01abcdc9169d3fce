import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type AnnouncedReplica, type EncryptedValues, openStore } from '@poolgate/store';
import { createTestOperator } from '../commands/testing/test-operator.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { announceReplica, findReplicasWithoutKey, REPLICA_LIVE_MS } from './announce-replica.ts';
import { createKeyRing } from './key-ring.ts';
import { countOldEncryption, reencryptStore, sumCounts } from './reencrypt.ts';

const OLD = 'the-old-secret-of-this-test-0123456789';
const NEW = 'the-new-secret-of-this-test-9876543210';
const OTHER = 'a-secret-that-is-known-nowhere-0123456';
const COLUMN = 'credentials.verifier_sealed';

/** A store with four users, encrypted under the old secret. */
async function encryptedStore(context: TestContext) {
  const { runPoolgate, folder } = await createTestOperator(context, { POOLGATE_SECRET: OLD });
  for (const name of ['ada', 'bob', 'eve', 'sue']) {
    assert.equal((await runPoolgate(['user', 'create', `${name}@example.com`])).exitCode, 0);
  }
  const store = await openStore(`sqlite:${join(folder, 'poolgate.db')}`);
  context.after(() => store.close());
  return store;
}

const createRing = (...secrets: readonly string[]) => createKeyRing(secrets, HOST_SYSTEM.random);

test('an interrupted run resumes', async (context) => {
  const { encryptedValues } = await encryptedStore(context);
  const keyRing = createRing(NEW, OLD);
  let writes = 0;
  const failing: EncryptedValues = {
    ...encryptedValues,
    async replace(column, changes) {
      if (column === COLUMN) writes += 1;
      if (writes === 3) throw new Error('the power fails');
      return encryptedValues.replace(column, changes);
    },
  };
  await assert.rejects(reencryptStore({ encryptedValues: failing, keyRing, batch: 1 }), /the power fails/);
  assert.equal((await countOldEncryption({ encryptedValues, keyRing })).older.get(COLUMN), 2);
  const again = await reencryptStore({ encryptedValues, keyRing, batch: 1 });
  assert.equal(again.find(({ column }) => column === COLUMN)?.rows, 2);
  assert.equal(sumCounts((await countOldEncryption({ encryptedValues, keyRing: createRing(NEW) })).foreign), 0);
});

test('parallel writes by others are kept', async (context) => {
  const { encryptedValues } = await encryptedStore(context);
  const newer = createRing(OLD).encrypt('verifier', Buffer.from('newer'), 'x');
  const raced: EncryptedValues = {
    ...encryptedValues,
    async page(column, without, after, limit) {
      const page = await encryptedValues.page(column, without, after, limit);
      const [from] = page;
      if (column === COLUMN && from) await encryptedValues.replace(column, [{ from, ciphertext: [newer] }]);
      return page;
    },
  };
  const keyRing = createRing(NEW, OLD);
  const done = (await reencryptStore({ encryptedValues: raced, keyRing })).find(({ column }) => column === COLUMN);
  assert.deepEqual([done?.rows, done?.changedMeanwhile], [3, 1]);
  const left = await encryptedValues.page(COLUMN, keyRing.currentKeyId, undefined, 10);
  assert.deepEqual(
    left.map((value) => value.ciphertext),
    [[newer]],
  );
});

test('what no secret decrypts stays unchanged, and is reported', async (context) => {
  const { encryptedValues } = await encryptedStore(context);
  const done = (await reencryptStore({ encryptedValues, keyRing: createRing(NEW, OTHER) })).find(
    ({ column }) => column === COLUMN,
  );
  assert.deepEqual([done?.rows, done?.undecryptable], [0, 4]);
  assert.equal((await countOldEncryption({ encryptedValues, keyRing: createRing(OLD) })).foreign.size, 0);
});

test('the command reports what it did, and fails if something is left', async (context) => {
  const { runPoolgate, environment } = await createTestOperator(context, { POOLGATE_SECRET: OLD });
  await runPoolgate(['user', 'create', 'ada@example.com']);
  const nothing = await runPoolgate(['secrets', 'reencrypt']);
  assert.deepEqual([nothing.exitCode, nothing.out], [0, []]);
  assert.match(nothing.err, /^Nothing was encrypted with an older secret\.$/m);
  Object.assign(environment, { POOLGATE_SECRET: `${NEW},${OLD}` });
  const done = await runPoolgate(['secrets', 'reencrypt']);
  assert.deepEqual([done.exitCode, done.out[0]], [0, 'COLUMN\tENCRYPTED AGAIN\tCHANGED MEANWHILE\tNOT OPENED']);
  assert.ok(done.out.includes(`${COLUMN}\t1\t0\t0`), done.out.join('\n'));
});

test('the command changes nothing while a live service lacks the new secret, and names it', async (context) => {
  const { runPoolgate, environment, serve } = await createTestOperator(context, { POOLGATE_SECRET: OLD });
  const service = await serve();
  const isReady = async () => (await fetch(`${service.url}/readyz`)).status === 200;
  Object.assign(environment, { POOLGATE_SECRET: `${NEW},${OLD}` });
  const refused = await runPoolgate(['secrets', 'reencrypt']);
  assert.equal(refused.exitCode, 1);
  assert.match(refused.err, new RegExp(`do not have the first secret .*\\(process ${process.pid}\\), seen \\d+ s ago`));
  assert.deepEqual([refused.out, await isReady()], [[], true]);
  await service.close();
  const informed = await serve();
  const done = await runPoolgate(['secrets', 'reencrypt']);
  assert.equal(done.exitCode, 0, done.err);
  assert.equal((await fetch(`${informed.url}/readyz`)).status, 200);
});

test('an announcement is renewed, and otherwise counts for two minutes', async (context) => {
  const { replicas } = await encryptedStore(context);
  let nowMs = 1_000_000;
  let due: (() => void) | undefined;
  const timer = {
    after(delayMs: number, run: () => void) {
      due = () => {
        nowMs += delayMs;
        run();
      };
      return () => (due = undefined);
    },
  };
  let announced = Promise.resolve();
  const watched = { ...replicas, announce: (replica: AnnouncedReplica) => (announced = replicas.announce(replica)) };
  const parts = { ...HOST_SYSTEM, replicas: watched, keyRing: createRing(OLD), clock: { now: () => nowMs }, timer };
  const withdraw = await announceReplica(parts);
  const newKey = createRing(NEW).currentKeyId;
  const without = async (atMs: number) => (await findReplicasWithoutKey(replicas, newKey, atMs)).length;
  const announcedMs = nowMs;
  assert.deepEqual(
    [await without(announcedMs + REPLICA_LIVE_MS), await without(announcedMs + REPLICA_LIVE_MS + 1)],
    [1, 0],
  );
  assert.deepEqual(await findReplicasWithoutKey(replicas, createRing(OLD).currentKeyId, announcedMs), []);
  due?.();
  await announced;
  assert.equal(await without(announcedMs + REPLICA_LIVE_MS + 1), 1);
  await withdraw();
  assert.equal(await without(nowMs), 0);
});

test('a replica that stops while it renews its announcement withdraws it, and renews no more', async () => {
  const calls: string[] = [];
  const timers = new Set<() => void>();
  const renewal = Promise.withResolvers<void>();
  const replicas = {
    announce: async () => {
      calls.push('announce');
      if (calls.length > 1) await renewal.promise;
      calls.push('announced');
    },
    withdraw: async () => void calls.push('withdraw'),
  };
  const timer = {
    after(_delayMs: number, run: () => void) {
      timers.add(run);
      return () => timers.delete(run);
    },
  };
  const parts = { ...HOST_SYSTEM, replicas, keyRing: createRing(OLD), timer };
  const withdraw = await announceReplica(parts as never);
  const [renew = assert.fail()] = timers;
  timers.delete(renew);
  renew();
  const withdrawn = withdraw();
  await new Promise(setImmediate);
  assert.deepEqual(calls, ['announce', 'announced', 'announce']);
  renewal.resolve();
  await withdrawn;
  await new Promise(setImmediate);
  assert.deepEqual(calls, ['announce', 'announced', 'announce', 'announced', 'withdraw']);
  assert.equal(timers.size, 0);
  await withdraw();
  assert.equal(calls.length, 5);
});
