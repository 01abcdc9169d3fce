import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openedStore } from '../testing/opened-store.ts';
import { insertSamplePool, sampleClient, sampleCredential, sampleUser } from '../testing/sample-records.ts';
import { STORE_LOCATIONS } from '../testing/store-locations.ts';
import type { EncryptedValue } from './values.ts';

// As a pattern of LIKE the first one would mean the second one as well.
const OLD_ID = 'k____key_';
const NEW = 'knew-key_';

/** Puts a user with such a password into the store. */
const withVerifier = (username: string, verifierEncrypted: string) => async (transaction: Transaction) => {
  await transaction.users.insert(sampleUser('p', username), [username]);
  await transaction.credentials.put({ ...sampleCredential('p', username), verifierEncrypted });
};

type Transaction = Parameters<Parameters<ReturnType<ReturnType<typeof openedStore>>['poolStore']['write']>[0]>[0];

for (const [locationName, makeLocation] of Object.entries(STORE_LOCATIONS)) {
  describe(`encrypted values on ${locationName}`, () => {
    const opened = openedStore(makeLocation);

    it('are given page by page in the order of their keys, without those of one key', async () => {
      const { poolStore, encryptedValues } = opened();
      await insertSamplePool(poolStore, 'p');
      for (const [index, name] of ['Zoe', 'a', 'ada', 'b', 'é'].entries()) {
        await poolStore.write(withVerifier(name, `${index === 2 ? NEW : OLD_ID}.${name}`));
      }
      const seen: EncryptedValue[] = [];
      for (let after: readonly string[] | undefined; ; after = seen.at(-1)?.key) {
        const page = await encryptedValues.page('credentials.verifier_sealed', NEW, after, 2);
        seen.push(...page);
        if (page.length < 2) break;
      }
      assert.deepEqual(
        seen.map(({ key, boundTo, ciphertext: [text] }) => [...key, boundTo, text]),
        ['Zoe', 'a', 'b', 'é'].map((name) => ['p', name, `p/${name}`, `${OLD_ID}.${name}`]),
      );
    });

    it('replace what was read, and nothing newer', async () => {
      const { poolStore, encryptedValues } = opened();
      const column = 'credentials.verifier_sealed';
      const read = await encryptedValues.page(column, NEW, undefined, 10);
      const newer = { ...sampleCredential('p', 'b'), verifierEncrypted: `${OLD_ID}.changed-meanwhile` };
      await poolStore.write((transaction) => transaction.credentials.put(newer));
      await poolStore.write((transaction) => transaction.users.delete('p', 'é'));
      const changes = read.map((from) => ({ from, ciphertext: [`${NEW}.again`] }));
      assert.equal(await encryptedValues.replace(column, changes), read.length - 2);
      const left = await encryptedValues.page(column, NEW, undefined, 10);
      assert.deepEqual(
        left.map(({ ciphertext: [text] }) => text),
        [newer.verifierEncrypted],
      );
      assert.equal(await encryptedValues.replace(column, changes), 0, 'a second time there is nothing to replace');
    });

    it('of a list are replaced together', async () => {
      const { poolStore, encryptedValues } = opened();
      const secretsEncrypted = [`${OLD_ID}.1`, `${NEW}.2`];
      await poolStore.write((transaction) =>
        transaction.clients.insert({ ...sampleClient('p', 'listed'), secretsEncrypted }),
      );
      const column = 'clients.secrets_sealed';
      const [from] = (await encryptedValues.page(column, NEW, undefined, 10)).filter(({ key }) => key[1] === 'listed');
      assert.deepEqual([from?.boundTo, from?.ciphertext], ['p/listed', secretsEncrypted]);
      assert.ok(from);
      const again = [`${NEW}.3`, `${NEW}.2`];
      assert.equal(await encryptedValues.replace(column, [{ from, ciphertext: again }]), 1);
      assert.deepEqual((await poolStore.clients.byId('listed'))?.secretsEncrypted, again);
    });

    it('are counted by the key that they were made with', async () => {
      const { encryptedValues } = opened();
      const counts = (await encryptedValues.count()).filter(({ column }) => column === 'credentials.verifier_sealed');
      assert.deepEqual(
        counts.map(({ keyId, count }) => [keyId, count]).sort(),
        [
          [OLD_ID, 1],
          [NEW, 3],
        ].sort(),
      );
      const listed = (await encryptedValues.count()).find(
        ({ column, keyId }) => column.startsWith('clients.') && keyId === NEW,
      );
      assert.equal(listed?.count, 2);
    });
  });
}
