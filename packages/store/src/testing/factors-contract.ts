import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceRecord } from '@poolgate/pool/store';
import { countWins, createConflictCheck, isChanged, RACERS } from './races.ts';
import { insertSamplePool, sampleDevice, sampleTotp } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

function devicesContract(makeLocation: () => Promise<StoreLocation>): void {
  const poolStore = openPoolStoreForTests(makeLocation);

  const insert = (...devices: readonly DeviceRecord[]) =>
    poolStore().write(async (transaction) => {
      for (const device of devices) await transaction.devices.insert(device);
    });

  it('returns a device as it was stored, only to its user', async () => {
    await insertSamplePool(poolStore(), 'devices', 'u', 'v');
    const device = sampleDevice('devices', 'u', 'd');
    const nameless = { ...sampleDevice('devices', 'u', 'd2'), name: null, remembered: false, lastIp: null };
    await insert(device, nameless);
    assert.deepEqual(await poolStore().devices.byKey('devices', 'u', 'd'), device);
    assert.deepEqual(await poolStore().devices.byKey('devices', 'u', 'd2'), nameless);
    assert.equal(await poolStore().devices.byKey('devices', 'v', 'd'), undefined);
    assert.equal(await poolStore().devices.byKey('elsewhere', 'u', 'd'), undefined);
  });

  it('refuses a key that is already registered by any user in that pool', async () => {
    await insertSamplePool(poolStore(), 'taken', 'u', 'v');
    await insertSamplePool(poolStore(), 'free', 'u');
    await insert(sampleDevice('taken', 'u', 'd'));
    for (const username of ['u', 'v']) {
      await assert.rejects(insert(sampleDevice('taken', username, 'd')), createConflictCheck('devices'));
    }
    await insert(sampleDevice('free', 'u', 'd'));
  });

  it('refuses a device, authenticator or recovery code without a user', async () => {
    await insertSamplePool(poolStore(), 'nobody');
    const isOfNobody = { name: 'StoreFault', reason: 'foreign_key' };
    await assert.rejects(insert(sampleDevice('nobody', 'x', 'd')), isOfNobody);
    await assert.rejects(
      poolStore().write((transaction) => transaction.authenticators.put(sampleTotp('nobody', 'x', 'active'))),
      isOfNobody,
    );
    await assert.rejects(
      poolStore().write((transaction) => transaction.recoveryCodes.replace('nobody', 'x', ['r'], 1)),
      isOfNobody,
    );
  });

  it('lets one of fifty register a device', async () => {
    await insertSamplePool(poolStore(), 'devicerace', 'u');
    const register = async () => {
      try {
        await insert(sampleDevice('devicerace', 'u', 'd'));
        return true;
      } catch (error) {
        return !createConflictCheck('devices')(error);
      }
    };
    assert.equal(await countWins(register), 1);
  });

  it('enforces the limit on devices, for any number of parallel registrations', async () => {
    await insertSamplePool(poolStore(), 'limit', 'u', 'v');
    await insert(sampleDevice('limit', 'v', 'of-another'));
    let racer = 0;
    const register = () => {
      racer += 1;
      const key = `d${racer}`;
      return poolStore().write(async (transaction) => {
        if ((await transaction.devices.lockAndCount('limit', 'u')) >= 7) return false;
        await transaction.devices.insert(sampleDevice('limit', 'u', key));
        return true;
      });
    };
    assert.equal(await countWins(register), 7);
    assert.equal(await poolStore().write((transaction) => transaction.devices.lockAndCount('limit', 'u')), 7);
    assert.equal(await poolStore().write((transaction) => transaction.devices.lockAndCount('limit', 'nobody')), 0);
  });

  it('records a login with an unchanged device, and none with another one', async () => {
    await insertSamplePool(poolStore(), 'deviceuse', 'u', 'v');
    const device = sampleDevice('deviceuse', 'u', 'd');
    await insert(device, sampleDevice('deviceuse', 'u', 'untouched'));
    const use = (username: string, key: string, createdAtMs = device.createdAtMs) =>
      isChanged(
        poolStore().write((transaction) =>
          transaction.devices.recordUse('deviceuse', username, key, {
            createdAtMs,
            lastAuthenticatedAtMs: 7,
            lastIp: '2001:db8::7',
          }),
        ),
      );
    assert.deepEqual([await use('u', 'none'), await use('v', 'd'), await use('u', 'd', 1)], [false, false, false]);
    assert.deepEqual(await poolStore().devices.byKey('deviceuse', 'u', 'd'), device);
    assert.equal(await use('u', 'd'), true);
    const used = { ...device, lastAuthenticatedAtMs: 7, lastIp: '2001:db8::7' };
    assert.deepEqual(await poolStore().devices.byKey('deviceuse', 'u', 'd'), used);
    const { lastIp } = sampleDevice('deviceuse', 'u', 'untouched');
    assert.equal((await poolStore().devices.byKey('deviceuse', 'u', 'untouched'))?.lastIp, lastIp);
  });

  it('changes only the named members of a device, and clears what may be empty', async () => {
    await insertSamplePool(poolStore(), 'devicechange', 'u', 'v');
    const device = sampleDevice('devicechange', 'u', 'd');
    await insert(device, sampleDevice('devicechange', 'u', 'untouched'));
    const change = (changed: Partial<DeviceRecord> & Pick<DeviceRecord, 'modifiedAtMs'>, username = 'u') =>
      poolStore().write((transaction) => transaction.devices.update('devicechange', username, 'd', changed));
    const current = () => poolStore().devices.byKey('devicechange', 'u', 'd');
    assert.equal(await change({ modifiedAtMs: 1 }), true);
    assert.deepEqual(await current(), { ...device, modifiedAtMs: 1 });
    await change({ remembered: false, lastAuthenticatedAtMs: 7, modifiedAtMs: 2 });
    await change({ name: null, modifiedAtMs: 3 });
    await change({ lastIp: null, modifiedAtMs: 4 });
    const emptied = { ...device, remembered: false, lastAuthenticatedAtMs: 7, name: null, lastIp: null };
    assert.deepEqual(await current(), { ...emptied, modifiedAtMs: 4 });
    await change({ name: '', lastIp: '2001:db8::1', remembered: true, modifiedAtMs: 5 });
    assert.deepEqual(await current(), {
      ...emptied,
      name: '',
      lastIp: '2001:db8::1',
      remembered: true,
      modifiedAtMs: 5,
    });
    assert.equal(await change({ name: 'mine', modifiedAtMs: 6 }, 'v'), false);
    assert.equal(
      (await poolStore().devices.byKey('devicechange', 'u', 'untouched'))?.modifiedAtMs,
      device.modifiedAtMs,
    );
  });

  it('forgets a device once, and only for its user', async () => {
    await insertSamplePool(poolStore(), 'forget', 'u', 'v');
    await insert(sampleDevice('forget', 'u', 'd'));
    const forget = (username: string) =>
      poolStore().write((transaction) => transaction.devices.delete('forget', username, 'd'));
    assert.equal(await forget('v'), false);
    assert.equal(await countWins(() => forget('u')), 1);
    assert.equal(await poolStore().devices.byKey('forget', 'u', 'd'), undefined);
  });

  it('marks every device of one user as not remembered', async () => {
    await insertSamplePool(poolStore(), 'distrust', 'u', 'v');
    const forgotten = { ...sampleDevice('distrust', 'u', 'd2'), remembered: false };
    await insert(sampleDevice('distrust', 'u', 'd1'), forgotten, sampleDevice('distrust', 'v', 'd3'));
    await poolStore().write((transaction) => transaction.devices.forgetTrust('distrust', 'u', 9));
    assert.deepEqual(await poolStore().devices.byKey('distrust', 'u', 'd1'), {
      ...sampleDevice('distrust', 'u', 'd1'),
      remembered: false,
      modifiedAtMs: 9,
    });
    assert.deepEqual(await poolStore().devices.byKey('distrust', 'u', 'd2'), forgotten);
    assert.equal((await poolStore().devices.byKey('distrust', 'v', 'd3'))?.remembered, true);
  });

  it('pages through the devices of a user, oldest first, each once, despite deletions', async () => {
    await insertSamplePool(poolStore(), 'devicepages', 'u', 'v');
    const locations = Object.entries({ b: 20, a: 20, é: 20, 'c:1': 5, z: 5, y: 1_700_000_000_000, x: 0 });
    const devices = locations.map(([key, createdAtMs]) => ({ ...sampleDevice('devicepages', 'u', key), createdAtMs }));
    await insert(...devices, sampleDevice('devicepages', 'v', 'of-another'));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await poolStore().devices.listOf('devicepages', 'u', 2, cursor);
      seen.push(...page.rows.map((device) => device.key));
      cursor = page.nextCursor;
      const last = seen.at(-1) ?? '';
      await poolStore().write((transaction) => transaction.devices.delete('devicepages', 'u', last));
    } while (cursor !== undefined);
    assert.deepEqual(seen, ['x', 'c:1', 'z', 'a', 'b', 'é', 'y']);
  });

  it('refuses an empty page, and an invalid cursor', async () => {
    await assert.rejects(poolStore().devices.listOf('devicepages', 'u', 0, undefined), RangeError);
    for (const cursor of ['', 'd', ':d', '-1:d', '1e3:d', '9999999999999999999:d']) {
      await assert.rejects(poolStore().devices.listOf('devicepages', 'u', 1, cursor), RangeError, cursor);
    }
  });
}

function totpContract(makeLocation: () => Promise<StoreLocation>): void {
  const poolStore = openPoolStoreForTests(makeLocation);

  it('keeps a pending authenticator beside the active one, one of each', async () => {
    await insertSamplePool(poolStore(), 'totp', 'u', 'v');
    const [active, pending] = [sampleTotp('totp', 'u', 'active'), sampleTotp('totp', 'u', 'pending')];
    const next = { ...pending, secretEncrypted: 'sealed-next', name: 'Phone', lastStep: 3, createdAtMs: 9 };
    await poolStore().write(async (transaction) => {
      for (const totp of [active, pending, next]) await transaction.authenticators.put(totp);
    });
    assert.deepEqual(await poolStore().authenticators.byState('totp', 'u', 'active'), active);
    assert.deepEqual(await poolStore().authenticators.byState('totp', 'u', 'pending'), next);
    assert.equal(await poolStore().authenticators.byState('totp', 'v', 'active'), undefined);
  });

  it('gives a removed authenticator to one of fifty, and leaves the other', async () => {
    await insertSamplePool(poolStore(), 'totptake', 'u');
    const pending = sampleTotp('totptake', 'u', 'pending');
    await poolStore().write(async (transaction) => {
      await transaction.authenticators.put(pending);
      await transaction.authenticators.put(sampleTotp('totptake', 'u', 'active'));
    });
    const taken = await Promise.all(
      Array.from({ length: RACERS }, () =>
        poolStore().write((transaction) => transaction.authenticators.take('totptake', 'u', 'pending')),
      ),
    );
    assert.deepEqual(
      taken.filter((one) => one !== undefined),
      [pending],
    );
    assert.equal((await poolStore().authenticators.byState('totptake', 'u', 'active'))?.state, 'active');
  });

  it('lets one of fifty use a time step', async () => {
    await insertSamplePool(poolStore(), 'steprace', 'u');
    await poolStore().write((transaction) => transaction.authenticators.put(sampleTotp('steprace', 'u', 'active')));
    assert.equal(
      await countWins(() =>
        isChanged(poolStore().write((transaction) => transaction.authenticators.useStep('steprace', 'u', 56))),
      ),
      1,
    );
    assert.equal((await poolStore().authenticators.byState('steprace', 'u', 'active'))?.lastStep, 56);
  });

  it('accepts no time step at or before a used one, and none of a pending or missing authenticator', async () => {
    await insertSamplePool(poolStore(), 'steps', 'u', 'v');
    await poolStore().write(async (transaction) => {
      await transaction.authenticators.put({ ...sampleTotp('steps', 'u', 'active'), lastStep: 10 });
      await transaction.authenticators.put(sampleTotp('steps', 'v', 'pending'));
    });
    const use = (username: string, step: number) =>
      isChanged(poolStore().write((transaction) => transaction.authenticators.useStep('steps', username, step)));
    assert.deepEqual(
      [await use('u', 9), await use('u', 10), await use('u', 12), await use('u', 11), await use('u', 13)],
      [false, false, true, false, true],
    );
    assert.deepEqual([await use('v', 12), await use('nobody', 12)], [false, false]);
  });
}

function recoveryCodesContract(makeLocation: () => Promise<StoreLocation>): void {
  const poolStore = openPoolStoreForTests(makeLocation);

  const put = (username: string, ...digestsHex: readonly string[]) =>
    poolStore().write((transaction) => transaction.recoveryCodes.replace('recovery', username, digestsHex, 1));
  const use = (username: string, digestHex: string) =>
    poolStore().write((transaction) => transaction.recoveryCodes.use('recovery', username, digestHex));

  it('accepts each recovery code once, only of its user, and none that was replaced', async () => {
    await insertSamplePool(poolStore(), 'recovery', 'u', 'v', 'racer', 'sets');
    assert.equal(await poolStore().recoveryCodes.count('recovery', 'u'), 0);
    await put('u', 'old');
    await put('u', 'r1', 'r2', 'r2', 'r3');
    await put('v', 'r1');
    assert.equal(await poolStore().recoveryCodes.count('recovery', 'u'), 3);
    assert.deepEqual(
      [await use('u', 'old'), await use('u', 'r1'), await use('u', 'r1'), await use('v', 'r2'), await use('v', 'r1')],
      [false, true, false, false, true],
    );
    assert.equal(await poolStore().recoveryCodes.count('recovery', 'u'), 2);
    await put('u');
    assert.deepEqual([await use('u', 'r2'), await poolStore().recoveryCodes.count('recovery', 'u')], [false, 0]);
  });

  it('lets one of fifty use a recovery code', async () => {
    await put('racer', 'r1', 'r2');
    assert.equal(await countWins(() => use('racer', 'r1')), 1);
    assert.equal(await poolStore().recoveryCodes.count('recovery', 'racer'), 1);
  });

  it('keeps one complete set of parallel ones', async () => {
    const sets = Array.from({ length: RACERS }, (_, index) => [`a${index}`, `b${index}`, `c${index}`]);
    await Promise.all(sets.map((set) => put('sets', ...set)));
    assert.equal(await poolStore().recoveryCodes.count('recovery', 'sets'), 3);
    const uses = await Promise.all(sets.map((set) => Promise.all(set.map((digestHex) => use('sets', digestHex)))));
    assert.deepEqual(
      uses.filter((set) => set.some(Boolean)),
      [[true, true, true]],
    );
  });
}

/** Requirements of every store for devices, authenticators and recovery codes. Each test uses its own pool or users. */
export function factorsContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`devices in the pool's store on ${locationName}`, () => devicesContract(makeLocation));
  describe(`authenticators in the pool's store on ${locationName}`, () => totpContract(makeLocation));
  describe(`recovery codes in the pool's store on ${locationName}`, () => recoveryCodesContract(makeLocation));
}
