import assert from 'node:assert/strict';
import { type ChannelListener, channel } from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { test } from 'node:test';
import { createTestDatabase } from '@poolgate/store/testing';
import type { Service, StartOptions } from '../index.ts';
import { ConfigurationError, DEMO_USER, StartError, start } from '../index.ts';
import { HOST_SYSTEM } from '../process/system.ts';

const IN_MEMORY = { databaseUrl: 'sqlite::memory:', port: 0 } as const;
const SECRET = 'a-production-secret-of-forty-characters!';
const PRODUCTION = { NODE_ENV: 'production' };

async function started(context: TestContext, options: StartOptions = {}): Promise<Service> {
  const service = await start({ ...IN_MEMORY, ...options });
  context.after(() => service.close());
  return service;
}

async function emptyFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-start-'));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Signs a user up at the Cognito-compatible API. */
function signUp({ url, clientId }: Service, email: string): Promise<Answer> {
  const input = {
    ClientId: clientId,
    Username: email,
    Password: 'Ada-Passw0rd!',
    UserAttributes: [{ Name: 'email', Value: email }],
  };
  return post(`${url}/`, input, {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp',
  });
}

const demoLogin = { username: DEMO_USER.email, password: DEMO_USER.password };

const isStartError = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof StartError && error.code === code && message.test(error.message) && !error.message.includes('\n');

test('a service in memory logs in its demo user and leaves nothing on the disk', async (context) => {
  const dataDir = join(await emptyFolder(context), 'data');
  const service = await started(context, { dataDir });
  assert.equal(service.mode, 'development');
  assert.equal(service.demoUser, true);
  assert.match(service.userPoolId, /^us-east-1_[A-Za-z\d]{9}$/);
  const { status, body } = await post(`${service.url}/login`, demoLogin);
  assert.equal(status, 200);
  assert.equal(body.token_type, 'Bearer');
  await assert.rejects(readdir(dataDir), { code: 'ENOENT' });
});

test('services in one process share nothing', async (context) => {
  const [one, other] = await Promise.all([started(context), started(context)]);
  assert.notEqual(one.userPoolId, other.userPoolId);
  const { body } = await post(`${one.url}/login`, demoLogin);
  const headers = { authorization: `Bearer ${String(body.access_token)}` };
  assert.equal((await ask(`${one.url}/user/profile`, { headers })).status, 200);
  assert.equal((await ask(`${other.url}/user/profile`, { headers })).status, 401);
});

test('the given clock and random source are used', async (context) => {
  const drawn: number[] = [];
  const nowMs = Date.UTC(2040, 5, 1);
  const service = await started(context, {
    clock: { now: () => nowMs },
    random: (byteLength) => {
      drawn.push(byteLength);
      return crypto.getRandomValues(new Uint8Array(byteLength));
    },
  });
  assert.equal(service.clock.now(), nowMs);
  assert.ok(drawn.length > 0);
  const { body } = await post(`${service.url}/login`, demoLogin);
  const [, payload = ''] = String(body.access_token).split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { auth_time: number };
  assert.equal(claims.auth_time, nowMs / 1000);
});

test('the code of a sign-up is in the outbox when the sign-up is answered, and in no log line', async (context) => {
  const lines: string[] = [];
  const service = await started(context, { logLevel: 'trace', logStream: { write: (line) => void lines.push(line) } });
  assert.equal((await signUp(service, 'ada@example.com')).status, 200);
  const [entry] = service.outbox?.list('ada@example.com') ?? [];
  assert.match(entry?.code ?? '', /^\d{8}$/);
  const shown = await fetch(`${service.url}/dev/outbox?to=ada@example.com`);
  assert.deepEqual(await shown.json(), [entry]);
  assert.ok(lines.length > 0);
  assert.ok(!lines.join('').includes(entry?.code ?? 'no code'));
});

test('the admin key of development works for the admin routes', async (context) => {
  const { url, adminKey } = await started(context);
  const headers = { authorization: `Bearer ${adminKey?.bearer}` };
  const created = await post(`${url}/admin/users`, { email: 'bob@example.com' }, headers);
  assert.equal(created.status, 201);
  assert.equal((await post(`${url}/admin/users`, { email: 'eve@example.com' })).status, 401);
});

test('the bootstrap admin key works, and is not stored', async (context) => {
  const databaseUrl = `sqlite:${join(await emptyFolder(context), 'poolgate.db')}`;
  const options = { ...IN_MEMORY, databaseUrl, environment: PRODUCTION, secrets: [SECRET] };
  const bootstrapAdminKey = { id: 'ops1', secret: SECRET };
  const headers = { authorization: `Bearer pg_ops1_${SECRET}` };
  const first = await start({
    ...options,
    environment: { ...PRODUCTION, POOLGATE_BOOTSTRAP_ADMIN_KEY: `ops1:${SECRET}` },
  });
  assert.deepEqual(first.adminKey, { ...bootstrapAdminKey, bearer: `pg_ops1_${SECRET}` });
  assert.equal((await post(`${first.url}/admin/users`, { email: 'bob@example.com' }, headers)).status, 201);
  await first.close();
  const second = await started(context, options);
  assert.equal(second.adminKey, undefined);
  assert.equal((await post(`${second.url}/admin/users`, { email: 'eve@example.com' }, headers)).status, 401);
});

test('production has no outbox, no demo user and no sender, and logs it', async (context) => {
  const lines: string[] = [];
  const service = await started(context, {
    environment: PRODUCTION,
    secrets: [SECRET],
    logStream: { write: (line) => void lines.push(line) },
  });
  assert.equal(service.mode, 'production');
  assert.equal(service.outbox, undefined);
  assert.equal(service.adminKey, undefined);
  assert.equal((await fetch(`${service.url}/dev/outbox`)).status, 404);
  assert.equal((await post(`${service.url}/login`, demoLogin)).status, 401);
  assert.match(lines.join(''), /"level":40.*No email sender is configured/);
});

const STALE_ON_WIRE = /Set IDP_FRESH_PROOF_WIRE=true/;

test('production warns if the Cognito-compatible API lets old logins change sign-in methods, which is off by default', async (context) => {
  const open = { environment: PRODUCTION, secrets: [SECRET] };
  for (const [options, isSaid] of [
    [open, false],
    [{ ...open, freshProofWire: false }, true],
    [{ ...open, freshProofWire: false, wire: false }, false],
    [{ freshProofWire: false }, false],
  ] as const) {
    const lines: string[] = [];
    await started(context, { ...options, logStream: { write: (line) => void lines.push(line) } });
    assert.equal(STALE_ON_WIRE.test(lines.join('')), isSaid, JSON.stringify(options));
  }
});

test('without a sender a sign-up is refused before anything is written', async (context) => {
  const service = await started(context, { environment: PRODUCTION, secrets: [SECRET] });
  for (const _attempt of [1, 2]) {
    const { status, body } = await signUp(service, 'ada@example.com');
    assert.equal(status, 400);
    assert.match(String(body.__type), /UnsupportedOperationException/);
  }
});

test('production does not start without secrets; every fault is listed', async () => {
  const attempt = start({ ...IN_MEMORY, port: 70_000, environment: PRODUCTION });
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.deepEqual(
      error.problems.map(({ name }) => name),
      ['port', 'POOLGATE_SECRET'],
    );
    return true;
  });
});

test('production refuses a store that was encrypted with development secrets', async (context) => {
  const dataDir = await emptyFolder(context);
  const databaseUrl = `sqlite:${join(dataDir, 'poolgate.db')}`;
  await (await start({ port: 0, databaseUrl, dataDir })).close();
  await assert.rejects(
    start({ port: 0, databaseUrl, environment: PRODUCTION, secrets: [SECRET] }),
    isStartError('store_refused', /encrypted with development secrets/),
  );
});

test('production refuses a store with the demo user, however it is encrypted', async (context) => {
  const dataDir = await emptyFolder(context);
  const options = { port: 0, databaseUrl: `sqlite:${join(dataDir, 'poolgate.db')}`, dataDir, secrets: [SECRET] };
  await (await start(options)).close();
  await assert.rejects(
    start({ ...options, environment: PRODUCTION }),
    isStartError('store_refused', /contains the demo user/),
  );
});

test('a store that another secret encrypted is refused', async (context) => {
  const databaseUrl = `sqlite:${join(await emptyFolder(context), 'poolgate.db')}`;
  const options = { port: 0, databaseUrl, environment: PRODUCTION };
  await (await start({ ...options, secrets: [SECRET] })).close();
  await assert.rejects(
    start({ ...options, secrets: [`${SECRET}2`] }),
    isStartError('store_refused', /a secret that is not in POOLGATE_SECRET/),
  );
  await (await start({ ...options, secrets: [`${SECRET}2`, SECRET] })).close();
});

test('a second start finds the pool, the client, the users and the secrets of the first', async (context) => {
  const dataDir = await emptyFolder(context);
  const options = { port: 0, databaseUrl: `sqlite:${join(dataDir, 'poolgate.db')}`, dataDir };
  const first = await start(options);
  await first.close();
  const second = await started(context, options);
  assert.deepEqual(
    [second.userPoolId, second.clientId, second.adminKey, second.demoUser],
    [first.userPoolId, first.clientId, first.adminKey, true],
  );
  assert.equal((await post(`${second.url}/login`, demoLogin)).status, 200);
});

test('parallel first starts on one server end with one pool and one client, and record it in their data folder', async (context) => {
  const dataDir = await emptyFolder(context);
  const database = await createTestDatabase();
  context.after(() => database.drop());
  const options = { databaseUrl: database.url, dataDir, environment: PRODUCTION, secrets: [SECRET] };
  const services = await Promise.all([1, 2, 3].map(() => started(context, options)));
  for (const fact of ['userPoolId', 'clientId'] as const) {
    assert.equal(new Set(services.map((service) => service[fact])).size, 1);
  }
  const misspelled = { ...options, databaseUrl: `sqlite:${join(dataDir, 'poolgate.db')}` };
  const known = new URL(database.url);
  await assert.rejects(
    start({ port: 0, ...misspelled }),
    isStartError(
      'store_refused',
      new RegExp(`is in PostgreSQL database ${known.pathname.slice(1)} on ${known.hostname}`),
    ),
  );
});

test('a second service on one SQLite file is refused until the first has stopped, even if the first failed to start', async (context) => {
  const dataDir = await emptyFolder(context);
  const path = join(dataDir, 'poolgate.db');
  const options = { port: 0, databaseUrl: `sqlite:${path}`, dataDir };
  const inUse = new RegExp(`another service is running on the SQLite file ${path}`);
  const first = await start(options);
  await assert.rejects(start(options), isStartError('store_refused', inUse));
  assert.equal((await post(`${first.url}/login`, demoLogin)).status, 200);
  await first.close();
  const { port } = new URL((await started(context)).url);
  await assert.rejects(start({ ...options, port: Number(port) }), isStartError('address_in_use', /in use/));
  await (await start(options)).close();
});

test('the log of a start names the store, never its credentials', async (context) => {
  const dataDir = await emptyFolder(context);
  const cases = {
    'sqlite::memory:': 'The store is SQLite in memory.',
    [`sqlite:${join(dataDir, 'named.db')}`]: `The store is SQLite file ${join(dataDir, 'named.db')}.`,
    'postgres://login:hunter2@127.0.0.1:9/pool': 'The store is PostgreSQL database pool on 127.0.0.1:9.',
  };
  for (const [databaseUrl, expected] of Object.entries(cases)) {
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const attempt = start({ port: 0, databaseUrl, dataDir, logStream });
    const message =
      'DATABASE_URL: the store is unavailable: no connection to the server (PostgreSQL database pool on 127.0.0.1:9, role login)';
    if (databaseUrl.startsWith('postgres')) await assert.rejects(attempt, { code: 'store_unreachable', message });
    else await (await attempt).close();
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    assert.ok(messages.includes(expected), lines.join(''));
    assert.ok(!/hunter2|login:/.test(lines.join('')));
  }
});

test('a start that would create an empty pool instead of a lost one is refused, with advice', async (context) => {
  const dataDir = await emptyFolder(context);
  const path = join(dataDir, 'poolgate.db');
  const options = { port: 0, databaseUrl: `sqlite:${path}`, dataDir, environment: PRODUCTION, secrets: [SECRET] };
  const first = await start(options);
  await first.close();
  await rm(path);
  const elsewhere = { ...options, databaseUrl: `sqlite:${join(await emptyFolder(context), 'other.db')}` };
  for (const lost of [options, elsewhere]) {
    await assert.rejects(
      start(lost),
      isStartError(
        'store_refused',
        new RegExp(
          `according to .*pool\\.json the pool ${first.userPoolId} is in SQLite file ${path}\\. Fix DATABASE_URL`,
        ),
      ),
    );
    assert.equal(existsSync(lost.databaseUrl.slice('sqlite:'.length)), false, 'no empty database takes its place');
  }
  await rm(join(dataDir, 'pool.json'));
  const second = await start(options);
  await second.close();
  assert.notEqual(second.userPoolId, first.userPoolId);
});

test('development refuses to replace its lost database, and can use another new one', async (context) => {
  const dataDir = await emptyFolder(context);
  const path = join(dataDir, 'poolgate.db');
  const options = { port: 0, databaseUrl: `sqlite:${path}`, dataDir };
  await (await start(options)).close();
  await (await start({ ...options, databaseUrl: `sqlite:${join(dataDir, 'other', 'new.db')}` })).close();
  await rm(path);
  await assert.rejects(start(options), isStartError('store_refused', /contains no user pool/));
});

test('configured IDs and settings of the pool win', async (context) => {
  const service = await started(context, {
    userPoolId: 'eu-central-1_Example12',
    clientId: 'exampleclient',
    issuer: 'https://issuer.example/pool',
    mfaSetup: 'OFF',
    sessionMinutes: 5,
  });
  assert.deepEqual([service.userPoolId, service.clientId], ['eu-central-1_Example12', 'exampleclient']);
  const { body } = await ask(`${service.url}/login/parameters`);
  assert.equal((body.mfa as { setup: string }).setup, 'OFF');
  const discovery = await ask(`${service.url}/eu-central-1_Example12/.well-known/openid-configuration`);
  assert.equal(discovery.body.issuer, 'https://issuer.example/pool');
  assert.equal(discovery.body.jwks_uri, `${service.baseUrl}/eu-central-1_Example12/.well-known/jwks.json`);
});

test('an address in use is reported in one line', async (context) => {
  const { url } = await started(context);
  const port = Number(new URL(url).port);
  await assert.rejects(
    start({ ...IN_MEMORY, port }),
    isStartError('address_in_use', new RegExp(`PORT: ${port} .* in use`)),
  );
});

test('a start that fails, early or late, leaves no open port and no work behind', async (context) => {
  const taken = await started(context, { metricsPort: 0 });
  const portOf = (url = ''): number => Number(new URL(url).port);
  const waiting = new Set<object>();
  const timer: NonNullable<StartOptions['timer']> = {
    after(delayMs, run) {
      const turn = {};
      waiting.add(turn);
      const callOff = HOST_SYSTEM.timer.after(delayMs, () => {
        waiting.delete(turn);
        run();
      });
      return () => {
        waiting.delete(turn);
        callOff();
      };
    },
  };
  const servers: Server[] = [];
  const onListening = ({ server }: { server: Server }): void => void servers.push(server);
  channel('tracing:net.server.listen:asyncEnd').subscribe(onListening as ChannelListener);
  context.after(() => channel('tracing:net.server.listen:asyncEnd').unsubscribe(onListening as ChannelListener));
  const now = (): number => {
    if (servers.length > 0) throw new Error('no time');
    return Date.now();
  };
  const failing: readonly (readonly [StartOptions, RegExp])[] = [
    [{ port: portOf(taken.url) }, /PORT: .* in use/],
    [{ metricsPort: portOf(taken.metricsUrl) }, /METRICS_PORT: .* in use/],
    [{ clock: { now } }, /no time/],
  ];
  for (const [options, message] of failing) {
    await assert.rejects(start({ ...IN_MEMORY, ...options, timer }), message);
    assert.equal(waiting.size, 0, String(message));
  }
  assert.ok(servers.length > 0);
  assert.ok(servers.every(({ listening }) => !listening));
});

test('a store that cannot be opened is reported in one line', async (context) => {
  const folder = await emptyFolder(context);
  await assert.rejects(
    start({ port: 0, databaseUrl: `sqlite:${folder}`, dataDir: folder }),
    (error) => error instanceof StartError && error.message.startsWith('DATABASE_URL: '),
  );
});

test('an unknown option is refused, not ignored', async () => {
  const misspelt = { databaseURL: 'sqlite::memory:' } as StartOptions;
  await assert.rejects(start(misspelt), (error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(error.message, /^databaseURL: is not a configuration key; allowed: did you mean databaseUrl\?/);
    return true;
  });
});
