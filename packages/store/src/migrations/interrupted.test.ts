import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { copyFileSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { connectDatabase, openStore } from '../open-store.ts';
import type { Database } from '../sql/database.ts';
import { parseDatabaseUrl } from '../sql/database-url.ts';
import { dumpDatabase } from '../testing/dump-database.ts';
import { execute } from '../testing/execute.ts';
import { PERSISTENT_LOCATIONS } from '../testing/store-locations.ts';
import { MIGRATIONS } from './index.ts';
import { migrate } from './migrate.ts';

/** With fewer statements, the test did not see those of the migrations. */
const LEAST_STATEMENTS = 60;

/** On PostgreSQL, one database is interrupted repeatedly, so leftovers would disturb the next run. It is checked at this interval. */
const LOOK_EVERY = 25;

/** Databases of the first release with rows. */
const FIRST: Readonly<Record<string, string>> = {
  'SQLite file': './fixtures/0001.sqlite.sql',
  PostgreSQL: './fixtures/0001.postgres.sql',
};

async function makePlace(context: TestContext, name: string): Promise<string> {
  const { url, remove } = (await PERSISTENT_LOCATIONS[name]?.()) ?? assert.fail(name);
  context.after(remove);
  await execute(url, readFileSync(new URL(FIRST[name] ?? '', import.meta.url), 'utf8'));
  return url;
}

/** A database as text, except the times of its migrations. */
async function dumpWithoutTimes(url: string): Promise<string> {
  return (await dumpDatabase(url)).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)');
}

/** The result of an undisturbed start. */
async function undisturbed(context: TestContext, name: string): Promise<string> {
  const url = await makePlace(context, name);
  await (await openStore(url)).close();
  return dumpWithoutTimes(url);
}

/** Runs the migrations and calls a function after each statement. */
async function migrateWatched(database: Database, after: (statement: number) => unknown): Promise<number> {
  let statements = 0;
  const watch: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements += 1;
      await after(statements);
      return result;
    },
  };
  await database.withSchema((access) => migrate({ ...access, kysely: access.kysely.withPlugin(watch) }));
  return statements;
}

/** Ends the store's connections on the server, which rolls back what they started. */
function loseConnections(url: string): Promise<void> {
  return execute(
    url,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'poolgate' and datname = current_database()`,
  );
}

it('a process that dies after any statement of a migration leaves a file that the next start migrates completely', async (context) => {
  const expected = await undisturbed(context, 'SQLite file');
  const url = await makePlace(context, 'SQLite file');
  const target = parseDatabaseUrl(url);
  assert.ok(target.kind === 'file');
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-images-'));
  context.after(() => rm(folder, { recursive: true }));
  const images = new Map<string, string>();
  // What others see of the file now is what they find if this process is killed now. Most statements do not change it.
  const keep = (statement: number): void => {
    const parts = ['', '-wal'].filter((part) => existsSync(`${target.path}${part}`));
    const contents = parts.map((part) => hash('sha256', readFileSync(`${target.path}${part}`))).join();
    if (images.has(contents)) return;
    const image = join(folder, `${statement}.db`);
    for (const part of parts) copyFileSync(`${target.path}${part}`, `${image}${part}`);
    images.set(contents, image);
  };
  const database = await connectDatabase(target);
  const statements = await migrateWatched(database, keep);
  await database.close();
  assert.ok(statements >= LEAST_STATEMENTS, String(statements));
  for (const image of images.values()) {
    const store = await openStore(`sqlite:${image}`);
    assert.equal(store.migrated.length, Object.keys(MIGRATIONS).length - 1, image);
    await store.close();
    assert.equal(await dumpWithoutTimes(`sqlite:${image}`), expected, image);
  }
});

it('a connection lost after any statement of a migration leaves a database that the next start migrates completely', async (context) => {
  const expected = await undisturbed(context, 'PostgreSQL');
  let url = await makePlace(context, 'PostgreSQL');
  const before = await dumpWithoutTimes(url);
  for (let last = 1; ; last += 1) {
    const after = (statement: number): unknown => (statement === last ? loseConnections(url) : undefined);
    const database = await connectDatabase(parseDatabaseUrl(url));
    const statements = await migrateWatched(database, after).catch(() => undefined);
    await database.close();
    if (statements === undefined) {
      if (last % LOOK_EVERY === 0) assert.equal(await dumpWithoutTimes(url), before, `after statement ${last}`);
      continue;
    }
    assert.equal(await dumpWithoutTimes(url), expected);
    if (last > statements) {
      assert.ok(statements >= LEAST_STATEMENTS, String(statements));
      return;
    }
    // Before its transaction starts, a migration opens a new connection.
    assert.ok(last < LEAST_STATEMENTS / 10, `went through without the connection of statement ${last}`);
    url = await makePlace(context, 'PostgreSQL');
  }
});
