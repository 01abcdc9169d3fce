import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open, readdir, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openStore } from '../open-store.ts';
import { insertSamplePool } from '../testing/sample-records.ts';
import { readFileBytes } from './sqlite-file.ts';

const REFUSED = { name: 'StoreRefused', code: 'store_corrupt' };

describe('the SQLite file', () => {
  let folder: string;
  let sound: string;
  const copy = async (name: string): Promise<string> => {
    const path = join(folder, name);
    await copyFile(sound, path);
    return path;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolgate-file-'));
    sound = join(folder, 'sound.db');
    const store = await openStore(`sqlite:${sound}`);
    await insertSamplePool(store.poolStore, 'p', ...Array.from({ length: 200 }, (_, index) => `user-${index}`));
    await store.close();
  });
  after(() => rm(folder, { recursive: true }));

  it('is created with its folder, readable only by its owner, with nothing left next to it', async () => {
    const path = join(folder, 'deep', 'er', 'new.db');
    await (await openStore(`sqlite:${path}`)).close();
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(join(folder, 'deep'))).mode & 0o777, 0o700);
    assert.deepEqual(await readdir(join(folder, 'deep', 'er')), ['new.db']);
  });

  it('is refused if it is not a database', async () => {
    const path = join(folder, 'text.db');
    await writeFile(path, 'This is not a database. '.repeat(500));
    await assert.rejects(openStore(`sqlite:${path}`), REFUSED);
  });

  it('is refused if it was truncated anywhere', async () => {
    const { size } = await stat(sound);
    for (const left of [0, 10, 100, 4_096, 8_192, Math.floor(size / 2), size - 4_096]) {
      const path = await copy(`cut-at-${left}.db`);
      await truncate(path, left);
      await assert.rejects(openStore(`sqlite:${path}`), REFUSED, `cut to ${left} of ${size} bytes`);
    }
  });

  it('is refused if a page of it was overwritten', async () => {
    const path = await copy('overwritten.db');
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(4_096, 0xa5), 0, 4_096, 3 * 4_096);
    await file.close();
    await assert.rejects(openStore(`sqlite:${path}`), REFUSED);
  });

  it('is refused if only its write-ahead log is left', async () => {
    const path = join(folder, 'gone.db');
    await writeFile(`${path}-wal`, 'f');
    await assert.rejects(openStore(`sqlite:${path}`), REFUSED);
  });

  it('is unavailable if there is a folder at its path, or a file at its folder’s', async () => {
    const unavailable = { name: 'StoreUnavailable', code: 'store_unavailable' };
    await assert.rejects(openStore(`sqlite:${folder}`), unavailable);
    await assert.rejects(openStore(`sqlite:${join(sound, 'below.db')}`), unavailable);
  });

  it('is unavailable if its name leaves no room for the temporary name', async () => {
    const path = join(folder, 'n'.repeat(250));
    await assert.rejects(openStore(`sqlite:${path}`), { name: 'StoreUnavailable', code: 'store_unavailable' });
    assert.equal(existsSync(path), false);
  });

  it('is used if another process created it first', async () => {
    const path = join(folder, 'linked.db');
    // Missing for a check, but existing for creation.
    await symlink(join(folder, 'target.db'), path);
    await (await openStore(`sqlite:${path}`)).close();
    assert.ok(existsSync(join(folder, 'target.db')));
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('linked.db')),
      ['linked.db'],
    );
  });

  it('has a size, and none if it is missing', async () => {
    assert.deepEqual(readFileBytes(sound), { database: (await stat(sound)).size, log: 0 });
    assert.deepEqual(readFileBytes(join(folder, 'nothing.db')), { database: 0, log: 0 });
    const path = join(folder, 'logged.db');
    await writeFile(path, '12345');
    await writeFile(`${path}-wal`, '123');
    assert.deepEqual(readFileBytes(path), { database: 5, log: 3 });
  });
});
