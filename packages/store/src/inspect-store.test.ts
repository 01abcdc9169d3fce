import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspectStore } from './inspect-store.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { openStore } from './open-store.ts';
import { execute } from './testing/execute.ts';
import { createTestDatabase, withServiceLimits } from './testing/postgres.ts';
import { PERSISTENT_LOCATIONS } from './testing/store-locations.ts';

const NAMES = Object.keys(MIGRATIONS);

/** The dump of the first release for each URL scheme. */
const DUMPS: Readonly<Record<string, string>> = { sqlite: '0001.sqlite.sql', postgres: '0001.postgres.sql' };

for (const [name, location] of Object.entries(PERSISTENT_LOCATIONS)) {
  describe(`inspecting a store on ${name}`, () => {
    it('finds what an opening would change, and changes nothing', async () => {
      const { url, remove } = await location();
      try {
        const before = await inspectStore(url);
        assert.deepEqual([before.hasPool, before.pending], [false, NAMES]);
        await (await openStore(url)).close();
        const { server, ...state } = await inspectStore(url);
        assert.deepEqual(state, { exists: true, hasPool: false, pending: [] });
        assert.equal(server === undefined, url.startsWith('sqlite:'));
      } finally {
        await remove();
      }
    });

    it('finds what an older version lacks, any number of times', async () => {
      const { url, remove } = await location();
      try {
        const dump = DUMPS[url.startsWith('sqlite:') ? 'sqlite' : 'postgres'] ?? '';
        await execute(url, await readFile(new URL(`migrations/fixtures/${dump}`, import.meta.url), 'utf8'));
        for (const _time of [1, 2]) {
          const { hasPool, pending } = await inspectStore(url);
          assert.deepEqual([hasPool, pending], [true, NAMES.slice(1)]);
        }
      } finally {
        await remove();
      }
    });

    it('refuses a database of another program', async () => {
      const { url, remove } = await location();
      try {
        await execute(url, 'create table users (id integer)');
        await assert.rejects(inspectStore(url), { code: 'store_foreign' });
      } finally {
        await remove();
      }
    });
  });
}

it('a missing file is not created', async () => {
  const { url, remove } = (await PERSISTENT_LOCATIONS['SQLite file']?.()) ?? assert.fail();
  try {
    assert.deepEqual(await inspectStore(url), { exists: false, hasPool: false, pending: NAMES, server: undefined });
    assert.equal(existsSync(url.slice('sqlite:'.length)), false);
    assert.equal((await inspectStore('sqlite::memory:')).exists, false);
  } finally {
    await remove();
  }
});

it('a missing file that could not be created is a fault, and so is a log without its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-inspect-'));
  try {
    await writeFile(join(folder, 'file'), 'no folder');
    await writeFile(join(folder, 'lost.db-wal'), 'a log');
    for (const path of ['file/poolgate.db', 'file/deep/er/poolgate.db']) {
      await assert.rejects(inspectStore(`sqlite:${join(folder, path)}`), { name: 'StoreUnavailable' });
    }
    await assert.rejects(inspectStore(`sqlite:${join(folder, 'lost.db')}`), { code: 'store_corrupt' });
    assert.equal((await inspectStore(`sqlite:${join(folder, 'deep/er/poolgate.db')}`)).exists, false);
    assert.deepEqual(await readdir(folder), ['file', 'lost.db-wal']);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("returns the server's statement limits: by role or database, and in transactions", async () => {
  const database = await createTestDatabase();
  const url = withServiceLimits(database.url);
  try {
    const name = new URL(url).pathname.slice(1);
    await execute(
      url,
      `alter database ${name} set statement_timeout = '1500ms'; alter database ${name} set lock_timeout = 0`,
    );
    const state = await inspectStore(url);
    assert.deepEqual(state.server, {
      isReadOnly: false,
      limits: { statement_timeout: 1500, lock_timeout: 0, idle_in_transaction_session_timeout: 0 },
      transactionLimits: { statement_timeout: 2000, lock_timeout: 1200, idle_in_transaction_session_timeout: 10_000 },
    });
    await execute(url, `alter database ${name} set default_transaction_read_only = on`);
    assert.equal((await inspectStore(url)).server?.isReadOnly, true);
    await execute(url, `begin read write; alter database ${name} reset default_transaction_read_only; commit`);
    await execute(url, `alter database ${name} set lock_timeout = '1ms'`);
    const stores = await Promise.all([openStore(url), openStore(url)]);
    for (const store of stores) await store.close();
    const migrated = stores.flatMap((store) => store.migrated);
    assert.deepEqual(migrated, NAMES, 'of two starts one migrates, and the other waits as long as that takes');
  } finally {
    await database.drop();
  }
});
