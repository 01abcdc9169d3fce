import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { createAdminKey } from '../credentials/admin-key-secret.ts';
import type { TlsCredentials } from '../kernel/deps.ts';
import { createGuardRecords, createTestDeps, createTestProvider, POOL } from '../testing/gateway-deps.ts';
import { createGateway } from './gateway.ts';

/** Timers that a test runs. */
function handTimer() {
  const waiting = new Set<{ readonly delayMs: number; readonly run: () => void }>();
  return {
    after(delayMs: number, run: () => void) {
      const wait = { delayMs, run };
      waiting.add(wait);
      return () => void waiting.delete(wait);
    },
    has: (wanted: number) => [...waiting].some(({ delayMs }) => delayMs === wanted),
    /** Ends every wait of that length. */
    end(wanted: number) {
      for (const wait of [...waiting].filter(({ delayMs }) => delayMs === wanted)) {
        waiting.delete(wait);
        wait.run();
      }
    },
  };
}

/** Long enough for an event to happen that must not happen. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await new Promise(setImmediate);
}

describe('the gateway of a program', () => {
  it('answers requests without a network, with any body', async () => {
    const shells = async () => [{ language: 'en', html: () => '<p>' }];
    const pages = { names: ['login'], shells, file: async () => undefined };
    const gateway = await createGateway({ ...createTestDeps({}), pages });
    const health = await gateway.inject({ method: 'GET', path: '/healthz' });
    assert.deepEqual([health.status, health.headers.get('content-type')?.includes('json')], [200, true]);
    const headers = { 'content-type': 'application/json' };
    const text = await gateway.inject({ method: 'POST', path: '/login/srp', headers, body: '{}' });
    const bytes = await gateway.inject({
      method: 'POST',
      path: '/login/srp',
      headers,
      body: new TextEncoder().encode('{}'),
    });
    assert.deepEqual([text.status, bytes.status], [422, 422]);
    assert.deepEqual((await text.json()).errors, (await bytes.json()).errors);
    const etag = (await gateway.inject({ method: 'GET', path: '/cognito/login' })).headers.get('etag') ?? '';
    const known = { 'if-none-match': etag };
    const unchanged = await gateway.inject({ method: 'GET', path: '/cognito/login', headers: known });
    assert.deepEqual([unchanged.status, unchanged.body], [304, null]);
    assert.equal(gateway.openapi().openapi.startsWith('3.'), true);
    await gateway.close();
  });

  it('responds without a body if the status has none', async () => {
    const gateway = await createGateway(createTestDeps({}, { corsOrigins: ['https://app.example'] }));
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    const preflight = await gateway.inject({ method: 'OPTIONS', path: '/user/profile', headers });
    assert.deepEqual([preflight.status, preflight.body], [204, null]);
    await gateway.close();
  });

  it('records the changes of a provider that keeps no events', async () => {
    const records = createGuardRecords();
    const provider = createTestProvider(() => [], { adminDisableUser: async () => ({}) });
    for (const [recordsEvents, recorded] of [
      [true, []],
      [false, ['intent', 'success']],
    ] as const) {
      records.appended.length = 0;
      const deps = createTestDeps({ records, provider: { ...provider, recordsEvents } });
      const gateway = await createGateway(deps);
      const key = await createAdminKey(deps, { label: 'a', scopes: ['users:write'], lifetimeSeconds: 60 });
      const answer = await gateway.inject({
        method: 'POST',
        path: '/',
        headers: {
          authorization: `Bearer pg_${key.id}_${key.secret}`,
          'content-type': 'application/x-amz-json-1.1',
          'x-amz-target': 'AWSCognitoIdentityProviderService.AdminDisableUser',
        },
        body: JSON.stringify({ UserPoolId: POOL.userPoolId, Username: 'ada' }),
      });
      assert.equal(answer.status, 200, await answer.text());
      const outcomes = records.appended.filter(({ type }) => type === 'provider.called').map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, recorded);
      await gateway.close();
    }
  });

  it('accepts other credentials if HTTPS is served, and refuses invalid ones; over HTTP nothing is renewed', async () => {
    const none = { cert: 'no certificate', key: 'no key' };
    const secure = await createGateway({ ...createTestDeps({}), tls: {} as TlsCredentials });
    assert.throws(() => secure.renewTls(none), { code: /^ERR_OSSL_PEM/ });
    await secure.close();
    const plain = await createGateway(createTestDeps({}));
    plain.renewTls(none);
    await plain.close();
  });

  it('logs that it could not look for deliveries', async () => {
    const timer = handTimer();
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const gateway = await createGateway(createTestDeps({ timer, logStream }, { logLevel: 'error' }));
    timer.end(1_000);
    await someTurns();
    const { level, msg, failure } = JSON.parse(lines[0] ?? '{}');
    assert.deepEqual([lines.length, level, msg, failure?.name], [1, 50, 'failure', 'Error']);
    await gateway.close();
  });

  it('stops after every request in progress is answered', async () => {
    const asked = Promise.withResolvers<void>();
    const known = Promise.withResolvers<typeof POOL>();
    const describe = () => {
      asked.resolve();
      return known.promise;
    };
    const gateway = await createGateway(createTestDeps({ provider: { ...createTestProvider(() => []), describe } }));
    const base = await gateway.listen('127.0.0.1', 0);
    const answer = fetch(`${base}/login/parameters`);
    await asked.promise;
    let isClosed = false;
    const closed = gateway.close().then(() => {
      isClosed = true;
    });
    await someTurns();
    assert.equal(isClosed, false);
    known.resolve(POOL);
    assert.equal((await answer).status, 200);
    await closed;
  });

  it('stops after every webhook delivery in progress has ended', async () => {
    const timer = handTimer();
    const given = createGuardRecords();
    const begun = Promise.withResolvers<void>();
    const leased = Promise.withResolvers<readonly []>();
    const lease = () => {
      begun.resolve();
      return leased.promise;
    };
    const records = { ...given, deliveries: { ...given.deliveries, lease } };
    const gateway = await createGateway(createTestDeps({ timer, records }));
    timer.end(1_000);
    await begun.promise;
    let isClosed = false;
    const closed = gateway.close().then(() => {
      isClosed = true;
    });
    await someTurns();
    assert.equal(isClosed, false);
    leased.resolve([]);
    await closed;
  });

  it('answers requests that had arrived before it was stopped', async () => {
    const gateway = await createGateway(createTestDeps({}));
    const { hostname, port } = new URL(await gateway.listen('127.0.0.1', 0));
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const closed = gateway.close();
    let text = '';
    for await (const part of socket) text += part;
    assert.match(text, /^HTTP\/1\.1 200 /);
    await closed;
  });

  it('serves during the notice period, unready and ending each connection, and then stops', async () => {
    const timer = handTimer();
    const gateway = await createGateway(createTestDeps({ timer }));
    const base = await gateway.listen('127.0.0.1', 0);
    const before = await fetch(`${base}/readyz`);
    assert.deepEqual([before.status, before.headers.get('connection')], [200, 'keep-alive']);
    await before.body?.cancel();
    const closed = gateway.close(5_000);
    const during = await fetch(`${base}/readyz`);
    assert.deepEqual([during.status, during.headers.get('connection')], [503, 'close']);
    await during.body?.cancel();
    await someTurns();
    assert.equal((await fetch(`${base}/healthz`)).status, 200);
    assert.equal(timer.has(5_000), true);
    timer.end(5_000);
    await closed;
    await assert.rejects(fetch(`${base}/healthz`));
  });

  it('stops at once without a notice period', async () => {
    const timer = handTimer();
    const gateway = await createGateway(createTestDeps({ timer }));
    const base = await gateway.listen('127.0.0.1', 0);
    await gateway.close();
    assert.equal(timer.has(0), false);
    await assert.rejects(fetch(`${base}/healthz`));
  });

  it('lets an observer run each request and see the response, by route and not by path', async () => {
    const seen: unknown[] = [];
    const observe = (asked: { method: string; route: string }, run: () => void) => {
      run();
      return (answered: { status: number; seconds: number }) =>
        void seen.push([asked.method, asked.route, answered.status, answered.seconds >= 0 && answered.seconds < 60]);
    };
    const gateway = await createGateway({ ...createTestDeps({}), observe });
    await gateway.inject({ method: 'GET', path: '/healthz' });
    await gateway.inject({ method: 'GET', path: '/nowhere/at/all' });
    await gateway.close();
    assert.deepEqual(seen, [
      ['GET', '/healthz', 200, true],
      ['GET', '(none)', 404, true],
    ]);
  });
});
