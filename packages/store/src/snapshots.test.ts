import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { openStore, readSnapshotNotes, type Store } from './open-store.ts';
import { StoreRefused } from './sql/store-errors.ts';
import { execute } from './testing/execute.ts';
import { PERSISTENT_LOCATIONS } from './testing/store-locations.ts';
import { readStoredRows } from './testing/stored-rows.ts';

const POOL = 'us-east-1_Fixture01';
const KINDS = ['SQLite file', 'PostgreSQL'] as const;
type Kind = (typeof KINDS)[number];

const MORE_USERS = `with recursive series (i) as (select 1 union all select i + 1 from series where i < 450)
  insert into users (pool_id, username, sub, status, enabled, attributes, created_at_ms, modified_at_ms)
  select '${POOL}', 'user' || i, 'sub' || i, 'CONFIRMED', i % 3 = 0, '{"family_name":"Ünal"}', 1, 2 from series`;

const allowAll = async (): Promise<void> => {};

/** All rows but those of the schema itself, whatever the order of columns and rows. */
async function readContent(url: string): Promise<unknown> {
  const tables = [...(await readStoredRows(url))].filter(([name]) => !name.startsWith('poolgate_migration'));
  const sorted = (row: string): string => JSON.stringify((JSON.parse(row) as string[][]).sort());
  return Object.fromEntries(tables.map(([name, rows]) => [name, rows.map(sorted).sort()]));
}

describe('a snapshot of a store', () => {
  const ends: (() => Promise<unknown>)[] = [];
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolgate-snapshots-'));
    path = join(folder, 'clean.sqlite');
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  after(() => rm(folder, { recursive: true }));

  async function openFilled(kind: Kind): Promise<{ readonly url: string; readonly store: Store }> {
    const { url, remove } = (await PERSISTENT_LOCATIONS[kind]?.()) ?? assert.fail();
    ends.push(remove);
    const dialect = kind === 'PostgreSQL' ? 'postgres' : 'sqlite';
    await execute(url, await readFile(new URL(`migrations/fixtures/0007.${dialect}.sql`, import.meta.url), 'utf8'));
    const store = await openStore(url);
    ends.push(() => store.close());
    return { url, store };
  }

  for (const kind of KINDS) {
    it(`restores every row on ${kind}, including another process's writes`, async () => {
      const { url, store } = await openFilled(kind);
      await execute(url, MORE_USERS);
      await store.snapshots.save(path, { word: 'a' });
      const before = await readContent(url);
      assert.equal((await stat(path)).mode & 0o077, 0, 'only its owner can read it');
      assert.deepEqual(await readSnapshotNotes(path), { word: 'a' });
      await store.snapshots.clear();
      assert.equal(await store.poolStore.pools.first(), undefined);
      assert.equal(await store.poolStore.users.byUsername(POOL, 'user3'), undefined);
      await store.snapshots.restore(path, allowAll);
      assert.ok(isDeepStrictEqual(await readContent(url), before), 'every row is as it was');
      assert.equal((await store.poolStore.users.byUsername(POOL, 'user3'))?.enabled, true);
    });
  }

  for (const kind of KINDS) {
    it(`does not change the tables of other applications on ${kind}`, async () => {
      const { url, store } = await openFilled(kind);
      await execute(url, 'create table orders (id text primary key)');
      await store.snapshots.save(path, {});
      await execute(url, `insert into orders (id) values ('later')`);
      const countOrders = async (): Promise<number | undefined> => (await readStoredRows(url)).get('orders')?.length;
      await store.snapshots.restore(path, allowAll);
      assert.equal(await countOrders(), 1);
      await store.snapshots.clear();
      assert.deepEqual([await countOrders(), await store.poolStore.pools.first()], [1, undefined]);
    });
  }

  it('of one database can be restored in the other', async () => {
    const sqlite = await openFilled('SQLite file');
    const postgres = await openFilled('PostgreSQL');
    await execute(sqlite.url, MORE_USERS);
    const [before, empty] = [await readContent(sqlite.url), await readContent(postgres.url)];
    await sqlite.store.snapshots.save(path, {});
    await postgres.store.snapshots.restore(path, allowAll);
    assert.notDeepEqual(await readContent(postgres.url), empty);
    await postgres.store.snapshots.save(path, {});
    await sqlite.store.snapshots.clear();
    await sqlite.store.snapshots.restore(path, allowAll);
    assert.ok(isDeepStrictEqual(await readContent(sqlite.url), before), 'every row is as it was');
  });

  it('is not restored if it is refused, damaged or missing', async () => {
    const { url, store } = await openFilled('SQLite file');
    await store.snapshots.save(path, {});
    await execute(url, MORE_USERS);
    const before = await readContent(url);
    const refuse = (): Promise<void> => Promise.reject(new RangeError('other pool'));
    await assert.rejects(store.snapshots.restore(path, refuse), new RangeError('other pool'));
    await writeFile(join(folder, 'damaged.sqlite'), 'SQLite format 3\0 and nothing more');
    await assert.rejects(store.snapshots.restore(join(folder, 'damaged.sqlite'), allowAll), StoreRefused);
    await assert.rejects(store.snapshots.restore(join(folder, 'missing.sqlite'), allowAll), { code: 'ENOENT' });
    assert.deepEqual(await readContent(url), before);
  });

  it('is saved by a service that runs on a snapshot, with its own notes', async () => {
    const { store } = await openFilled('SQLite file');
    await store.snapshots.save(path, { word: 'a', more: 'b' });
    const second = await openStore(`sqlite:${path}`);
    ends.push(() => second.close());
    const again = join(folder, 'again.sqlite');
    await second.snapshots.save(again, { word: 'c' });
    assert.deepEqual(await readSnapshotNotes(again), { word: 'c' });
    await store.snapshots.restore(again, allowAll);
    assert.equal((await store.poolStore.pools.first())?.id, POOL);
  });

  it('is not restored if a table is missing, because its rows would be lost', async () => {
    const { url, store } = await openFilled('PostgreSQL');
    await store.snapshots.save(path, {});
    await execute(url, 'drop table stacks');
    const before = await readContent(url);
    await assert.rejects(store.snapshots.restore(path, allowAll), {
      code: 'store_not_copied',
      message: /table stacks/,
    });
    assert.deepEqual(await readContent(url), before);
  });

  it('ends console sessions', async () => {
    const { url, store } = await openFilled('SQLite file');
    const session = `insert into console_sessions values ('d', 'key', 'k', '[]', 'net', 1, 1, 9, 9)`;
    await execute(url, session);
    await store.snapshots.save(path, {});
    await store.snapshots.restore(path, allowAll);
    assert.deepEqual((await readStoredRows(url)).get('console_sessions'), []);
  });

  it('keeps the list of the services that run on the store', async () => {
    const { url, store } = await openFilled('SQLite file');
    await store.snapshots.save(path, {});
    await execute(url, `insert into replicas (id, name, key_ids, seen_at_ms) values ('r', 'host', '[]', 1)`);
    await store.snapshots.restore(path, allowAll);
    assert.deepEqual(
      (await store.replicas.listSeenSince(0)).map(({ id }) => id),
      ['r'],
    );
  });
});
