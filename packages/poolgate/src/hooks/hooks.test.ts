import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AuditEvent } from '@poolgate/provider';
import { DEMO_USER, type Service, type StartOptions, start } from '../index.ts';

async function started(context: TestContext, options: StartOptions): Promise<Service> {
  const service = await start({ databaseUrl: 'sqlite::memory:', port: 0, ...options });
  context.after(() => service.close());
  return service;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const logIn = ({ url }: Service, username: string, password: string): Promise<Answer> =>
  post(`${url}/login`, { username, password });

const demoLogin = (service: Service): Promise<Answer> => logIn(service, DEMO_USER.email, DEMO_USER.password);

function claimsOf(token: unknown): Readonly<Record<string, unknown>> {
  const [, payload = ''] = String(token).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

test('onEvent receives each event once, after its write, from the pool and from the gateway', async (context) => {
  const heard: AuditEvent[] = [];
  const service = await started(context, { onEvent: (event) => void heard.push(event) });
  assert.equal((await demoLogin(service)).status, 200);
  assert.equal((await logIn(service, DEMO_USER.email, 'Wrong-Passw0rd')).status, 401);
  const headers = { authorization: `Bearer ${service.adminKey?.bearer}` };
  const made = await post(`${service.url}/admin/webhooks`, { url: 'https://hooks.example.com/in' }, headers);
  assert.equal(made.status, 201);
  const types = heard.map(({ type }) => type);
  for (const type of ['user.created', 'login.succeeded', 'login.failed', 'webhook.created'] as const) {
    assert.equal(types.filter((heardType) => heardType === type).length, 1, type);
  }
  const audit = await fetch(`${service.url}/admin/audit?limit=60`, { headers });
  const { events } = (await audit.json()) as { events: { id: string }[] };
  assert.deepEqual(heard.map(({ id }) => id).sort(), events.map(({ id }) => id).sort());
  for (const event of heard) assert.ok(!('expiresAtMs' in event));
});

test('an onEvent that fails is logged, and breaks no request', async (context) => {
  for (const onEvent of [
    () => {
      throw new Error('planted-secret');
    },
    () => Promise.reject(new Error('planted-secret')),
  ]) {
    const lines: string[] = [];
    const service = await started(context, { onEvent, logStream: { write: (line) => void lines.push(line) } });
    assert.equal((await demoLogin(service)).status, 200);
    assert.match(lines.join(''), /"level":50.*"event_type":"login.succeeded".*The hook onEvent failed/);
    assert.ok(!lines.join('').includes('planted-secret'));
  }
});

test('claims are added to the tokens of a login and a refresh, and replace none of the pool', async (context) => {
  const service = await started(context, {
    claims: ({ username, sub }) => ({
      access: { tenant: 'acme', sub: 'somebody-else', username: 'root' },
      id: { plan: `of ${username === sub}`, 'cognito:groups': ['admin'] },
    }),
  });
  const { body } = await demoLogin(service);
  const renewed = await post(`${service.url}/token/refresh`, { refresh_token: body.refresh_token });
  for (const tokens of [body, renewed.body]) {
    const access = claimsOf(tokens.access_token);
    assert.equal(access.tenant, 'acme');
    assert.notEqual(access.sub, 'somebody-else');
    assert.notEqual(access.username, 'root');
    const id = claimsOf(tokens.id_token);
    assert.deepEqual([id.plan, id['cognito:groups']], ['of true', undefined]);
  }
});

test('migrate admits a user of an older system at the first login, and is not called a second time', async (context) => {
  const asked: string[] = [];
  const old = { email: 'ada@example.com', password: 'Old-Passw0rd-77' };
  const service = await started(context, {
    loginFlow: 'password',
    migrate: async ({ username, password }) => {
      asked.push(username);
      const isRight = username === old.email && password === old.password;
      return isRight ? { attributes: { email: old.email, email_verified: 'true', name: 'Ada' } } : undefined;
    },
  });
  assert.equal((await logIn(service, old.email, 'Wrong-Passw0rd-1')).status, 401);
  assert.equal((await logIn(service, 'nobody@example.com', old.password)).status, 401);
  for (const _time of [1, 2]) {
    const { status, body } = await logIn(service, old.email, old.password);
    assert.equal(status, 200);
    assert.equal(claimsOf(body.id_token).name, 'Ada');
  }
  assert.deepEqual(asked, [old.email, 'nobody@example.com', old.email]);
});
