import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findPoolMarker, writePoolMarker } from '../providers/pool-marker.ts';
import { createDataDir } from './data-dir.ts';
import { StartError } from './start-error.ts';

/** An empty folder, for a process whose mask removes no permission. */
async function emptyFolder(context: TestContext): Promise<string> {
  const mask = process.umask(0);
  context.after(() => process.umask(mask));
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-data-dir-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

const readMode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('only its owner may enter a new data folder, or any folder created on the way to it', async (context) => {
  const folder = await emptyFolder(context);
  await createDataDir(join(folder, 'service', 'data'));
  assert.equal(await readMode(join(folder, 'service')), '700');
  assert.equal(await readMode(join(folder, 'service', 'data')), '700');
});

test('a data folder that exists keeps the mode that its operator chose', async (context) => {
  const folder = await emptyFolder(context);
  await chmod(folder, 0o750);
  await createDataDir(folder);
  assert.equal(await readMode(folder), '750');
});

test('a data folder that cannot be created is an error that names the setting, the folder and the reason', async (context) => {
  const file = join(await emptyFolder(context), 'file');
  await writeFile(file, '');
  const folder = join(file, 'data');
  await assert.rejects(createDataDir(folder), (error: unknown) => {
    assert.ok(error instanceof StartError);
    assert.equal(error.code, 'data_dir');
    assert.equal(error.message, `POOLGATE_DATA_DIR: cannot use the folder ${folder} (ENOTDIR)`);
    return true;
  });
});

test('only its owner may read the pool marker in the data folder', async (context) => {
  const dataDir = await emptyFolder(context);
  const settings = { databaseUrl: 'postgres://app:secret@db.example.com/poolgate', dataDir };
  await writePoolMarker(settings, 'us-east-1_Abc123xyz');
  const marker = await findPoolMarker(settings);
  assert.equal(marker?.userPoolId, 'us-east-1_Abc123xyz');
  assert.doesNotMatch(marker.store, /secret/);
  assert.equal(await readMode(marker.path), '600');
});
