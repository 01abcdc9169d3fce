import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../open-store.ts';

test('a store is not ready once its file, or its log, was deleted or replaced, until it is back', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-identity-'));
  const path = join(folder, 'pool.db');
  const store = await openStore(`sqlite:${path}`);
  context.after(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  assert.deepEqual([store.isInPlace(), await store.records.ready()], [true, true]);
  for (const name of [path, `${path}-wal`]) {
    await rename(name, `${name}.away`);
    assert.deepEqual([store.isInPlace(), await store.records.ready()], [false, false], `${name} is gone`);
    await copyFile(`${name}.away`, name);
    assert.deepEqual([store.isInPlace(), await store.records.ready()], [false, false], `${name} is a copy`);
    await rename(`${name}.away`, name);
    assert.deepEqual([store.isInPlace(), await store.records.ready()], [true, true]);
  }
});
