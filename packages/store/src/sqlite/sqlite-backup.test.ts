import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { backUpFile, deleteStagedBackup, restoreStagedBackup, stageBackup } from './sqlite-backup.ts';

/** Watches a file while it exists, and reports the modes that it had. */
const WATCHER = `
const { statSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
const modes = new Set();
parentPort.postMessage('ready');
for (;;) {
  const found = statSync(workerData, { throwIfNoEntry: false });
  if (found !== undefined) modes.add(found.mode & 0o777);
  else if (modes.size > 0) break;
}
parentPort.postMessage([...modes]);
`;

describe('the copy of a database', () => {
  let folder: string;
  let path: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolgate-backup-'));
    path = join(folder, 'some.db');
    const database = new DatabaseSync(path);
    database.exec(`create table rows (text text);
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 40000)
      insert into rows select hex(randomblob(250)) from numbers`);
    database.close();
  });
  after(() => rm(folder, { recursive: true }));

  it('is readable only by its owner from the first byte on', async () => {
    const target = join(folder, 'copy.db');
    const watcher = new Worker(WATCHER, { eval: true, workerData: `${target}.partial` });
    await once(watcher, 'message');
    const seen = once(watcher, 'message');
    backUpFile(path, target);
    assert.deepEqual(await seen, [[0o600]]);
    assert.equal((await stat(target)).mode & 0o777, 0o600);
  });

  it('does not go into a file that another user has created there', async () => {
    const target = join(folder, 'elsewhere.db');
    const bait = join(folder, 'bait');
    await writeFile(bait, '');
    await symlink(bait, `${target}.partial`);
    backUpFile(path, target);
    assert.equal((await stat(bait)).size, 0);
    assert.ok((await stat(target)).size > 0);
  });
});

describe('a restored backup', () => {
  let folder: string;
  let path: string;
  let backup: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolgate-restore-'));
    path = join(folder, 'served.db');
    backup = join(folder, 'backup.db');
  });
  after(() => rm(folder, { recursive: true }));

  /** Creates the served database, replacing the previous one. */
  async function serve(text: string, mode = 'delete'): Promise<DatabaseSync> {
    for (const name of await readdir(folder)) await rm(join(folder, name));
    const database = new DatabaseSync(path);
    database.exec(`pragma journal_mode = ${mode}; create table rows (text text); insert into rows values ('${text}')`);
    return database;
  }

  const textIn = (file: string): unknown => {
    const database = new DatabaseSync(file);
    const row = database.prepare('select text from rows').get();
    database.close();
    return row?.text;
  };

  it('replaces the database, which stays under another name', async () => {
    (await serve('before', 'wal')).close();
    assert.equal(backUpFile(path, backup), (await stat(backup)).size);
    const changed = new DatabaseSync(path);
    changed.exec("update rows set text = 'after'");
    changed.close();
    const kept = await readFile(backup);
    const staged = stageBackup(backup, path);
    assert.equal((await stat(staged)).mode & 0o777, 0o600);
    assert.equal(textIn(path), 'after', 'nothing happens before it is whole');
    const previous = restoreStagedBackup(staged, path, 'replaced');
    assert.equal(previous, `${path}.replaced`);
    assert.deepEqual([textIn(path), textIn(`${path}.replaced`)], ['before', 'after']);
    assert.equal(existsSync(staged), false);
    assert.deepEqual(await readFile(backup), kept);
  });

  it('is placed where there was nothing, without the remains of an older database', async () => {
    (await serve('before')).close();
    backUpFile(path, backup);
    await rm(path);
    for (const companion of ['-wal', '-shm', '-journal']) await writeFile(path + companion, 'of another database');
    assert.equal(restoreStagedBackup(stageBackup(backup, path), path, 'replaced'), undefined);
    assert.equal(textIn(path), 'before');
    assert.deepEqual((await readdir(folder)).toSorted(), ['backup.db', 'served.db']);
  });

  it('does not wait: a database in use stays', async () => {
    const open = await serve('before', 'wal');
    open.exec('begin; select * from rows');
    backUpFile(path, backup);
    const staged = stageBackup(backup, path);
    assert.throws(() => restoreStagedBackup(staged, path, 'replaced'), { name: 'StoreUnavailable' });
    open.close();
    assert.equal(textIn(path), 'before');
    deleteStagedBackup(staged);
    assert.equal(existsSync(staged), false);
  });

  it('is checked first: a broken file, or another one, replaces nothing', async () => {
    (await serve('before')).close();
    backUpFile(path, backup);
    assert.throws(() => backUpFile(path, backup), { name: 'StoreUnavailable' }, 'a backup overwrites none');
    for (const bytes of ['no database at all', (await readFile(backup)).subarray(0, 5_000)]) {
      await writeFile(backup, bytes);
      assert.throws(() => stageBackup(backup, path));
      assert.equal(existsSync(`${path}.restoring`), false);
    }
    assert.throws(() => stageBackup(join(folder, 'none.db'), path));
    assert.equal(textIn(path), 'before');
  });

  it('is checked row by row', async () => {
    (await serve('before')).close();
    const damaged = new DatabaseSync(path, { defensive: false });
    damaged.exec(`insert into rows values (null); pragma writable_schema = on;
      update sqlite_schema set sql = 'create table rows (text text not null)' where name = 'rows'`);
    damaged.close();
    const refused = { name: 'StoreRefused', code: 'store_corrupt', message: 'the copy is damaged' };
    assert.throws(() => stageBackup(path, backup), refused);
    assert.deepEqual(await readdir(folder), ['served.db']);
  });
});
