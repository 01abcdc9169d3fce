import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { IdentityProvider } from '@poolgate/provider';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type { GatewaySettings } from '../kernel/deps.ts';
import { createShutdownState } from '../runtime/shutdown-state.ts';
import { createTestDeps, createTestProvider, POOL } from '../testing/gateway-deps.ts';
import { createServer } from './server.ts';

const JWKS = `/${POOL.userPoolId}/.well-known/jwks.json`;
const HTML = { accept: 'text/html' };
const shells = async () => [{ language: 'en', html: () => '<p>' }];
const PAGES = { names: ['login', 'account'], shells, file: async () => undefined };
const OAUTH = {
  oauth: { isOpen: async () => true, findSite: async () => undefined },
} as unknown as IdentityProvider['extensions'];

/** The statuses of a service with these settings. */
async function fetchStatuses(
  settings: Partial<GatewaySettings>,
  requests: readonly InjectOptions[],
  extensions = OAUTH,
) {
  const app = await createServer(
    createTestDeps({ provider: { ...createTestProvider(() => []), extensions } }, settings),
  );
  const statuses = [];
  for (const request of requests) statuses.push((await app.inject(request)).statusCode);
  await app.close();
  return statuses;
}

describe('the parts of the service', () => {
  it('exist according to the settings and the provider', async () => {
    const requests: readonly InjectOptions[] = [
      { method: 'POST', url: '/', headers: { 'content-type': 'application/x-amz-json-1.1' }, payload: '{}' },
      { method: 'GET', url: JWKS },
      { method: 'POST', url: '/oauth2/token' },
    ];
    for (const [cognitoApi, oauth, extensions, statuses] of [
      [true, true, OAUTH, [400, 200, 400]],
      [true, false, OAUTH, [400, 200, 404]],
      [true, true, {}, [400, 200, 404]],
      [false, true, OAUTH, [404, 200, 400]],
      [false, false, OAUTH, [404, 404, 404]],
      [false, true, {}, [404, 404, 404]],
    ] as const) {
      const found = await fetchStatuses({ cognitoApi, oauth }, requests, extensions);
      assert.deepEqual(found, statuses, `${cognitoApi} ${oauth}`);
    }
  });

  it('read a limited amount from each client for a limited time', async () => {
    const app = await createServer(createTestDeps({}));
    const { server, initialConfig } = app;
    assert.deepEqual(
      [server.headersTimeout, server.requestTimeout, server.keepAliveTimeout, initialConfig.bodyLimit],
      [10_000, 15_000, 65_000, 65_536],
    );
    const ask = (length: number) =>
      app.inject({
        method: 'POST',
        url: '/login',
        headers: { 'content-type': 'application/json' },
        payload: `{"username":"${'a'.repeat(length - 15)}"}`,
      });
    assert.equal((await ask(65_536)).statusCode, 422);
    assert.equal((await ask(65_537)).statusCode, 413);
    for (const [length, status] of [
      [1_536, 401],
      [1_537, 414],
    ] as const) {
      assert.equal((await app.inject(`/admin/users/${'a'.repeat(length)}`)).statusCode, status, `${length}`);
    }
    await app.close();
  });
});

describe('the start page of the service', () => {
  it('redirects a browser to its account or the sign-in, if these pages exist', async () => {
    const app = await createServer({ ...createTestDeps({}), pages: PAGES });
    for (const [url, headers, status, location] of [
      ['/', HTML, 303, '/cognito/login'],
      ['/?lang=de', HTML, 303, '/cognito/login'],
      ['/', { ...HTML, cookie: '__Host-poolgate=x' }, 303, '/cognito/account'],
      ['/', {}, 405, undefined],
      ['/other', HTML, 404, undefined],
    ] as const) {
      const answer = await app.inject({ url, headers });
      assert.deepEqual([answer.statusCode, answer.headers.location], [status, location], url);
      if (status === 303) assert.equal(answer.headers.vary, 'Accept, Cookie');
    }
    await app.close();
    const bare = await createServer(createTestDeps({}));
    assert.equal((await bare.inject({ url: '/', headers: HTML })).statusCode, 405);
    await bare.close();
  });

  it('counts toward a limit, as does any unknown address', async () => {
    const rateLimits = { readsPerMinute: 2, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 };
    const asked = Array.from({ length: 3 }, () => ({ url: '/nowhere' }));
    assert.deepEqual(await fetchStatuses({ rateLimits }, asked), [404, 404, 429]);
  });
});

describe('a request', () => {
  const baseUrl = 'https://auth.example';

  it('is accepted for the hosts of the service, for health checks at any host, and for forward authentication by a trusted proxy', async () => {
    const [own, other] = [{ host: 'auth.example' }, { host: 'evil.example' }];
    for (const [trustedProxies, statuses] of [
      [[], [404, 200, 421, 421, 200, 200, 421]],
      [['10.0.0.0/8'], [404, 200, 421, 421, 200, 200, 421]],
      [['127.0.0.1'], [404, 200, 421, 421, 200, 200, 401]],
    ] as const) {
      const found = await fetchStatuses({ baseUrl, trustedProxies }, [
        { url: '/nowhere', headers: own },
        { url: '/login/parameters', headers: own },
        { url: '/login/parameters', headers: other },
        { url: '/nowhere', headers: other },
        { url: '/healthz', headers: other },
        { url: '/readyz', headers: other },
        { url: '/cognito/forward-auth', headers: other },
      ]);
      assert.deepEqual(found, statuses, trustedProxies.join());
    }
  });

  it('counts for the client that a trusted proxy names', async () => {
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const settings = { logLevel: 'info', trustedProxies: ['127.0.0.1'] };
    const app = await createServer(createTestDeps({ logStream }, settings));
    for (const headers of [{}, { 'x-forwarded-for': '198.51.100.1, 203.0.113.5' }]) {
      await app.inject({ url: '/healthz', headers });
    }
    await app.close();
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { address: string }).address),
      ['127.0.0.1', '203.0.113.5'],
    );
  });

  it('closes its connection once the service is stopping, and is still answered', async () => {
    const stopping = createShutdownState();
    const app = await createServer(createTestDeps({}), stopping);
    const fetchConnectionHeader = async () => (await app.inject('/healthz')).headers.connection;
    assert.notEqual(await fetchConnectionHeader(), 'close');
    stopping.begin();
    assert.equal(await fetchConnectionHeader(), 'close');
    await app.close();
    const closed = createShutdownState();
    await (await createServer(createTestDeps({}), closed)).close();
    assert.equal(closed.isStopping, true);
  });

  it('is refused under overload, except for health checks, and that is logged', async () => {
    let workedMs = 0;
    let nowMs = 0;
    let look: (() => void) | undefined;
    const lines: string[] = [];
    const timer = {
      after: (_delayMs: number, run: () => void) => {
        look = run;
        return () => {
          look = undefined;
        };
      },
    };
    const times = { elapsed: () => nowMs, worked: () => workedMs, rested: () => 0, atEndOfTurn: () => {} };
    const logStream = { write: (line: string) => void lines.push(line) };
    const app = await createServer(
      createTestDeps({ timer, logStream }, { overloadMs: 8, logLevel: 'warn' }),
      undefined,
      times,
    );
    const ask = async (url: string) => {
      const { statusCode, headers, payload } = await app.inject(url);
      return [statusCode, headers['retry-after'], statusCode === 503 && JSON.parse(payload).detail];
    };
    assert.deepEqual(await ask('/login/parameters'), [200, undefined, false]);
    workedMs = 9;
    assert.deepEqual(await ask('/login/parameters'), [503, '1', 'The service is overloaded.']);
    assert.deepEqual(await ask('/nowhere'), [503, '1', 'The service is overloaded.']);
    assert.deepEqual(await ask('/healthz'), [200, undefined, false]);
    for (let looks = 0; looks < 3; looks += 1) {
      nowMs += 150.4;
      look?.();
    }
    const told = lines.map((line) => JSON.parse(line) as { level: number; msg: string; delayMs: number });
    assert.deepEqual(
      told.map(({ level, msg, delayMs }) => [level, msg, delayMs]),
      [[40, 'overloaded', 50]],
    );
    await app.close();
    assert.equal(look, undefined);
  });
});

describe('a plain connection', () => {
  let app: FastifyInstance;
  let port = 0;
  before(async () => {
    app = await createServer(createTestDeps({}));
    port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  });
  after(() => app.close());

  /** Everything received until the connection ends. */
  async function answerTo(request: string): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    socket.end(request);
    let text = '';
    for await (const part of socket) text += part;
    return text;
  }

  const head = (...lines: readonly string[]) =>
    `GET /healthz HTTP/1.1\r\n${['Host: localhost', 'Connection: close', ...lines].join('\r\n')}\r\n\r\n`;

  it('gets only an error for a duplicate header that must be unique', async () => {
    assert.match(await answerTo(head()), /^HTTP\/1\.1 200 /);
    const answer = await answerTo(head('Authorization: a', 'authorization: b'));
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /"detail":"The header authorization was sent twice\."/);
    assert.match(answer, /"code":"malformed_request"/);
  });

  it('gets a problem if it is not HTTP, or its head is too large', async () => {
    const nonsense = await answerTo('NONSENSE\r\n\r\n');
    assert.match(nonsense, /^HTTP\/1\.1 400 .*"code":"malformed_request"/s);
    assert.match(nonsense, /X-Request-Id: [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\r\n/);
    assert.match(await answerTo(head(`X-Note: ${'a'.repeat(15_000)}`)), /^HTTP\/1\.1 200 /);
    assert.match(
      await answerTo(head(`X-Note: ${'a'.repeat(17_000)}`)),
      /^HTTP\/1\.1 431 .*"code":"headers_too_large"/s,
    );
  });
});
