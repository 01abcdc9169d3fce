import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { formatStartBanner } from './commands/start-banner.ts';
import { DEMO_USER, type Service, type StartOptions, start } from './index.ts';

const EXPOSED: StartOptions = { development: true, host: '0.0.0.0', port: 0 };
const BASE_URL = 'http://poolgate:3000';

async function dataFolder(context: TestContext): Promise<StartOptions> {
  const dataDir = await mkdtemp(join(tmpdir(), 'poolgate-exposed-'));
  context.after(() => rm(dataDir, { recursive: true, force: true }));
  return { dataDir, databaseUrl: `sqlite:${join(dataDir, 'poolgate.db')}` };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request with exactly these headers, including Host. */
async function get(service: Service, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { port } = new URL(service.url);
  const sent = request({ host: '127.0.0.1', port, path, headers }).end();
  const answer = await new Promise<NodeJS.ReadableStream & { statusCode?: number }>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  return { status: answer.statusCode ?? 0, text: await text(answer) };
}

async function logIn(service: Service, password: string | undefined): Promise<number> {
  const { port } = new URL(service.url);
  const { status } = await fetch(`http://127.0.0.1:${port}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: DEMO_USER.email, password }),
  });
  return status;
}

test('in a container no request counts as local: the outbox requires the printed token', async (context) => {
  const service = await start({ ...EXPOSED, databaseUrl: 'sqlite::memory:', baseUrl: BASE_URL });
  context.after(() => service.close());
  const { devToken } = service;
  assert.match(devToken ?? '', /^dev_[\w-]{32}$/);
  for (const headers of [
    {},
    { host: 'localhost' },
    { host: '127.0.0.1' },
    { host: 'poolgate:3000' },
    { host: 'localhost', authorization: 'Bearer dev_' },
    { host: 'localhost', authorization: `Bearer ${devToken}x` },
    { host: 'localhost', authorization: `Bearer ${service.adminKey?.bearer}` },
  ]) {
    const { status, text: body } = await get(service, '/dev/outbox', headers as Record<string, string>);
    assert.equal(status, 401, JSON.stringify(headers));
    assert.ok(!body.includes(String(devToken)));
  }
  for (const host of ['localhost', 'poolgate:3000']) {
    assert.equal((await get(service, '/dev/outbox', { host, authorization: `Bearer ${devToken}` })).status, 200, host);
  }
  const basic = (password: string | undefined) => `Basic ${Buffer.from(`dev:${password}`).toString('base64')}`;
  for (const [path, authorization, expected] of [
    ['/dev/mail', basic(devToken), 200],
    ['/dev/mail/none', basic(devToken), 200],
    ['/dev/mail', basic(`${devToken}x`), 401],
    ['/dev/mail', basic(''), 401],
    ['/dev/mail', 'Basic', 401],
    ['/dev/mail/none', '', 401],
    ['/dev/outbox', basic(devToken), 401],
  ] as const) {
    const { status } = await get(service, path, { host: 'localhost', authorization });
    assert.equal(status, expected, `${path} ${authorization}`);
  }
  const printed = formatStartBanner(service, 50);
  for (const part of [devToken, service.demoPassword, 'Others can reach this service', 'may cause 50 messages'])
    assert.ok(printed.includes(String(part)));
  assert.ok(!printed.includes(DEMO_USER.password));
});

test('the token of /dev changes at each start', async (context) => {
  const tokens = await Promise.all(
    [1, 2].map(async () => {
      const service = await start({ ...EXPOSED, databaseUrl: 'sqlite::memory:' });
      context.after(() => service.close());
      return service.devToken;
    }),
  );
  assert.notEqual(tokens[0], tokens[1]);
});

test('the public password of the demo user gives others no access, whatever start came before', async (context) => {
  const place = await dataFolder(context);
  const own = await start({ ...place, port: 0 });
  assert.deepEqual([await logIn(own, DEMO_USER.password), own.devToken], [200, undefined]);
  await own.close();
  const exposed = await start({ ...place, ...EXPOSED });
  assert.notEqual(exposed.demoPassword, DEMO_USER.password);
  assert.deepEqual([await logIn(exposed, DEMO_USER.password), await logIn(exposed, exposed.demoPassword)], [401, 200]);
  await exposed.close();
  const again = await start({ ...place, ...EXPOSED });
  assert.equal(again.demoPassword, exposed.demoPassword, 'what was printed stays good');
  assert.equal(await logIn(again, again.demoPassword), 200);
  await again.close();
  const ownAgain = await start({ ...place, port: 0 });
  context.after(() => ownAgain.close());
  assert.equal(await logIn(ownAgain, ownAgain.demoPassword), 200);
});

test('a start warns that others can reach it', async (context) => {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const service = await start({ ...EXPOSED, databaseUrl: 'sqlite::memory:', logStream });
  context.after(() => service.close());
  assert.match(lines.join(''), /"level":40.*POOLGATE_DEVELOPMENT is true and others can reach this service/);
});
