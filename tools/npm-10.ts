/**
 * Tests the first steps on a machine with Node 20 and its npm 10. In a copy of the working tree, it runs `npm ci`. Then it runs
 * `npm start` with a login of the demo user and SIGTERM, a command, and tests. To run it by hand, use `npm run npm-10`.
 */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchRuntimes } from './runtimes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const LEFT_OUT = /(^|\/)(node_modules|dist|tmp|data|\.git)(\/|$)|\.tsbuildinfo$/;
const TESTS = ['packages/srp/src/exchange.test.ts', 'packages/contract/src/check-schema.test.ts'];

const runtimes = await fetchRuntimes();
const folder = mkdtempSync(join(tmpdir(), 'poolgate-npm-10-'));
// The tests' PostgreSQL runs as a separate user.
chmodSync(folder, 0o755);
const clone = join(folder, 'clone');

/** The machine's programs: an older Node and its npm, and nothing of this repository. */
function createMachineEnvironment(): Record<string, string | undefined> {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(runtimes.node(20), join(bin, 'node'));
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec '${runtimes.node(20)}' '${runtimes.npm}' "$@"\n`, { mode: 0o755 });
  const others = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'));
  const own = Object.entries(process.env).filter(([name]) => !/^npm_|^(POOLGATE|IDP)_|^NODE_/i.test(name));
  return { ...Object.fromEntries(own), PATH: [bin, ...others].join(delimiter) };
}

async function startAndLogIn(env: Record<string, string | undefined>): Promise<void> {
  const service = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...env, PORT: '0', DATABASE_URL: 'sqlite::memory:' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service.stdout, 'close');
  let printed = '';
  for await (const chunk of service.stdout) {
    printed += String(chunk);
    const line = /^ +curl -s (\S+) -H '([^:]+): ([^']+)' -d '([^']+)'$/m.exec(printed);
    if (line === null) continue;
    const [, url = '', name = '', value = '', body = ''] = line;
    const answer = await fetch(url, { method: 'POST', headers: { [name]: value }, body });
    assert.equal(answer.status, 200, `the login on ${url}`);
    service.kill('SIGTERM');
  }
  assert.match(printed, /curl/, 'npm start serves');
  await ended;
}

try {
  const env = createMachineEnvironment();
  const run = (...words: readonly string[]): string =>
    execFileSync('npm', words, { cwd: clone, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  cpSync(root, clone, { recursive: true, filter: (path) => !LEFT_OUT.test(path.slice(root.length)) });
  assert.match(run('--version'), /^10\./);
  run('ci', '--prefer-offline');
  console.log(`npm 10 ${existsSync(join(clone, 'node_modules/.bin/node')) ? 'links' : 'does not link'} .bin/node`);
  await startAndLogIn(env);
  console.log('npm start serves, logs in and ends');
  assert.match(run('run', '--silent', 'poolgate', '--', '--version'), /^\d+\.\d+\.\d+\n$/);
  assert.match(run('test', '--', ...TESTS), /^ℹ fail 0$/m);
  console.log('npm run poolgate and npm test work');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
