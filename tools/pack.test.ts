import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packAll } from './pack.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'poolgate-tarballs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function runTool(...words: readonly string[]): void {
  execFileSync(process.execPath, [join(root, 'tools/run.cjs'), ...words], { stdio: 'pipe' });
}

const tarballs = await packAll(join(folder, 'tarballs'));

test('every tarball is well formed for those who import it', () => {
  for (const tarball of tarballs) {
    runTool('publint', '--strict', tarball);
    runTool('attw', '--profile', 'esm-only', tarball);
  }
});

const project = join(folder, 'project');

/** Without the test run's own settings, which are none of the program's. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('POOLGATE_')));

test('the packed tarballs, installed into an empty folder, serve by npx poolgate serve', async () => {
  execFileSync('mkdir', [project]);
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs], {
    cwd: project,
    stdio: 'pipe',
  });

  const service = spawn('npx', ['poolgate', 'serve'], {
    cwd: project,
    env: { ...environment, PORT: '0', NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const gone = once(service, 'close');
  try {
    const url = await addressOf(service);
    const answer = await fetch(new URL('/login/parameters', url));
    assert.equal(answer.status, 200);
    assert.match(JSON.stringify(await answer.json()), /"user_pool_id":"us-east-1_[A-Za-z0-9]{9}"/);
  } finally {
    if (service.pid && service.exitCode === null) process.kill(-service.pid, 'SIGTERM');
    await gone;
  }
});

test('what the program loads only where it is used stays outside its bundle, and is installed with it', () => {
  const dist = join(project, 'node_modules/poolgate/dist');
  const bundle = globSync('**/*.js', { cwd: dist }).map((file) => readFileSync(join(dist, file), 'utf8'));
  const later = bundle.flatMap((code) =>
    [...code.matchAll(/\bimport\("([^."][^"]*)"\)/g)].map(([, name = '']) => name),
  );
  const packages = new Set(later.filter((name) => !name.startsWith('node:')));
  const expected = ['@aws-sdk/client-sns', 'nodemailer/lib/smtp-connection', 'standardwebhooks'];
  for (const name of expected) assert.ok(packages.has(name), `${name} is loaded later: ${[...packages].join(' ')}`);
  const script = [...packages].map((name) => `await import(${JSON.stringify(name)});`).join(' ');
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: project, stdio: 'pipe' });
});

async function addressOf({ stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let text = '';
  let problems = '';
  stderr.on('data', (chunk) => {
    problems += String(chunk);
  });
  for await (const chunk of stdout) {
    text += String(chunk);
    const url = /http:\/\/localhost:\d+/.exec(text)?.[0];
    if (url && url !== 'http://localhost:0') return url;
  }
  throw new Error(`the service ended without an address: ${text}${problems}`);
}
