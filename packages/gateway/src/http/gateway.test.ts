import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDeps } from '../testing/gateway-deps.ts';
import { createGateway } from './gateway.ts';

/** Timers that a test runs. */
function handTimer() {
  const waiting = new Map<number, () => void>();
  return {
    waiting,
    after(delayMs: number, run: () => void) {
      waiting.set(delayMs, run);
      return () => void waiting.delete(delayMs);
    },
  };
}

describe('the gateway of a program', () => {
  it('answers requests without a network, whatever their bodies are', async () => {
    const shells = async () => [{ language: 'en', html: () => '<p>' }];
    const pages = { names: ['login'], shells, file: async () => undefined };
    const gateway = await createGateway({ ...testDeps({}), pages });
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

  it('goes on serving for the notice that it was given, not ready and ending each connection, and then stops', async () => {
    const timer = handTimer();
    const gateway = await createGateway(testDeps({ timer }));
    const base = await gateway.listen('127.0.0.1', 0);
    const before = await fetch(`${base}/readyz`);
    assert.deepEqual([before.status, before.headers.get('connection')], [200, 'keep-alive']);
    await before.body?.cancel();
    const closed = gateway.close(5_000);
    const during = await fetch(`${base}/readyz`);
    assert.deepEqual([during.status, during.headers.get('connection')], [503, 'close']);
    await during.body?.cancel();
    assert.equal((await fetch(`${base}/healthz`)).status, 200);
    timer.waiting.get(5_000)?.();
    await closed;
    await assert.rejects(fetch(`${base}/healthz`));
  });

  it('stops at once where there is no notice', async () => {
    const timer = handTimer();
    const gateway = await createGateway(testDeps({ timer }));
    const base = await gateway.listen('127.0.0.1', 0);
    await gateway.close();
    assert.equal(timer.waiting.has(0), false);
    await assert.rejects(fetch(`${base}/healthz`));
  });

  it('lets an observer run each request and tells it the answer, by the route and not by the path', async () => {
    const seen: unknown[] = [];
    const observe = (asked: { method: string; route: string }, run: () => void) => {
      run();
      return (answered: { status: number; seconds: number }) =>
        void seen.push([asked.method, asked.route, answered.status, answered.seconds >= 0 && answered.seconds < 60]);
    };
    const gateway = await createGateway({ ...testDeps({}), observe });
    await gateway.inject({ method: 'GET', path: '/healthz' });
    await gateway.inject({ method: 'GET', path: '/nowhere/at/all' });
    await gateway.close();
    assert.deepEqual(seen, [
      ['GET', '/healthz', 200, true],
      ['GET', '(none)', 404, true],
    ]);
  });
});
