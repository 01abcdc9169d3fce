import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import type { Service } from '../start.ts';
import { start } from '../start.ts';
import { run } from './run.ts';

interface Outcome {
  readonly exitCode: number;
  readonly out: readonly string[];
  readonly err: string;
}

interface Operator {
  /** Runs a command on the store of this test; `typed` is what the operator types when asked for a secret. */
  poolgate(words: readonly string[], typed?: string): Promise<Outcome>;
  /** A service on the same store, in another instance than the commands. */
  serve(): Promise<Service>;
}

async function operator(context: TestContext): Promise<Operator> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-operator-'));
  context.after(() => rm(folder, { recursive: true }));
  const environment = { POOLGATE_DATA_DIR: folder, PORT: '0' };
  return {
    async poolgate(words, typed) {
      const out: string[] = [];
      const err: string[] = [];
      const exitCode = await run(words, {
        environment,
        out: (line) => void out.push(line),
        err: (line) => void err.push(line),
        readSecret: async () => typed ?? assert.fail('no secret was to be asked for'),
      });
      return { exitCode, out, err: err.join('\n') };
    },
    async serve() {
      const service = await start({ environment });
      context.after(() => service.close());
      return service;
    },
  };
}

async function post(
  url: string,
  body: unknown,
  bearer?: string,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('a created user logs in with the temporary password that was printed once, and must change it', async (context) => {
  const { poolgate, serve } = await operator(context);
  const created = await poolgate(['user', 'create', 'ada@example.com', '--attribute', 'name=Ada']);
  assert.equal(created.exitCode, 0, created.err);
  const password = /shown this once: (\S+)$/.exec(created.out[1] ?? '')?.[1];
  assert.ok(password);
  const { url } = await serve();
  const { status, body } = await post(`${url}/login`, { username: 'ada@example.com', password });
  assert.deepEqual([status, body.challenge_name], [200, 'NEW_PASSWORD_REQUIRED']);
  const listed = await poolgate(['user', 'list', '--json']);
  assert.ok(!listed.out.join().includes(password));
});

test('a password is taken from what is typed, permanent unless said otherwise', async (context) => {
  const { poolgate, serve } = await operator(context);
  const { url } = await serve();
  const logIn = (password: string) => post(`${url}/login`, { username: 'ada@example.com', password });
  assert.equal((await poolgate(['user', 'create', 'ada@example.com', '--permanent'], 'First-Passw0rd')).exitCode, 0);
  assert.equal((await logIn('First-Passw0rd')).body.status, 'success');
  assert.equal((await poolgate(['user', 'set-password', 'ada@example.com'], 'Second-Passw0rd')).exitCode, 0);
  assert.equal((await logIn('First-Passw0rd')).status, 401);
  assert.equal((await logIn('Second-Passw0rd')).body.status, 'success');
  await poolgate(['user', 'set-password', 'ada@example.com', '--temporary'], 'Third-Passw0rd');
  assert.equal((await logIn('Third-Passw0rd')).body.challenge_name, 'NEW_PASSWORD_REQUIRED');
});

test('what the pool refuses is told in one line, with exit code 1', async (context) => {
  const { poolgate } = await operator(context);
  const weak = await poolgate(['user', 'create', 'ada@example.com', '--permanent'], 'weak');
  assert.equal(weak.exitCode, 1);
  assert.match(weak.err, /^poolgate: Password did not conform with policy: [^\n]+$/);
  assert.deepEqual((await poolgate(['user', 'list'])).out, []);
  assert.equal((await poolgate(['user', 'create', 'ada@example.com'])).exitCode, 0);
  const again = await poolgate(['user', 'create', 'ada@example.com']);
  assert.deepEqual([again.exitCode, again.err], [1, 'poolgate: User account already exists']);
  const nobody = await poolgate(['user', 'set-password', 'bob@example.com'], 'Some-Passw0rd');
  assert.deepEqual([nobody.exitCode, nobody.err], [1, 'poolgate: User does not exist.']);
  assert.equal((await poolgate(['user', 'create', 'eve@example.com', '--attribute', 'nonsense'])).exitCode, 2);
});

test('all users are listed, over many pages', async (context) => {
  const { poolgate, serve } = await operator(context);
  const { url, adminKey } = await serve();
  const emails = Array.from({ length: 65 }, (_, index) => `user${index}@example.com`);
  const createUser = (email: string) => post(`${url}/admin/users`, { email }, adminKey?.bearer);
  for (const { status } of await Promise.all(emails.map(createUser))) assert.equal(status, 201);
  const { out } = await poolgate(['user', 'list', '--json']);
  const listed = out.map((line) => (JSON.parse(line) as { attributes: { email: string } }).attributes.email);
  assert.deepEqual(listed.sort(), ['demo@poolgate.test', ...emails].sort());
  const text = (await poolgate(['user', 'list'])).out.join('\n');
  assert.match(text, /\tuser7@example\.com\tFORCE_CHANGE_PASSWORD\tenabled$/m);
});

test('rotated keys are published beside the old ones, and old tokens stay good', async (context) => {
  const { poolgate, serve } = await operator(context);
  await poolgate(['user', 'create', 'ada@example.com', '--permanent'], 'Ada-Passw0rd');
  const { url } = await serve();
  const { body } = await post(`${url}/login`, { username: 'ada@example.com', password: 'Ada-Passw0rd' });
  const rotated = await poolgate(['keys', 'rotate']);
  assert.equal(rotated.exitCode, 0);
  assert.equal(rotated.out.length, 4);
  const profile = await fetch(`${url}/user/profile`, {
    headers: { authorization: `Bearer ${String(body.access_token)}` },
  });
  assert.equal(profile.status, 200);
});

test('an admin key opens what its scopes say until it is revoked', async (context) => {
  const { poolgate, serve } = await operator(context);
  const made = await poolgate(['admin-key', 'create', 'backend', '--scope', 'users:write', '--days', '30', '--json']);
  assert.equal(made.exitCode, 0, made.err);
  const { id, secret, bearer } = JSON.parse(made.out[0] ?? '') as Record<'id' | 'secret' | 'bearer', string>;
  const { url } = await serve();
  const createUser = (email: string) => post(`${url}/admin/users`, { email }, bearer);
  assert.equal((await createUser('ada@example.com')).status, 201);
  const read = await fetch(`${url}/admin/users/ada@example.com`, { headers: { authorization: `Bearer ${bearer}` } });
  assert.equal(read.status, 403);
  const listed = await poolgate(['admin-key', 'list', '--json']);
  assert.ok(listed.out.join().includes(id) && !listed.out.join().includes(secret));
  assert.match((await poolgate(['admin-key', 'list'])).out[0] ?? '', /\tbackend\tusers:write\tgood until /);
  assert.equal((await poolgate(['admin-key', 'revoke', id])).exitCode, 0);
  assert.equal((await createUser('bob@example.com')).status, 401);
  assert.match((await poolgate(['admin-key', 'list'])).out[0] ?? '', /\trevoked$/);
  assert.equal((await poolgate(['admin-key', 'revoke', 'nosuchkey'])).exitCode, 1);
});

test('an admin key needs a label, known scopes and a life', async (context) => {
  const { poolgate } = await operator(context);
  for (const words of [
    ['backend'],
    ['backend', '--scope', 'everything'],
    ['backend', '--scope', 'users:read', '--scope', 'everything'],
    ['backend', '--scope', 'users:read', '--days', '0'],
    ['backend', '--scope', 'users:read', '--days', '1e3'],
    ['', '--scope', 'users:read'],
  ]) {
    assert.equal((await poolgate(['admin-key', 'create', ...words])).exitCode, 2, words.join(' '));
  }
});

test('migrate says what it applied, and nothing the second time', async (context) => {
  const { poolgate } = await operator(context);
  const first = await poolgate(['migrate']);
  assert.equal(first.exitCode, 0);
  assert.match(first.out[0] ?? '', /^applied /);
  assert.deepEqual((await poolgate(['migrate'])).out, ['The schema is up to date already.']);
});
