import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { storeAt } from '../testing/opened.ts';
import { PLACES } from '../testing/places.ts';
import { plant, sampleClient, sampleCredential, sampleUser } from '../testing/sample-records.ts';
import type { SealedValue } from './values.ts';

// As a pattern of LIKE the first one would mean the second one as well.
const OLD_ID = 'k____key_';
const NEW = 'knew-key_';

/** Puts a user with such a password into the store. */
const withVerifier = (username: string, verifierSealed: string) => async (transaction: Transaction) => {
  await transaction.insertUser(sampleUser('p', username), [username]);
  await transaction.putCredential({ ...sampleCredential('p', username), verifierSealed });
};

type Transaction = Parameters<Parameters<ReturnType<ReturnType<typeof storeAt>>['poolStore']['write']>[0]>[0];

for (const [placeName, makePlace] of Object.entries(PLACES)) {
  describe(`encrypted values on ${placeName}`, () => {
    const opened = storeAt(makePlace);

    it('are given page by page in the order of their keys, without those of one key', async () => {
      const { poolStore, sealed } = opened();
      await plant(poolStore, 'p');
      for (const [index, name] of ['Zoe', 'a', 'ada', 'b', 'é'].entries()) {
        await poolStore.write(withVerifier(name, `${index === 2 ? NEW : OLD_ID}.${name}`));
      }
      const seen: SealedValue[] = [];
      for (let after: readonly string[] | undefined; ; after = seen.at(-1)?.key) {
        const page = await sealed.page('credentials.verifier_sealed', NEW, after, 2);
        seen.push(...page);
        if (page.length < 2) break;
      }
      assert.deepEqual(
        seen.map(({ key, boundTo, sealed: [text] }) => [...key, boundTo, text]),
        ['Zoe', 'a', 'b', 'é'].map((name) => ['p', name, `p/${name}`, `${OLD_ID}.${name}`]),
      );
    });

    it('replace what was read, and nothing newer', async () => {
      const { poolStore, sealed } = opened();
      const column = 'credentials.verifier_sealed';
      const read = await sealed.page(column, NEW, undefined, 10);
      const newer = { ...sampleCredential('p', 'b'), verifierSealed: `${OLD_ID}.changed-meanwhile` };
      await poolStore.write((transaction) => transaction.putCredential(newer));
      await poolStore.write((transaction) => transaction.deleteUser('p', 'é'));
      const changes = read.map((from) => ({ from, sealed: [`${NEW}.again`] }));
      assert.equal(await sealed.replace(column, changes), read.length - 2);
      const left = await sealed.page(column, NEW, undefined, 10);
      assert.deepEqual(
        left.map(({ sealed: [text] }) => text),
        [newer.verifierSealed],
      );
      assert.equal(await sealed.replace(column, changes), 0, 'a second time there is nothing to replace');
    });

    it('of a list are replaced together', async () => {
      const { poolStore, sealed } = opened();
      const secretsSealed = [`${OLD_ID}.1`, `${NEW}.2`];
      await poolStore.write((transaction) =>
        transaction.insertClient({ ...sampleClient('p', 'listed'), secretsSealed }),
      );
      const column = 'clients.secrets_sealed';
      const [from] = (await sealed.page(column, NEW, undefined, 10)).filter(({ key }) => key[1] === 'listed');
      assert.deepEqual([from?.boundTo, from?.sealed], ['p/listed', secretsSealed]);
      assert.ok(from);
      const again = [`${NEW}.3`, `${NEW}.2`];
      assert.equal(await sealed.replace(column, [{ from, sealed: again }]), 1);
      assert.deepEqual((await poolStore.client('listed'))?.secretsSealed, again);
    });

    it('are counted by the key that they were made with', async () => {
      const { sealed } = opened();
      const counts = (await sealed.count()).filter(({ column }) => column === 'credentials.verifier_sealed');
      assert.deepEqual(
        counts.map(({ keyId, count }) => [keyId, count]).sort(),
        [
          [OLD_ID, 1],
          [NEW, 3],
        ].sort(),
      );
      const listed = (await sealed.count()).find(({ column, keyId }) => column.startsWith('clients.') && keyId === NEW);
      assert.equal(listed?.count, 2);
    });
  });
}
