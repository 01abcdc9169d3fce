import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findHandlers } from './find-handlers.ts';

test('handlers are files of the folder, named by a logical ID', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-handlers-'));
  context.after(() => rm(folder, { recursive: true }));
  const handlers = join(folder, 'handlers');
  await mkdir(handlers);
  await writeFile(join(handlers, 'PreSignUp.js'), '');
  await writeFile(join(folder, 'outside.js'), '');
  const functions = new Map(['PreSignUp', 'Missing', '../outside'].map((id) => [id, `arn:${id}`]));
  const found = await findHandlers({ functions }, handlers);
  assert.deepEqual(
    found.map(({ logicalId, path }) => [logicalId, path]),
    [
      ['PreSignUp', join(handlers, 'PreSignUp.js')],
      ['Missing', undefined],
      ['../outside', undefined],
    ],
  );
});
