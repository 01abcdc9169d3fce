import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { formatDateHeader } from './security-headers.ts';
import { createServer } from './server.ts';

/** Listed here independently of the code. */
const ALWAYS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Responses of every kind: a success, errors of a route, of an unknown route, and of the framework. */
const REQUESTS = [
  { method: 'GET', url: '/healthz' },
  { method: 'GET', url: '/user/profile' },
  { method: 'GET', url: '/nowhere' },
  { method: 'GET', url: '/%zz' },
  { method: 'POST', url: '/login/srp', payload: '{', headers: { 'content-type': 'application/json' } },
  { method: 'POST', url: '/login/srp', payload: 'x', headers: { 'content-type': 'text/plain' } },
] as const;

async function fetchHeaders(baseUrl: string) {
  const app = await createServer(createTestDeps({}, { baseUrl }));
  const answers = [];
  for (const request of REQUESTS) answers.push(await app.inject(request));
  await app.close();
  return answers.map(({ headers }, index) => ({ headers, url: REQUESTS[index]?.url ?? '' }));
}

test('no response may be cached, framed, sniffed or executed, and each has a request ID and a date', async () => {
  for (const { headers, url } of await fetchHeaders('http://localhost:3000')) {
    for (const [name, value] of Object.entries(ALWAYS)) assert.equal(headers[name], value, `${url} ${name}`);
    assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, url);
    assert.match(String(headers.date), / GMT$/, url);
    assert.equal(headers['strict-transport-security'], undefined, url);
  }
});

test('over TLS every response requires TLS for two years', async () => {
  for (const { headers, url } of await fetchHeaders('https://login.example')) {
    assert.equal(headers['strict-transport-security'], 'max-age=63072000', url);
  }
});

test("the date is the service's time, to the second", () => {
  for (const [atMs, date] of [
    [Date.UTC(2026, 0, 31, 12), 'Sat, 31 Jan 2026 12:00:00 GMT'],
    [Date.UTC(2026, 0, 31, 12) + 999, 'Sat, 31 Jan 2026 12:00:00 GMT'],
    [Date.UTC(2026, 0, 31, 12) + 1000, 'Sat, 31 Jan 2026 12:00:01 GMT'],
    [Date.UTC(2026, 0, 31, 12) - 1, 'Sat, 31 Jan 2026 11:59:59 GMT'],
  ] as const) {
    assert.equal(formatDateHeader(atMs), date);
  }
});
