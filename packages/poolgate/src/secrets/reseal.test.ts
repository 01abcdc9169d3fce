import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openStore, type SealedValues } from '@poolgate/store';
import { operator } from '../commands/testing/operator.ts';
import { SYSTEM_WORLD } from '../world.ts';
import { createKeyRing } from './key-ring.ts';
import { oldSeals, reseal, total } from './reseal.ts';

const OLD = 'the-old-secret-of-this-test-0123456789';
const NEW = 'the-new-secret-of-this-test-9876543210';
const OTHER = 'a-secret-that-is-known-nowhere-0123456';
const COLUMN = 'credentials.verifier_sealed';

/** A store with four users, encrypted under the old secret. */
async function encryptedStore(context: TestContext) {
  const { poolgate, folder } = await operator(context, { POOLGATE_SECRET: OLD });
  for (const name of ['ada', 'bob', 'eve', 'sue']) {
    assert.equal((await poolgate(['user', 'create', `${name}@example.com`])).exitCode, 0);
  }
  const store = await openStore(`sqlite:${join(folder, 'poolgate.db')}`);
  context.after(() => store.close());
  return store;
}

const ringOf = (...secrets: readonly string[]) => createKeyRing(secrets, SYSTEM_WORLD.random);

test('what was interrupted goes on where it was when it is run again', async (context) => {
  const { sealed } = await encryptedStore(context);
  const keyRing = ringOf(NEW, OLD);
  let writes = 0;
  const failing: SealedValues = {
    ...sealed,
    async replace(column, changes) {
      if (column === COLUMN) writes += 1;
      if (writes === 3) throw new Error('the power fails');
      return sealed.replace(column, changes);
    },
  };
  await assert.rejects(reseal({ sealed: failing, keyRing, batch: 1 }), /the power fails/);
  assert.equal((await oldSeals({ sealed, keyRing })).older.get(COLUMN), 2);
  const again = await reseal({ sealed, keyRing, batch: 1 });
  assert.equal(again.find(({ column }) => column === COLUMN)?.rows, 2);
  assert.equal(total((await oldSeals({ sealed, keyRing: ringOf(NEW) })).foreign), 0);
});

test('what somebody else writes meanwhile stands', async (context) => {
  const { sealed } = await encryptedStore(context);
  const newer = ringOf(OLD).seal('verifier', Buffer.from('newer'), 'x');
  const raced: SealedValues = {
    ...sealed,
    async page(column, without, after, limit) {
      const page = await sealed.page(column, without, after, limit);
      const [from] = page;
      if (column === COLUMN && from) await sealed.replace(column, [{ from, sealed: [newer] }]);
      return page;
    },
  };
  const keyRing = ringOf(NEW, OLD);
  const done = (await reseal({ sealed: raced, keyRing })).find(({ column }) => column === COLUMN);
  assert.deepEqual([done?.rows, done?.overtaken], [3, 1]);
  const left = await sealed.page(COLUMN, keyRing.sealingKeyId, undefined, 10);
  assert.deepEqual(
    left.map((value) => value.sealed),
    [[newer]],
  );
});

test('what no secret opens is left as it is, and told', async (context) => {
  const { sealed } = await encryptedStore(context);
  const done = (await reseal({ sealed, keyRing: ringOf(NEW, OTHER) })).find(({ column }) => column === COLUMN);
  assert.deepEqual([done?.rows, done?.unopened], [0, 4]);
  assert.equal((await oldSeals({ sealed, keyRing: ringOf(OLD) })).foreign.size, 0);
});

test('the command says what it did, and fails where something is left', async (context) => {
  const { poolgate, environment } = await operator(context, { POOLGATE_SECRET: OLD });
  await poolgate(['user', 'create', 'ada@example.com']);
  const nothing = await poolgate(['secrets', 'reseal']);
  assert.deepEqual([nothing.exitCode, nothing.out], [0, []]);
  assert.match(nothing.err, /^Nothing was encrypted under an older secret\.$/m);
  Object.assign(environment, { POOLGATE_SECRET: `${NEW},${OLD}` });
  const done = await poolgate(['secrets', 'reseal']);
  assert.deepEqual([done.exitCode, done.out[0]], [0, 'COLUMN\tENCRYPTED AGAIN\tCHANGED MEANWHILE\tNOT OPENED']);
  assert.ok(done.out.includes(`${COLUMN}\t1\t0\t0`), done.out.join('\n'));
});
