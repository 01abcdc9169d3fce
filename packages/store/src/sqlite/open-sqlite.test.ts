import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { sql } from 'kysely';
import { inspectStore } from '../inspect-store.ts';
import { openStore } from '../open-store.ts';
import { openSqlite } from './open-sqlite.ts';

it('opens a file with a write-ahead log, full durability, foreign keys and patience for other processes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-open-'));
  const database = openSqlite(join(folder, 'store.db'));
  const settings = await database.withSchema(async ({ kysely }) => {
    const read = async (name: string): Promise<unknown> =>
      Object.values((await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(kysely)).rows[0] ?? {})[0];
    return {
      journal_mode: await read('journal_mode'),
      synchronous: await read('synchronous'),
      foreign_keys: await read('foreign_keys'),
      busy_timeout: await read('busy_timeout'),
      temp_store: await read('temp_store'),
      trusted_schema: await read('trusted_schema'),
      cell_size_check: await read('cell_size_check'),
    };
  });
  assert.deepEqual(settings, {
    journal_mode: 'wal',
    synchronous: 2,
    foreign_keys: 1,
    busy_timeout: 5_000,
    temp_store: 2,
    trusted_schema: 0,
    cell_size_check: 1,
  });
  await database.close();
  await rm(folder, { recursive: true });
});

/** Pages of 4 KiB in 16 MiB. */
const MOST_PAGES_CHECKED = 4_096;

it('checks a file of up to 16 MiB, and no larger one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-open-'));
  const path = join(folder, 'store.db');
  const file = new DatabaseSync(path);
  file.exec(`pragma page_size = 4096; pragma synchronous = off; begin;
    create table damaged (text text check (text <> 'bad')); pragma ignore_check_constraints = on;
    insert into damaged values ('bad'); create table large (bytes blob); insert into large values (zeroblob(16600000))`);
  const pages = () => Number(file.prepare('pragma page_count').get()?.page_count);
  // Each new table has its own page.
  while (pages() < MOST_PAGES_CHECKED) file.exec(`create table filler${pages()} (text text)`);
  assert.equal(pages(), MOST_PAGES_CHECKED);
  file.exec('commit');
  assert.throws(() => openSqlite(path), { code: 'store_corrupt', message: 'the database file is damaged' });
  file.exec('create table one_more (text text)');
  file.close();
  await openSqlite(path).close();
  await rm(folder, { recursive: true });
});

it('opens no file where a write-ahead log is impossible', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-open-'));
  context.after(() => rm(folder, { recursive: true }));
  const { prepare } = DatabaseSync.prototype;
  // SQLite answers this on a file system without shared memory.
  context.mock.method(DatabaseSync.prototype, 'prepare', function answer(this: DatabaseSync, text: string) {
    return prepare.call(this, text === 'pragma journal_mode = wal' ? `select 'delete' as journal_mode` : text);
  });
  assert.throws(() => openSqlite(join(folder, 'store.db')), {
    code: 'store_unavailable',
    message: 'the store is unavailable: this file system cannot hold a write-ahead log',
  });
});

it('has closed a checked or refused file before it reports it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-open-'));
  const path = join(folder, 'store.db');
  await (await openStore(`sqlite:${path}`)).close();
  await inspectStore(`sqlite:${path}`);
  assert.equal(existsSync(`${path}-wal`), false);
  const newer = new DatabaseSync(path);
  newer.exec(`insert into poolgate_migrations values ('9999-future', '2099-01-01T00:00:00.000Z')`);
  newer.close();
  await assert.rejects(openStore(`sqlite:${path}`), { code: 'store_newer' });
  assert.equal(existsSync(`${path}-wal`), false);
  await rm(folder, { recursive: true });
});

it('refuses everything once it is closed, any number of times', async () => {
  const { poolStore, records, close } = await openStore('sqlite::memory:');
  await Promise.all([close(), close()]);
  const closed = { name: 'StoreUnavailable', message: 'the store is unavailable: it is closed' };
  await assert.rejects(poolStore.pools.first(), closed);
  await assert.rejects(
    poolStore.write(async () => {}),
    closed,
  );
  await assert.rejects(records.webhooks.delete('w'), closed);
  assert.equal(await records.ready(), false);
});
