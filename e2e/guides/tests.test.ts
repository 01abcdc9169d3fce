import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { start } from 'poolgate';
import { startTestPool } from '../../examples/tests/pool.ts';
import { readGuide, runShell } from '../support/guides/guide.ts';

const GUIDE = readGuide('how-to/tests');
const ROOT = new URL('../../', import.meta.url);

const example = (name: string): string => readFileSync(new URL(`examples/tests/${name}`, ROOT), 'utf8');

/** A test runner inside a test would report to the outer one. */
const { NODE_TEST_CONTEXT: _, ...ENVIRONMENT } = process.env;

it('the guide to tests shows the examples unchanged', () => {
  assert.deepEqual(GUIDE.code('Start it', 'ts'), [example('pool.ts')]);
  assert.deepEqual(GUIDE.code('Time, and messages', 'ts'), [example('login.test.ts')]);
  assert.equal(GUIDE.code('With a test runner', 'ts')[0], example('rewound.test.ts'));
});

it('the examples of test files pass', async () => {
  const [, path = ''] = /npm run node -- --test (\S+)/.exec(GUIDE.text) ?? [];
  const options = { cwd: fileURLToPath(ROOT), env: ENVIRONMENT };
  const files = [path, 'examples/tests/rewound.test.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', ...files], options);
  assert.match(stdout, /^ℹ pass 4$/m);
  assert.match(stdout, /^ℹ fail 0$/m);
});

it('each test pool is separate, with the same published keys', async () => {
  const pools = await Promise.all([startTestPool(), startTestPool()]);
  try {
    const [one, other] = await Promise.all(
      pools.map(async ({ url, userPoolId }) => {
        const { keys } = (await (await fetch(`${url}/${userPoolId}/.well-known/jwks.json`)).json()) as {
          readonly keys: readonly { readonly kid: string }[];
        };
        return { userPoolId, kids: keys.map(({ kid }) => kid).toSorted() };
      }),
    );
    assert.notEqual(one?.userPoolId, other?.userPoolId);
    assert.deepEqual(one?.kids, other?.kids);
  } finally {
    await Promise.all(pools.map((pool) => pool.close()));
  }
});

it('the guide creates keys that a start accepts', async () => {
  const [command = ''] = GUIDE.code('Keys', 'sh');
  const printed = await runShell(command.replace(/> signing-keys\.json\n$/, ''), {});
  const signingKeys = JSON.parse(printed) as NonNullable<Parameters<typeof start>[0]>['signingKeys'] & object;
  const service = await start({ databaseUrl: 'sqlite::memory:', port: 0, signingKeys });
  await service.close();
});
