import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PoolTransaction } from '@poolgate/pool/store';
import { countWins, createConflictCheck } from './races.ts';
import { sampleGroup } from './sample-account-records.ts';
import {
  insertSamplePool,
  sampleClient,
  sampleLogin,
  sampleMessage,
  samplePasskeyCeremony,
  samplePool,
  sampleSigningKey,
} from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

/** Requirements of every store for creating and deleting pools and clients. Each test uses its own pool ids. */
export function poolsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`pools and clients in the pool's store on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);
    const write = <Result>(work: (transaction: PoolTransaction) => Promise<Result>) => poolStore().write(work);

    it('lists pools by ID, page by page, and counts them', async () => {
      const ids = ['list-c', 'list-a', 'list-b'];
      const before = await write((transaction) => transaction.pools.count());
      await write(async (transaction) => {
        for (const id of ids) await transaction.pools.insert(samplePool(id));
      });
      assert.equal(await write((transaction) => transaction.pools.count()), before + 3);
      const first = await poolStore().pools.list(2, 'list');
      assert.deepEqual(first, { rows: [samplePool('list-a'), samplePool('list-b')], nextCursor: 'list-b' });
      const second = await poolStore().pools.list(1, first.nextCursor);
      assert.deepEqual(
        second.rows.map(({ id }) => id),
        ['list-c'],
      );
      await assert.rejects(poolStore().pools.list(0, undefined), RangeError);
    });

    it('changes the name of a pool and of a client only where one is named', async () => {
      await insertSamplePool(poolStore(), 'named');
      const pool = samplePool('named');
      const client = sampleClient('named', 'named-client');
      const settings = {
        ...pool.settings,
        deletionProtection: true,
        tags: { a: 'b' },
        kept: { UserPoolTier: 'LITE' },
      } as const;
      const note = { id: 's', createdAtMs: 3 };
      const kept = { ...client.settings, secretNotes: [note], kept: { CallbackURLs: ['https://a.test'] } };
      await write(async (transaction) => {
        await transaction.clients.insert(client);
        await transaction.pools.update('named', { settings, modifiedAtMs: 2 });
        await transaction.clients.update(client.id, { settings: kept, secretsEncrypted: ['x'], modifiedAtMs: 2 });
      });
      assert.deepEqual(await poolStore().pools.byId('named'), { ...pool, settings, modifiedAtMs: 2 });
      const changed = { ...client, settings: kept, secretsEncrypted: ['x'], modifiedAtMs: 2 };
      assert.deepEqual(await poolStore().clients.byId(client.id), changed);
      await write(async (transaction) => {
        await transaction.pools.update('named', { name: 'Other', settings, modifiedAtMs: 3 });
        await transaction.clients.update(client.id, { ...changed, name: 'App', modifiedAtMs: 3 });
      });
      assert.deepEqual(await poolStore().pools.byId('named'), { ...pool, name: 'Other', settings, modifiedAtMs: 3 });
      assert.deepEqual(await poolStore().clients.byId(client.id), { ...changed, name: 'App', modifiedAtMs: 3 });
    });

    it('counts the users of one pool', async () => {
      await insertSamplePool(poolStore(), 'counted', 'u', 'v');
      await insertSamplePool(poolStore(), 'uncounted', 'w');
      assert.equal(await poolStore().users.count('counted'), 2);
      assert.equal(await poolStore().users.count('nowhere'), 0);
    });

    it('deletes a pool once with everything that belongs to it, and nothing of another', async () => {
      for (const id of ['gone', 'stays']) {
        await insertSamplePool(poolStore(), id, 'u');
        await write(async (transaction) => {
          await transaction.signingKeys.insert(sampleSigningKey(id, `kid-of-${id}`));
          await transaction.groups.insert(sampleGroup(id, 'g'));
          await transaction.logins.insert(sampleLogin(id, 'u', `login-of-${id}`));
          await transaction.messages.enqueue({
            ...sampleMessage(id, `message-of-${id}`),
            nextTryAtMs: 0,
            leasedUntilMs: 0,
          });
          await transaction.lockouts.countFailure(id, 'nobody', 5, 0);
          await transaction.allowances.take(id, 'nobody', 100);
        });
      }
      assert.equal(await countWins(() => write((transaction) => transaction.pools.delete('gone'))), 1);
      const left = async (id: string) => ({
        pool: (await poolStore().pools.byId(id)) !== undefined,
        client: (await poolStore().clients.byId(`client-of-${id}`)) !== undefined,
        clients: (await poolStore().clients.listOf(id)).length > 0,
        user: (await poolStore().users.byUsername(id, 'u')) !== undefined,
        name: (await poolStore().users.byName(id, 'u')) !== undefined,
        key: (await poolStore().signingKeys.listOf(id)).length > 0,
        group: (await poolStore().groups.byName(id, 'g')) !== undefined,
        login: (await poolStore().logins.byId(`login-of-${id}`)) !== undefined,
        failures: (await poolStore().lockouts.bySubject(id, 'nobody')) !== undefined,
        taken: (await poolStore().allowances.bySubject(id, 'nobody')) !== undefined,
      });
      assert.deepEqual(new Set(Object.values(await left('gone'))), new Set([false]));
      assert.deepEqual(new Set(Object.values(await left('stays'))), new Set([true]));
      const due = await write((transaction) => transaction.messages.lease(10, 20, 10));
      assert.deepEqual(
        due.map(({ poolId }) => poolId),
        ['stays'],
      );
      await assert.rejects(
        write((transaction) => transaction.clients.insert(sampleClient('gone', 'late'))),
        {
          reason: 'foreign_key',
        },
      );
      await assert.rejects(
        write((transaction) => transaction.pools.insert(samplePool('stays'))),
        createConflictCheck('pools'),
      );
    });

    it('deletes a client once, with its logins and no others, and only through its own pool', async () => {
      await insertSamplePool(poolStore(), 'apps', 'u');
      await insertSamplePool(poolStore(), 'others');
      const loginAt = (client: string) => ({ ...sampleLogin('apps', 'u', `at-${client}`), clientId: client });
      await write(async (transaction) => {
        for (const id of ['app-one', 'app-two']) {
          await transaction.clients.insert(sampleClient('apps', id));
          await transaction.logins.insert(loginAt(id));
          await transaction.passkeyCeremonies.put(samplePasskeyCeremony('apps', 'u', id));
        }
      });
      assert.equal(await write((transaction) => transaction.clients.delete('others', 'app-one')), false);
      assert.notEqual(await poolStore().logins.byId('at-app-one'), undefined);
      assert.equal(await countWins(() => write((transaction) => transaction.clients.delete('apps', 'app-one'))), 1);
      assert.equal(await poolStore().clients.byId('app-one'), undefined);
      assert.equal(await poolStore().logins.byId('at-app-one'), undefined);
      assert.deepEqual(await poolStore().logins.byId('at-app-two'), loginAt('app-two'));
      const take = (id: string) =>
        write((transaction) => transaction.passkeyCeremonies.take('apps', 'u', `digest-at-${id}`, 0));
      assert.equal(await take('app-one'), undefined);
      assert.notEqual(await take('app-two'), undefined);
    });
  });
}
