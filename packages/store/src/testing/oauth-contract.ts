import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PoolTransaction, ResourceServerRecord } from '@poolgate/pool/store';
import { countWins, createConflictCheck } from './races.ts';
import {
  sampleAuthorizationCode,
  sampleBranding,
  sampleDomain,
  sampleFederatedIdentity,
  sampleIdentityProvider,
  sampleResourceServer,
} from './sample-oauth-records.ts';
import { insertSamplePool } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

/** Requirements of every store for domains, resource servers and authorization codes. Each test uses its own pool id. */
export function oauthContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`OAuth records on ${locationName}`, () => {
    const poolStore = openPoolStoreForTests(makeLocation);
    const write = <Result>(work: (transaction: PoolTransaction) => Promise<Result>) => poolStore().write(work);

    it('returns domains as they were stored; a name belongs to one pool, and only that one changes it', async () => {
      for (const pool of ['domains', 'nodomains']) await insertSamplePool(poolStore(), pool);
      const domain = sampleDomain('domains', 'shop');
      await write((transaction) => transaction.domains.insert(domain));
      assert.deepEqual(await poolStore().domains.byName('shop'), domain);
      assert.deepEqual(await poolStore().domains.listOf('domains'), [domain]);
      assert.deepEqual(await poolStore().domains.listOf('nodomains'), []);
      assert.equal(await poolStore().domains.byName('Shop'), undefined);
      const again = sampleDomain('nodomains', 'shop');
      await assert.rejects(
        write((transaction) => transaction.domains.insert(again)),
        createConflictCheck('domains'),
      );
      const change = { settings: { ManagedLoginVersion: 2 }, modifiedAtMs: 9 };
      const outcomes = await write(async ({ domains }) => [
        await domains.update('nodomains', 'shop', change),
        await domains.update('domains', 'shop', change),
        await domains.delete('nodomains', 'shop'),
      ]);
      assert.deepEqual(outcomes, [false, true, false]);
      assert.deepEqual(await poolStore().domains.byName('shop'), { ...domain, ...change });
      assert.equal(await write(({ domains }) => domains.delete('domains', 'shop')), true);
      assert.equal(await poolStore().domains.byName('shop'), undefined);
    });

    it('stores resource servers by identifier, page by page', async () => {
      await insertSamplePool(poolStore(), 'servers');
      await insertSamplePool(poolStore(), 'others');
      const servers = ['a', 'B', 'https://things.test/v1'].map((one) => sampleResourceServer('servers', one));
      for (const server of servers) await write(({ resourceServers }) => resourceServers.insert(server));
      await write(({ resourceServers }) => resourceServers.insert(sampleResourceServer('others', 'a')));
      const all: ResourceServerRecord[] = [];
      let cursor: string | undefined;
      do {
        const page = await poolStore().resourceServers.list('servers', 1, cursor);
        all.push(...page.rows);
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      assert.deepEqual(
        all.map(({ identifier }) => identifier),
        ['B', 'a', 'https://things.test/v1'],
      );
      assert.deepEqual(await poolStore().resourceServers.byIdentifier('servers', 'a'), servers[0]);
      assert.equal(await poolStore().resourceServers.byIdentifier('servers', 'A'), undefined);
      assert.equal(await write(({ resourceServers }) => resourceServers.lockAndCount('servers')), 3);
      const change = { name: 'Other', scopes: [], modifiedAtMs: 7 };
      const outcomes = await write(async ({ resourceServers }) => [
        await resourceServers.update('others', 'B', change),
        await resourceServers.update('servers', 'B', change),
        await resourceServers.delete('others', 'B'),
        await resourceServers.delete('servers', 'a'),
      ]);
      assert.deepEqual(outcomes, [false, true, false, true]);
      assert.deepEqual(await poolStore().resourceServers.byIdentifier('servers', 'B'), { ...servers[1], ...change });
      await assert.rejects(
        write(({ resourceServers }) => resourceServers.insert(sampleResourceServer('servers', 'B'))),
        createConflictCheck('resource_servers'),
      );
      await assert.rejects(poolStore().resourceServers.list('servers', 0, undefined), RangeError);
    });

    it('stores identity providers by name', async () => {
      await insertSamplePool(poolStore(), 'providers');
      const [first, second] = ['Alpha', 'beta'].map((name) => sampleIdentityProvider('providers', name));
      assert.ok(first && second);
      await write(async ({ identityProviders }) => {
        await identityProviders.insert(second);
        await identityProviders.insert(first);
      });
      assert.deepEqual(await poolStore().identityProviders.listOf('providers'), [first, second]);
      assert.deepEqual(await poolStore().identityProviders.listOf('noproviders'), []);
      const change = { settings: { ...first.settings, identifiers: [] }, secretEncrypted: 'other', modifiedAtMs: 9 };
      const outcomes = await write(async ({ identityProviders }) => [
        await identityProviders.update('noproviders', 'Alpha', change),
        await identityProviders.update('providers', 'Alpha', change),
        await identityProviders.delete('noproviders', 'beta'),
        await identityProviders.delete('providers', 'beta'),
        await identityProviders.delete('providers', 'beta'),
      ]);
      assert.deepEqual(outcomes, [false, true, false, true, false]);
      assert.deepEqual(await poolStore().identityProviders.byName('providers', 'Alpha'), { ...first, ...change });
      await assert.rejects(
        write(({ identityProviders }) => identityProviders.insert(first)),
        createConflictCheck('identity_providers'),
      );
    });

    it('stores one branding of each kind for a client, which is deleted with it', async () => {
      await insertSamplePool(poolStore(), 'brandings');
      const clientId = 'client-of-brandings';
      const classic = sampleBranding('brandings', clientId, 'classic');
      const managed = sampleBranding('brandings', clientId, 'managed');
      const everyone = { ...sampleBranding('brandings', 'ALL', 'classic'), content: {} };
      await write(async ({ brandings }) => {
        for (const branding of [managed, classic, everyone]) await brandings.insert(branding);
      });
      const { content: _first, ...classicInfo } = classic;
      const { content: _second, ...managedInfo } = managed;
      assert.deepEqual(await poolStore().brandings.listOf(managed), [classicInfo, managedInfo]);
      assert.deepEqual(await poolStore().brandings.byId('brandings', managed.id), managed);
      assert.equal(await poolStore().brandings.byId('others', managed.id), undefined);
      await assert.rejects(
        write(({ brandings }) => brandings.insert({ ...managed, id: 'another' })),
        createConflictCheck('brandings'),
      );
      const change = { content: { css: '' }, modifiedAtMs: 99 };
      const outcomes = await write(async ({ brandings }) => [
        await brandings.update({ ...classic, poolId: 'others' }, change),
        await brandings.update(classic, change),
        await brandings.delete({ ...everyone, kind: 'managed' }),
      ]);
      assert.deepEqual(outcomes, [false, true, false]);
      assert.deepEqual(await poolStore().brandings.byKey(classic), { ...classic, ...change });
      await write(({ clients }) => clients.delete('brandings', clientId));
      assert.deepEqual(await poolStore().brandings.listOf(managed), []);
      assert.equal(await write(({ brandings }) => brandings.delete(everyone)), true);
    });

    it('stores each identity for one user, and deletes it with the user', async () => {
      await insertSamplePool(poolStore(), 'identities', 'u', 'v');
      const [first, second] = ['1', '2'].map((value) => sampleFederatedIdentity('identities', 'u', value));
      assert.ok(first && second);
      const linked = { ...second, isPrimary: false, createdAtMs: first.createdAtMs + 1 };
      await write(async ({ federatedIdentities }) => {
        await federatedIdentities.insert(linked);
        await federatedIdentities.insert(first);
      });
      assert.deepEqual(await poolStore().federatedIdentities.listOf('identities', 'u'), [first, linked]);
      assert.deepEqual(await poolStore().federatedIdentities.byKey('identities', linked), linked);
      assert.equal(await poolStore().federatedIdentities.byKey('noidentities', linked), undefined);
      await assert.rejects(
        write(({ federatedIdentities }) => federatedIdentities.insert({ ...first, username: 'v' })),
        createConflictCheck('federated_identities'),
      );
      assert.equal(await write(({ federatedIdentities }) => federatedIdentities.delete('identities', linked)), true);
      assert.equal(await write(({ federatedIdentities }) => federatedIdentities.delete('identities', linked)), false);
      const another = { ...linked, providerName: 'other', username: 'v' };
      await write(async ({ federatedIdentities }) => {
        await federatedIdentities.insert(linked);
        await federatedIdentities.insert(another);
        await federatedIdentities.deleteLinksOf('noidentities', 'u');
      });
      assert.deepEqual(await poolStore().federatedIdentities.listOf('identities', 'u'), [first, linked]);
      await write(({ federatedIdentities }) => federatedIdentities.deleteLinksOf('identities', 'u'));
      assert.deepEqual(await poolStore().federatedIdentities.listOf('identities', 'u'), [first]);
      assert.deepEqual(await poolStore().federatedIdentities.listOf('identities', 'v'), [another]);
      await write(({ users }) => users.delete('identities', 'u'));
      assert.equal(await poolStore().federatedIdentities.byKey('identities', first), undefined);
    });

    it('lets one of many use an authorization code, and then returns who did', async () => {
      await insertSamplePool(poolStore(), 'codes', 'u');
      const code = sampleAuthorizationCode('codes', 'u', 'code-1');
      await write(({ authorizations }) => authorizations.insertCode(code));
      assert.deepEqual(await poolStore().authorizations.code('code-1'), code);
      const user = await poolStore().users.byUsername('codes', 'u');
      assert.deepEqual(await poolStore().authorizations.codeWithUser('code-1'), { code, user });
      assert.equal(await poolStore().authorizations.codeWithUser('unknown'), undefined);
      const use = (id: string | null, nowMs = 50) =>
        write(({ authorizations }) => authorizations.useCode('code-1', id, nowMs));
      assert.equal(await use('late', code.expiresAtMs), false);
      let next = 0;
      const wins = await countWins(() => {
        next += 1;
        return use(`login-${next}`);
      });
      assert.equal(wins, 1);
      const used = await poolStore().authorizations.code('code-1');
      assert.match(used?.tokenLoginId ?? '', /^login-\d+$/);
      assert.deepEqual(used, { ...code, usedAtMs: 50, tokenLoginId: used?.tokenLoginId });
      const none = sampleAuthorizationCode('codes', 'u', 'code-2');
      await write(({ authorizations }) => authorizations.insertCode(none));
      assert.equal(await write(({ authorizations }) => authorizations.useCode('code-2', null, 50)), true);
      assert.equal((await poolStore().authorizations.code('code-2'))?.tokenLoginId, null);
    });

    it('sweeps codes only after a day, so that a second use is recognized', async () => {
      await insertSamplePool(poolStore(), 'swept', 'u');
      await write(({ authorizations }) =>
        authorizations.insertCode(sampleAuthorizationCode('swept', 'u', 'swept-code')),
      );
      await poolStore().sweep(200);
      assert.equal((await poolStore().authorizations.code('swept-code'))?.username, 'u');
      await poolStore().sweep(100 + 24 * 3_600_000);
      assert.equal(await poolStore().authorizations.code('swept-code'), undefined);
    });
  });
}
