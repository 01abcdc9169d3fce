import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from './migrations/migrate.ts';
import { openStore } from './open.ts';
import { openSqlite } from './sqlite/open.ts';
import { rawContent } from './testing/raw.ts';
import { insertSamplePool, sampleCredential, samplePasskey, sampleUser } from './testing/sample-records.ts';
import { PERSISTENT_LOCATIONS } from './testing/store-locations.ts';

const NAMES_A_SECRET = /secret|password|private|verifier|token|code|otp|seed|challenge/;
const KEPT_SAFELY =
  /_(sealed|digest_hex)$|^passwordless$|^password_reset_required$|^tokens_expire_at_ms$|^token_login_id$/;

describe('secrets', () => {
  it('have no column but for their sealed form or their digest', async () => {
    const database = openSqlite(undefined);
    const columns = await database.withSchema(async (access) => {
      await migrate(access);
      const tables = await access.kysely.introspection.getTables();
      return tables.flatMap((table) => table.columns.map((column) => column.name));
    });
    await database.close();
    const named = columns.filter((name) => NAMES_A_SECRET.test(name));
    assert.ok(named.length >= 6);
    assert.deepEqual(
      named.filter((name) => !KEPT_SAFELY.test(name)),
      [],
    );
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
      const open = await rawContent(location.url);
      await store.close();
      const closed = await rawContent(location.url);
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
