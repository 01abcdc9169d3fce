import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openStore, type Store } from './open-store.ts';
import { sampleGroup, sampleNotMeLink } from './testing/sample-account-records.ts';
import {
  insertSamplePool,
  sampleCode,
  sampleDevice,
  sampleLocalDevice,
  sampleLocalPasskey,
  sampleLogin,
  samplePasskey,
  samplePasskeyCeremony,
  sampleTotp,
} from './testing/sample-records.ts';
import { PERSISTENT_LOCATIONS } from './testing/store-locations.ts';

const USERNAMES = ['gone', 'stays'];

async function insertEverything({ poolStore }: Store, username: string): Promise<void> {
  await poolStore.write(async (transaction) => {
    await transaction.codes.put(sampleCode('p', username));
    await transaction.logins.insert(sampleLogin('p', username, `login-of-${username}`));
    await transaction.devices.insert(sampleDevice('p', username, `device-of-${username}`));
    await transaction.authenticators.put(sampleTotp('p', username, 'active'));
    await transaction.recoveryCodes.replace('p', username, ['r1'], 1);
    await transaction.passkeys.insert(samplePasskey('p', username, `passkey-of-${username}`));
    await transaction.passkeyCeremonies.put(samplePasskeyCeremony('p', username, 'k'));
    await transaction.groups.addMember('p', 'g', username, 1);
    await transaction.notMeLinks.insert(sampleNotMeLink('p', username, `link-of-${username}`));
  });
}

/** Whether a row of each kind exists. */
async function kinds({ poolStore }: Store, username: string): Promise<Readonly<Record<string, boolean>>> {
  const ceremony = await poolStore.write((transaction) =>
    transaction.passkeyCeremonies.take('p', username, 'digest-at-k', 0),
  );
  const link = await poolStore.write((transaction) => transaction.notMeLinks.take(`link-of-${username}`, 0));
  const members = await poolStore.groups.listMembers('p', 'g', 10, undefined);
  const email = { attribute: 'email', match: 'equals', value: `${username}@example.test` } as const;
  const found = await poolStore.users.search('p', email, 10, undefined);
  return {
    name: (await poolStore.users.byName('p', username)) !== undefined,
    code: (await poolStore.codes.byPurpose('p', username, 'sign_up')) !== undefined,
    login: (await poolStore.logins.byId(`login-of-${username}`)) !== undefined,
    device: (await poolStore.devices.byKey('p', username, `device-of-${username}`)) !== undefined,
    totp: (await poolStore.authenticators.byState('p', username, 'active')) !== undefined,
    recoveryCode: (await poolStore.recoveryCodes.count('p', username)) > 0,
    passkey: (await poolStore.passkeys.byCredentialId('p', `passkey-of-${username}`)) !== undefined,
    listedPasskey: (await poolStore.passkeys.listOf('p', username)).length > 0,
    ceremony: ceremony !== undefined,
    member: members.rows.some((user) => user.username === username),
    search: found.rows.length > 0,
    link: link !== undefined,
  };
}

for (const [locationName, makeLocation] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`deletion on ${locationName}`, () => {
    it('of a user also removes everything that belongs to it, including passkeys, and nothing of another', async () => {
      const location = await makeLocation();
      const store = await openStore(location.url);
      await insertSamplePool(store.poolStore, 'p', ...USERNAMES);
      await store.poolStore.write((transaction) => transaction.groups.insert(sampleGroup('p', 'g')));
      for (const username of USERNAMES) await insertEverything(store, username);
      await store.poolStore.write((transaction) => transaction.users.delete('p', 'gone'));
      assert.deepEqual(new Set(Object.values(await kinds(store, 'gone'))), new Set([false]));
      assert.deepEqual(new Set(Object.values(await kinds(store, 'stays'))), new Set([true]));
      await store.close();
      await location.remove();
    });

    it("of a credential also removes the gateway's data about it, and nothing of another", async () => {
      const location = await makeLocation();
      const { poolStore, records, close } = await openStore(location.url);
      await insertSamplePool(poolStore, 'p');
      for (const sub of USERNAMES) {
        await records.localDevices.put(sampleLocalDevice('p', sub, 'k'));
        await records.localPasskeys.put(sampleLocalPasskey('p', sub, 'c'));
      }
      await poolStore.write((transaction) => transaction.localUsers.clear('p', 'gone', 5));
      for (const [sub, rows] of [
        ['gone', 0],
        ['stays', 1],
      ] as const) {
        assert.equal((await records.localDevices.listByKeys('p', sub, ['k'])).length, rows);
        assert.equal((await records.localPasskeys.list('p', sub)).length, rows);
      }
      await close();
      await location.remove();
    });
  });
}
