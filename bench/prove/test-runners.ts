import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packAll } from '../../tools/pack.ts';
import type { ProofResult } from './proof.ts';

/** Installed only for the proof. */
const PACKAGES = ['vitest@5.1.2', 'jest@30.5.2', 'jest-environment-node@30.5.2', '@playwright/test@1.65.1'];
const OWN_PACKAGES = /poolgate-\d/;
/** The packed program contains the others, and installs only these. */
const POOLGATE = 'node_modules/poolgate';

const CREATE_USER = `async (pool) => (await fetch(pool.url + '/admin/users', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + pool.adminKey.bearer },
  body: JSON.stringify({ email: 'ada@example.com' }),
})).status`;

/** Both tests of a runner create the same user, which works only if the pool is rewound between them. */
const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "runners", "private": true, "type": "module" }',
  'node/pool.test.mjs': `import { after, before, beforeEach, test } from 'node:test';
import { equal } from 'node:assert/strict';
import { usePool } from 'poolgate/test-pools';
const createUser = ${CREATE_USER};
const pool = usePool({ before, beforeEach, after });
for (const turn of [1, 2]) test('turn ' + turn, async () => equal(await createUser(pool()), 201));`,
  'vitest/pool.test.mjs': `import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { usePool } from 'poolgate/test-pools';
const createUser = ${CREATE_USER};
const pool = usePool({ before: beforeAll, beforeEach, after: afterAll });
for (const turn of [1, 2]) test('turn ' + turn, async () => expect(await createUser(pool())).toBe(201));`,
  'jest/pool-environment.mjs': `import { TestEnvironment } from 'jest-environment-node';
import { withPool } from 'poolgate/test-pools';
export default withPool(TestEnvironment);`,
  'jest/jest.config.json': '{ "testEnvironment": "./pool-environment.mjs", "testMatch": ["**/*.test.cjs"] }',
  'jest/pool.test.cjs': `const createUser = ${CREATE_USER};
for (const turn of [1, 2]) test('turn ' + turn, async () => expect(await createUser(pool)).toBe(201));`,
  'playwright/playwright.config.mjs': "export default { testDir: '.', workers: 2, fullyParallel: true };",
  'playwright/pool.spec.mjs': `import { expect, test as base } from '@playwright/test';
import { createPoolFixtures } from 'poolgate/test-pools';
const createUser = ${CREATE_USER};
const test = base.extend(createPoolFixtures());
for (const turn of [1, 2, 3, 4]) test('turn ' + turn, async ({ pool }) => expect(await createUser(pool)).toBe(201));`,
};

/** The words after the program of Node, by runner, each run in the folder of this name. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  node: ['--test', 'pool.test.mjs'],
  vitest: ['../node_modules/vitest/vitest.mjs', 'run'],
  jest: ['../node_modules/jest/bin/jest.js'],
  playwright: ['../node_modules/@playwright/test/cli.js', 'test'],
};

/** Runs the fixtures of the packed program in the test runners that the guide names. */
export async function proveTestRunners(tell: (line: string) => void): Promise<ProofResult> {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-runners-'));
  try {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const tarballs = await packAll(join(folder, 'packed'), tell);
    const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
    execFileSync('npm', [...words, ...PACKAGES], { cwd: folder, stdio: 'pipe' });
    unpack(tarballs.find((path) => OWN_PACKAGES.test(path)) ?? '', join(folder, POOLGATE));
    tell('installed');
    const faults = Object.entries(RUNS).flatMap(([runner, run]) => findFault(join(folder, runner), runner, run));
    return { figure: `${Object.keys(RUNS).join(', ')}: each test began with a fresh pool.`, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unpack(tarball: string, destination: string): void {
  mkdirSync(destination, { recursive: true });
  execFileSync('tar', ['xzf', tarball, '-C', destination, '--strip-components=1']);
}

function findFault(cwd: string, runner: string, words: readonly string[]): readonly string[] {
  try {
    execFileSync(process.execPath, [...words], { cwd, stdio: 'pipe' });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: Buffer; readonly stderr: Buffer };
    return [`${runner}: ${`${stdout}${stderr}`.slice(-600)}`];
  }
}
