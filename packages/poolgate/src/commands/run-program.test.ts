import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ADMIN_SCOPES } from '@poolgate/provider';
import type { Environment } from '../config/setting-sources.ts';
import { COMMANDS } from './command-table.ts';
import { runProgram } from './run-program.ts';

interface Outcome {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

async function poolgate(words: readonly string[], environment: Environment = {}): Promise<Outcome> {
  const out: string[] = [];
  const err: string[] = [];
  const exitCode = await runProgram(words, {
    environment,
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    readSecret: () => assert.fail('no secret was to be asked for'),
  });
  return { exitCode, out: out.join('\n'), err: err.join('\n') };
}

for (const command of COMMANDS) {
  test(`"${command.name} --help" explains the command and every option`, async () => {
    const { exitCode, out, err } = await poolgate([...command.name.split(' '), '--help']);
    assert.equal(exitCode, 0);
    assert.equal(err, '');
    assert.ok(out.includes(command.summary));
    assert.ok(out.includes(`Usage: poolgate ${command.name}`));
    for (const { name, help } of command.options) assert.ok(out.includes(`--${name}`) && out.includes(help), name);
  });

  test(`"${command.name}" refuses an unknown option before it does anything`, async () => {
    const { exitCode, out, err } = await poolgate([...command.name.split(' '), '--no-such-option']);
    assert.equal(exitCode, 2);
    assert.equal(out, '');
    assert.match(err, /--no-such-option.*\nusage: poolgate /);
  });

  test(`the code of "${command.name}" loads`, async () => {
    assert.equal(typeof (await command.load()), 'function');
  });
}

test('the overview names every command; a group names its own', async () => {
  for (const words of [['--help'], ['help'], ['-h']]) {
    const { exitCode, out } = await poolgate(words);
    assert.equal(exitCode, 0);
    for (const { name, summary } of COMMANDS) assert.ok(out.includes(name) && out.includes(summary));
  }
  const users = await poolgate(['user', '--help']);
  assert.equal(users.exitCode, 0);
  assert.ok(users.out.includes('user set-password') && !users.out.includes('keys rotate'));
});

test('a missing or incomplete command is an error that prints the help', async () => {
  for (const words of [[], ['user']]) {
    const { exitCode, out, err } = await poolgate(words);
    assert.equal(exitCode, 2);
    assert.equal(out, '');
    assert.match(err, /Usage: poolgate/);
  }
});

test('an older name of a command still works; the help lists only the new name', async () => {
  const { exitCode, out } = await poolgate(['secrets', 'reseal', '--help']);
  assert.equal(exitCode, 0);
  assert.match(out, /^Usage: poolgate secrets reencrypt /m);
  const refused = await poolgate(['secrets', 'reseal', '--no-such-option']);
  assert.equal(refused.exitCode, 2);
  assert.match(refused.err, /usage: poolgate secrets reencrypt/);
  assert.doesNotMatch((await poolgate(['--help'])).out, /reseal/);
});

test('a mistyped command is refused with a suggestion', async () => {
  assert.deepEqual(await poolgate(['serv']), {
    exitCode: 2,
    out: '',
    err: 'poolgate: unknown command "serv"; did you mean "serve"?',
  });
  assert.match((await poolgate(['user', 'lst'])).err, /did you mean "user list"\?/);
  assert.match((await poolgate(['keys', 'rotat', '--help'])).out, /keys rotate/);
  assert.match((await poolgate(['frobnicate'])).err, /see poolgate --help/);
});

test('missing or extra operands are an error', async () => {
  assert.equal((await poolgate(['user', 'create'])).exitCode, 2);
  assert.equal((await poolgate(['config', 'spare'])).exitCode, 2);
  assert.equal((await poolgate(['config', '--json', '--json'])).exitCode, 2);
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  assert.deepEqual(await poolgate(['--version']), { exitCode: 0, out: version, err: '' });
});

test('config prints effective values with their sources and no secrets', async () => {
  const secret = 'planted-secret-that-nobody-may-print';
  const { exitCode, out } = await poolgate(['config'], { POOLGATE_SECRET: secret, PORT: '4000' });
  assert.equal(exitCode, 0);
  assert.match(out, /^PORT=4000 \(environment\)$/m);
  assert.match(out, /^POOLGATE_SECRET=\(set, not shown\) \(environment\)$/m);
  assert.match(out, /^HOST=127\.0\.0\.1 \(default\)$/m);
  assert.ok(!out.includes(secret));
  const json = JSON.parse((await poolgate(['config', '--json'])).out) as { mode: string; settings: unknown[] };
  assert.equal(json.mode, 'development');
  assert.ok(json.settings.length > 10);
});

test('a wrong configuration prints one line per fault and exits with 2', async () => {
  const { exitCode, out, err } = await poolgate(['config'], { PORT: 'x', IDP_WIRE: '1', LOG_LEVEL: 'x' });
  assert.equal(exitCode, 2);
  assert.equal(out, '');
  assert.equal(err.split('\n').length, 3);
});

test('the help of "admin-key create" names every scope', async () => {
  const { out } = await poolgate(['admin-key', 'create', '--help']);
  assert.deepEqual(/^Scopes: (.*)\.$/m.exec(out)?.[1]?.split(', '), [...ADMIN_SCOPES]);
});

test('after a command, "help" is an operand of the command', async () => {
  const { exitCode, out, err } = await poolgate(['admin-key', 'create', 'help']);
  assert.deepEqual({ exitCode, out }, { exitCode: 2, out: '' });
  assert.match(err, /--scope must be one of/);
  assert.match((await poolgate(['admin-key', 'help'])).out, /admin-key create <label>/);
  assert.match((await poolgate(['help', 'admin-key', 'create'])).out, /^Usage: poolgate admin-key create <label>/m);
});

test('a value that looks like an option is refused in two lines', async () => {
  const { exitCode, err } = await poolgate(['messages', 'dead', '--limit', '-5']);
  assert.equal(exitCode, 2);
  assert.match(err, /^poolgate: Option '--limit' argument is ambiguous\nusage: poolgate messages dead \[options\]$/);
});
