import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { PasskeyCeremonyRecord, PasskeyRecord, PasskeyUse } from '@poolgate/pool/store';
import { countWins, createConflictCheck, isChanged, RACERS } from './races.ts';
import { insertSamplePool, samplePasskey, samplePasskeyCeremony } from './sample-records.ts';
import type { StoreLocation } from './store-locations.ts';
import { openPoolStoreForTests } from './test-store.ts';

// WebAuthn Level 3 §4: a credential id has at most 1023 bytes.
const LONGEST_ID_BYTES = 1_023;

const listIds = (passkeys: readonly PasskeyRecord[]) => passkeys.map((passkey) => passkey.credentialId);

function storedPasskeysContract(makeLocation: () => Promise<StoreLocation>): void {
  const poolStore = openPoolStoreForTests(makeLocation);

  const insert = (...passkeys: readonly PasskeyRecord[]) =>
    poolStore().write(async (transaction) => {
      for (const passkey of passkeys) await transaction.passkeys.insert(passkey);
    });

  it('returns a passkey as it was stored, only in its pool', async () => {
    await insertSamplePool(poolStore(), 'kept', 'u');
    await insertSamplePool(poolStore(), 'kept2', 'u');
    const passkey = samplePasskey('kept', 'u', 'c');
    const bare: PasskeyRecord = {
      ...samplePasskey('kept', 'u', 'c2'),
      counter: 0,
      transports: [],
      attachment: null,
      isBackupEligible: false,
      isBackedUp: true,
      lastUsedAtMs: 7,
    };
    await insert(passkey, bare);
    assert.deepEqual(await poolStore().passkeys.byCredentialId('kept', 'c'), passkey);
    assert.deepEqual(await poolStore().passkeys.byCredentialId('kept', 'c2'), bare);
    assert.equal(await poolStore().passkeys.byCredentialId('kept', 'unknown'), undefined);
    assert.equal(await poolStore().passkeys.byCredentialId('kept2', 'c'), undefined);
    assert.deepEqual(await poolStore().passkeys.listOf('kept2', 'u'), []);
    for (const username of ['a', 'u1', 'z']) assert.deepEqual(await poolStore().passkeys.listOf('kept', username), []);
  });

  it('stores the longest credential ID of the longest username', async () => {
    const username = '🦊'.repeat(128);
    await insertSamplePool(poolStore(), 'longest', username);
    const longest = randomBytes(LONGEST_ID_BYTES).toString('base64url');
    await insert(samplePasskey('longest', username, longest));
    assert.equal((await poolStore().passkeys.byCredentialId('longest', longest))?.username, username);
  });

  it('refuses a credential ID that is already registered by any user in that pool', async () => {
    await insertSamplePool(poolStore(), 'taken', 'u', 'v');
    await insertSamplePool(poolStore(), 'free', 'u');
    await insert(samplePasskey('taken', 'u', 'c'));
    for (const username of ['u', 'v']) {
      await assert.rejects(insert(samplePasskey('taken', username, 'c')), createConflictCheck('passkeys'));
    }
    await insert(samplePasskey('free', 'u', 'c'), samplePasskey('taken', 'v', 'C'));
    assert.equal((await poolStore().passkeys.byCredentialId('taken', 'c'))?.username, 'u');
  });

  it('lets one of fifty register a credential', async () => {
    await insertSamplePool(poolStore(), 'insertrace', 'u');
    const register = async () => {
      try {
        await insert(samplePasskey('insertrace', 'u', 'c'));
        return true;
      } catch (error) {
        return !createConflictCheck('passkeys')(error);
      }
    };
    assert.equal(await countWins(register), 1);
  });

  it('refuses a passkey or started registration without a user', async () => {
    await insertSamplePool(poolStore(), 'nobody');
    const isOfNobody = { name: 'StoreFault', reason: 'foreign_key' };
    await assert.rejects(insert(samplePasskey('nobody', 'x', 'c')), isOfNobody);
    await assert.rejects(
      poolStore().write((transaction) => transaction.passkeyCeremonies.put(samplePasskeyCeremony('nobody', 'x', 'k'))),
      isOfNobody,
    );
  });

  it('lists the passkeys of one user, oldest first, those of the same time by the bytes of their IDs', async () => {
    await insertSamplePool(poolStore(), 'listed', 'u', 'v');
    const locations = Object.entries({ b: 20, a: 20, B: 20, _: 20, '-': 20, z: 5, y: 1_700_000_000_000, x: 0 });
    await insert(
      ...locations.map(([id, createdAtMs]) => ({ ...samplePasskey('listed', 'u', id), createdAtMs })),
      samplePasskey('listed', 'v', 'of-another'),
    );
    const ordered = ['x', 'z', '-', 'B', '_', 'a', 'b', 'y'];
    assert.deepEqual(listIds(await poolStore().passkeys.listOf('listed', 'u')), ordered);
    assert.deepEqual(
      listIds(await poolStore().write((transaction) => transaction.passkeys.lockAndListOf('listed', 'u'))),
      ordered,
    );
    assert.deepEqual(await poolStore().passkeys.listOf('listed', 'nobody'), []);
  });

  it('enforces the limit on passkeys, for any number of parallel registrations', async () => {
    await insertSamplePool(poolStore(), 'limit', 'u', 'v');
    await insert(samplePasskey('limit', 'v', 'of-another'));
    let racer = 0;
    const register = () => {
      racer += 1;
      const credentialId = `c${racer}`;
      return poolStore().write(async (transaction) => {
        if ((await transaction.passkeys.lockAndListOf('limit', 'u')).length >= 7) return false;
        await transaction.passkeys.insert(samplePasskey('limit', 'u', credentialId));
        return true;
      });
    };
    assert.equal(await countWins(register), 7);
    assert.equal((await poolStore().passkeys.listOf('limit', 'u')).length, 7);
  });

  it('removes a passkey once, and only from its user', async () => {
    await insertSamplePool(poolStore(), 'delete', 'u', 'v');
    await insertSamplePool(poolStore(), 'delete2', 'u');
    await insert(samplePasskey('delete', 'u', 'c'), samplePasskey('delete', 'u', 'other'));
    await insert(samplePasskey('delete2', 'u', 'c'));
    const take = (username: string) =>
      poolStore().write((transaction) => transaction.passkeys.delete('delete', username, 'c'));
    assert.equal(await take('v'), false);
    assert.equal(await countWins(() => take('u')), 1);
    assert.deepEqual(listIds(await poolStore().passkeys.listOf('delete', 'u')), ['other']);
    assert.deepEqual(listIds(await poolStore().passkeys.listOf('delete2', 'u')), ['c']);
  });
}

function passkeyUseContract(makeLocation: () => Promise<StoreLocation>): void {
  const poolStore = openPoolStoreForTests(makeLocation);

  const { publicKey } = samplePasskey('p', 'u', 'c');
  const use = (poolId: string, fromCounter: number, counter: number, change: Partial<PasskeyUse> = {}) =>
    isChanged(
      poolStore().write((transaction) =>
        transaction.passkeys.use(poolId, 'c', {
          username: 'u',
          publicKey,
          fromCounter,
          counter,
          isBackedUp: true,
          lastUsedAtMs: 9,
          ...change,
        }),
      ),
    );
  const plantPasskey = async (poolId: string, counter: number) => {
    const passkey = { ...samplePasskey(poolId, 'u', 'c'), counter };
    await insertSamplePool(poolStore(), poolId, 'u');
    await poolStore().write((transaction) => transaction.passkeys.insert(passkey));
    return passkey;
  };

  it('records a use: the counter, the backup state and the time, and nothing else', async () => {
    const passkey = await plantPasskey('use', 5);
    await poolStore().write((transaction) => transaction.passkeys.insert(samplePasskey('use', 'u', 'untouched')));
    assert.equal(await use('use', 5, 4_294_967_295, { lastUsedAtMs: 8 }), true);
    const used = { ...passkey, counter: 4_294_967_295, isBackedUp: true, lastUsedAtMs: 8 };
    assert.deepEqual(await poolStore().passkeys.byCredentialId('use', 'c'), used);
    assert.deepEqual(
      await poolStore().passkeys.byCredentialId('use', 'untouched'),
      samplePasskey('use', 'u', 'untouched'),
    );
  });

  it('records no use that was verified with another counter, nor of an unknown passkey or another pool’s', async () => {
    const passkey = await plantPasskey('judged', 5);
    await insertSamplePool(poolStore(), 'judged2', 'u');
    for (const fromCounter of [0, 4, 6]) assert.equal(await use('judged', fromCounter, 7), false);
    assert.equal(await use('judged2', 5, 7), false);
    assert.equal(await use('judged', 5, 7, { username: 'v' }), false);
    assert.equal(await use('judged', 5, 7, { publicKey: 'another' }), false);
    assert.deepEqual(await poolStore().passkeys.byCredentialId('judged', 'c'), passkey);
  });

  it('lets one of fifty use a counter', async () => {
    await plantPasskey('userace', 5);
    let counter = 5;
    const race = () => {
      counter += 1;
      return use('userace', 5, counter);
    };
    assert.equal(await countWins(race), 1);
    assert.notEqual((await poolStore().passkeys.byCredentialId('userace', 'c'))?.counter, 5);
  });

  it('records every use of an authenticator that does not count', async () => {
    await plantPasskey('countless', 0);
    assert.equal(await countWins(() => use('countless', 0, 0)), RACERS);
    assert.deepEqual(await use('countless', 0, 0, { lastUsedAtMs: 99 }), true);
    assert.equal((await poolStore().passkeys.byCredentialId('countless', 'c'))?.lastUsedAtMs, 99);
  });
}

function ceremoniesContract(makeLocation: () => Promise<StoreLocation>): void {
  const poolStore = openPoolStoreForTests(makeLocation);

  const put = (...ceremonies: readonly PasskeyCeremonyRecord[]) =>
    poolStore().write(async (transaction) => {
      for (const ceremony of ceremonies) await transaction.passkeyCeremonies.put(ceremony);
    });
  const take = (poolId: string, username: string, challengeDigestHex: string, nowMs = 99) =>
    poolStore().write((transaction) => transaction.passkeyCeremonies.take(poolId, username, challengeDigestHex, nowMs));

  it('gives a started registration to one of fifty', async () => {
    await insertSamplePool(poolStore(), 'race', 'u');
    const ceremony = samplePasskeyCeremony('race', 'u', 'k');
    await put(ceremony);
    const taken = await Promise.all(
      Array.from({ length: RACERS }, () => take('race', 'u', ceremony.challengeDigestHex)),
    );
    assert.deepEqual(
      taken.filter((one) => one !== undefined),
      [ceremony],
    );
  });

  it('returns it only for its challenge, to its user, in its pool', async () => {
    await insertSamplePool(poolStore(), 'bound', 'u', 'v');
    await insertSamplePool(poolStore(), 'bound2', 'u');
    const ceremony = samplePasskeyCeremony('bound', 'u', 'k');
    await put(ceremony);
    const digest = ceremony.challengeDigestHex;
    const others = [
      await take('bound', 'u', 'another'),
      await take('bound', 'v', digest),
      await take('bound2', 'u', digest),
    ];
    assert.deepEqual(others, [undefined, undefined, undefined]);
    assert.deepEqual(await take('bound', 'u', digest), ceremony);
  });

  it('replaces a started registration with the next one of the same client, and returns the client of each', async () => {
    await insertSamplePool(poolStore(), 'void', 'u', 'v');
    const first = samplePasskeyCeremony('void', 'u', 'k');
    const next = { ...first, challengeDigestHex: 'next', expiresAtMs: 200 };
    const elsewhere = samplePasskeyCeremony('void', 'u', 'l');
    const ofAnother = samplePasskeyCeremony('void', 'v', 'k');
    await put(first, elsewhere, ofAnother, next);
    assert.equal(await take('void', 'u', first.challengeDigestHex), undefined);
    assert.deepEqual(await take('void', 'u', 'next', 199), next);
    assert.deepEqual(await take('void', 'u', elsewhere.challengeDigestHex), elsewhere);
    assert.deepEqual(await take('void', 'v', ofAnother.challengeDigestHex), ofAnother);
  });

  it('returns no expired one', async () => {
    await insertSamplePool(poolStore(), 'late', 'u');
    const ceremony = samplePasskeyCeremony('late', 'u', 'k');
    await put(ceremony);
    assert.equal(await take('late', 'u', ceremony.challengeDigestHex, 100), undefined);
    assert.deepEqual(await take('late', 'u', ceremony.challengeDigestHex, 99), ceremony);
  });

  it('sweeps expired ones, and no passkeys', async () => {
    await insertSamplePool(poolStore(), 'sweep', 'u');
    await put(
      { ...samplePasskeyCeremony('sweep', 'u', 'old'), expiresAtMs: 50 },
      { ...samplePasskeyCeremony('sweep', 'u', 'new'), expiresAtMs: 51 },
    );
    await poolStore().write((transaction) => transaction.passkeys.insert(samplePasskey('sweep', 'u', 'c')));
    await poolStore().sweep(50);
    const left = [await take('sweep', 'u', 'digest-at-old', 0), await take('sweep', 'u', 'digest-at-new', 0)];
    assert.deepEqual(
      left.map((ceremony) => ceremony?.clientId),
      [undefined, 'new'],
    );
    assert.deepEqual(listIds(await poolStore().passkeys.listOf('sweep', 'u')), ['c']);
  });
}

/** Requirements of every store for passkeys and their pending registrations. Each test uses its own pool. */
export function passkeysContract(locationName: string, makeLocation: () => Promise<StoreLocation>): void {
  describe(`passkeys in the pool's store on ${locationName}`, () => storedPasskeysContract(makeLocation));
  describe(`uses of passkeys in the pool's store on ${locationName}`, () => passkeyUseContract(makeLocation));
  describe(`started registrations of passkeys in the pool's store on ${locationName}`, () =>
    ceremoniesContract(makeLocation));
}
