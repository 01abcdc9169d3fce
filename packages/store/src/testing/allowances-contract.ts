import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countWins } from './races.ts';
import { insertSamplePool, sampleUser } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

/** Requirements of every store for locks and allowances. */
export function allowancesContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`locks and allowances on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);

    it('let each of many writes that lock one name see the writes before', async () => {
      await insertSamplePool(poolStore(), 'locked');
      let made = 0;
      const write = () =>
        poolStore().write(async (transaction) => {
          await transaction.locks.lock('three', 100);
          if ((await transaction.users.count('locked')) >= 3) return false;
          made += 1;
          await transaction.users.insert(sampleUser('locked', `u${made}`), []);
          return true;
        });
      assert.equal(await countWins(write), 3);
      assert.equal(await poolStore().users.count('locked'), 3);
    });

    it('let writes that lock different names, or a swept one, continue', async () => {
      const lock = (name: string) => poolStore().write((transaction) => transaction.locks.lock(name, 100));
      await Promise.all(['a', 'b', 'c'].map(lock));
      await poolStore().sweep(100);
      await lock('a');
    });

    it('take from a bucket a number at once, then one per interval', async () => {
      const size = { most: 3, everyMs: 10 };
      const take = (nowMs: number) =>
        poolStore().write((transaction) => transaction.allowances.takeFromBucket('buckets', 'u', nowMs, size));
      const fullAgainMs = async () => (await poolStore().allowances.bySubject('buckets', 'u'))?.expiresAtMs;
      assert.equal(await take(100), true);
      assert.deepEqual(await poolStore().allowances.bySubject('buckets', 'u'), { taken: 1, expiresAtMs: 110 });
      assert.deepEqual([await take(100), await take(101)], [true, true]);
      assert.deepEqual(await poolStore().allowances.bySubject('buckets', 'u'), { taken: 3, expiresAtMs: 130 });
      assert.equal(await take(109), false);
      assert.equal(await fullAgainMs(), 130, 'what is refused takes nothing');
      assert.deepEqual([await take(110), await take(119), await take(120)], [true, false, true]);
      assert.deepEqual([await take(149), await fullAgainMs()], [true, 160]);
      assert.equal(await take(999), true);
      assert.deepEqual(await poolStore().allowances.bySubject('buckets', 'u'), { taken: 1, expiresAtMs: 1_009 });
      const full = [await take(1_009), await take(1_009), await take(1_009), await take(1_009)];
      assert.deepEqual(full, [true, true, true, false], 'it holds no more than three, however long nobody took');
      assert.equal(await fullAgainMs(), 1_039);
      await poolStore().sweep(1_038);
      assert.equal(await take(1_018), false);
      await poolStore().sweep(1_039);
      assert.equal(await fullAgainMs(), undefined, 'a full one is not kept');
    });

    it('give many at once no more than the bucket holds', async () => {
      const take = () =>
        poolStore().write((transaction) =>
          transaction.allowances.takeFromBucket('bucketrace', 'u', 100, { most: 5, everyMs: 1_000 }),
        );
      assert.equal(await countWins(take), 5);
    });

    it('return the used number, and keep it until it expires', async () => {
      const take = (subject: string, expiresAtMs: number) =>
        poolStore().write((transaction) => transaction.allowances.take('counted', subject, expiresAtMs));
      assert.deepEqual([await take('u', 10), await take('u', 12), await take('other', 11)], [1, 2, 1]);
      assert.deepEqual(await poolStore().allowances.bySubject('counted', 'u'), { taken: 2, expiresAtMs: 12 });
      assert.equal(await poolStore().allowances.bySubject('elsewhere', 'u'), undefined);
      await poolStore().sweep(11);
      assert.equal(await poolStore().allowances.bySubject('counted', 'other'), undefined);
      assert.deepEqual([await take('u', 12), await take('other', 12)], [3, 1]);
    });

    it('take nothing for an amount of 0, and return the used number', async () => {
      const take = (amount?: 0 | 1) =>
        poolStore().write((transaction) => transaction.allowances.take('nothing', 'u', 10, amount));
      assert.deepEqual([await take(0), await take(), await take(0), await take(1)], [0, 1, 1, 2]);
    });

    it('give many at once a different number each', async () => {
      const take = () => poolStore().write((transaction) => transaction.allowances.take('countrace', 'u', 100));
      const numbers = await Promise.all(Array.from({ length: 20 }, take));
      assert.deepEqual(
        numbers.toSorted((one, other) => one - other),
        Array.from({ length: 20 }, (_, at) => at + 1),
      );
    });
  });
}
