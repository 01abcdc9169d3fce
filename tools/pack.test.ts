import assert from 'node:assert/strict';
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { after, describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packAll } from './pack.ts';
import { fetchRuntimes } from './runtimes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'poolgate-tarballs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function runTool(...words: readonly string[]): void {
  execFileSync(process.execPath, [join(root, 'tools/run.cjs'), ...words], { stdio: 'pipe' });
}

const progress: string[] = [];
const tarballs = await packAll(join(folder, 'tarballs'), (line) => progress.push(line));

const project = join(folder, 'project');
mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs], {
  cwd: project,
  stdio: 'pipe',
});

interface EntryPoint {
  readonly name: string;
  /** The file, in the project. */
  readonly file: string;
  /** As users import it. */
  readonly specifier: string;
}

/** The entry points of the installed packages. */
const entryPoints = globSync('node_modules/{poolgate,@poolgate/*}/package.json', { cwd: project }).flatMap((path) => {
  const manifest: Manifest = JSON.parse(readFileSync(join(project, path), 'utf8'));
  return Object.entries(manifest.exports).map(([name, target]): EntryPoint => {
    const file = typeof target === 'string' ? target : target.default;
    return { name, file: join(project, path, '..', file), specifier: join(manifest.name, name) };
  });
});

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const modules = entryPoints.filter(({ file }) => file.endsWith('.js'));
const otherFiles = entryPoints.filter((entryPoint) => !modules.includes(entryPoint));

test('packing prints its progress', () => {
  const [first, ...others] = progress;
  assert.match(first ?? '', /^Compiling/);
  assert.deepEqual(
    others.map((line) => line.replace(/: poolgate-.+\.tgz$/, '')),
    tarballs.map((_, index) => `Packed ${index + 1} of ${tarballs.length}`),
  );
});

test('every tarball is well formed for those who import it', () => {
  const withoutTypes = otherFiles.map(({ name }) => name);
  for (const tarball of tarballs) {
    runTool('publint', '--strict', tarball);
    // Types are for modules; the other exports of a package are excluded here and checked below.
    runTool('attw', '--profile', 'esm-only', tarball, '--exclude-entrypoints', ...withoutTypes);
  }
});

test('the only entry point that is no module is a stylesheet, and the description of the elements is where editors look for it', () => {
  const [stylesheet] = otherFiles;
  assert.deepEqual(
    otherFiles.map(({ specifier }) => specifier),
    ['@poolgate/elements/poolgate.css'],
  );
  assert.match(readFileSync(stylesheet?.file ?? '', 'utf8'), /--pg-font:/);
  const place = join(project, 'node_modules/@poolgate/elements');
  const { customElements } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  assert.ok(JSON.parse(readFileSync(join(place, customElements), 'utf8')).modules.length > 0);
});

/** Without the test run's own settings, which do not concern the program. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('POOLGATE_')));

test('the packed tarballs, installed into an empty folder, serve by their own command', async () => {
  const service = spawn(join(project, 'node_modules/.bin/poolgate'), ['serve'], {
    cwd: project,
    env: { ...environment, PORT: '0', NODE_ENV: 'development' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const gone = once(service, 'close');
  try {
    const url = await readAddress(service);
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

describe('the published package', async () => {
  const runtimes = await fetchRuntimes();
  const nodes = { 22: runtimes.node(22), 24: runtimes.node(24), 26: process.execPath };
  const main = join(project, 'node_modules/poolgate/dist/main.js');
  const module = join(project, 'program.mjs');
  writeFileSync(
    module,
    `import { DEMO_USER, start } from 'poolgate';
const service = await start({ databaseUrl: 'sqlite::memory:', port: 0 });
const body = JSON.stringify({ username: DEMO_USER.email, password: DEMO_USER.password });
const answer = await fetch(service.url + '/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
console.log(answer.status, (await answer.json()).status);
await service.close();
`,
  );

  const computing = join(project, 'computing.mjs');
  writeFileSync(
    computing,
    `import { DEMO_USER, start } from 'poolgate';
let lost = 0;
const logStream = { write: (line) => { if (line.includes('computing thread')) lost += 1; } };
const options = { databaseUrl: 'sqlite::memory:', port: 0, limitReads: 0, limitLoginSteps: 0, limitUserSteps: 0, overloadMs: 0, threads: 2, logStream };
const service = await start(options);
const body = JSON.stringify({ username: DEMO_USER.email, password: DEMO_USER.password });
const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
const answers = await Promise.all(Array.from({ length: 80 }, () => fetch(service.url + '/login', request)));
const statuses = [...new Set(answers.map(({ status }) => status))].join();
await Promise.all(answers.map((answer) => answer.text()));
const threads = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
console.log(statuses, threads, lost);
await service.close();
`,
  );

  const importing = join(project, 'importing.mjs');
  writeFileSync(
    importing,
    `${modules.map(({ specifier }) => `import ${JSON.stringify(specifier)};`).join('\n')}
import { createClient } from '@poolgate/client';
import { DEMO_USER, start } from 'poolgate';
const service = await start({ databaseUrl: 'sqlite::memory:', port: 0 });
const client = createClient({ baseUrl: service.url, mode: 'tokens' });
const step = await client.login.withPassword({ username: DEMO_USER.email, password: DEMO_USER.password });
console.log(step.kind, typeof (await client.tokens())?.accessToken);
await service.close();
`,
  );

  it('brings no Node of its own', () => {
    assert.ok(!existsSync(join(project, 'node_modules/.bin/node')));
    assert.deepEqual(globSync('node_modules/node-*/bin/node*', { cwd: project }), []);
  });

  for (const [major, node] of Object.entries(nodes)) {
    const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) => {
      const options = { cwd: project, env: { ...environment, ...env }, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(node, words, options);
      assert.equal(status, 0, stderr);
      assert.doesNotMatch(stderr, /NOT_NATIVE/);
      return stdout;
    };

    it(`runs on Node ${major} as a module`, () => {
      assert.equal(run(['--print', 'process.versions.node']).split('.')[0], major);
      assert.equal(run([module]), '200 success\n');
    });

    it(`is imported on Node ${major} by every entry point of every package, and the client logs in`, () => {
      assert.equal(run([importing]), 'done string\n');
    });

    it(`computes on Node ${major} with threads of its own`, () => {
      assert.equal(run([computing]), '200 2 0\n');
    });

    it(`runs on Node ${major} as a program: commands, and a service on a file that logs in and ends at a signal`, async () => {
      const env = { POOLGATE_DATA_DIR: join(folder, `data-${major}`), PORT: '0', NODE_ENV: 'development' };
      const service = spawn(node, [main, 'serve'], {
        cwd: project,
        env: { ...environment, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const gone = once(service, 'close');
      const url = await readAddress(service);
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' });
      const answer = await fetch(`${url}/login`, { method: 'POST', headers, body });
      assert.equal(answer.status, 200);
      // While the service runs, which also writes.
      const users = join(folder, `users-${major}.csv`);
      writeFileSync(users, 'cognito:username,email,email_verified\nada@example.com,ada@example.com,TRUE\n');
      assert.match(run([main, 'user', 'import', users], env), /imported 1, rejected 0/);
      assert.match(run([main, 'user', 'list', '--json'], env), /"ada@example\.com"/);
      service.kill('SIGTERM');
      assert.deepEqual(await gone, [0, null]);
    });
  }

  it('has a client that logs in on Node 20, where no package that it brings along asks for a newer one', async () => {
    for (const name of ['client', 'contract', 'srp']) {
      const manifest = readFileSync(join(project, 'node_modules/@poolgate', name, 'package.json'), 'utf8');
      assert.equal((JSON.parse(manifest) as { engines: { node: string } }).engines.node, '>=20', name);
    }
    const program = join(project, 'log-in.mjs');
    writeFileSync(
      program,
      `import { createClient } from '@poolgate/client';
import { createAuthenticator } from '@poolgate/client/server';
const baseUrl = process.argv[2];
const client = createClient({ baseUrl });
const { kind } = await client.login.withPassword({ username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' });
const { accessToken } = await client.tokens();
const caller = await createAuthenticator({ baseUrl })({ headers: { authorization: 'Bearer ' + accessToken } });
console.log(kind, caller.kind);
`,
    );
    const service = spawn(process.execPath, [main, 'serve'], {
      cwd: project,
      env: { ...environment, POOLGATE_DATA_DIR: join(folder, 'data-20'), PORT: '0', NODE_ENV: 'development' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const gone = once(service, 'close');
    const words = [program, String(await readAddress(service))];
    const { stdout, stderr } = spawnSync(runtimes.node(20), words, {
      cwd: project,
      env: environment,
      encoding: 'utf8',
    });
    assert.equal(stdout, 'done token\n', stderr);
    service.kill('SIGTERM');
    await gone;
  });

  it('says in one line that a Node is too old', () => {
    const run = (words: readonly string[]) =>
      spawnSync(runtimes.node(20), words, { cwd: project, env: environment, encoding: 'utf8' });
    const line = /^(Error: )?poolgate: needs Node 22\.13 or newer, and this is 20\.\d+\.\d+$/gm;
    for (const words of [[main, 'serve'], [module]]) {
      const { status, stderr, stdout } = run(words);
      assert.deepEqual([status, stdout, stderr.match(line)?.length], [1, '', 1], stderr);
    }
    assert.match(run([main, 'serve']).stderr, /^[^\n]+\n$/);
  });

  it('says what it is, where it is made, and what is inside', () => {
    for (const path of globSync('node_modules/{poolgate,@poolgate/*}/package.json', { cwd: project })) {
      const place = join(project, path, '..');
      const manifest = JSON.parse(readFileSync(join(project, path), 'utf8')) as Readonly<Record<string, unknown>>;
      for (const name of ['repository', 'homepage', 'bugs', 'engines']) assert.ok(manifest[name], `${path}: ${name}`);
      assert.ok(readFileSync(join(place, 'README.md'), 'utf8').startsWith(`# ${String(manifest.name)}\n`), path);
      const bill = JSON.parse(readFileSync(join(place, 'sbom.cdx.json'), 'utf8')) as BillOfMaterials;
      assert.deepEqual([bill.bomFormat, bill.metadata.component.name], ['CycloneDX', manifest.name]);
      const names = new Set(bill.components.map(({ name }) => name));
      for (const name of Object.keys((manifest.dependencies as object | undefined) ?? {}))
        assert.ok(names.has(name), name);
      const refs = new Set([bill.metadata.component, ...bill.components].map((component) => component['bom-ref']));
      for (const { ref, dependsOn } of bill.dependencies)
        for (const each of [ref, ...dependsOn]) assert.ok(refs.has(each), each);
    }
  });
});

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
}

interface BillOfMaterials {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

async function readAddress({ stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
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
