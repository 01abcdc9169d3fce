import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../examples/triggers/serve.ts', import.meta.url));

test('the triggers example refuses strangers, lets a colleague in without a code, and puts the department into tokens', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env: { PATH: process.env.PATH } });
  assert.match(stdout, /^eve@elsewhere\.test: 403 Only people of Example Inc\. can sign up$/m);
  assert.match(stdout, /^sales\.ada@example\.com: department sales, scope .+ reports\/read$/m);
});
