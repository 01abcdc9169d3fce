import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from './migrations/migrate.ts';
import { openStore } from './open-store.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { readRawContent } from './testing/raw-content.ts';
import { insertSamplePool, sampleCredential, samplePasskey, sampleUser } from './testing/sample-records.ts';
import { PERSISTENT_LOCATIONS } from './testing/store-locations.ts';

const NAMES_A_SECRET = /secret|password|private|verifier|token|code|otp|seed|challenge/;
/** How a secret is stored: encrypted, or as a digest. */
const KEPT_SAFELY = /_(sealed|digest_hex)$/;

/** Columns whose names suggest a secret, with what they really are. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'authorization_codes.token_login_id': 'the id of the login that a code gave, as in logins.id',
};

describe('secrets', () => {
  it('have no column except for their encrypted form or their digest', async () => {
    const database = openSqlite(undefined);
    const columns = await database.withSchema(async (access) => {
      await migrate(access);
      const tables = await access.kysely.introspection.getTables();
      return tables.flatMap(({ name, columns }) => columns.map((column) => ({ ...column, table: name })));
    });
    await database.close();
    // Numbers are times, counts and flags; no secret is stored as one.
    const texts = columns.filter(({ dataType }) => dataType.toLowerCase() !== 'integer');
    const named = texts.filter(({ name }) => NAMES_A_SECRET.test(name));
    assert.ok(named.length >= 6);
    const bare = named.filter(({ name }) => !KEPT_SAFELY.test(name)).map(({ table, name }) => `${table}.${name}`);
    assert.deepEqual(bare, Object.keys(NO_SECRETS));
  });

  for (const [locationName, makeLocation] of Object.entries(PERSISTENT_LOCATIONS)) {
    it(`are found by a search of the raw content of ${locationName}, before and after it is closed`, async () => {
      const location = await makeLocation();
      const store = await openStore(location.url);
      await insertSamplePool(store.poolStore, 'p');
      await store.poolStore.write(async (transaction) => {
        await transaction.users.insert({ ...sampleUser('p', 'u'), attributes: { note: 'canary-attribute' } }, ['u']);
        await transaction.credentials.put({ ...sampleCredential('p', 'u'), verifierEncrypted: 'canary-sealed' });
        await transaction.passkeys.insert({ ...samplePasskey('p', 'u', 'c'), publicKey: 'canary-public-key' });
      });
      const open = await readRawContent(location.url);
      await store.close();
      const closed = await readRawContent(location.url);
      for (const content of [open, closed]) {
        for (const canary of ['canary-attribute', 'canary-sealed', 'canary-public-key']) {
          assert.ok(content.includes(canary), canary);
        }
        assert.ok(!content.includes('canary-never-written'));
      }
      await location.remove();
    });
  }
});
