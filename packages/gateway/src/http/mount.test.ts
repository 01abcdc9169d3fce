import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Route } from '@poolgate/contract';
import type { CallContext } from '@poolgate/provider';
import Fastify from 'fastify';
import { createAdminKey } from '../credentials/admin-key-secret.ts';
import type { Caller } from '../kernel/caller.ts';
import { toGatewayError } from '../kernel/gateway-errors.ts';
import type { RateTake } from '../records/index.ts';
import { createAccessToken, TOKEN_KEY } from '../testing/access-token.ts';
import {
  createGuardRecords,
  createTestDeps,
  createTestProvider,
  createTestRuntime,
  POOL,
} from '../testing/gateway-deps.ts';
import { createIdempotencyRecords } from '../testing/idempotency-records.ts';
import { decorateRequests } from './decorate-requests.ts';
import type { StoredResponse } from './idempotency.ts';
import { acceptJson } from './json-body.ts';
import { mountRoute } from './mount.ts';
import { createServer } from './server.ts';

const USER: Caller = {
  kind: 'user',
  accessToken: 'x',
  sub: 'sub-of-ada',
  username: 'ada',
  groups: [],
  originJti: undefined,
  authTimeSeconds: 0,
  issuedAtSeconds: 0,
  expiresAtSeconds: 0,
};
const ADMIN: Caller = { kind: 'admin', keyId: 'key1', scopes: new Set() };
const PUBLIC: Caller = { kind: 'public' };
const CALL = { 'content-type': 'application/json' };

const ROUTE: Route = {
  method: 'POST',
  path: '/things/{name}',
  aliases: [],
  mount: 'routes',
  guard: 'public',
  limit: 'none',
  summary: '',
  params: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  body: { type: 'object', properties: { username: { type: 'string' } } },
  responses: { 200: { description: '', schema: { type: 'object', properties: {} } } },
  errors: [],
};

interface Given {
  readonly route?: Partial<Route>;
  readonly caller?: Caller;
  readonly answer?: StoredResponse;
  /** Limits that are used up across all replicas. */
  readonly empty?: string;
}

/** A service of one route, which records the input of its handler and the counts across all replicas. */
function createService({ route = {}, caller = PUBLIC, answer = { status: 200, body: {} }, empty }: Given) {
  const app = Fastify({ genReqId: () => 'r1', exposeHeadRoutes: false });
  const handled: { readonly call: CallContext; readonly caller: Caller }[] = [];
  const taken: string[] = [];
  const take = async (takes: readonly RateTake[]) => {
    taken.push(...takes.map(({ name }) => name.split(' ')[0] ?? ''));
    return takes.map(({ name }) => name).filter((name) => name.split(' ')[0] !== empty);
  };
  const rateLimits = { readsPerMinute: 2, loginStepsPerMinute: 60, userStepsPerMinute: 60, clientStepsPerMinute: 60 };
  const records = { ...createIdempotencyRecords(), rates: { take } };
  const runtime = createTestRuntime({ records }, { rateLimits });
  decorateRequests(app);
  acceptJson(app);
  app.setErrorHandler((error, _request, reply) => {
    const { status, code, message } = toGatewayError(error);
    return reply.code(status).send({ code, message });
  });
  const whole = { ...ROUTE, ...route };
  mountRoute(
    app,
    { runtime, readClientAddress: () => '203.0.113.5', isFromProxy: () => false },
    {
      name: 'adminUserCreate',
      route: whole,
      prefix: '/api',
      addresses: [whole],
      authenticate: async () => caller,
      handle: async (_runtime, input) => {
        handled.push(input);
        return answer;
      },
    },
  );
  const ask = (
    method: 'GET' | 'HEAD' | 'POST' = 'POST',
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    app.inject({
      method,
      url: '/api/things/a',
      headers: { ...(body && CALL), ...headers },
      ...(body && { payload: JSON.stringify(body) }),
    });
  return { ask, handled, taken, claims: records.claims };
}

describe('a mounted route', () => {
  it('tells the provider who acts, if it is not the user of a token', async () => {
    const asked = { requestId: 'r1', sourceAddress: '203.0.113.5', entryPoint: 'routes', userAgent: 'lightMyRequest' };
    const admin = { ...asked, actor: { kind: 'admin', id: 'key1' } };
    for (const [guard, caller, call] of [
      ['public', PUBLIC, asked],
      ['user', USER, asked],
      ['user-or-session', USER, asked],
      ['user-or-session', PUBLIC, asked],
      ['admin', ADMIN, admin],
      ['operator', ADMIN, admin],
      ['operator', USER, { ...asked, actor: { kind: 'user', id: 'sub-of-ada' } }],
    ] as const) {
      const { ask, handled } = createService({ route: { guard }, caller });
      assert.equal((await ask()).statusCode, 200);
      assert.deepEqual([handled[0]?.call, handled[0]?.caller], [call, caller], guard);
    }
  });

  it('counts a login step across all replicas, by its user before authentication, and nothing else', async () => {
    for (const [limit, caller, counted] of [
      ['login', PUBLIC, ['network', 'user', 'client']],
      ['login', USER, ['network', 'client']],
      ['read', PUBLIC, []],
      ['none', PUBLIC, []],
    ] as const) {
      const { ask, taken } = createService({ route: { limit }, caller });
      assert.equal((await ask('POST', { username: 'ada' })).statusCode, 200);
      assert.deepEqual(taken, counted, `${limit} ${caller.kind}`);
    }
  });

  it('does nothing for a login step over the limit', async () => {
    for (const empty of ['network', 'user', 'client']) {
      const { ask, handled } = createService({ route: { limit: 'login' }, empty });
      assert.equal((await ask('POST', { username: 'ada' })).statusCode, 429, empty);
      assert.deepEqual(handled, []);
    }
  });

  it('counts toward the limit of its network, unless it has none', async () => {
    for (const [limit, last] of [
      ['read', 429],
      ['none', 200],
    ] as const) {
      const { ask } = createService({ route: { limit } });
      const statuses = [];
      for (let times = 0; times < 3; times += 1) statuses.push((await ask()).statusCode);
      assert.deepEqual(statuses, [200, 200, last]);
    }
  });

  it('accepts a body only if it has one', async () => {
    const { body: _, ...without } = ROUTE;
    for (const [method, route, bodyOnGet, status] of [
      ['POST', ROUTE, false, 200],
      ['POST', without, false, 400],
      ['GET', ROUTE, false, 400],
      ['GET', ROUTE, true, 200],
    ] as const) {
      const { ask } = createService({
        route: {
          ...route,
          ...(route === without && { body: undefined }),
          method,
          ...(bodyOnGet && { bodyOnGet }),
        } as Route,
      });
      const answer = await ask(method, { username: 'ada' });
      assert.equal(answer.statusCode, status, `${method} ${status}`);
      if (status === 400)
        assert.deepEqual(answer.json(), { code: 'malformed_request', message: 'This route does not accept a body.' });
      assert.equal((await ask(method)).statusCode, 200, 'without a body');
    }
  });

  it('runs a repeated request once if an administrator may repeat it', async () => {
    const key = { 'idempotency-key': 'one' };
    for (const [idempotent, caller, headers, handled] of [
      [true, ADMIN, key, 1],
      [true, ADMIN, {}, 2],
      [true, USER, key, 2],
      [undefined, ADMIN, key, 2],
    ] as const) {
      const service = createService({ route: { ...(idempotent && { idempotent }) }, caller });
      for (let times = 0; times < 2; times += 1) {
        assert.equal((await service.ask('POST', { username: 'ada' }, headers)).statusCode, 200);
      }
      assert.equal(service.handled.length, handled);
    }
    const { ask } = createService({ route: { idempotent: true }, caller: ADMIN });
    await ask('POST', { username: 'ada' }, key);
    assert.equal((await ask('POST', { username: 'eve' }, key)).json().code, 'idempotency_conflict');
  });

  it('responds with the type of its status, and without one if there is no body', async () => {
    const responses = {
      200: { description: '', schema: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
      201: { description: '', schema: { type: 'object', properties: {} } },
    } as const;
    for (const [answer, type, text] of [
      [{ status: 200, body: '<p>' }, 'text/html; charset=utf-8', '<p>'],
      [{ status: 201, body: { a: 1 } }, 'application/json; charset=utf-8', '{"a":1}'],
      [{ status: 202, body: 'a' }, 'application/json; charset=utf-8', '"a"'],
      [{ status: 204, body: null, headers: { 'x-note': 'b' } }, undefined, ''],
      [{ status: 200, body: null }, undefined, ''],
    ] as const) {
      const { ask } = createService({ route: { responses }, answer });
      const { statusCode, headers, payload } = await ask();
      assert.deepEqual([statusCode, headers['content-type'], payload], [answer.status, type, text]);
      assert.equal(headers['x-note'], 'headers' in answer ? 'b' : undefined);
    }
  });

  it('has HEAD in addition to GET if it is a page', async () => {
    const page = {
      200: { description: '', schema: { type: 'string' }, contentType: 'text/html; charset=utf-8' },
    } as const;
    for (const [responses, status] of [
      [page, 200],
      [ROUTE.responses, 404],
    ] as const) {
      const { ask } = createService({ route: { method: 'GET', responses }, answer: { status: 200, body: 'x' } });
      assert.equal((await ask('HEAD')).statusCode, status);
    }
  });
});

describe('the contract', () => {
  it('is mounted at the root, and its routes also under the prefix, if there is one', async () => {
    for (const [apiPrefix, status] of [
      ['/api/cognito', 200],
      ['', 404],
    ] as const) {
      const app = await createServer(createTestDeps({}, { apiPrefix }));
      const fetchStatus = async (url: string) => (await app.inject(url)).statusCode;
      assert.equal(await fetchStatus('/login/parameters'), 200);
      assert.equal(await fetchStatus('/api/cognito/login/parameters'), status);
      assert.equal(await fetchStatus('/healthz'), 200);
      assert.equal(await fetchStatus('/api/cognito/healthz'), 404);
      await app.close();
    }
  });

  it('publishes itself as a document and as a page', async () => {
    const app = await createServer(createTestDeps({}));
    const [document, page] = [await app.inject('/openapi.json'), await app.inject('/docs/api')];
    assert.equal(document.statusCode, 200);
    assert.match(document.json().openapi, /^3\.1\./);
    assert.equal((await app.inject('/openapi.json')).payload, document.payload);
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8');
    assert.match(page.payload, /^<!doctype html>/i);
    await app.close();
  });

  it('refuses callers who do not match the route, and signed requests without a body', async () => {
    const deps = createTestDeps({ provider: createTestProvider(() => [TOKEN_KEY]), records: createGuardRecords() });
    const app = await createServer(deps);
    const { id, secret } = await createAdminKey(deps, { label: 'a', scopes: ['users:read'], lifetimeSeconds: 60 });
    const fetchStatus = async (authorization?: string) =>
      (await app.inject({ url: '/admin/users/ada', headers: authorization === undefined ? {} : { authorization } }))
        .statusCode;
    assert.equal(await fetchStatus(), 401);
    assert.equal(await fetchStatus(`Bearer ${createAccessToken('ada')}`), 401);
    assert.equal(await fetchStatus(`Bearer pg_${id}_${secret}x`), 401);
    assert.notEqual(await fetchStatus(`Bearer pg_${id}_${secret}`), 401);
    await app.close();
  });
});

describe('pages for a developer at this machine', () => {
  let app: Awaited<ReturnType<typeof createServer>>;
  let port = 0;
  before(async () => {
    app = await createServer(createTestDeps({ outbox: { list: () => [] } }, { baseUrl: 'https://auth.example' }));
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  after(() => app.close());

  /** The status of a plain connection. */
  async function fetchStatus(version: string, host: string): Promise<number> {
    const socket = connect(port, '127.0.0.1');
    socket.end(`GET /dev/outbox HTTP/${version}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    let text = '';
    for await (const part of socket) text += part;
    return Number(text.split(' ')[1]);
  }

  it('are shown to no proxy that omits its headers, and under no name that others know', async () => {
    assert.equal(await fetchStatus('1.1', 'localhost'), 200);
    assert.equal(await fetchStatus('1.0', 'localhost'), 403);
    assert.equal(await fetchStatus('1.1', 'auth.example'), 403);
  });
});

describe('an admin request for another pool', () => {
  const OTHER = 'us-east-1_Other1234';
  const adminKeys = [
    { id: 'groupskey1', secret: 'secret-of-32-characters-groups!!', scopes: ['groups:write', 'pool:read'] as const },
    { id: 'poolskey12', secret: 'secret-of-32-characters-pools!!!', scopes: ['groups:write', 'pool:write'] as const },
  ];
  const [groups, pools] = adminKeys.map(({ id, secret }) => ({ authorization: `Bearer pg_${id}_${secret}` }));
  const asked: string[] = [];
  const refusals: unknown[] = [];

  async function post(headers: Readonly<Record<string, string>> | undefined, query: string) {
    const own = createTestProvider(() => [], {
      createGroup: async ({ UserPoolId, GroupName }) => {
        asked.push(UserPoolId);
        return { Group: { GroupName } };
      },
    });
    const describePool = async (userPoolId: string) =>
      userPoolId === OTHER ? { ...POOL, userPoolId } : own.describe(userPoolId);
    const records = createGuardRecords();
    const app = await createServer(
      createTestDeps({ provider: { ...own, describe: describePool }, adminKeys, records }),
    );
    const { statusCode } = await app.inject({
      method: 'POST',
      url: `/admin/groups${query}`,
      headers: { ...headers, 'content-type': 'application/json' },
      payload: { group_name: 'crew' },
    });
    refusals.push(...records.appended.map(({ actor, details }) => [actor.id, details]));
    return { status: statusCode, pools: asked.splice(0) };
  }

  it('acts on that pool, and a change needs the scope that the Cognito-compatible API requires', async () => {
    assert.deepEqual(await post(groups, ''), { status: 201, pools: [POOL.userPoolId] });
    assert.deepEqual(await post(groups, `?user_pool_id=${POOL.userPoolId}`), { status: 201, pools: [POOL.userPoolId] });
    assert.deepEqual(refusals, []);
    assert.deepEqual(await post(groups, `?user_pool_id=${OTHER}`), { status: 403, pools: [] });
    const details = { reason: 'out_of_scope', key: 'groupskey1', scopes: 'pool:write' };
    assert.deepEqual(refusals, [['groupskey1', details]], 'the audit log has the refusal');
    assert.deepEqual(await post(pools, `?user_pool_id=${OTHER}`), { status: 201, pools: [OTHER] });
    assert.deepEqual(await post(pools, '?user_pool_id=us-east-1_Nowhere01'), { status: 422, pools: [] });
    assert.deepEqual(await post(undefined, `?user_pool_id=${OTHER}`), { status: 401, pools: [] });
    assert.deepEqual(await post(pools, `?user_pool_id=${OTHER}&user_pool_id=${OTHER}`), { status: 422, pools: [] });
  });
});
