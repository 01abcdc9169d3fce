import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createCheckpoint, removeCheckpoint, saveCheckpoint } from '../user-files/checkpoint.ts';
import { createTestOperator, type TestOperator } from './testing/test-operator.ts';

interface Listed {
  readonly username: string;
  readonly sub: string;
  readonly status: string;
  readonly enabled: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

async function users({ runPoolgate }: TestOperator): Promise<readonly Listed[]> {
  const { out } = await runPoolgate(['user', 'list', '--json']);
  const listed = out.map((line) => JSON.parse(line) as Listed);
  return listed.sort((a, b) => (a.attributes.email ?? '').localeCompare(b.attributes.email ?? ''));
}

async function writeLines(
  { folder }: TestOperator,
  name: string,
  lines: readonly string[],
  end = '\n',
): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.map((line) => `${line}${end}`).join(''));
  return path;
}

const HEADER =
  'cognito:username,name,given_name,family_name,middle_name,nickname,preferred_username,profile,picture,website,email,email_verified,gender,birthdate,zoneinfo,locale,phone_number,phone_number_verified,address,updated_at,cognito:mfa_enabled';

test("a file with Cognito's header is imported, and its users must reset their passwords", async (context) => {
  const someone = await createTestOperator(context);
  const path = await writeLines(
    someone,
    'users.csv',
    [
      `\uFEFF${HEADER}`,
      'ada@example.com,Ada Lovelace,,,,,,,,,ada@example.com,TRUE,,,,en,,FALSE,12\\, Main Street,,FALSE',
      'bob@example.com,"Bob, ""the"" builder",,,,,,,,,bob@example.com,False,,,,,,,"two\r\nlines",,false',
      '',
      'eve@example.com,,,,,,,,,,eve@example.com,true,,,,,+15551230001,true,,,',
    ],
    '\r\n',
  );
  const { exitCode, out, err } = await someone.runPoolgate(['user', 'import', path]);
  assert.deepEqual([exitCode, out, err], [0, ['imported 3, rejected 0'], '']);
  const [ada, bob, eve] = await users(someone);
  assert.deepEqual([ada?.status, bob?.status, eve?.status], Array(3).fill('RESET_REQUIRED'));
  const { email_verified, address, name, locale } = ada?.attributes ?? {};
  assert.deepEqual([email_verified, address, name, locale], ['true', '12, Main Street', 'Ada Lovelace', 'en']);
  assert.deepEqual([bob?.attributes.name, bob?.attributes.email_verified], ['Bob, "the" builder', 'false']);
  assert.equal(eve?.attributes.phone_number_verified, 'true');
});

const REJECTED = [
  'cognito:username,email,email_verified,cognito:mfa_enabled,custom:nothing',
  'ada@example.com,ada@example.com,TRUE,FALSE,',
  'ada@example.com,ada@example.com,TRUE,FALSE,',
  ',bob@example.com,TRUE,FALSE,',
  'bob@example.com,bob@example.com,TRUE,perhaps,',
  'bob@example.com,bob@example.com,TRUE',
  'bob@example.com,bob@example.com,TRUE,FALSE,,,,',
  'bob@example.com,no address,TRUE,FALSE,',
  'bob@example.com,bob@example.com,yes,FALSE,',
  'bob@example.com,bob@example.com,TRUE,FALSE,of no schema',
  'eve@example.com,eve@example.com,TRUE,FALSE,',
];

test('invalid users are listed with line and reason, do not stop others, and set exit code 1', async (context) => {
  const someone = await createTestOperator(context);
  const path = await writeLines(someone, 'users.csv', REJECTED);
  const rejects = join(someone.folder, 'rejects.tsv');
  const { exitCode, out, err } = await someone.runPoolgate(['user', 'import', path, '--rejects', rejects]);
  assert.deepEqual([exitCode, out, err], [1, ['imported 2, rejected 8'], '']);
  const rows = (await readFile(rejects, 'utf8')).trimEnd().split('\n');
  const told = rows.map((row) => row.split('\t'));
  assert.deepEqual(
    told.map(([line]) => line),
    ['3', '4', '5', '6', '7', '8', '9', '10'],
  );
  assert.deepEqual(
    told.slice(0, 5).map(([, code]) => code),
    ['exists', 'username', 'mfa', 'column_count', 'column_count'],
  );
  for (const [, code, text] of told) assert.ok(/^[a-z_]+$/.test(code ?? '') && (text ?? '').length > 5, code ?? '');
  assert.deepEqual(
    (await users(someone)).map(({ attributes }) => attributes.email),
    ['ada@example.com', 'eve@example.com'],
  );
  const again = await someone.runPoolgate(['user', 'import', path]);
  assert.equal(again.exitCode, 1);
  assert.match(again.err, /^2\texists\t/m);
});

test('a file without users is refused in one line, and nothing is imported', async (context) => {
  const someone = await createTestOperator(context);
  const good = 'ada@example.com,ada@example.com,TRUE';
  const cases: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a.csv', ['email,email_verified', good], /^poolgate: line 1: the column cognito:username is missing$/],
    ['b.csv', ['cognito:username,email,email', good], /^poolgate: line 1: a column name is repeated$/],
    [
      'c.csv',
      ['cognito:username,cognito:other,email', good],
      /^poolgate: line 1: "cognito:other" is not a known column$/,
    ],
    [
      'd.csv',
      ['cognito:username,email', good, '', '"open,ada@example.com', good, good],
      /^poolgate: line 4: the record that starts here has an unclosed quote$/,
    ],
    [
      'e.csv',
      ['cognito:username,email', '"open', ...Array<string>(2_000).fill(good)],
      /^poolgate: line 2: the record that starts here is longer than 64 KiB; check for an unclosed quote$/,
    ],
    ['f.csv', [], /^poolgate: the file is empty: its first line must be the header$/],
  ];
  for (const [name, lines, message] of cases) {
    const path = await writeLines(someone, name, lines);
    const { exitCode, err } = await someone.runPoolgate(['user', 'import', path]);
    assert.equal(exitCode, 1, name);
    assert.match(err, message);
    assert.match((await someone.runPoolgate(['user', 'import', path])).err, message, 'nothing was begun');
  }
  for (const [path, code] of [
    ['users.txt', 2],
    ['users', 2],
    [join(someone.folder, 'nowhere.csv'), 1],
  ] as const) {
    assert.equal((await someone.runPoolgate(['user', 'import', path])).exitCode, code, path);
  }
  assert.deepEqual(await users(someone), []);
});

const POOL = 'us-east-1_Moving001';

test('users move to another pool with the same ID, with their passwords, statuses and groups', async (context) => {
  const old = await createTestOperator(context, { IDP_USER_POOL_ID: POOL });
  await old.runPoolgate(
    ['user', 'create', 'ada@example.com', '--permanent', '--attribute', 'name=Ada'],
    'Ada-Passw0rd-1',
  );
  await old.runPoolgate(['user', 'create', 'bob@example.com']);
  const path = join(old.folder, 'users.jsonl');
  const exported = await old.runPoolgate(['user', 'export', '--output', path, '--with-passwords']);
  assert.deepEqual([exported.exitCode, exported.out, exported.err], [0, [], 'exported 2']);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const [header = ''] = (await readFile(path, 'utf8')).split('\n');
  const { exported_at, ...rest } = JSON.parse(header) as Record<string, unknown>;
  assert.deepEqual(rest, { poolgate_users: 1, user_pool_id: POOL, passwords: true });
  assert.ok(Date.parse(String(exported_at)) > 0);

  const next = await createTestOperator(context, { IDP_USER_POOL_ID: POOL });
  const imported = await next.runPoolgate(['user', 'import', path]);
  assert.deepEqual([imported.exitCode, imported.out, imported.err], [0, ['imported 2, rejected 0'], '']);
  const facts = (listed: readonly Listed[]) =>
    listed.map(({ username, sub, status, enabled, attributes }) => ({ username, sub, status, enabled, attributes }));
  assert.deepEqual(facts(await users(next)), facts(await users(old)));
  const { url } = await next.serve();
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada@example.com', password: 'Ada-Passw0rd-1' }),
  });
  assert.equal(answer.status, 200);
});

test('a user who was deleted here is not restored by an import, and is reported', async (context) => {
  const someone = await createTestOperator(context);
  const service = await someone.serve();
  await someone.runPoolgate(['user', 'create', 'ada@example.com']);
  await someone.runPoolgate(['user', 'create', 'bob@example.com']);
  const path = join(someone.folder, 'users.jsonl');
  await someone.runPoolgate(['user', 'export', '--output', path]);
  const removed = await fetch(`${service.url}/admin/users/ada@example.com`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${service.adminKey?.bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: true }),
  });
  assert.equal(removed.status, 200);
  const { exitCode, err } = await someone.runPoolgate(['user', 'import', path]);
  assert.equal(exitCode, 1);
  const codes = err.split('\n').map((row) => row.split('\t')[1]);
  assert.deepEqual(codes.toSorted(), ['deleted', ...codes.slice(1).map(() => 'exists')]);
  assert.ok(!(await users(someone)).some(({ attributes }) => attributes.email === 'ada@example.com'));
});

test('passwords of another pool are refused before anything is imported, or omitted', async (context) => {
  const old = await createTestOperator(context, { IDP_USER_POOL_ID: POOL });
  await old.runPoolgate(['user', 'create', 'ada@example.com', '--permanent'], 'Ada-Passw0rd-1');
  const path = join(old.folder, 'users.jsonl');
  await old.runPoolgate(['user', 'export', '--output', path, '--with-passwords']);
  const other = await createTestOperator(context);
  const refusal = await other.runPoolgate(['user', 'import', path]);
  assert.equal(refusal.exitCode, 1);
  assert.match(refusal.err, /^poolgate: the passwords in this file only work in the pool us-east-1_Moving001, [^\n]+$/);
  assert.deepEqual(await users(other), []);
  const [header = '', line = ''] = (await readFile(path, 'utf8')).split('\n');
  const headless = await writeLines(other, 'headless.jsonl', [line]);
  assert.match((await other.runPoolgate(['user', 'import', headless])).err, /^1\tforeign_password\t/);
  const lying = await writeLines(other, 'lying.jsonl', [header.replace('"passwords":true', '"passwords":false'), line]);
  assert.match((await other.runPoolgate(['user', 'import', lying])).err, /^2\tforeign_password\t/);
  const imported = await other.runPoolgate(['user', 'import', path, '--reset-passwords']);
  assert.deepEqual([imported.exitCode, imported.out], [0, ['imported 1, rejected 0']]);
  assert.equal((await users(other))[0]?.status, 'RESET_REQUIRED');
});

test('invalid lines are rejected one by one', async (context) => {
  const someone = await createTestOperator(context);
  const ada = { username: 'ada@example.com', attributes: { email: 'ada@example.com' } };
  const path = await writeLines(someone, 'users.jsonl', [
    JSON.stringify(ada),
    'nonsense',
    '[]',
    '',
    JSON.stringify({ attributes: {} }),
    JSON.stringify({ ...ada, attributes: { email: 1 } }),
    JSON.stringify({ ...ada, status: 'ARCHIVED' }),
    JSON.stringify({ ...ada, enabled: 'true' }),
    JSON.stringify({ ...ada, totp: 'x' }),
    '{"__proto__":{},"username":"eve@example.com"}',
    JSON.stringify({ ...ada, password: { salt: 'xyz', verifier: '00' } }),
  ]);
  const { exitCode, out, err } = await someone.runPoolgate(['user', 'import', path]);
  assert.deepEqual([exitCode, out], [1, ['imported 1, rejected 9']]);
  assert.deepEqual(
    err.split('\n').map((row) => row.split('\t').slice(0, 2).join(' ')),
    [
      '2 json',
      '3 json',
      '5 username',
      '6 attributes',
      '7 status',
      '8 enabled',
      '9 unknown_member',
      '10 unknown_member',
      '11 password',
    ],
  );
  assert.match(err, /^2\tjson\tis invalid JSON at column 1$/m);
  assert.match(err, /^9\tunknown_member\thas the unknown member "totp"$/m);
});

const MANY = 1_500;

async function manyUsers(someone: TestOperator): Promise<string> {
  const rows = Array.from({ length: MANY }, (_, index) => `u${index}@example.com,u${index}@example.com,TRUE`);
  return writeLines(someone, 'many.csv', ['cognito:username,email,email_verified', ...rows]);
}

interface Kept {
  readonly records: number;
  readonly imported: number;
}

async function readCheckpoint(path: string): Promise<Kept | undefined> {
  return readFile(`${path}.checkpoint`, 'utf8').then(
    (text) => JSON.parse(text) as Kept,
    () => undefined,
  );
}

/** Starts an import in a separate process, and kills it after some progress. */
async function killedImport({ environment }: TestOperator, path: string): Promise<Kept> {
  const program = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = spawn(process.execPath, [program, 'user', 'import', path], {
    env: { ...environment } as NodeJS.ProcessEnv,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  while (child.exitCode === null && ((await readCheckpoint(path))?.records ?? 0) === 0) await new Promise(setImmediate);
  child.kill('SIGKILL');
  await ended;
  return (await readCheckpoint(path)) ?? assert.fail('the import was finished before it could be killed');
}

test('a killed import resumes where it was: each user once, none rejected', async (context) => {
  const someone = await createTestOperator(context);
  const path = await manyUsers(someone);
  const { records, imported } = await killedImport(someone, path);
  assert.ok(records > 0 && records < MANY && imported === records);
  const unfinished = await someone.runPoolgate(['user', 'import', path]);
  assert.equal(unfinished.exitCode, 1);
  assert.match(
    unfinished.err,
    /^poolgate: an earlier import of this file was interrupted\. Resume it with --resume, or delete /,
  );
  const { exitCode, out, err } = await someone.runPoolgate(['user', 'import', path, '--resume']);
  assert.deepEqual([exitCode, out, err], [0, [`imported ${MANY}, rejected 0`], '']);
  assert.equal((await users(someone)).length, MANY);
  assert.equal(await readCheckpoint(path), undefined);
});

test('a checkpoint appears completely, and an empty one does no harm', async (context) => {
  const someone = await createTestOperator(context);
  const path = await manyUsers(someone);
  const kept = {
    user_pool_id: 'p',
    started_at_ms: 1,
    records: 0,
    digest: '',
    imported: 0,
    rejected: 0,
    rejects_bytes: 0,
  };
  const seen = new Set<string>();
  let written = false;
  const reading = (async () => {
    while (!written) seen.add(await readFile(`${path}.checkpoint`, 'utf8').catch(() => 'none'));
  })();
  try {
    for (let round = 0; round < 50; round += 1) {
      await createCheckpoint(path, kept);
      await assert.rejects(createCheckpoint(path, kept), /^CommandError: cannot write /);
      await saveCheckpoint(path, { ...kept, records: 1 });
      await removeCheckpoint(path);
    }
  } finally {
    written = true;
  }
  await reading;
  const whole = ['none', JSON.stringify(kept), JSON.stringify({ ...kept, records: 1 })];
  assert.deepEqual(
    [...seen].filter((text) => !whole.includes(text)),
    [],
  );
  for (const [name, ...words] of [['u'], ['v', '--resume']]) {
    const row = `${name}1@example.com,${name}1@example.com,TRUE`;
    const one = await writeLines(someone, `${name}.csv`, ['cognito:username,email,email_verified', row]);
    await writeFile(`${one}.checkpoint`, '');
    const { exitCode, out } = await someone.runPoolgate(['user', 'import', one, ...words]);
    assert.deepEqual([exitCode, out], [0, ['imported 1, rejected 0']]);
    assert.equal(await readCheckpoint(one), undefined);
  }
});

test('a file that was changed during its import is not continued', async (context) => {
  const someone = await createTestOperator(context);
  const path = await manyUsers(someone);
  await killedImport(someone, path);
  const whole = await readFile(path, 'utf8');
  const message = 'poolgate: the file has changed since its import started';
  for (const text of [whole.replace('u3@', 'v3@'), whole.slice(0, 300)]) {
    await writeFile(path, text);
    const { exitCode, err } = await someone.runPoolgate(['user', 'import', path, '--resume']);
    assert.deepEqual([exitCode, err], [1, message]);
  }
  await writeFile(path, whole.replace('u1400@example.com,u1400', 'w1400@example.com,w1400'));
  const { exitCode } = await someone.runPoolgate(['user', 'import', path, '--resume']);
  assert.equal(exitCode, 0, 'what was not reached may be mended');
  assert.ok((await users(someone)).some(({ attributes }) => attributes.email === 'w1400@example.com'));
});

test("an export has Cognito's header, and can be imported again", async (context) => {
  const old = await createTestOperator(context);
  await old.runPoolgate([
    'user',
    'create',
    'ada@example.com',
    '--attribute',
    'name=Ada "x", L.',
    '--attribute',
    'locale=de',
  ]);
  const { exitCode, out, err } = await old.runPoolgate(['user', 'export', '--format', 'csv']);
  assert.deepEqual([exitCode, out[0], err], [0, HEADER, 'exported 1']);
  const next = await createTestOperator(context);
  const path = await writeLines(next, 'users.csv', out);
  assert.equal((await next.runPoolgate(['user', 'import', path])).exitCode, 0);
  const [before] = await users(old);
  const [after] = await users(next);
  assert.deepEqual([after?.username, after?.attributes], [before?.username, before?.attributes]);
});

test('passwords are exported only to a new file that no other user can read', async (context) => {
  const someone = await createTestOperator(context);
  await someone.runPoolgate(['user', 'create', 'ada@example.com', '--permanent'], 'Ada-Passw0rd-1');
  const path = join(someone.folder, 'users.jsonl');
  for (const words of [
    ['--with-passwords'],
    ['--with-passwords', '--format', 'csv', '--output', path],
    ['--format', 'xml'],
  ]) {
    assert.equal((await someone.runPoolgate(['user', 'export', ...words])).exitCode, 2, words.join(' '));
  }
  const plain = await someone.runPoolgate(['user', 'export']);
  assert.equal(plain.out.length, 2);
  assert.ok(!plain.out.join().includes('verifier') && !plain.out.join().includes('salt'));
  await writeFile(path, 'something else', { mode: 0o644 });
  const { exitCode, err } = await someone.runPoolgate(['user', 'export', '--with-passwords', '--output', path]);
  assert.deepEqual([exitCode, err], [1, `poolgate: ${path} is there already`]);
  assert.equal(await readFile(path, 'utf8'), 'something else');
});
