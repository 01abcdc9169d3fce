import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { backUpFile } from './backup.ts';

/** Looks at a file from when it is there until it is gone, and says under which modes it was seen. */
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

  it('is readable by its owner only from its first byte on', async () => {
    const target = join(folder, 'copy.db');
    const watcher = new Worker(WATCHER, { eval: true, workerData: `${target}.partial` });
    await once(watcher, 'message');
    const seen = once(watcher, 'message');
    backUpFile(path, target);
    assert.deepEqual(await seen, [[0o600]]);
    assert.equal((await stat(target)).mode & 0o777, 0o600);
  });

  it('goes into no file that somebody else has put where it is made', async () => {
    const target = join(folder, 'elsewhere.db');
    const bait = join(folder, 'bait');
    await writeFile(bait, '');
    await symlink(bait, `${target}.partial`);
    backUpFile(path, target);
    assert.equal((await stat(bait)).size, 0);
    assert.ok((await stat(target)).size > 0);
  });
});
