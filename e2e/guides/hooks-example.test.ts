import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../examples/hooks/serve.ts', import.meta.url));

test('the hooks example migrates a user of an older system, reports it, and adds a claim', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env: { PATH: process.env.PATH } });
  assert.match(stdout, /^event user\.migrated \(success\) of a user$/m);
  assert.match(stdout, /^event login\.succeeded \(success\) of a user$/m);
  assert.match(stdout, /^grace@example\.com moved in, and belongs to navy$/m);
});
