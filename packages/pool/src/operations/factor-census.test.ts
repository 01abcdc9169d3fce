import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BackgroundFailure } from '../kernel/repeat-every.ts';
import type { PoolStore } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { runAwaitedTransaction } from '../testing/awaited-write-store.ts';
import { portsWithoutStore } from '../testing/ports-without-store.ts';
import { createRecordingTransaction } from '../testing/recording-transaction.ts';
import { TestClock, TestTimer } from '../testing/test-environment.ts';
import { WEB_AUTHN } from '../testing/test-passkeys.ts';
import { createTestPoolRecord } from '../testing/test-ports.ts';
import { startFactorCensuses } from './factor-census.ts';

const NOW_MS = Date.UTC(2026, 4, 7);
const HOUR_MS = 3_600_000;
const LOOK_MS = 600_000;
const EVERY_MS = 4 * 24 * HOUR_MS;

/** Pools of thirty users with passwords, some with an address, and the given settings. */
function createPools(...settings: readonly Partial<PoolRecord['settings']>[]) {
  const clock = new TestClock(NOW_MS);
  const timer = new TestTimer(clock);
  const base = { ...portsWithoutStore(), clock, timer };
  const pools = settings.map((change, at) => {
    const pool = createTestPoolRecord();
    const webAuthn = WEB_AUTHN;
    return { ...pool, id: `us-east-1_Test${at}`, modifiedAtMs: 7, settings: { ...pool.settings, webAuthn, ...change } };
  });
  const users = Array.from({ length: 30 }, (_, at) => `user${String(at).padStart(2, '0')}`);
  const asked: unknown[][] = [];
  const updates: (readonly unknown[])[] = [];
  const findPool = (wanted: string) => pools.find(({ id }) => id === wanted);
  const store = {
    pools: {
      async list(limit: number, cursor?: string) {
        asked.push(['pools', limit, cursor]);
        const next = Number(cursor ?? 0);
        return {
          rows: pools.slice(next, next + 1),
          nextCursor: next + 1 < pools.length ? String(next + 1) : undefined,
        };
      },
    },
    users: {
      async list(poolId: string, limit: number, from?: string) {
        asked.push(['users', poolId, limit, from]);
        const names = from === undefined ? users.slice(0, 16) : users.slice(14);
        return { rows: names.map((username) => ({ username }) as UserRecord), nextCursor: undefined };
      },
      async byName(_: string, username: string) {
        const attributes = username < 'user10' ? { email: `${username}@example.com` } : {};
        const mfaMethods = username === 'user00' || username === 'user01' ? ['SOFTWARE_TOKEN_MFA'] : [];
        const user = { username, status: 'CONFIRMED', attributes, mfaMethods, preferredMfa: null };
        return username === 'user29' ? undefined : { user, credential: {} };
      },
    },
    authenticators: {
      byState: async (_: string, username: string, state: string) => (username === 'user01' ? { state } : undefined),
    },
    passkeys: {
      listOf: async (_: string, username: string) => (username === 'user02' ? [{ relyingPartyId: 'localhost' }] : []),
    },
    async write(work: Parameters<PoolStore['write']>[0]) {
      const { transaction, asked: statements } = createRecordingTransaction();
      const known = new Proxy(transaction, {
        get: (target, key) =>
          key === 'pools'
            ? { byId: async (id: string) => findPool(id), update: Reflect.get(target, key).update }
            : Reflect.get(target, key),
      });
      const result = await runAwaitedTransaction(known, work);
      updates.push(...statements);
      return result;
    },
  } as unknown as PoolStore;
  return { ports: { ...base, store }, clock, timer, asked, updates, pools };
}

const refuseFailure = ({ error }: BackgroundFailure) => assert.fail(String(error));

describe('the census of sign-in methods', () => {
  it('reads sixteen users at each of sixteen places of every pool that is due', async () => {
    const due = { factorCensuses: [{ takenAtMs: NOW_MS - EVERY_MS, shares: {} }] };
    const early = { factorCensuses: [{ takenAtMs: NOW_MS - EVERY_MS + 1, shares: {} }] };
    const { ports, asked, updates, pools } = createPools(due, early, { usernameAttributes: [] });
    const loads: string[] = [];
    const load = async ({ id }: Pick<PoolRecord, 'id'>) =>
      ports.settingsCache.pools.getOrLoad(id, async () => {
        loads.push(id);
        return pools.find((pool) => pool.id === id);
      });
    for (const pool of pools) await load(pool);
    await startFactorCensuses(ports, refuseFailure)();
    for (const pool of pools) await load(pool);
    assert.deepEqual(loads.slice(3), ['us-east-1_Test0', 'us-east-1_Test2'], 'what changed is read anew');
    const pages = asked.filter(([what]) => what === 'pools');
    assert.deepEqual(pages, [
      ['pools', 50, undefined],
      ['pools', 50, '1'],
      ['pools', 50, '2'],
    ]);
    for (const [poolId, place] of [
      ['us-east-1_Test0', /^[0-9a-f]{4}$/],
      ['us-east-1_Test2', /^[a-z0-9]{4}$/],
    ] as const) {
      const looks = asked.filter(([what, id]) => what === 'users' && id === poolId);
      assert.equal(looks.length, 16);
      assert.ok(looks.every(([, , limit]) => limit === 16));
      assert.deepEqual(looks[0]?.[3], undefined);
      for (const [, , , from] of looks.slice(1)) assert.match(String(from), place);
    }
    assert.equal(asked.filter(([what, id]) => what === 'users' && id === 'us-east-1_Test1').length, 0);
    const shares = { PASSWORD: 179, 'PASSWORD EMAIL_OTP WEB_AUTHN': 9, 'PASSWORD EMAIL_OTP': 60, '': 9 };
    const census = { takenAtMs: NOW_MS, shares };
    const written = updates.map(([name, id, change]) => {
      if (name !== 'pools.update') return [name, id];
      const { settings, modifiedAtMs } = change as PoolRecord;
      return [name, id, settings.factorCensuses, modifiedAtMs];
    });
    assert.deepEqual(written, [
      ['locks.lock', 'set-up'],
      ['pools.update', 'us-east-1_Test0', [...due.factorCensuses, census], 7],
      ['locks.lock', 'set-up'],
      ['pools.update', 'us-east-1_Test2', [census], 7],
    ]);
  });

  it('skips a pool that another replica has done, or that is gone', async () => {
    for (const change of [
      { settings: { factorCensuses: [{ takenAtMs: NOW_MS, shares: {} }] } },
      { id: 'us-east-1_Other' },
    ]) {
      const { ports, updates, pools } = createPools({});
      const { list } = ports.store.pools;
      ports.store.pools.list = async (limit, cursor) => {
        const page = await list(limit, cursor);
        const [pool] = pools.splice(0, 1);
        const settings = { ...pool?.settings, ...change.settings };
        if (pool !== undefined) pools.push({ ...pool, ...change, settings } as (typeof pools)[0]);
        return page;
      };
      await startFactorCensuses(ports, refuseFailure)();
      assert.deepEqual(updates, [['locks.lock', 'set-up', NOW_MS + 60_000]]);
    }
  });

  it('reports a failure of one pool and continues with the next', async () => {
    const { ports, updates, pools } = createPools({ usernameAttributes: [] }, { usernameAttributes: [] });
    const { list } = ports.store.users;
    const error = new Error('away');
    ports.store.users.list = async (poolId, limit, from) => {
      if (poolId === pools[0]?.id) throw error;
      return list(poolId, limit, from);
    };
    const failures: BackgroundFailure[] = [];
    await startFactorCensuses(ports, (failure) => failures.push(failure))();
    assert.deepEqual(failures, [{ task: 'factor_censuses', userPoolId: 'us-east-1_Test0', error }]);
    assert.deepEqual(
      updates.filter(([name]) => name === 'pools.update').map(([, id]) => id),
      ['us-east-1_Test1'],
    );
  });

  it('runs every ten minutes until it is stopped', async () => {
    const { ports, clock, timer, asked } = createPools({ factorCensuses: [{ takenAtMs: NOW_MS, shares: {} }] });
    const end = startFactorCensuses(ports, refuseFailure);
    for (const looks of [1, 2]) {
      assert.equal(timer.nextAtMs, NOW_MS + looks * LOOK_MS);
      await new Promise(setImmediate);
      clock.advance(LOOK_MS);
      timer.runDue();
    }
    await end();
    assert.equal(timer.nextAtMs, undefined);
    assert.equal(asked.length, 3);
  });
});
