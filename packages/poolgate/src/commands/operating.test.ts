import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestOperator } from './testing/test-operator.ts';

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
  const { runPoolgate, serve } = await createTestOperator(context);
  const created = await runPoolgate(['user', 'create', 'ada@example.com', '--attribute', 'name=Ada']);
  assert.equal(created.exitCode, 0, created.err);
  const password = /shown only once: (\S+)$/.exec(created.out[1] ?? '')?.[1];
  assert.ok(password);
  const { url } = await serve();
  const { status, body } = await post(`${url}/login`, { username: 'ada@example.com', password });
  assert.deepEqual([status, body.challenge_name], [200, 'NEW_PASSWORD_REQUIRED']);
  const listed = await runPoolgate(['user', 'list', '--json']);
  assert.ok(!listed.out.join().includes(password));
});

test('a password is typed, and permanent by default', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  const { url } = await serve();
  const logIn = (password: string) => post(`${url}/login`, { username: 'ada@example.com', password });
  assert.equal((await runPoolgate(['user', 'create', 'ada@example.com', '--permanent'], 'First-Passw0rd')).exitCode, 0);
  assert.equal((await logIn('First-Passw0rd')).body.status, 'success');
  assert.equal((await runPoolgate(['user', 'set-password', 'ada@example.com'], 'Second-Passw0rd')).exitCode, 0);
  assert.equal((await logIn('First-Passw0rd')).status, 401);
  assert.equal((await logIn('Second-Passw0rd')).body.status, 'success');
  await runPoolgate(['user', 'set-password', 'ada@example.com', '--temporary'], 'Third-Passw0rd');
  assert.equal((await logIn('Third-Passw0rd')).body.challenge_name, 'NEW_PASSWORD_REQUIRED');
});

test('a refusal of the pool is printed in one line, with exit code 1', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const weak = await runPoolgate(['user', 'create', 'ada@example.com', '--permanent'], 'weak');
  assert.equal(weak.exitCode, 1);
  assert.match(weak.err, /^poolgate: Password did not conform with policy: [^\n]+$/);
  assert.deepEqual((await runPoolgate(['user', 'list'])).out, []);
  assert.equal((await runPoolgate(['user', 'create', 'ada@example.com'])).exitCode, 0);
  const again = await runPoolgate(['user', 'create', 'ada@example.com']);
  assert.deepEqual([again.exitCode, again.err], [1, 'poolgate: User account already exists']);
  const nobody = await runPoolgate(['user', 'set-password', 'bob@example.com'], 'Some-Passw0rd');
  assert.deepEqual([nobody.exitCode, nobody.err], [1, 'poolgate: User does not exist.']);
  assert.equal((await runPoolgate(['user', 'create', 'eve@example.com', '--attribute', 'nonsense'])).exitCode, 2);
});

test('all users are listed, across many pages', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  const { url, adminKey } = await serve();
  const emails = Array.from({ length: 65 }, (_, index) => `user${index}@example.com`);
  const createUser = (email: string) => post(`${url}/admin/users`, { email }, adminKey?.bearer);
  for (const { status } of await Promise.all(emails.map(createUser))) assert.equal(status, 201);
  const { out } = await runPoolgate(['user', 'list', '--json']);
  const listed = out.map((line) => (JSON.parse(line) as { attributes: { email: string } }).attributes.email);
  assert.deepEqual(listed.sort(), ['demo@poolgate.test', ...emails].sort());
  const text = (await runPoolgate(['user', 'list'])).out.join('\n');
  assert.match(text, /\tuser7@example\.com\tFORCE_CHANGE_PASSWORD\tenabled$/m);
});

for (const [words, said] of [
  [['user', 'list'], 'There are no users.'],
  [['admin-key', 'list'], 'There are no admin keys. Make one: poolgate admin-key create <label> --scope users:read'],
  [['messages', 'dead'], 'There are no undeliverable messages.'],
] as const) {
  test(`${words.join(' ')} reports an empty list, and prints nothing for programs`, async (context) => {
    const { runPoolgate } = await createTestOperator(context);
    for (const format of [[], ['--json']]) {
      assert.deepEqual(await runPoolgate([...words, ...format]), { exitCode: 0, out: [], err: said });
    }
  });
}

test('a list has column names, but none for programs', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  await runPoolgate(['user', 'create', 'ada@example.com']);
  const [header, ...rows] = (await runPoolgate(['user', 'list'])).out;
  assert.equal(header, 'USERNAME\tEMAIL\tSTATUS\tENABLED');
  assert.equal(rows.length, 1);
  assert.equal((await runPoolgate(['user', 'list', '--json'])).out.length, 1);
});

test('rotated keys are published next to the old ones, and old tokens stay valid', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  await runPoolgate(['user', 'create', 'ada@example.com', '--permanent'], 'Ada-Passw0rd');
  const { url } = await serve();
  const { body } = await post(`${url}/login`, { username: 'ada@example.com', password: 'Ada-Passw0rd' });
  const rotated = await runPoolgate(['keys', 'rotate']);
  assert.equal(rotated.exitCode, 0);
  assert.equal(rotated.out.length, 5);
  const states = rotated.out.slice(1).map((line) => line.replace(/^\S+\t/, '').replace(/ \S+Z$/, ''));
  assert.deepEqual(states.sort(), [
    'access\tRS256\tsigned until',
    'access\tRS256\tsigns',
    'id\tRS256\tsigned until',
    'id\tRS256\tsigns',
  ]);
  const profile = await fetch(`${url}/user/profile`, {
    headers: { authorization: `Bearer ${String(body.access_token)}` },
  });
  assert.equal(profile.status, 200);
});

test('an admin key allows its scopes until it is revoked', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  const made = await runPoolgate([
    'admin-key',
    'create',
    'backend',
    '--scope',
    'users:write',
    '--days',
    '30',
    '--json',
  ]);
  assert.equal(made.exitCode, 0, made.err);
  const { id, secret, bearer } = JSON.parse(made.out[0] ?? '') as Record<'id' | 'secret' | 'bearer', string>;
  const { url } = await serve();
  const createUser = (email: string) => post(`${url}/admin/users`, { email }, bearer);
  assert.equal((await createUser('ada@example.com')).status, 201);
  const read = await fetch(`${url}/admin/users/ada@example.com`, { headers: { authorization: `Bearer ${bearer}` } });
  assert.equal(read.status, 403);
  const listed = await runPoolgate(['admin-key', 'list', '--json']);
  assert.ok(listed.out.join().includes(id) && !listed.out.join().includes(secret));
  assert.match(
    (await runPoolgate(['admin-key', 'list'])).out[1] ?? '',
    /\tbackend\tusers:write\tvalid until \S+Z\tlast used \S+Z$/,
  );
  assert.equal((await runPoolgate(['admin-key', 'revoke', id])).exitCode, 0);
  assert.equal((await createUser('bob@example.com')).status, 401);
  assert.match((await runPoolgate(['admin-key', 'list'])).out[1] ?? '', /\trevoked \S+Z\tlast used \S+Z$/);
  assert.equal((await runPoolgate(['admin-key', 'revoke', 'nosuchkey'])).exitCode, 1);
});

interface MadeKey {
  readonly id: string;
  readonly secret: string;
  readonly bearer: string;
  readonly scopes: readonly string[];
}

const madeKey = (out: readonly string[]): MadeKey => JSON.parse(out[0] ?? '') as MadeKey;

test('a rotated admin key has a successor, and stays valid for the overlap', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  const words = ['backend', '--scope', 'users:read', '--scope', 'users:write', '--days', '30', '--json'];
  const old = madeKey((await runPoolgate(['admin-key', 'create', ...words])).out);
  const rotated = await runPoolgate(['admin-key', 'rotate', old.id, '--overlap', '2', '--json']);
  assert.equal(rotated.exitCode, 0, rotated.err);
  const successor = madeKey(rotated.out);
  assert.notEqual(successor.id, old.id);
  assert.deepEqual(successor.scopes, ['users:read', 'users:write']);
  const keys = (await runPoolgate(['admin-key', 'list', '--json'])).out.map((line) => JSON.parse(line));
  const hoursLeft = (id: string): number => {
    const { created_at, expires_at, label, state } = keys.find((key) => key.id === id);
    assert.deepEqual([label, state], ['backend', 'good']);
    return Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 3_600_000);
  };
  assert.deepEqual([hoursLeft(old.id), hoursLeft(successor.id)], [2, 30 * 24]);
  const { url } = await serve();
  for (const { bearer } of [old, successor]) {
    assert.equal(
      (await post(`${url}/admin/users`, { email: `${bearer.slice(3, 13)}@example.com` }, bearer)).status,
      201,
    );
  }
});

test('an admin key rotated without an overlap is refused at once; an invalid one has no successor', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  const old = madeKey((await runPoolgate(['admin-key', 'create', 'backend', '--scope', 'users:write', '--json'])).out);
  const successor = madeKey((await runPoolgate(['admin-key', 'rotate', old.id, '--overlap', '0', '--json'])).out);
  const { url } = await serve();
  assert.equal((await post(`${url}/admin/users`, { email: 'ada@example.com' }, old.bearer)).status, 401);
  assert.equal((await post(`${url}/admin/users`, { email: 'ada@example.com' }, successor.bearer)).status, 201);
  assert.match((await runPoolgate(['admin-key', 'list'])).out[1] ?? '', /\texpired \S+Z\tnever used$/);
  await runPoolgate(['admin-key', 'revoke', successor.id]);
  for (const id of [old.id, successor.id, 'nosuchkey']) {
    assert.equal((await runPoolgate(['admin-key', 'rotate', id])).exitCode, 1, id);
  }
  assert.equal((await runPoolgate(['admin-key', 'list', '--json'])).out.length, 2);
  assert.equal((await runPoolgate(['admin-key', 'rotate', old.id, '--overlap', '721'])).exitCode, 2);
});

test('rotating an admin key ends the keys that it created, and a successor keeps its creator', async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  const words = ['automation', '--scope', 'keys:write', '--scope', 'users:read', '--days', '30', '--json'];
  const creator = madeKey((await runPoolgate(['admin-key', 'create', ...words])).out);
  const { url } = await serve();
  const wanted = { label: 'child', scopes: ['users:read'], days: 20 };
  const response = await post(`${url}/admin/keys`, wanted, creator.bearer);
  assert.equal(response.status, 201);
  const { key } = response.body as { readonly key: { readonly key_id: string } };
  const rotated = await runPoolgate(['admin-key', 'rotate', creator.id, '--overlap', '2']);
  assert.match(rotated.err, new RegExp(`The keys that it created expire no later: ${key.key_id}$`, 'm'));
  const successor = madeKey((await runPoolgate(['admin-key', 'rotate', key.key_id, '--json'])).out);
  const listed = (await runPoolgate(['admin-key', 'list', '--json'])).out.map((line) => JSON.parse(line));
  const find = (id: string) => listed.find((one) => one.key_id === id || one.id === id);
  const { expires_at: end } = find(creator.id);
  assert.ok(Date.parse(end) <= Date.now() + 2 * 3_600_000);
  for (const id of [key.key_id, successor.id])
    assert.deepEqual([find(id).created_by, find(id).expires_at], [creator.id, end]);
});

test("an operator's actions are recorded as events, without secrets", async (context) => {
  const { runPoolgate, serve } = await createTestOperator(context);
  const first = madeKey((await runPoolgate(['admin-key', 'create', 'backend', '--scope', 'audit:read', '--json'])).out);
  const second = madeKey((await runPoolgate(['admin-key', 'rotate', first.id, '--json'])).out);
  await runPoolgate(['admin-key', 'revoke', first.id]);
  await runPoolgate(['user', 'create', 'ada@example.com']);
  const { url } = await serve();
  const audit = await fetch(`${url}/admin/audit?limit=60`, { headers: { authorization: `Bearer ${second.bearer}` } });
  const text = await audit.text();
  const { events } = JSON.parse(text) as { events: { type: string; actor: { kind: string }; details: object }[] };
  const told = events.filter(({ actor }) => actor.kind === 'operator').reverse();
  assert.deepEqual(
    told.map(({ type }) => type).filter((type) => type !== 'pool.updated'),
    ['admin_key.created', 'admin_key.rotated', 'admin_key.revoked', 'user.created'],
  );
  assert.deepEqual(told.find(({ type }) => type === 'admin_key.rotated')?.details, {
    key_id: first.id,
    successor_id: second.id,
  });
  for (const { secret } of [first, second]) assert.ok(!text.includes(secret));
});

test('an admin key needs a label, known scopes and a lifetime', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  for (const words of [
    ['backend'],
    ['backend', '--scope', 'everything'],
    ['backend', '--scope', 'users:read', '--scope', 'everything'],
    ['backend', '--scope', 'users:read', '--days', '0'],
    ['backend', '--scope', 'users:read', '--days', '1e3'],
    ['', '--scope', 'users:read'],
  ]) {
    assert.equal((await runPoolgate(['admin-key', 'create', ...words])).exitCode, 2, words.join(' '));
  }
});

test('migrate lists what it applied, and nothing the second time', async (context) => {
  const { runPoolgate } = await createTestOperator(context);
  const first = await runPoolgate(['migrate']);
  assert.equal(first.exitCode, 0);
  assert.match(first.out[0] ?? '', /^applied /);
  assert.deepEqual((await runPoolgate(['migrate'])).out, ['The schema is already up to date.']);
});
