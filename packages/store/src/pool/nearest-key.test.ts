import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { insertSamplePool, sampleCode, samplePasskey, sampleTotp } from '../testing/sample-records.ts';
import { createWatchedStore } from '../testing/watched-store.ts';

type Watched = Awaited<ReturnType<typeof createWatchedStore>>;

/** Usernames before, between and after those of the pool. */
const MISSING = ['a', 'm1', 'z'];

describe('a read for a missing key', () => {
  let store: Watched;
  before(async () => {
    store = await createWatchedStore();
    await insertSamplePool(store.poolStore, 'p', 'k', 'm', 'o');
    await insertSamplePool(store.poolStore, 'q', 'l', 'y');
    await insertSamplePool(store.poolStore, 'empty');
    await store.poolStore.write(async (transaction) => {
      for (const username of ['k', 'o']) {
        await transaction.passkeys.insert(samplePasskey('p', username, `c-${username}`));
        await transaction.authenticators.put(sampleTotp('p', username, 'active'));
        for (const purpose of ['verify_email', 'sign_up', 'forgot_password'] as const) {
          await transaction.codes.put({ ...sampleCode('p', username), purpose });
        }
      }
      await transaction.passkeys.insert(samplePasskey('q', 'y', 'c-y'));
    });
  });
  after(() => store.close());

  async function readCountingRows(
    read: () => Promise<unknown>,
  ): Promise<readonly [found: unknown, rows: readonly number[]]> {
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
    'a code': (username, poolId = 'p') => store.poolStore.codes.byPurpose(poolId, username, 'sign_up'),
  };

  for (const [what, read] of Object.entries(READS)) {
    it(`finds ${what} of another key in the same way and returns nothing, wherever the key sorts`, async () => {
      const [found, rows] = await readCountingRows(() => read('k'));
      assert.notEqual(found, undefined);
      assert.deepEqual(rows, [1]);
      for (const username of MISSING)
        assert.deepEqual(await readCountingRows(() => read(username)), [undefined, [1]], username);
      assert.deepEqual(await readCountingRows(() => read('k', 'empty')), [undefined, [0]]);
    });
  }

  it('returns no passkey and no authenticator of another user', async () => {
    assert.deepEqual(await store.poolStore.passkeys.listOf('p', 'm'), []);
    assert.equal(await store.poolStore.authenticators.byState('p', 'm', 'active'), undefined);
    assert.equal(await store.poolStore.authenticators.byState('p', 'k', 'pending'), undefined);
  });

  it('returns the code of the purpose, and none of another one', async () => {
    const { codes } = store.poolStore;
    assert.equal((await codes.byPurpose('p', 'k', 'verify_email'))?.purpose, 'verify_email');
    assert.deepEqual(await readCountingRows(() => codes.byPurpose('p', 'k', 'verify_phone_number')), [undefined, [1]]);
    assert.equal(await codes.byPurpose('p', 'm', 'sign_up'), undefined);
  });

  it('writes a code, or a decoy row, with the same statement', async () => {
    const code = { ...sampleCode('p', 'm'), purpose: 'forgot_password' } as const;
    const decoy = { subject: 'decoy:m', expiresAtMs: 9 };
    const written = async (given?: typeof decoy) => {
      store.forget();
      await store.poolStore.write(({ codes }) => codes.put(code, given));
      return store.seen.ended.map(({ parameters }) => Object.keys(parameters));
    };
    const asDecoy = await written(decoy);
    assert.equal(await store.poolStore.codes.byPurpose('p', 'm', 'forgot_password'), undefined);
    assert.equal(await store.run("select expires_at_ms from lockouts where pool_id = 'p' and subject = 'decoy:m'"), 9);
    assert.deepEqual(await written(), asDecoy);
    assert.deepEqual(await store.poolStore.codes.byPurpose('p', 'm', 'forgot_password'), code);
    await written({ ...decoy, expiresAtMs: 12 });
    assert.deepEqual(await store.poolStore.codes.byPurpose('p', 'm', 'forgot_password'), code);
    assert.equal(await store.run("select expires_at_ms from lockouts where pool_id = 'p' and subject = 'decoy:m'"), 12);
    assert.equal(await store.run("select count(*) from lockouts where subject = ''"), 0);
    await store.poolStore.write(({ codes }) => codes.delete('p', 'm', 'forgot_password'));
  });
});
