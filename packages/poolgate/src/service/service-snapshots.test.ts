import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { createTestDatabase } from '@poolgate/store/testing';
import { type CommandResult, createTestOperator } from '../commands/testing/test-operator.ts';
import { DEMO_USER, type Service, SnapshotError, StartError, start } from '../index.ts';

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

async function ask(
  { url }: Service,
  method: string,
  path: string,
  { body, token }: { readonly body?: unknown; readonly token?: string | undefined } = {},
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const asAdmin = (service: Service, method: string, path: string, body?: unknown): Promise<Answer> =>
  ask(service, method, path, { body, token: service.adminKey?.bearer });

async function logIn(service: Service): Promise<string | undefined> {
  const body = { username: DEMO_USER.email, password: DEMO_USER.password };
  const { access_token: token } = (await ask(service, 'POST', '/login', { body })).body;
  return token === undefined ? undefined : String(token);
}

const createUser = (service: Service, email: string): Promise<Answer> =>
  asAdmin(service, 'POST', '/admin/users', { email });

const showUser = async (service: Service, username: string): Promise<number> =>
  (await asAdmin(service, 'GET', `/admin/users/${username}`)).status;

const showProfile = async (service: Service, token: string | undefined): Promise<number> =>
  (await ask(service, 'GET', '/user/profile', { token })).status;

interface StoreEvent {
  readonly type: string;
  readonly actor: { readonly id: string };
}

/** The type and actor of each event about the whole store. */
async function listStoreEvents(service: Service): Promise<readonly (readonly [string, string])[]> {
  const { body } = await asAdmin(service, 'GET', '/admin/audit');
  const events = (body.events as readonly StoreEvent[]).filter(({ type }) => type.startsWith('store.'));
  return events.map(({ type, actor }) => [type, actor.id] as const);
}

async function createFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-service-snapshots-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function serve(context: TestContext, options: Parameters<typeof start>[0]): Promise<Service> {
  const service = await start({ port: 0, signingAlgorithm: 'ES256', ...options });
  context.after(() => service.close());
  return service;
}

const LOCATIONS: Readonly<Record<string, (context: TestContext, folder: string) => Promise<string>>> = {
  memory: async () => 'sqlite::memory:',
  file: async (_context, folder) => `sqlite:${join(folder, 'store.db')}`,
  PostgreSQL: async (context) => {
    const { url, drop } = await createTestDatabase();
    context.after(drop);
    return url;
  },
};

describe('a snapshot of a running service', () => {
  for (const [kind, locate] of Object.entries(LOCATIONS)) {
    it(`restores users, logins, keys and settings, and nothing else (${kind})`, async (context) => {
      const dataDir = await createFolder(context);
      const service = await serve(context, { dataDir, databaseUrl: await locate(context, dataDir) });
      const before = await logIn(service);
      assert.equal((await createUser(service, 'ada@example.com')).status, 201);
      assert.equal((await asAdmin(service, 'PUT', '/admin/snapshots/clean')).status, 200);
      assert.equal((await asAdmin(service, 'DELETE', '/admin/users/ada@example.com', { confirm: true })).status, 200);
      assert.equal((await createUser(service, 'bob@example.com')).status, 201);
      assert.equal((await asAdmin(service, 'POST', '/admin/signing-keys/rotate')).status, 200);
      assert.equal((await ask(service, 'POST', '/logout/forced', { token: before, body: {} })).status, 200);
      const later = await logIn(service);
      assert.deepEqual([await showProfile(service, before), await showProfile(service, later)], [401, 200]);
      assert.equal((await asAdmin(service, 'POST', '/admin/snapshots/clean/restore')).status, 200);
      assert.deepEqual([await showProfile(service, before), await showProfile(service, later)], [200, 401]);
      assert.deepEqual(await listStoreEvents(service), [['store.restored', service.adminKey?.id]]);
      assert.deepEqual(
        [await showUser(service, 'ada@example.com'), await showUser(service, 'bob@example.com')],
        [200, 404],
      );
      assert.equal(await showProfile(service, await logIn(service)), 200);
      assert.equal((await asAdmin(service, 'POST', '/admin/reset')).status, 200);
      assert.deepEqual([await showProfile(service, before), await showUser(service, 'ada@example.com')], [401, 404]);
      assert.deepEqual(await listStoreEvents(service), [['store.reset', service.adminKey?.id]]);
      assert.equal(await showProfile(service, await logIn(service)), 200, 'the demo user exists again');
      await service.snapshots?.restore('clean');
      assert.equal(await showUser(service, 'ada@example.com'), 200);
    });
  }

  it('starts a service in memory with the users and tokens of another one', async (context) => {
    const file = join(await createFolder(context), 'clean.sqlite');
    const first = await serve(context, { databaseUrl: 'sqlite::memory:' });
    const token = await logIn(first);
    await first.snapshots?.save(file);
    const second = await serve(context, { databaseUrl: 'sqlite::memory:', snapshot: file });
    assert.equal(second.userPoolId, first.userPoolId);
    assert.equal(await showProfile(second, token), 200);
    await createUser(second, 'ada@example.com');
    await second.snapshots?.restore(file);
    assert.equal(await showUser(second, 'ada@example.com'), 404);
  });

  it('of another service is refused, and nothing is changed', async (context) => {
    const folder = await createFolder(context);
    const other = await serve(context, { databaseUrl: 'sqlite::memory:' });
    await other.snapshots?.save(join(folder, 'other.sqlite'));
    const service = await serve(context, { databaseUrl: 'sqlite::memory:' });
    const refused = (nameOrPath: string) =>
      assert.rejects(async () => service.snapshots?.restore(nameOrPath), SnapshotError);
    await refused(join(folder, 'other.sqlite'));
    await writeFile(join(folder, 'text.sqlite'), 'no database');
    await refused(join(folder, 'text.sqlite'));
    await refused(join(folder, 'missing.sqlite'));
    assert.ok(await logIn(service));
    const secrets = ['a-configured-secret-of-forty-characters!'];
    const starts = start({ port: 0, databaseUrl: 'sqlite::memory:', secrets, snapshot: join(folder, 'other.sqlite') });
    await assert.rejects(starts, StartError);
  });

  it('with an invalid name, or for a pool at Cognito, stops the start and says why', async () => {
    for (const snapshot of ['', '..', '.hidden', 'a b']) {
      await assert.rejects(start({ port: 0, databaseUrl: 'sqlite::memory:', snapshot }), {
        name: 'StartError',
        code: 'setting_refused',
        message: /^snapshot: .* letters, digits/,
      });
    }
    const provider = 'cognito';
    const cognito = { provider, userPoolId: 'eu-central-1_example', clientId: 'client' } as const;
    await assert.rejects(start({ port: 0, databaseUrl: 'sqlite::memory:', ...cognito, snapshot: 'clean' }), {
      code: 'setting_refused',
      message: 'snapshot: has no effect with IDP_PROVIDER=cognito',
    });
  });

  it('never replaces the content of another service at the start', async (context) => {
    const folder = await createFolder(context);
    const databaseUrl = `sqlite:${join(folder, 'store.db')}`;
    const secrets = ['the-secret-of-another-service-in-forty!!'];
    const other = await serve(context, { databaseUrl, secrets, dataDir: join(folder, 'other') });
    const token = await logIn(other);
    await other.close();
    const laptop = await serve(context, { databaseUrl: 'sqlite::memory:' });
    await laptop.snapshots?.save(join(folder, 'laptop.sqlite'));
    const snapshot = join(folder, 'laptop.sqlite');
    const starts = start({ port: 0, databaseUrl, dataDir: join(folder, 'laptop'), snapshot });
    await assert.rejects(starts, { code: 'store_refused' });
    const again = await serve(context, { databaseUrl, secrets, dataDir: join(folder, 'other') });
    assert.deepEqual([again.userPoolId, await showProfile(again, token)], [other.userPoolId, 200]);
  });

  it('is only for administrators with every scope', async (context) => {
    const dataDir = await createFolder(context);
    const operator = await createTestOperator(context, { POOLGATE_DATA_DIR: dataDir });
    const service = await operator.serve();
    const made = await operator.runPoolgate(['admin-key', 'create', 'ci', '--scope', 'pool:write', '--json']);
    const { bearer } = JSON.parse(made.out.join('')) as { bearer: string };
    for (const [method, path] of [
      ['GET', '/admin/snapshots'],
      ['PUT', '/admin/snapshots/x'],
      ['POST', '/admin/snapshots/x/restore'],
      ['DELETE', '/admin/snapshots/x'],
      ['POST', '/admin/reset'],
    ] as const) {
      assert.equal((await ask(service, method, path)).status, 401);
      assert.equal((await ask(service, method, path, { token: (await logIn(service)) ?? '' })).status, 401);
      assert.equal((await ask(service, method, path, { token: bearer })).status, 403);
    }
    for (const name of ['..', '%2e%2e%2fsecrets', 'a%2fb', '.hidden', 'x'.repeat(65), 'a%00']) {
      const { status } = await asAdmin(service, 'PUT', `/admin/snapshots/${name}`);
      assert.ok(status === 404 || status === 422 || status === 400 || status === 405, `${name}: ${status}`);
    }
    assert.deepEqual(await readdir(join(dataDir, 'snapshots')).catch(() => []), []);
  });

  it('is refused in production, for any key', async (context) => {
    const environment = { NODE_ENV: 'production', BASE_URL: 'http://localhost:3000' };
    const secrets = ['a-production-secret-of-forty-characters!'];
    const bootstrapAdminKey = { id: 'akiaexample1', secret: 'Zk3vP9xQ2mL7tR5wY8uB1nC4dF6gH0jS' };
    const service = await serve(context, { environment, databaseUrl: 'sqlite::memory:', secrets, bootstrapAdminKey });
    assert.equal(service.snapshots, undefined);
    assert.equal((await asAdmin(service, 'POST', '/admin/reset')).body.code, 'feature_disabled');
    const starts = start({ environment, port: 0, databaseUrl: 'sqlite::memory:', secrets, snapshot: 'x' });
    await assert.rejects(starts, { code: 'setting_refused' });
  });
});

describe('the commands for snapshots', () => {
  it('save, list, restore and delete through the running service', async (context) => {
    const folder = await createFolder(context);
    const service = await serve(context, { environment: { POOLGATE_DATA_DIR: folder } });
    const operator = await createTestOperator(context, { POOLGATE_DATA_DIR: folder, PORT: new URL(service.url).port });
    const run = (...words: string[]): Promise<CommandResult> => operator.runPoolgate(words);
    assert.equal((await run('snapshot', 'save', 'clean')).exitCode, 0);
    assert.equal((await stat(join(folder, 'snapshots', 'clean.sqlite'))).mode & 0o077, 0);
    await createUser(service, 'ada@example.com');
    const [listed = '', ...others] = (await run('snapshot', 'list', '--json')).out;
    assert.equal((JSON.parse(listed) as { name: string }).name, 'clean');
    assert.deepEqual(others, []);
    assert.equal((await run('snapshot', 'restore', 'clean')).exitCode, 0);
    assert.equal(await showUser(service, 'ada@example.com'), 404);
    assert.match((await run('snapshot', 'restore', 'nothing')).err, /404.*does not exist/);
    assert.match((await run('snapshot', 'save', '../secrets')).err, /letters, digits/);
    assert.equal((await run('snapshot', 'delete', 'clean')).exitCode, 0);
    assert.equal((await run('snapshot', 'delete', 'clean')).exitCode, 1);
    await createUser(service, 'ada@example.com');
    assert.equal((await run('reset')).exitCode, 0);
    assert.equal(await showUser(service, 'ada@example.com'), 404);
    await service.close();
    assert.match((await run('reset')).err, /no service answers/);
  });
});
