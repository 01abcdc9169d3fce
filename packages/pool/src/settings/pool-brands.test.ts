import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BrandCache } from '../branding/find-brand.ts';
import { findStoredBrand } from './pool-brands.ts';
import { createSettingsCache } from './settings-ports.ts';

const POOL = 'us-east-1_Pool1';

/** A store with one pool and two clients, one of them of another pool. It counts how often brandings are read. */
function open() {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const settingsCache = createSettingsCache(clock);
  const pools = new Map([[POOL, { id: POOL }]]);
  const clients = new Map([
    ['own', { poolId: POOL }],
    ['foreign', { poolId: 'us-east-1_Pool2' }],
  ]);
  const read: string[] = [];
  const store = {
    pools: { byId: async (id: string) => pools.get(id) },
    clients: { byId: async (id: string) => clients.get(id) },
    brandings: {
      listOf: async ({ poolId, clientId }: { poolId: string; clientId: string }) => {
        read.push(`${poolId}/${clientId}`);
        return [];
      },
    },
  };
  const ports = { settingsCache, store } as unknown as Parameters<typeof findStoredBrand>[0];
  const find = (poolId: string, clientId?: string, isFresh?: boolean) =>
    findStoredBrand(ports, new BrandCache(), { poolId, clientId }, isFresh);
  return { clock, read, find };
}

test('the brandings of invented owners, and of clients of another pool, are not read', async () => {
  const { read, find } = open();
  for (const isFresh of [false, true]) {
    await find('us-east-1_Invented', undefined, isFresh);
    await find('us-east-1_Invented', 'own', isFresh);
    await find(POOL, 'foreign', isFresh);
    await find(POOL, 'invented', isFresh);
  }
  assert.deepEqual(read, []);
  await find(POOL);
  await find(POOL, 'own');
  assert.deepEqual(read, [`${POOL}/ALL`, `${POOL}/own`]);
});

test('the brandings of an owner are read again at most once a second', async () => {
  const { clock, read, find } = open();
  await find(POOL);
  for (let round = 0; round < 5; round += 1) await find(POOL, undefined, true);
  assert.equal(read.length, 2);
  await find(POOL, 'own', true);
  assert.equal(read.length, 3, 'each owner counts separately');
  clock.nowMs += 1_000;
  await find(POOL, undefined, true);
  assert.equal(read.length, 4);
});
