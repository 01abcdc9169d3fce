import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Timer } from '@poolgate/pool';
import { openStore } from '@poolgate/store';
import { createTestDatabase, execute } from '@poolgate/store/testing';
import type { Container } from '../container/container.ts';
import { type Service, type StartOptions, start } from '../index.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { createKeyRing } from '../secrets/key-ring.ts';
import { reencryptStore } from '../secrets/reencrypt.ts';
import { CHECK_CACHE_MS, openReadiness } from './readiness.ts';

interface Answer {
  readonly status: number;
  readonly body: { readonly detail?: string; readonly checks?: Readonly<Record<string, string>> };
}

async function ready({ url }: Service): Promise<Answer> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: (await answer.json()) as Answer['body'] };
}

/** The timers of the machine, except the one that caches a success, so that these tests need not wait for it. */
const timer: Timer = {
  after: (delayMs, run) => HOST_SYSTEM.timer.after(delayMs === CHECK_CACHE_MS ? 0 : delayMs, run),
};

async function onFile(context: TestContext, options: StartOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-ready-'));
  const path = join(folder, 'poolgate.db');
  const service = await start({ databaseUrl: `sqlite:${path}`, dataDir: folder, port: 0, timer, ...options });
  context.after(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  return { service, path };
}

test('a healthy service passes each part', async (context) => {
  const { service } = await onFile(context);
  assert.deepEqual(await ready(service), {
    status: 200,
    body: { status: 'ok', checks: { store: 'ok', keys: 'ok', clock: 'ok', senders: 'ok', triggers: 'ok', pool: 'ok' } },
  });
});

test('a service that could sign no token is not ready, and stays alive', async (context) => {
  let nowMs = Date.now();
  const { service, path } = await onFile(context, { clock: { now: () => nowMs } });
  await execute(`sqlite:${path}`, 'update signing_keys set retired_at_ms = 1');
  nowMs += 10_000;
  const { status, body } = await ready(service);
  assert.deepEqual([status, body.detail], [503, 'The service is not ready: keys.']);
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
});

/** Until it is not ready because of one part. While connections are replaced, others can be late too. */
async function becomesUnready(service: Service, part: string): Promise<void> {
  const expected = [503, `The service is not ready: ${part}.`];
  const end = Date.now() + 20_000;
  let found: unknown[];
  do {
    const { status, body } = await ready(service);
    found = [status, body.detail];
  } while (found.join() !== expected.join() && Date.now() < end);
  assert.deepEqual(found, expected);
}

test('a service with a read-only database file is not ready until it can write again', async (context) => {
  const { service, path } = await onFile(context);
  const url = `sqlite:${path}`;
  for (const act of ['insert', 'update']) {
    const text = `create trigger no_${act} before ${act} on rates begin select raise(abort, 'the disk is full'); end`;
    await execute(url, text);
  }
  await becomesUnready(service, 'store');
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  for (const act of ['insert', 'update']) await execute(url, `drop trigger no_${act}`);
  assert.equal((await ready(service)).status, 200);
});

test('a service whose file is deleted or replaced is not ready, and logs why', async (context) => {
  const lines: string[] = [];
  const { service, path } = await onFile(context, { logStream: { write: (line) => void lines.push(line) } });
  await rename(path, `${path}.away`);
  await becomesUnready(service, 'store');
  assert.match(lines.join(''), /poolgate\.db was deleted or replaced while the service uses it/);
  await copyFile(`${path}.away`, path);
  assert.equal((await ready(service)).status, 503, 'a copy is another file');
  assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  await rename(`${path}.away`, path);
  assert.equal((await ready(service)).status, 200);
  assert.match(lines.join(''), /Readiness: store is ok again/);
});

const SECRETS = { old: 'the-old-secret-of-this-test-0123456789', new: 'the-new-secret-of-this-test-9876543210' };

test('a service whose database was encrypted with another secret is not ready, because logins fail', async (context) => {
  const lines: string[] = [];
  const { service, path } = await onFile(context, {
    secrets: [SECRETS.old],
    logStream: { write: (line) => void lines.push(line) },
  });
  assert.equal((await ready(service)).status, 200);
  const { encryptedValues, close } = await openStore(`sqlite:${path}`);
  // As `poolgate secrets reencrypt` does, which would refuse here.
  await reencryptStore({ encryptedValues, keyRing: createKeyRing([SECRETS.new, SECRETS.old], HOST_SYSTEM.random) });
  await close();
  await becomesUnready(service, 'keys');
  assert.match(lines.join(''), /Readiness: keys is failing\. .*POOLGATE_SECRET/);
});

test("many parallel checks cost one read of what a login needs, and of the database server's clock", async () => {
  const timers: (() => void)[] = [];
  const stillTimer = {
    after(_delayMs: number, run: () => void) {
      timers.push(run);
      return () => {};
    },
  };
  const looks = { keys: 0, clock: 0 };
  const container = {
    timer: stillTimer,
    clock: HOST_SYSTEM.clock,
    async figures() {
      looks.clock += 1;
      return { serverNowMs: null };
    },
    records: { ready: async () => true, takesWrites: async () => true },
    backend: {
      unmappedTriggers: async () => [],
      async canServeLogins() {
        looks.keys += 1;
        return true;
      },
    },
  } as unknown as Container;
  const served = { userPoolId: 'pool', clientId: 'client', recentLoginOnCognitoApi: true };
  const readiness = openReadiness(container, served, () => {});
  await Promise.all(Array.from({ length: 100 }, () => readiness.runChecks()));
  await readiness.runChecks();
  assert.deepEqual(looks, { keys: 1, clock: 1 });
  for (const run of timers) run();
  await readiness.runChecks();
  assert.deepEqual(looks, { keys: 2, clock: 2 }, 'a success is believed for a moment only');
});

test('a supplied clock is always right, whatever the database server says', async () => {
  const container = {
    timer: { after: () => () => {} },
    records: { ready: async () => true, takesWrites: async () => true },
    figures: async () => ({ serverNowMs: Date.now() + 3_600_000 }),
    configuration: { settings: { databaseUrl: 'postgres://localhost/pool' } },
    backend: { unmappedTriggers: async () => [], canServeLogins: async () => true },
  };
  const served = { userPoolId: 'pool', clientId: 'client', recentLoginOnCognitoApi: true };
  for (const [clock, holds] of [
    [{ now: () => 0 }, true],
    [HOST_SYSTEM.clock, false],
  ] as const) {
    const readiness = openReadiness({ ...container, clock } as unknown as Container, served, () => {});
    assert.equal((await readiness.runChecks()).find(({ check }) => check === 'clock')?.holds, holds);
  }
});

test('a message that waits for its trigger does not affect the sender', async () => {
  const container = {
    timer: { after: () => () => {} },
    clock: { now: () => 0 },
    records: { ready: async () => true, takesWrites: async () => true },
    figures: async () => ({ serverNowMs: null }),
    configuration: { settings: { databaseUrl: 'sqlite::memory:' } },
    backend: { unmappedTriggers: async () => [], canServeLogins: async () => true },
  } as unknown as Container;
  const served = { userPoolId: 'pool', clientId: 'client', recentLoginOnCognitoApi: true };
  const readiness = openReadiness(container, served, () => {});
  const senders = async () => (await readiness.runChecks()).find(({ check }) => check === 'senders')?.holds;
  const report = { messageId: 'm', poolId: 'pool', channel: 'email', result: 'postponed', tries: 1 } as const;
  for (let tries = 0; tries < 5; tries += 1) readiness.recordDelivery({ ...report, failure: 'trigger_not_mapped' });
  assert.equal(await senders(), true);
  for (let tries = 0; tries < 5; tries += 1) readiness.recordDelivery({ ...report, failure: 'smtp_451' });
  assert.equal(await senders(), false);
});

async function onPostgres(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-ready-'));
  const database = await createTestDatabase();
  const service = await start({ databaseUrl: database.url, dataDir: folder, port: 0, timer });
  context.after(async () => {
    await service.close();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  return { service, url: database.url, name: new URL(database.url).pathname.slice(1) };
}

const CLOSE_OTHERS =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

test('a service whose database server is read-only is not ready until it can write again', async (context) => {
  const { service, url, name } = await onPostgres(context);
  assert.equal((await ready(service)).status, 200);
  await execute(url, `alter database ${name} set default_transaction_read_only = on`);
  await execute(url, CLOSE_OTHERS);
  await becomesUnready(service, 'store');
  await execute(url, `begin read write; alter database ${name} reset default_transaction_read_only; commit`);
  await execute(url, CLOSE_OTHERS);
  const end = Date.now() + 20_000;
  while ((await ready(service)).status !== 200) assert.ok(Date.now() < end, 'it does not come back');
});

test("a service whose clock differs too much from the database server's is not ready", async (context) => {
  const { service, url, name } = await onPostgres(context);
  assert.equal((await ready(service)).status, 200);
  // The clock of the server cannot be set back, but the query for it can be replaced.
  await execute(
    url,
    `create function public.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.now() - interval '2 minutes' $$`,
  );
  await execute(url, `alter database ${name} set search_path = public, pg_catalog`);
  await execute(url, CLOSE_OTHERS);
  await becomesUnready(service, 'clock');
});

test('a service whose mails are not accepted keeps serving, and reports it', async (context) => {
  const { service } = await onFile(context, {
    environment: { NODE_ENV: 'production' },
    secrets: ['a-production-secret-of-forty-characters!'],
    // Nothing listens there.
    smtpUrl: 'smtp://127.0.0.1:9',
    mailFrom: 'login@example.com',
    limitLoginSteps: 0,
  });
  const headers = {
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'AWSCognitoIdentityProviderService.SignUp',
  };
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const Username = `${name}@example.com`;
    const UserAttributes = [{ Name: 'email', Value: Username }];
    const body = JSON.stringify({ ClientId: service.clientId, Username, Password: 'Ada-Passw0rd!', UserAttributes });
    assert.equal((await fetch(service.url, { method: 'POST', headers, body })).status, 200);
  }
  const end = Date.now() + 20_000;
  let answer = await ready(service);
  while (answer.body.checks?.senders === 'ok' && Date.now() < end) answer = await ready(service);
  assert.deepEqual([answer.status, answer.body.checks?.senders], [200, 'failing']);
});
