import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { migrate } from './migrations/migrate.ts';
import { openStore } from './open.ts';
import { openSqlite } from './sqlite/open.ts';
import { LASTING_PLACES } from './testing/places.ts';
import { rawContent } from './testing/raw.ts';
import { plant, sampleCredential, samplePasskey, sampleUser } from './testing/sample-records.ts';

const NAMES_A_SECRET = /secret|password|private|verifier|token|code|otp|seed|challenge/;
const KEPT_SAFELY = /_(sealed|digest_hex)$|^passwordless$|^password_reset_required$/;

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

  for (const [placeName, makePlace] of Object.entries(LASTING_PLACES)) {
    it(`are found by a search of the raw content of ${placeName}, before and after it is closed`, async () => {
      const place = await makePlace();
      const store = await openStore(place.url);
      await plant(store.poolStore, 'p');
      await store.poolStore.write(async (transaction) => {
        await transaction.insertUser({ ...sampleUser('p', 'u'), attributes: { note: 'canary-attribute' } }, ['u']);
        await transaction.putCredential({ ...sampleCredential('p', 'u'), verifierSealed: 'canary-sealed' });
        await transaction.insertPasskey({ ...samplePasskey('p', 'u', 'c'), publicKey: 'canary-public-key' });
      });
      const open = await rawContent(place.url);
      await store.close();
      const closed = await rawContent(place.url);
      for (const content of [open, closed]) {
        for (const canary of ['canary-attribute', 'canary-sealed', 'canary-public-key']) {
          assert.ok(content.includes(canary), canary);
        }
        assert.ok(!content.includes('canary-never-written'));
      }
      await place.remove();
    });
  }
});
