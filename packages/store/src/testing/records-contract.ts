import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore, type Store } from '../open-store.ts';
import { sampleAdminKey, sampleLocalDevice, sampleLocalPasskey } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';

const RACERS = 50;

/** Requirements of every store for the gateway. Each test uses its own pool id. */
export function recordsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`the gateway's records on ${locationName}`, () => {
    let location: StoreLocation;
    let store: Store;
    const records = () => store.records;

    before(async () => {
      location = await makeLocation();
      store = await openStore(location.url);
    });
    after(async () => {
      await store?.close();
      await location?.remove();
    });

    it('is ready', async () => {
      assert.equal(await records().ready(), true);
      assert.deepEqual([await records().takesWrites(), await records().takesWrites()], [true, true]);
    });

    it('creates the record of a user on first sight, and later changes only its username', async () => {
      const user = { userPoolId: 'sights', sub: 's', username: 'one' };
      const first = await records().localUsers.upsert(user, 5);
      assert.deepEqual(first, {
        ...user,
        passwordResetRequired: false,
        isWebauthnEnabled: false,
        createdAtMs: 5,
        updatedAtMs: 5,
      });
      assert.deepEqual(await records().localUsers.upsert(user, 6), first);
      const renamed = { ...first, username: 'two', updatedAtMs: 7 };
      assert.deepEqual(await records().localUsers.upsert({ ...user, username: 'two' }, 7), renamed);
      assert.deepEqual(await records().localUsers.find('sights', 's'), renamed);
      assert.equal(await records().localUsers.find('elsewhere', 's'), undefined);
    });

    it('creates one record of a user who is seen many times in parallel', async () => {
      const user = { userPoolId: 'crowd', sub: 's', username: 'one' };
      const seen = await Promise.all(
        Array.from({ length: RACERS }, (_, index) => records().localUsers.upsert(user, 100 + index)),
      );
      assert.equal(new Set(seen.map((record) => record.createdAtMs)).size, 1);
    });

    it('reports whether a known user has passkeys, and of no one else', async () => {
      const user = { userPoolId: 'flags', sub: 's', username: 'one' };
      const seen = await records().localUsers.upsert(user, 5);
      const other = await records().localUsers.upsert({ ...user, sub: 't' }, 5);
      const elsewhere = await records().localUsers.upsert({ ...user, userPoolId: 'flags2' }, 5);
      const set = async (isEnabled: boolean, nowMs: number) => {
        await records().localUsers.setWebauthnEnabled('flags', 's', isEnabled, nowMs);
        return records().localUsers.find('flags', 's');
      };
      assert.deepEqual(await set(false, 6), seen, 'what was so already is not written');
      const enabled = { ...seen, isWebauthnEnabled: true, updatedAtMs: 7 };
      assert.deepEqual(await set(true, 7), enabled);
      assert.deepEqual(await set(true, 8), enabled);
      assert.deepEqual(await records().localUsers.upsert(user, 9), enabled);
      assert.deepEqual(await set(false, 10), { ...seen, updatedAtMs: 10 });
      assert.deepEqual(
        [await records().localUsers.find('flags', 't'), await records().localUsers.find('flags2', 's')],
        [other, elsewhere],
      );
      await records().localUsers.setWebauthnEnabled('flags', 'unseen', true, 11);
      assert.equal(await records().localUsers.find('flags', 'unseen'), undefined);
    });

    it('stores whether a password must be reset, also for unknown users', async () => {
      const user = { userPoolId: 'resets', sub: 's', username: 'one' };
      const set = async (isRequired: boolean, nowMs: number) => {
        await records().localUsers.setPasswordResetRequired(user, isRequired, nowMs);
        return records().localUsers.find('resets', 's');
      };
      const required = {
        ...user,
        passwordResetRequired: true,
        isWebauthnEnabled: false,
        createdAtMs: 5,
        updatedAtMs: 5,
      };
      assert.deepEqual(await set(true, 5), required);
      assert.deepEqual(await set(true, 6), required, 'what was so already is not written');
      assert.deepEqual(await records().localUsers.upsert(user, 7), required);
      await records().localUsers.setWebauthnEnabled('resets', 's', true, 8);
      const done = { ...required, passwordResetRequired: false, isWebauthnEnabled: true, updatedAtMs: 9 };
      assert.deepEqual(await set(false, 9), done);
    });

    it('deletes a user with devices and passkeys, and no one else', async () => {
      for (const owner of [
        { userPoolId: 'forgets', sub: 's' },
        { userPoolId: 'forgets', sub: 't' },
        { userPoolId: 'forgets2', sub: 's' },
      ]) {
        await records().localUsers.upsert({ ...owner, username: 'one' }, 5);
        await records().localDevices.put(sampleLocalDevice(owner.userPoolId, owner.sub, 'd'));
        await records().localPasskeys.put(sampleLocalPasskey(owner.userPoolId, owner.sub, 'c'));
      }
      const known = async (userPoolId: string, sub: string) => [
        (await records().localUsers.find(userPoolId, sub)) !== undefined,
        (await records().localDevices.listByKeys(userPoolId, sub, ['d'])).length,
        (await records().localPasskeys.list(userPoolId, sub)).length,
      ];
      await records().localUsers.delete('forgets', 's');
      await records().localUsers.delete('forgets', 'nobody');
      assert.deepEqual(await known('forgets', 's'), [false, 0, 0]);
      assert.deepEqual(await known('forgets', 't'), [true, 1, 1]);
      assert.deepEqual(await known('forgets2', 's'), [true, 1, 1]);
    });

    it('stores the names of passkeys, and replaces them', async () => {
      const passkey = sampleLocalPasskey('passkeys', 's', 'c1');
      await records().localPasskeys.put({ ...passkey, credentialId: 'B2' });
      await records().localPasskeys.put({ ...passkey, name: 'before', updatedAtMs: 1 });
      await records().localPasskeys.put(passkey);
      assert.deepEqual(await records().localPasskeys.list('passkeys', 's'), [
        { ...passkey, credentialId: 'B2' },
        passkey,
      ]);
      assert.equal(await records().localPasskeys.delete('passkeys', 's', 'c1'), true);
      assert.equal(await records().localPasskeys.delete('passkeys', 's', 'c1'), false);
      assert.deepEqual(await records().localPasskeys.list('passkeys', 's'), [{ ...passkey, credentialId: 'B2' }]);
    });

    it('reports the passkeys of one user in one pool only', async () => {
      const passkey = sampleLocalPasskey('keepers', 's', 'c');
      for (const owner of [{}, { sub: 't' }, { userPoolId: 'keepers2' }]) {
        await records().localPasskeys.put({ ...passkey, ...owner, name: JSON.stringify(owner) });
      }
      assert.deepEqual(await records().localPasskeys.list('keepers', 's'), [{ ...passkey, name: '{}' }]);
      assert.deepEqual(await records().localPasskeys.list('keepers', 'nobody'), []);
      assert.equal(await records().localPasskeys.delete('keepers', 'u', 'c'), false);
      assert.equal(await records().localPasskeys.delete('keepers', 's', 'c'), true);
      assert.equal((await records().localPasskeys.list('keepers', 't')).length, 1);
      assert.equal((await records().localPasskeys.list('keepers2', 's')).length, 1);
    });

    it('stores data about devices, and replaces it', async () => {
      const device = sampleLocalDevice('devices', 's', 'd1');
      await records().localDevices.put({ ...device, name: null, remembered: false });
      await records().localDevices.put(device);
      await records().localDevices.put({ ...device, deviceKey: 'd2', remembered: true });
      assert.deepEqual(await records().localDevices.listByKeys('devices', 's', ['d2', 'd1', 'unknown']), [
        device,
        { ...device, deviceKey: 'd2', remembered: true },
      ]);
      assert.equal(await records().localDevices.delete('devices', 's', 'd1'), true);
      assert.equal(await records().localDevices.delete('devices', 's', 'd1'), false);
      assert.deepEqual(await records().localDevices.listByKeys('devices', 's', ['d1']), []);
    });

    it('returns a user’s devices in one pool, only the requested ones', async () => {
      for (const [userPoolId, sub] of [
        ['owners', 's'],
        ['owners', 't'],
        ['owners2', 's'],
      ] as const) {
        await records().localDevices.put({ ...sampleLocalDevice(userPoolId, sub, 'd1'), name: `${userPoolId} ${sub}` });
        await records().localDevices.put(sampleLocalDevice(userPoolId, sub, 'd2'));
      }
      const found = await records().localDevices.listByKeys('owners', 's', ['d1']);
      assert.deepEqual(
        found.map((device) => device.name),
        ['owners s'],
      );
      assert.deepEqual(await records().localDevices.listByKeys('owners', 's', []), []);
      assert.equal(await records().localDevices.delete('owners', 'u', 'd1'), false);
      const asked = Array.from({ length: 100 }, (_, index) => `d${index}`);
      assert.equal((await records().localDevices.listByKeys('owners', 's', asked)).length, 2);
    });

    it('moves the times of a revocation forward, never back', async () => {
      const revocation = { userPoolId: 'ends', subject: 'user:s', endedAtMs: 50, expiresAtMs: 100 };
      const current = async () => (await records().revocations.listBySubjects('ends', ['user:s'], 0))[0];
      await records().revocations.record(revocation);
      await records().revocations.record({ ...revocation, endedAtMs: 40, expiresAtMs: 90 });
      assert.deepEqual(await current(), revocation);
      await records().revocations.record({ ...revocation, endedAtMs: 60, expiresAtMs: 95 });
      assert.deepEqual(await current(), { ...revocation, endedAtMs: 60 });
      await records().revocations.record({ ...revocation, endedAtMs: 55, expiresAtMs: 110 });
      assert.deepEqual(await current(), { ...revocation, endedAtMs: 60, expiresAtMs: 110 });
    });

    it('keeps the latest of parallel revocations', async () => {
      const ends = Array.from({ length: RACERS }, (_, index) =>
        records().revocations.record({
          userPoolId: 'endrace',
          subject: 'user:s',
          endedAtMs: (index * 17) % RACERS,
          expiresAtMs: 500,
        }),
      );
      await Promise.all(ends);
      assert.equal((await records().revocations.listBySubjects('endrace', ['user:s'], 0))[0]?.endedAtMs, RACERS - 1);
    });

    it('finds what has ended among subjects of one pool, while it matters', async () => {
      const end = (userPoolId: string, subject: string, expiresAtMs: number) =>
        records().revocations.record({ userPoolId, subject, endedAtMs: 1, expiresAtMs });
      await end('among', 'login:a', 100);
      await end('among', 'user:b', 200);
      await end('among2', 'login:c', 200);
      const subjects = async (asked: string[], nowMs: number) =>
        (await records().revocations.listBySubjects('among', asked, nowMs)).map((revocation) => revocation.subject);
      assert.deepEqual(await subjects(['login:a', 'user:b', 'login:c'], 99), ['login:a', 'user:b']);
      assert.deepEqual(await subjects(['login:a', 'user:b'], 100), ['user:b']);
      assert.deepEqual(await subjects(['login:x'], 0), []);
      assert.deepEqual(await subjects([], 0), []);
    });

    it('gives a pending login to one of fifty', async () => {
      const pending = { digestHex: 'd-race', startEncrypted: 'sealed', expiresAtMs: 100 };
      await records().pendingSrp.put(pending);
      const taken = await Promise.all(Array.from({ length: RACERS }, () => records().pendingSrp.consume('d-race', 99)));
      assert.deepEqual(
        taken.filter((one) => one !== undefined),
        [pending],
      );
      assert.equal(await records().pendingSrp.find('d-race', 0), undefined);
    });

    it('gives no expired pending login', async () => {
      const pending = { digestHex: 'd-late', startEncrypted: 'sealed', expiresAtMs: 100 };
      await records().pendingSrp.put(pending);
      assert.deepEqual(await records().pendingSrp.find('d-late', 99), pending);
      assert.equal(await records().pendingSrp.find('d-late', 100), undefined);
      assert.equal(await records().pendingSrp.consume('d-late', 100), undefined);
    });

    it('stores admin keys, their last use and their revocation', async () => {
      const key = sampleAdminKey('key1');
      await records().adminKeys.insert(key);
      await assert.rejects(records().adminKeys.insert(key), { name: 'ConflictError', key: 'admin_keys' });
      assert.deepEqual(await records().adminKeys.find('key1'), key);
      assert.equal(await records().adminKeys.find('unknown'), undefined);
      await records().adminKeys.touch('key1', 20);
      await records().adminKeys.touch('key1', 10);
      assert.equal((await records().adminKeys.find('key1'))?.lastUsedAtMs, 20);
      assert.equal(await records().adminKeys.revoke('key1', 30), true);
      assert.equal(await records().adminKeys.revoke('key1', 31), false);
      assert.equal(await records().adminKeys.revoke('unknown', 31), false);
      await records().adminKeys.insert({ ...sampleAdminKey('key0'), createdAtMs: 1 });
      assert.deepEqual(await records().adminKeys.list(), [
        { ...sampleAdminKey('key0'), createdAtMs: 1 },
        { ...key, lastUsedAtMs: 20, revokedAtMs: 30 },
      ]);
    });

    it('counts an admin key as revoked with any key in the chain of its creators', async () => {
      const { adminKeys } = records();
      const chain = { creator: null, child: 'creator', grandchild: 'child', other: 'in-memory' };
      for (const [id, createdBy] of Object.entries(chain)) await adminKeys.insert({ ...sampleAdminKey(id), createdBy });
      const readRevocations = () =>
        Promise.all(Object.keys(chain).map(async (id) => (await adminKeys.find(id))?.revokedAtMs));
      assert.deepEqual(await readRevocations(), [null, null, null, null]);
      await adminKeys.revoke('child', 40);
      assert.deepEqual(await readRevocations(), [null, 40, 40, null]);
      await adminKeys.revoke('creator', 50);
      await adminKeys.insert({ ...sampleAdminKey('late'), createdBy: 'creator' });
      assert.equal((await adminKeys.find('late'))?.revokedAtMs, 50);
      assert.deepEqual(await readRevocations(), [50, 40, 40, null]);
      const listed = new Map((await adminKeys.list()).map((key) => [key.id, key.revokedAtMs]));
      assert.deepEqual([listed.get('grandchild'), listed.get('late'), listed.get('other')], [40, 50, null]);
    });

    it('lets an admin key expire no later than any key in the chain of its creators', async () => {
      const { adminKeys } = records();
      const keys = [
        ['first', null, 300],
        ['second', 'first', 200],
        ['third', 'second', 250],
        ['alone', 'unknown', 400],
      ] as const;
      for (const [id, createdBy, expiresAtMs] of keys)
        await adminKeys.insert({ ...sampleAdminKey(id), createdBy, expiresAtMs });
      const readExpiries = () => Promise.all(keys.map(async ([id]) => (await adminKeys.find(id))?.expiresAtMs));
      assert.deepEqual(await readExpiries(), [300, 200, 200, 400]);
      assert.equal(await adminKeys.shortenLife('first', 100, 50), true);
      assert.deepEqual(await readExpiries(), [100, 100, 100, 400]);
      const listed = new Map((await adminKeys.list()).map((key) => [key.id, key.expiresAtMs]));
      assert.deepEqual([listed.get('first'), listed.get('third'), listed.get('alone')], [100, 100, 400]);
    });

    it('lets an admin key expire earlier, never later, and only while it is valid', async () => {
      const key = { ...sampleAdminKey('shortened'), expiresAtMs: 100 };
      await records().adminKeys.insert(key);
      await records().adminKeys.insert({ ...key, id: 'revoked', revokedAtMs: 1 });
      const shorten = async (expiresAtMs: number, nowMs: number) => [
        await records().adminKeys.shortenLife('shortened', expiresAtMs, nowMs),
        (await records().adminKeys.find('shortened'))?.expiresAtMs,
      ];
      assert.deepEqual(await shorten(200, 50), [true, 100]);
      assert.deepEqual(await shorten(80, 50), [true, 80]);
      assert.deepEqual(await shorten(70, 80), [false, 80], 'it has expired');
      assert.equal(await records().adminKeys.shortenLife('revoked', 80, 50), false);
      assert.equal(await records().adminKeys.shortenLife('unknown', 80, 50), false);
      assert.equal((await records().adminKeys.find('revoked'))?.expiresAtMs, 100);
    });

    it('sweeps expired records and nothing else', async () => {
      for (const [name, expiresAtMs] of [
        ['old', 50],
        ['new', 51],
      ] as const) {
        await records().revocations.record({ userPoolId: 'swept', subject: name, endedAtMs: 1, expiresAtMs });
        await records().pendingSrp.put({ digestHex: name, startEncrypted: 'sealed', expiresAtMs });
      }
      await records().sweep(50);
      const left = await records().revocations.listBySubjects('swept', ['old', 'new'], 0);
      assert.deepEqual(
        left.map((revocation) => revocation.subject),
        ['new'],
      );
      assert.equal(await records().pendingSrp.find('old', 0), undefined);
      assert.equal((await records().pendingSrp.find('new', 0))?.startEncrypted, 'sealed');
    });
  });
}
