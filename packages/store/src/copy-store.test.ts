import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, it } from 'node:test';
import { type CopyProgress, copyStore } from './copy-store.ts';
import { listCopiedTables, listOwnTables } from './copy-tables.ts';
import { migrate } from './migrations/migrate.ts';
import { openStore } from './open-store.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { execute } from './testing/execute.ts';
import { PERSISTENT_LOCATIONS } from './testing/store-locations.ts';
import { readStoredRows } from './testing/stored-rows.ts';

const POOL = 'us-east-1_Fixture01';

// More than a page, some enabled and some not, with names that order differently by bytes and by words.
const MANY_USERS = `with recursive series (i) as (select 1 union all select i + 1 from series where i < 450)
  insert into users (pool_id, username, sub, status, enabled, attributes, created_at_ms, modified_at_ms)
  select '${POOL}', case when i % 2 = 0 then 'ä' else 'Z' end || i, 'sub' || i, 'CONFIRMED', i % 3 = 0,
    '{"family_name":"Ünal \\\\ \\" 🐢"}', 1, 9007199254740991
  from series`;

// A truth value may be missing.
const ODD_DEVICES = `insert into local_devices (user_pool_id, sub, device_key, name, remembered, created_at_ms, updated_at_ms)
  values ('p', 's', 'd', null, null, 1, 2)`;

/** All rows but those of the schema itself, whatever the order of columns and rows. */
async function readContent(url: string): Promise<unknown> {
  const tables = [...(await readStoredRows(url))].filter(([name]) => !name.startsWith('poolgate_migration'));
  const sorted = (row: string): string => JSON.stringify((JSON.parse(row) as string[][]).sort());
  return Object.fromEntries(tables.map(([name, rows]) => [name, rows.map(sorted).sort()]));
}

const UNAVAILABLE_PLACE = 'postgres://nobody:hunter2@127.0.0.1:1/x';

describe('a copy of a store', () => {
  const removals: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const remove of removals.splice(0)) await remove();
  });

  const place = async (kind: 'SQLite file' | 'PostgreSQL'): Promise<string> => {
    const { url, remove } = (await PERSISTENT_LOCATIONS[kind]?.()) ?? assert.fail();
    removals.push(remove);
    return url;
  };
  const filled = async (kind: 'SQLite file' | 'PostgreSQL'): Promise<string> => {
    const url = await place(kind);
    const dialect = kind === 'PostgreSQL' ? 'postgres' : 'sqlite';
    await execute(url, await readFile(new URL(`migrations/fixtures/0007.${dialect}.sql`, import.meta.url), 'utf8'));
    await (await openStore(url)).close();
    await execute(url, `${MANY_USERS}; ${ODD_DEVICES}`);
    return url;
  };

  it('from SQLite to PostgreSQL and back keeps every row, and reports its progress', async () => {
    const first = await filled('SQLite file');
    const before = await readContent(first);
    const [second, third] = [await place('PostgreSQL'), await place('SQLite file')];
    const told: CopyProgress[] = [];
    const copied = await copyStore(first, second, (progress) => told.push(progress));
    assert.deepEqual(await copyStore(second, third), copied);
    assert.deepEqual(await readContent(third), before);
    const ofUsers = told.filter(({ table }) => table === 'users');
    assert.ok((copied.users ?? 0) > 450);
    assert.equal(ofUsers.findLast(({ step }) => step === 'copied')?.rows, copied.users, 'as many as were checked');
    assert.deepEqual(
      ofUsers.slice(0, 2).map(({ rows, step }) => [rows, step]),
      [
        [200, 'copied'],
        [400, 'copied'],
      ],
    );
    assert.deepEqual(ofUsers.at(-1), { table: 'users', rows: copied.users, step: 'checked' });
    const store = await openStore(second);
    assert.equal((await store.poolStore.users.byUsername(POOL, 'Z3'))?.enabled, true);
    assert.equal((await store.poolStore.users.byUsername(POOL, 'Z1'))?.enabled, false);
    await store.close();
  });

  it('with different rows is discarded', async () => {
    const [from, to] = [await filled('SQLite file'), await place('PostgreSQL')];
    await (await openStore(to)).close();
    await execute(
      to,
      `create function spoil() returns trigger language plpgsql as $$ begin new.status = 'SPOILED'; return new; end $$;
       create trigger spoil before insert on users for each row when (new.username = 'Z7') execute function spoil()`,
    );
    await assert.rejects(copyStore(from, to), { code: 'store_not_copied', message: /rows of users differ/ });
    const store = await openStore(to);
    assert.equal(await store.poolStore.pools.first(), undefined);
    await store.close();
  });

  it('that the target refuses is discarded, with the usual error', async () => {
    const [from, to] = [await filled('SQLite file'), await place('PostgreSQL')];
    await (await openStore(to)).close();
    await execute(
      to,
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before insert on users for each row when (new.username = 'Z7') execute function refuse()`,
    );
    await assert.rejects(copyStore(from, to), { name: 'StoreFault', reason: 'P0001' });
    const another = { code: 'store_not_copied', message: 'the table locks is another one in the target' };
    for (const change of [
      'alter table locks add column extra text',
      'drop table locks; create table locks (name text, expires_at_ms bigint primary key)',
      'drop table locks',
    ]) {
      await execute(to, change);
      await assert.rejects(copyStore(from, to), another, change);
    }
    const store = await openStore(to);
    assert.equal(await store.poolStore.pools.first(), undefined);
    await store.close();
  });

  it('knows the tables, their columns and keys, and copies owners first', async () => {
    const own = await listOwnTables();
    const database = openSqlite(undefined);
    const tables = await database.withSchema(async (access) => {
      await migrate(access);
      return listCopiedTables(access, own);
    });
    await database.close();
    const names = tables.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      names.filter((name) => name.startsWith('poolgate_')),
      [],
    );
    const inOrder = ['pools', 'users', 'devices'].map((name) => names.indexOf(name));
    assert.deepEqual(
      inOrder,
      inOrder.toSorted((one, other) => one - other),
    );
    assert.ok(names.indexOf('groups') < names.indexOf('memberships'));
    assert.deepEqual(
      tables.find(({ name }) => name === 'totp_factors'),
      {
        name: 'totp_factors',
        columns: ['created_at_ms', 'last_step', 'name', 'pool_id', 'secret_sealed', 'state', 'username'],
        key: ['pool_id', 'username', 'state'],
        flags: new Set(),
      },
    );
  });

  it('is made only into an empty database, from an existing one that is up to date', async () => {
    const [from, taken] = [await filled('SQLite file'), await filled('PostgreSQL')];
    await assert.rejects(copyStore(from, taken), { code: 'store_not_copied', message: /not empty/ });
    const missing = `${await place('SQLite file')}.missing`;
    const empty = await place('PostgreSQL');
    await assert.rejects(copyStore(missing, empty), { code: 'store_not_copied', message: /no database/ });
    const old = await place('SQLite file');
    await execute(old, await readFile(new URL('migrations/fixtures/0007.sqlite.sql', import.meta.url), 'utf8'));
    await assert.rejects(copyStore(old, empty), { code: 'store_not_copied', message: /run poolgate migrate/ });
    await assert.rejects(copyStore(from, await place('SQLite file')), TypeError);
    await assert.rejects(copyStore(from, UNAVAILABLE_PLACE), { code: 'store_unavailable' });
  });
});
