import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { migrate } from '../migrations/migrate.ts';
import { createStoreParts } from '../open-store.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { sampleIdempotencyClaim } from '../testing/sample-account-records.ts';
import { insertSamplePool, sampleClient, sampleCredential, sampleUser } from '../testing/sample-records.ts';
import { STORE_LOCATIONS } from '../testing/store-locations.ts';
import { openStoreForTests } from '../testing/test-store.ts';
import type { EncryptedValue } from './encrypted-values.ts';

// As a pattern of LIKE, the first one would also match the second one.
const OLD_ID = 'k____key_';
const NEW = 'knew-key_';

/** Adds a user with this password to the store. */
const withVerifier = (username: string, verifierEncrypted: string) => async (transaction: Transaction) => {
  await transaction.users.insert(sampleUser('p', username), [username]);
  await transaction.credentials.put({ ...sampleCredential('p', username), verifierEncrypted });
};

type Transaction = Parameters<Parameters<ReturnType<ReturnType<typeof openStoreForTests>>['poolStore']['write']>[0]>[0];

for (const [locationName, makeLocation] of Object.entries(STORE_LOCATIONS)) {
  describe(`encrypted values on ${locationName}`, () => {
    const opened = openStoreForTests(makeLocation);

    it('are returned page by page in the order of their keys, without those of one key', async () => {
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

    it('in hexadecimal are read and replaced as the text that they encode', async () => {
      const { records, encryptedValues } = opened();
      const asHex = (text: string) => Buffer.from(text, 'utf8').toString('hex');
      const claim = { ...sampleIdempotencyClaim('hex'), requestDigestHex: asHex(`${OLD_ID}.ä`) };
      await records.idempotencyKeys.claim(claim, 50);
      const column = 'idempotency_keys.request_digest_hex';
      const [from] = await encryptedValues.page(column, NEW, undefined, 10);
      assert.deepEqual(from, { key: ['hex'], boundTo: 'hex', ciphertext: [`${OLD_ID}.ä`] });
      assert.equal(await encryptedValues.replace(column, [{ from, ciphertext: [`${NEW}.ö`] }]), 1);
      const replaced = { ...claim, requestDigestHex: asHex(`${NEW}.ö`) };
      assert.deepEqual(await records.idempotencyKeys.claim(claim, 50), replaced);
      const counts = (await encryptedValues.count()).filter((count) => count.column.startsWith('idempotency_keys.'));
      assert.deepEqual(counts, [{ column, keyId: NEW, count: 1 }], 'where nothing is there is nothing to count');
    });

    it('exist only in known columns', async () => {
      const { encryptedValues } = opened();
      const message = 'users.sub is no column with encrypted text';
      await assert.rejects(encryptedValues.page('users.sub' as never, NEW, undefined, 1), {
        name: 'RangeError',
        message,
      });
    });

    it('are counted by their key', async () => {
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

it('encrypted values of any number are counted, each once', async () => {
  const database = openSqlite(undefined);
  await database.withSchema((access) => migrate(access));
  const { encryptedValues, poolStore } = createStoreParts(database, {});
  await insertSamplePool(poolStore, 'p');
  const add = (from: number, to: number) =>
    database.withSchema(({ kysely }) =>
      sql`insert into clients (pool_id, id, name, settings, secrets_sealed, created_at_ms, modified_at_ms)
        with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})
        select 'p', printf('many-%05d', i), 'n', '{}', json_array(${`${OLD_ID}.`} || i), 1, 1 from n`.execute(kysely),
    );
  const counted = async () =>
    (await encryptedValues.count()).find(({ column, keyId }) => column.startsWith('clients.') && keyId === OLD_ID)
      ?.count;
  // With the pool's client, this makes full pages.
  await add(1, 499);
  assert.equal(await counted(), 499);
  await add(500, 1_100);
  assert.equal(await counted(), 1_100);
  await database.close();
});
