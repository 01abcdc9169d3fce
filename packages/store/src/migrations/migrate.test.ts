import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { openStore } from '../open-store.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import type { Database } from '../sql/database.ts';
import { parseDatabaseUrl } from '../sql/database-url.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';
import { execute } from '../testing/execute.ts';
import { insertSamplePool, samplePool } from '../testing/sample-records.ts';
import { PERSISTENT_LOCATIONS, type StoreLocation } from '../testing/store-locations.ts';
import { MIGRATIONS } from './index.ts';
import { migrate } from './migrate.ts';

const run = promisify(execFile);

function openDatabase(url: string): Database {
  const target = parseDatabaseUrl(url);
  return target.kind === 'postgres'
    ? openPostgres(target.servers, Math.random)
    : openSqlite(target.kind === 'file' ? target.path : undefined);
}

for (const [locationName, makeLocation] of Object.entries(PERSISTENT_LOCATIONS)) {
  const at = (work: (location: StoreLocation) => Promise<void>) => async () => {
    const location = await makeLocation();
    try {
      await work(location);
    } finally {
      await location.remove();
    }
  };

  describe(`migrations on ${locationName}`, () => {
    // Keeps a server that was started for this file until the end.
    let kept: StoreLocation;
    before(async () => {
      kept = await makeLocation();
    });
    after(() => kept.remove());

    it(
      'run once when several processes open a new store at the same time',
      at(async ({ url }) => {
        const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(url)));
        const runs = stores.filter((store) => store.migrated.length > 0);
        assert.equal(runs.length, 1);
        await Promise.all(stores.map((store) => store.close()));
      }),
    );

    it(
      'run once when several processes start at the same time',
      at(async ({ url }) => {
        const program = new URL('../testing/open-program.ts', import.meta.url).pathname;
        const runs = await Promise.all(Array.from({ length: 3 }, () => run(process.execPath, [program, url])));
        assert.deepEqual(runs.map(({ stdout }) => stdout.trim()).toSorted(), ['', '', Object.keys(MIGRATIONS).join()]);
      }),
    );

    it(
      'have nothing to do at the second opening, which keeps the data',
      at(async ({ url }) => {
        const first = await openStore(url);
        await insertSamplePool(first.poolStore, 'kept');
        await first.close();
        const second = await openStore(url);
        assert.deepEqual(second.migrated, []);
        assert.deepEqual(await second.poolStore.pools.first(), samplePool('kept'));
        await second.close();
      }),
    );

    it(
      'run a skipped one although a later one has run',
      at(async ({ url }) => {
        // No later one depends on it.
        const leftOut = '0013-password-versions';
        const database = openDatabase(url);
        const others = Object.fromEntries(Object.entries(MIGRATIONS).filter(([name]) => name !== leftOut));
        await database.withSchema((access) => migrate(access, others));
        await database.close();
        const store = await openStore(url);
        assert.deepEqual(store.migrated, [leftOut]);
        await store.close();
      }),
    );

    it(
      'leave nothing of one that fails halfway, and can be run again',
      at(async ({ url }) => {
        const database = openDatabase(url);
        const failing = {
          ...MIGRATIONS,
          '9999-broken': async (kysely: Parameters<(typeof MIGRATIONS)[string]>[0]) => {
            await kysely.schema.createTable('half').addColumn('id', 'text').execute();
            throw new Error('power cut');
          },
        };
        await assert.rejects(
          database.withSchema((access) => migrate(access, failing)),
          (error: Error) =>
            'code' in error && ['store_migration_failed', 'store_unavailable'].includes(String(error.code)),
        );
        const { rows } = await database.withSchema(async ({ tableNames, kysely }) => tableNames.execute(kysely));
        assert.ok(!rows.some(({ name }) => name === 'half' || name === 'pools'));
        await database.close();
        const store = await openStore(url);
        assert.deepEqual(store.migrated, Object.keys(MIGRATIONS));
        await store.close();
      }),
    );

    it(
      'refuse a database that a newer version has migrated',
      at(async ({ url }) => {
        await (await openStore(url)).close();
        await execute(url, `insert into poolgate_migrations values ('9999-future', '2099-01-01T00:00:00.000Z')`);
        await assert.rejects(openStore(url), { name: 'StoreRefused', code: 'store_newer', message: /9999-future/ });
      }),
    );

    it(
      'refuse a database with tables of another program',
      at(async ({ url }) => {
        await (await openStore(url)).close();
        await execute(url, 'drop table poolgate_migrations');
        await assert.rejects(openStore(url), { name: 'StoreRefused', code: 'store_foreign' });
      }),
    );
  });
}
