import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertSamplePool, samplePasskey, sampleTotp } from '../testing/sample-records.ts';
import { watchedStore } from '../testing/watched-database.ts';

type Watched = Awaited<ReturnType<typeof watchedStore>>;

/** User names before, between and after those of the pool. */
const MISSING = ['a', 'm1', 'z'];

describe('a read for a key that nobody has', () => {
  let store: Watched;
  before(async () => {
    store = await watchedStore();
    await insertSamplePool(store.poolStore, 'p', 'k', 'm', 'o');
    await insertSamplePool(store.poolStore, 'q', 'l', 'y');
    await insertSamplePool(store.poolStore, 'empty');
    await store.poolStore.write(async (transaction) => {
      for (const username of ['k', 'o']) {
        await transaction.passkeys.insert(samplePasskey('p', username, `c-${username}`));
        await transaction.authenticators.put(sampleTotp('p', username, 'active'));
      }
      await transaction.passkeys.insert(samplePasskey('q', 'y', 'c-y'));
    });
  });
  after(() => store.close());

  async function rowsOf(read: () => Promise<unknown>): Promise<readonly [found: unknown, rows: readonly number[]]> {
    store.forget();
    const found = await read();
    return [found, store.seen.ended.map(({ rows }) => rows)];
  }

  const READS: Readonly<Record<string, (username: string, poolId?: string) => Promise<unknown>>> = {
    'a user by name': (name, poolId = 'p') => store.poolStore.users.byName(poolId, name),
    'a user by username': (username, poolId = 'p') => store.poolStore.users.byUsername(poolId, username),
    passkeys: async (username, poolId = 'p') => {
      const passkeys = await store.poolStore.passkeys.listOf(poolId, username);
      return passkeys.length === 0 ? undefined : passkeys;
    },
    'an authenticator': (username, poolId = 'p') => store.poolStore.authenticators.byState(poolId, username, 'active'),
  };

  for (const [what, read] of Object.entries(READS)) {
    it(`A11: finds ${what} of another key in the same way and gives nothing, wherever the key sorts`, async () => {
      const [found, rows] = await rowsOf(() => read('k'));
      assert.notEqual(found, undefined);
      assert.deepEqual(rows, [1]);
      for (const username of MISSING) assert.deepEqual(await rowsOf(() => read(username)), [undefined, [1]], username);
      assert.deepEqual(await rowsOf(() => read('k', 'empty')), [undefined, [0]]);
    });
  }

  it('A11: gives no passkey and no authenticator of another user to one who has none', async () => {
    assert.deepEqual(await store.poolStore.passkeys.listOf('p', 'm'), []);
    assert.equal(await store.poolStore.authenticators.byState('p', 'm', 'active'), undefined);
    assert.equal(await store.poolStore.authenticators.byState('p', 'k', 'pending'), undefined);
  });
});
