import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import type { Database } from '../database.ts';
import { parseDatabaseUrl } from '../database-url.ts';
import { openStore } from '../open.ts';
import { openPostgres } from '../postgres/open.ts';
import { openSqlite } from '../sqlite/open.ts';
import { LASTING_PLACES, type Place } from '../testing/places.ts';
import { plant, samplePool } from '../testing/sample-records.ts';
import { MIGRATIONS } from './index.ts';
import { migrate } from './migrate.ts';

const run = promisify(execFile);

const POOL = 'us-east-1_Fixture01';

/** Runs SQL on a database without any code of the store. */
async function execute(url: string, statements: string): Promise<void> {
  const target = parseDatabaseUrl(url);
  if (target.kind === 'memory') throw new TypeError('nothing to run on');
  if (target.kind === 'file') {
    const database = new DatabaseSync(target.path);
    database.exec(statements);
    return database.close();
  }
  const client = new pg.Client({ connectionString: target.url });
  await client.connect();
  await client.query(statements);
  await client.end();
}

function openDatabase(url: string): Database {
  const target = parseDatabaseUrl(url);
  return target.kind === 'postgres'
    ? openPostgres(target.url, Math.random)
    : openSqlite(target.kind === 'file' ? target.path : undefined);
}

const FIXTURE_DIALECTS: Readonly<Record<string, string>> = { 'SQLite file': 'sqlite', PostgreSQL: 'postgres' };

for (const [placeName, makePlace] of Object.entries(LASTING_PLACES)) {
  const at = (work: (place: Place) => Promise<void>) => async () => {
    const place = await makePlace();
    try {
      await work(place);
    } finally {
      await place.remove();
    }
  };

  describe(`migrations on ${placeName}`, () => {
    // Keeps a server that was started for this file until its end.
    let kept: Place;
    before(async () => {
      kept = await makePlace();
    });
    after(() => kept.remove());

    it(
      'read a database of the first release',
      at(async ({ url }) => {
        const fixture = new URL(`./fixtures/0001.${FIXTURE_DIALECTS[placeName]}.sql`, import.meta.url);
        await execute(url, await readFile(fixture, 'utf8'));
        const { poolStore, records, migrated, close } = await openStore(url);
        assert.deepEqual(
          migrated,
          Object.keys(MIGRATIONS).filter((name) => name > '0001-foundation'),
        );
        assert.deepEqual((await poolStore.firstPool())?.settings.passwordPolicy.minimumLength, 8);
        assert.deepEqual((await poolStore.client('fixtureclient'))?.secretsSealed.length, 2);
        const ada = await poolStore.userByName(POOL, 'ada@example.test');
        assert.deepEqual(ada?.user.attributes, {
          email: 'ada@example.test',
          email_verified: 'true',
          name: `Adà "A" O'Hara`,
        });
        assert.deepEqual(ada?.credential, {
          poolId: POOL,
          username: 'ada',
          saltHex: 'a1b2c3',
          verifierSealed: 'sealed-verifier-ada',
          temporaryUntilMs: 1_700_600_000_000,
          setAtMs: 1_700_000_000_004,
        });
        const bob = await poolStore.userByName(POOL, 'bob');
        assert.deepEqual(
          [bob?.user.enabled, bob?.user.status, bob?.credential],
          [false, 'FORCE_CHANGE_PASSWORD', undefined],
        );
        assert.equal((await poolStore.code(POOL, 'bob', 'sign_up'))?.digestHex, 'd1');
        assert.deepEqual(
          [(await poolStore.login('login-live'))?.generation, (await poolStore.login('login-revoked'))?.revokedAtMs],
          [1, 1_700_000_200_000],
        );
        const keys = await poolStore.signingKeys(POOL);
        assert.deepEqual(
          keys.map((key) => [key.kid, key.purpose, key.retiredAtMs]),
          [
            ['kid-1', 'access', 1_700_000_300_000],
            ['kid-2', 'id', null],
          ],
        );
        assert.deepEqual(await poolStore.lockout(POOL, 'ada'), { failures: 5, lockedUntilMs: 1_700_000_401_000 });
        const tries = await poolStore.write(async (transaction) => [
          await transaction.reserveSession('session-open', 1),
          await transaction.reserveSession('session-spent', 1),
        ]);
        assert.deepEqual(tries, [3, undefined]);
        assert.equal((await records.localUser(POOL, 'sub-ada'))?.isWebauthnEnabled, false);
        assert.equal((await records.endings(POOL, ['login:login-revoked'], 0))[0]?.endedAtMs, 1_700_000_200_000);
        assert.equal((await records.pendingSrp('abcd', 0))?.sealed, 'sealed-pending');
        assert.deepEqual((await records.adminKey('fixturekey'))?.scopes, ['users:read', 'users:write']);
        await close();
      }),
    );

    it(
      'run once when several open a new store at the same time',
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
      'have nothing to do at the second opening, which keeps what was written',
      at(async ({ url }) => {
        const first = await openStore(url);
        await plant(first.poolStore, 'kept');
        await first.close();
        const second = await openStore(url);
        assert.deepEqual(second.migrated, []);
        assert.deepEqual(await second.poolStore.firstPool(), samplePool('kept'));
        await second.close();
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
      'refuse a database that holds tables of something else',
      at(async ({ url }) => {
        await (await openStore(url)).close();
        await execute(url, 'drop table poolgate_migrations');
        await assert.rejects(openStore(url), { name: 'StoreRefused', code: 'store_foreign' });
      }),
    );
  });
}
