import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openStore, type Store } from '../open.ts';
import { sampleAdminKey, sampleLocalDevice, sampleLocalPasskey } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';

const RACERS = 50;

/** What every store must do for the gateway. Each test uses a pool id of its own. */
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

    it('makes the record of a user on first sight, and later moves its user name only', async () => {
      const user = { userPoolId: 'sights', sub: 's', username: 'one' };
      const first = await records().upsertLocalUser(user, 5);
      assert.deepEqual(first, {
        ...user,
        passwordResetRequired: false,
        isWebauthnEnabled: false,
        createdAtMs: 5,
        updatedAtMs: 5,
      });
      assert.deepEqual(await records().upsertLocalUser(user, 6), first);
      const renamed = { ...first, username: 'two', updatedAtMs: 7 };
      assert.deepEqual(await records().upsertLocalUser({ ...user, username: 'two' }, 7), renamed);
      assert.deepEqual(await records().localUser('sights', 's'), renamed);
      assert.equal(await records().localUser('elsewhere', 's'), undefined);
    });

    it('makes one record of a user who is seen many times at once', async () => {
      const user = { userPoolId: 'crowd', sub: 's', username: 'one' };
      const seen = await Promise.all(
        Array.from({ length: RACERS }, (_, index) => records().upsertLocalUser(user, 100 + index)),
      );
      assert.equal(new Set(seen.map((record) => record.createdAtMs)).size, 1);
    });

    it('says of a user who was seen whether it has passkeys, and of nobody else', async () => {
      const user = { userPoolId: 'flags', sub: 's', username: 'one' };
      const seen = await records().upsertLocalUser(user, 5);
      const other = await records().upsertLocalUser({ ...user, sub: 't' }, 5);
      const elsewhere = await records().upsertLocalUser({ ...user, userPoolId: 'flags2' }, 5);
      const set = async (isEnabled: boolean, nowMs: number) => {
        await records().setWebauthnEnabled('flags', 's', isEnabled, nowMs);
        return records().localUser('flags', 's');
      };
      assert.deepEqual(await set(false, 6), seen, 'what was so already is not written');
      const enabled = { ...seen, isWebauthnEnabled: true, updatedAtMs: 7 };
      assert.deepEqual(await set(true, 7), enabled);
      assert.deepEqual(await set(true, 8), enabled);
      assert.deepEqual(await records().upsertLocalUser(user, 9), enabled);
      assert.deepEqual(await set(false, 10), { ...seen, updatedAtMs: 10 });
      assert.deepEqual(
        [await records().localUser('flags', 't'), await records().localUser('flags2', 's')],
        [other, elsewhere],
      );
      await records().setWebauthnEnabled('flags', 'unseen', true, 11);
      assert.equal(await records().localUser('flags', 'unseen'), undefined);
    });

    it('keeps whether a password must be reset, of users who were not seen as well', async () => {
      const user = { userPoolId: 'resets', sub: 's', username: 'one' };
      const set = async (isRequired: boolean, nowMs: number) => {
        await records().setPasswordResetRequired(user, isRequired, nowMs);
        return records().localUser('resets', 's');
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
      assert.deepEqual(await records().upsertLocalUser(user, 7), required);
      await records().setWebauthnEnabled('resets', 's', true, 8);
      const done = { ...required, passwordResetRequired: false, isWebauthnEnabled: true, updatedAtMs: 9 };
      assert.deepEqual(await set(false, 9), done);
    });

    it('forgets a user with devices and passkeys, and nobody else', async () => {
      for (const owner of [
        { userPoolId: 'forgets', sub: 's' },
        { userPoolId: 'forgets', sub: 't' },
        { userPoolId: 'forgets2', sub: 's' },
      ]) {
        await records().upsertLocalUser({ ...owner, username: 'one' }, 5);
        await records().putLocalDevice(sampleLocalDevice(owner.userPoolId, owner.sub, 'd'));
        await records().putLocalPasskey(sampleLocalPasskey(owner.userPoolId, owner.sub, 'c'));
      }
      const known = async (userPoolId: string, sub: string) => [
        (await records().localUser(userPoolId, sub)) !== undefined,
        (await records().localDevices(userPoolId, sub, ['d'])).length,
        (await records().localPasskeys(userPoolId, sub)).length,
      ];
      await records().deleteLocalUser('forgets', 's');
      await records().deleteLocalUser('forgets', 'nobody');
      assert.deepEqual(await known('forgets', 's'), [false, 0, 0]);
      assert.deepEqual(await known('forgets', 't'), [true, 1, 1]);
      assert.deepEqual(await known('forgets2', 's'), [true, 1, 1]);
    });

    it('keeps the names of passkeys, and replaces them', async () => {
      const passkey = sampleLocalPasskey('passkeys', 's', 'c1');
      await records().putLocalPasskey({ ...passkey, credentialId: 'B2' });
      await records().putLocalPasskey({ ...passkey, name: 'before', updatedAtMs: 1 });
      await records().putLocalPasskey(passkey);
      assert.deepEqual(await records().localPasskeys('passkeys', 's'), [{ ...passkey, credentialId: 'B2' }, passkey]);
      assert.equal(await records().deleteLocalPasskey('passkeys', 's', 'c1'), true);
      assert.equal(await records().deleteLocalPasskey('passkeys', 's', 'c1'), false);
      assert.deepEqual(await records().localPasskeys('passkeys', 's'), [{ ...passkey, credentialId: 'B2' }]);
    });

    it('tells of the passkeys of one user in one pool only', async () => {
      const passkey = sampleLocalPasskey('keepers', 's', 'c');
      for (const owner of [{}, { sub: 't' }, { userPoolId: 'keepers2' }]) {
        await records().putLocalPasskey({ ...passkey, ...owner, name: JSON.stringify(owner) });
      }
      assert.deepEqual(await records().localPasskeys('keepers', 's'), [{ ...passkey, name: '{}' }]);
      assert.deepEqual(await records().localPasskeys('keepers', 'nobody'), []);
      assert.equal(await records().deleteLocalPasskey('keepers', 'u', 'c'), false);
      assert.equal(await records().deleteLocalPasskey('keepers', 's', 'c'), true);
      assert.equal((await records().localPasskeys('keepers', 't')).length, 1);
      assert.equal((await records().localPasskeys('keepers2', 's')).length, 1);
    });

    it('keeps what it is told of devices, and replaces it', async () => {
      const device = sampleLocalDevice('devices', 's', 'd1');
      await records().putLocalDevice({ ...device, name: null, remembered: false });
      await records().putLocalDevice(device);
      await records().putLocalDevice({ ...device, deviceKey: 'd2', remembered: true });
      assert.deepEqual(await records().localDevices('devices', 's', ['d2', 'd1', 'unknown']), [
        device,
        { ...device, deviceKey: 'd2', remembered: true },
      ]);
      assert.equal(await records().deleteLocalDevice('devices', 's', 'd1'), true);
      assert.equal(await records().deleteLocalDevice('devices', 's', 'd1'), false);
      assert.deepEqual(await records().localDevices('devices', 's', ['d1']), []);
    });

    it('tells of a user’s devices in one pool, and only of those that were asked for', async () => {
      for (const [userPoolId, sub] of [
        ['owners', 's'],
        ['owners', 't'],
        ['owners2', 's'],
      ] as const) {
        await records().putLocalDevice({ ...sampleLocalDevice(userPoolId, sub, 'd1'), name: `${userPoolId} ${sub}` });
        await records().putLocalDevice(sampleLocalDevice(userPoolId, sub, 'd2'));
      }
      const found = await records().localDevices('owners', 's', ['d1']);
      assert.deepEqual(
        found.map((device) => device.name),
        ['owners s'],
      );
      assert.deepEqual(await records().localDevices('owners', 's', []), []);
      assert.equal(await records().deleteLocalDevice('owners', 'u', 'd1'), false);
      const asked = Array.from({ length: 100 }, (_, index) => `d${index}`);
      assert.equal((await records().localDevices('owners', 's', asked)).length, 2);
    });

    it('moves the times of an ending forward, never back', async () => {
      const ending = { userPoolId: 'ends', subject: 'user:s', endedAtMs: 50, expiresAtMs: 100 };
      const current = async () => (await records().revocations('ends', ['user:s'], 0))[0];
      await records().recordRevocation(ending);
      await records().recordRevocation({ ...ending, endedAtMs: 40, expiresAtMs: 90 });
      assert.deepEqual(await current(), ending);
      await records().recordRevocation({ ...ending, endedAtMs: 60, expiresAtMs: 95 });
      assert.deepEqual(await current(), { ...ending, endedAtMs: 60 });
      await records().recordRevocation({ ...ending, endedAtMs: 55, expiresAtMs: 110 });
      assert.deepEqual(await current(), { ...ending, endedAtMs: 60, expiresAtMs: 110 });
    });

    it('keeps the latest of ends that come at once', async () => {
      const ends = Array.from({ length: RACERS }, (_, index) =>
        records().recordRevocation({
          userPoolId: 'endrace',
          subject: 'user:s',
          endedAtMs: (index * 17) % RACERS,
          expiresAtMs: 500,
        }),
      );
      await Promise.all(ends);
      assert.equal((await records().revocations('endrace', ['user:s'], 0))[0]?.endedAtMs, RACERS - 1);
    });

    it('finds what has ended among subjects of one pool, while it matters', async () => {
      const end = (userPoolId: string, subject: string, expiresAtMs: number) =>
        records().recordRevocation({ userPoolId, subject, endedAtMs: 1, expiresAtMs });
      await end('among', 'login:a', 100);
      await end('among', 'user:b', 200);
      await end('among2', 'login:c', 200);
      const subjects = async (asked: string[], nowMs: number) =>
        (await records().revocations('among', asked, nowMs)).map((ending) => ending.subject);
      assert.deepEqual(await subjects(['login:a', 'user:b', 'login:c'], 99), ['login:a', 'user:b']);
      assert.deepEqual(await subjects(['login:a', 'user:b'], 100), ['user:b']);
      assert.deepEqual(await subjects(['login:x'], 0), []);
      assert.deepEqual(await subjects([], 0), []);
    });

    it('gives a pending login to one of fifty', async () => {
      const pending = { digestHex: 'd-race', startEncrypted: 'sealed', expiresAtMs: 100 };
      await records().putPendingSrp(pending);
      const taken = await Promise.all(Array.from({ length: RACERS }, () => records().consumePendingSrp('d-race', 99)));
      assert.deepEqual(
        taken.filter((one) => one !== undefined),
        [pending],
      );
      assert.equal(await records().pendingSrp('d-race', 0), undefined);
    });

    it('gives no expired pending login', async () => {
      const pending = { digestHex: 'd-late', startEncrypted: 'sealed', expiresAtMs: 100 };
      await records().putPendingSrp(pending);
      assert.deepEqual(await records().pendingSrp('d-late', 99), pending);
      assert.equal(await records().pendingSrp('d-late', 100), undefined);
      assert.equal(await records().consumePendingSrp('d-late', 100), undefined);
    });

    it('keeps admin keys, their last use and their revocation', async () => {
      const key = sampleAdminKey('key1');
      await records().insertAdminKey(key);
      await assert.rejects(records().insertAdminKey(key), { name: 'ConflictError', key: 'admin_keys' });
      assert.deepEqual(await records().adminKey('key1'), key);
      assert.equal(await records().adminKey('unknown'), undefined);
      await records().touchAdminKey('key1', 20);
      await records().touchAdminKey('key1', 10);
      assert.equal((await records().adminKey('key1'))?.lastUsedAtMs, 20);
      assert.equal(await records().revokeAdminKey('key1', 30), true);
      assert.equal(await records().revokeAdminKey('key1', 31), false);
      assert.equal(await records().revokeAdminKey('unknown', 31), false);
      await records().insertAdminKey({ ...sampleAdminKey('key0'), createdAtMs: 1 });
      assert.deepEqual(await records().adminKeys(), [
        { ...sampleAdminKey('key0'), createdAtMs: 1 },
        { ...key, lastUsedAtMs: 20, revokedAtMs: 30 },
      ]);
    });

    it('lets an admin key expire earlier, never later, and only while it lives', async () => {
      const key = { ...sampleAdminKey('shortened'), expiresAtMs: 100 };
      await records().insertAdminKey(key);
      await records().insertAdminKey({ ...key, id: 'revoked', revokedAtMs: 1 });
      const shorten = async (expiresAtMs: number, nowMs: number) => [
        await records().shortenAdminKeyLife('shortened', expiresAtMs, nowMs),
        (await records().adminKey('shortened'))?.expiresAtMs,
      ];
      assert.deepEqual(await shorten(200, 50), [true, 100]);
      assert.deepEqual(await shorten(80, 50), [true, 80]);
      assert.deepEqual(await shorten(70, 80), [false, 80], 'it has expired');
      assert.equal(await records().shortenAdminKeyLife('revoked', 80, 50), false);
      assert.equal(await records().shortenAdminKeyLife('unknown', 80, 50), false);
      assert.equal((await records().adminKey('revoked'))?.expiresAtMs, 100);
    });

    it('sweeps what has expired and nothing else', async () => {
      for (const [name, expiresAtMs] of [
        ['old', 50],
        ['new', 51],
      ] as const) {
        await records().recordRevocation({ userPoolId: 'swept', subject: name, endedAtMs: 1, expiresAtMs });
        await records().putPendingSrp({ digestHex: name, startEncrypted: 'sealed', expiresAtMs });
      }
      await records().sweep(50);
      const left = await records().revocations('swept', ['old', 'new'], 0);
      assert.deepEqual(
        left.map((ending) => ending.subject),
        ['new'],
      );
      assert.equal(await records().pendingSrp('old', 0), undefined);
      assert.equal((await records().pendingSrp('new', 0))?.startEncrypted, 'sealed');
    });
  });
}
