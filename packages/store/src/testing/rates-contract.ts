import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore, type Store } from '../open-store.ts';
import { countWins } from './races.ts';
import type { StoreLocation } from './store-locations.ts';

const TENTH = 6_000;

/** Requirements of every store for limits per minute. */
export function ratesContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`rates on ${locationName}`, () => {
    let location: StoreLocation;
    let store: Store;
    before(async () => {
      location = await makeLocation();
      store = await openStore(location.url);
    });
    after(async () => {
      await store?.close();
      await location?.remove();
    });
    const take = (nowMs: number, ...names: readonly string[]) =>
      store.records.rates.take(
        names.map((name) => ({ name, costMs: TENTH })),
        nowMs,
      );
    const times = async (count: number, nowMs: number, ...names: readonly string[]) => {
      let taken = 0;
      for (let time = 0; time < count; time += 1) taken += (await take(nowMs, ...names)).length;
      return taken;
    };

    it("allow a minute's number at once, then one per share of the minute", async () => {
      assert.equal(await times(12, 100_000, 'alone'), 10);
      assert.deepEqual(await take(100_000 + TENTH - 1, 'alone'), []);
      assert.deepEqual(await take(100_000 + TENTH, 'alone'), ['alone']);
      assert.equal(await times(12, 400_000, 'alone'), 10, 'no more is saved up than for a minute');
    });

    it('are separate by name, and the available ones are returned', async () => {
      await times(10, 100_000, 'own', 'shared');
      assert.deepEqual(await take(100_000, 'another', 'shared'), ['another']);
      assert.deepEqual(await take(100_000, 'another'), ['another']);
    });

    it('take nothing from the others if the first name is refused', async () => {
      await times(10, 100_000, 'attacker');
      assert.deepEqual(await take(100_000, 'attacker', 'victim', 'all'), []);
      assert.equal(await times(12, 100_000, 'victim'), 10);
    });

    it('allow no more than available, for any number in parallel', async () => {
      assert.equal(await countWins(async () => (await take(100_000, 'raced')).length === 1), 10);
      const both = await Promise.all(Array.from({ length: 30 }, () => take(100_000, 'racer', 'both')));
      assert.equal(both.flat().length, 20);
    });

    it('ignore what a clock wrote that was set back since', async () => {
      await times(10, 9_000_000, 'set back');
      assert.deepEqual(await take(100_000, 'set back'), ['set back']);
      await times(10, 500_000, 'differing');
      assert.deepEqual(await take(495_000, 'differing'), [], 'a clock that is a little behind');
    });

    it('count what a clock wrote up to two minutes ahead, and nothing beyond', async () => {
      for (const [name, nowMs, taken] of [
        ['near', 440_000, []],
        ['far', 439_999, ['far']],
      ] as const) {
        await times(10, 500_000, name);
        assert.deepEqual(await take(nowMs, name), taken, name);
      }
    });

    it('have one to three names', async () => {
      for (const names of [[], ['a', 'b', 'c', 'd']]) {
        await assert.rejects(take(1, ...names), { name: 'RangeError', message: 'asked must hold 1 to 3 takes' });
      }
    });

    it('are swept once they are unused again', async () => {
      await times(10, 800_000, 'swept');
      await store.records.sweep(859_999);
      assert.deepEqual(await take(800_000, 'swept'), []);
      await store.records.sweep(860_000);
      assert.deepEqual(await take(800_000, 'swept'), ['swept']);
    });
  });
}
