import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

async function emptyFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-main-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

interface Finished {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

interface Program {
  readonly process: ChildProcess;
  /** The output until a line matches. Rejects if the program ends before. */
  printed(pattern: RegExp): Promise<string>;
  readonly finished: Promise<Finished>;
}

function poolgate(context: TestContext, words: readonly string[], environment: NodeJS.ProcessEnv, input = ''): Program {
  const { PATH } = process.env;
  const child = spawn(process.execPath, [MAIN, ...words], { env: { PATH, ...environment } });
  context.after(() => void child.kill('SIGKILL'));
  child.stdin.end(input);
  let seen = '';
  child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  const finished = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(
    ([[exitCode], out, err]) => ({ exitCode: exitCode as number | null, out, err }),
  );
  const printed = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(seen)) {
      const ended = await Promise.race([once(child.stdout, 'data').then(() => undefined), finished]);
      if (ended !== undefined) assert.match(ended.out, pattern, ended.err);
    }
    return seen;
  };
  return { process: child, printed, finished };
}

async function serving(program: Program): Promise<{ url: URL; banner: string }> {
  const banner = await program.printed(/curl .*\n/);
  const [, address = ''] = /Service +(\S+)/.exec(banner) ?? [];
  return { url: new URL(address), banner };
}

test('a development start prints how to log in, and the printed command works', async (context) => {
  const program = poolgate(context, ['serve'], { PORT: '0', POOLGATE_DATA_DIR: await emptyFolder(context) });
  const { banner } = await serving(program);
  for (const words of ['User pool ID', 'Client ID', 'Admin key', 'Outbox', 'demo@poolgate.test / Demo-Passw0rd!']) {
    assert.ok(banner.includes(words), words);
  }
  const line = /^ +(curl .*)$/m.exec(banner)?.[1] ?? '';
  const shell = spawn('sh', ['-c', line]);
  const answer = JSON.parse(await text(shell.stdout)) as Record<string, unknown>;
  assert.equal(answer.status, 'success');
  program.process.kill('SIGTERM');
  const { exitCode, err } = await program.finished;
  assert.equal(exitCode, 0);
  for (const logged of err.trim().split('\n')) assert.match(logged, /^\d\d:\d\d:\d\d\.\d{3} (?:info|warn) {1,2}\S/);
  assert.match(err, / info {2}POST \/login 200 \d+(?:\.\d)? ms /);
  assert.ok(!err.includes('Demo-Passw0rd!'));
});

/** A request whose body has not arrived completely. */
async function halfRequest({ hostname, port }: URL): Promise<{ socket: Socket; finish(): void }> {
  const body = JSON.stringify({ username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' });
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = `POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\n`;
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n`);
  // "100 Continue" shows that the service has started the request.
  await once(socket, 'data');
  socket.write(body.slice(0, 10));
  return { socket, finish: () => void socket.write(body.slice(10)) };
}

async function isRefused({ hostname, port }: URL): Promise<boolean> {
  const socket = connect(Number(port), hostname);
  const outcome = await once(socket, 'connect').then(
    () => false,
    () => true,
  );
  socket.destroy();
  return outcome;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test(`${signal} finishes requests in flight, accepts no new ones, and exits with 0`, async (context) => {
    const program = poolgate(context, ['serve'], { PORT: '0', POOLGATE_DATA_DIR: await emptyFolder(context) });
    const { url } = await serving(program);
    const { socket, finish } = await halfRequest(url);
    const answer = text(socket);
    program.process.kill(signal);
    while (!(await isRefused(url))) await new Promise(setImmediate);
    finish();
    // The response is complete only when the service closes the connection, which it would otherwise keep.
    assert.match(await answer, /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
    assert.equal((await program.finished).exitCode, 0);
  });
}

test("the program ends when npm's shell ends, which forwards no signal", async (context) => {
  const environment = {
    PATH: process.env.PATH,
    PORT: '0',
    POOLGATE_DATA_DIR: await emptyFolder(context),
    npm_lifecycle_event: 'start',
  };
  // Two commands, so that no shell replaces itself with the program.
  const shell = spawn('sh', ['-c', `'${process.execPath}' '${MAIN}' serve; true`], {
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(shell.stdout, 'data');
  shell.kill('SIGTERM');
  // The program holds the other end.
  await text(shell.stdout);
});

test('a second signal ends the program although a request is in flight', async (context) => {
  const program = poolgate(context, ['serve'], { PORT: '0', POOLGATE_DATA_DIR: await emptyFolder(context) });
  const { url } = await serving(program);
  const { socket } = await halfRequest(url);
  socket.on('error', () => {});
  program.process.kill('SIGTERM');
  while (!(await isRefused(url))) await new Promise(setImmediate);
  program.process.kill('SIGTERM');
  assert.equal((await program.finished).exitCode, 1);
});

test('a second service on one SQLite file is refused, while commands work; a killed one leaves no lock; a start names the store and near misses', async (context) => {
  const environment = { PORT: '0', POOLGATE_DATA_DIR: await emptyFolder(context) };
  const programs = [1, 2].map(() => poolgate(context, ['serve'], environment));
  const [refused, index] = await Promise.race(
    programs.map(async ({ finished }, index) => [await finished, index] as const),
  );
  assert.equal(refused.exitCode, 1);
  assert.match(refused.err, /^poolgate: DATABASE_URL: another service is running on the SQLite file .*poolgate\.db/m);
  const running = programs[1 - index] ?? assert.fail();
  const { url } = await serving(running);
  const listed = await poolgate(context, ['user', 'list'], environment).finished;
  assert.deepEqual([listed.exitCode, /demo@poolgate\.test/.test(listed.out)], [0, true], listed.err);
  assert.equal((await fetch(new URL('/readyz', url))).status, 200);
  running.process.kill('SIGKILL');
  await running.finished;
  const misspelled = { ...environment, DATBASE_URL: 'postgres://login:hunter2@db/pool' };
  const again = poolgate(context, ['serve'], misspelled);
  await serving(again);
  again.process.kill('SIGTERM');
  const { exitCode, err } = await again.finished;
  assert.equal(exitCode, 0);
  assert.ok(err.includes(`The store is SQLite file ${join(environment.POOLGATE_DATA_DIR, 'poolgate.db')}.`), err);
  assert.match(err, /DATBASE_URL is set, but is not a setting of Poolgate\. Did you mean DATABASE_URL/);
  assert.ok(!err.includes('hunter2'));
});

test('a port in use, an invalid data folder, and missing secrets each print one line and no stack trace', async (context) => {
  const folder = await emptyFolder(context);
  const running = poolgate(context, ['serve'], { PORT: '0', POOLGATE_DATA_DIR: folder });
  const { url } = await serving(running);
  await writeFile(join(folder, 'file'), '');
  const cases = [
    [{ PORT: url.port, POOLGATE_DATA_DIR: join(folder, 'other') }, 1, /^poolgate: PORT: \d+ on 127\.0\.0\.1 is in use/],
    [
      { PORT: '0', POOLGATE_DATA_DIR: join(folder, 'file', 'data') },
      1,
      /^poolgate: POOLGATE_DATA_DIR: cannot use the folder /,
    ],
    [{ NODE_ENV: 'production', POOLGATE_DATA_DIR: folder }, 2, /^POOLGATE_SECRET: is missing/],
  ] as const;
  for (const [environment, code, line] of cases) {
    const { exitCode, out, err } = await poolgate(context, ['serve'], environment).finished;
    const plain = err.split('\n').filter((text) => text !== '' && !/^\d\d:\d\d:/.test(text));
    assert.deepEqual([exitCode, plain.length, out], [code, 1, ''], err);
    assert.match(plain[0] ?? '', line);
  }
});

interface Piped {
  readonly exitCode: number | null;
  readonly err: string;
}

/** How the program ends if its output goes into this shell command or file. */
async function piped(context: TestContext, words: string, into: string): Promise<Piped> {
  const { PATH } = process.env;
  const environment = { PATH, NODE: process.execPath, MAIN, POOLGATE_DATA_DIR: await emptyFolder(context) };
  const shell = spawn('bash', ['--norc', '-c', `set -o pipefail; "$NODE" "$MAIN" ${words} ${into}`], {
    env: environment,
  });
  const [[exitCode], err] = await Promise.all([once(shell, 'close'), text(shell.stderr)]);
  return { exitCode: exitCode as number | null, err };
}

test('a reader that stops reading ends a command quietly', async (context) => {
  for (const [words, reader] of [
    ['config --reference', 'head -1'],
    ['config --reference', 'true'],
    ['config', 'head -1'],
    ['--help', 'true'],
  ] as const) {
    assert.deepEqual(await piped(context, words, `| ${reader}`), { exitCode: 0, err: '' }, `${words} | ${reader}`);
  }
});

test('output that cannot be written is a failure, in one line', { skip: !existsSync('/dev/full') }, async (context) => {
  const { exitCode, err } = await piped(context, 'config', '> /dev/full');
  assert.deepEqual([exitCode, err], [1, 'poolgate: the output cannot be written (ENOSPC)\n']);
});

test('a password is read from standard input', async (context) => {
  const environment = { POOLGATE_DATA_DIR: await emptyFolder(context) };
  const words = ['user', 'create', 'ada@example.com', '--permanent'];
  const created = await poolgate(context, words, environment, 'Ada-Passw0rd\nrest\n').finished;
  assert.deepEqual([created.exitCode, created.out], [0, 'created ada@example.com\n'], created.err);
  const empty = await poolgate(context, ['user', 'set-password', 'ada@example.com'], environment).finished;
  assert.deepEqual([empty.exitCode, empty.err], [2, 'poolgate: standard input is empty\n']);
});
