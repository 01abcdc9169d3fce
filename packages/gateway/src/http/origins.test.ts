import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wrongHostError, wrongPageAddressError } from '../guards/wrong-address.ts';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createTestDeps, START_MS } from '../testing/gateway-deps.ts';
import { createOriginLog } from './origins.ts';

const ADDRESS = '203.0.113.1';
const BASE = 'http://localhost:3000';

interface Logged {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly refusal?: GatewayError;
  readonly address?: string;
  readonly url?: string;
}

/** The log lines of answered requests, if pages of one other origin may read. */
function logRequests(
  requests: readonly Logged[],
  { allowed, ...settings }: { allowed?: string; logLevel?: string } = {},
) {
  const lines: string[] = [];
  const logStream = { write: (line: string) => void lines.push(line) };
  const clock = { nowMs: START_MS, now: () => clock.nowMs };
  const log = createOriginLog(createTestDeps({ logStream, clock }, { logLevel: 'info', ...settings }));
  const ask = ({ headers = {}, refusal, address = ADDRESS, url }: Logged): void => {
    const request = { id: 'r1', headers, routeOptions: { url } } as unknown as FastifyRequest;
    const acao = headers.origin === allowed ? allowed : undefined;
    const reply = { getHeader: () => acao, refusal: refusal ?? null } as unknown as FastifyReply;
    log.logResponse(request, reply, address);
  };
  for (const request of requests) ask(request);
  return { lines, ask, clock, log };
}

const fromOrigin = (origin: string | undefined): Logged => ({ headers: { origin } });
const told = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.map((line) => JSON.parse(line) as { readonly origin?: string; readonly msg: string });
const listOrigins = (logged: { readonly lines: readonly string[] }) => told(logged).map(({ origin }) => origin);

test('an origin whose page could not read a response is logged once, as a warning with the setting', () => {
  const msg =
    'A page of another origin was blocked from reading a response. If the page is yours, add its origin to POOLGATE_CORS_ORIGINS.';
  const line = { level: 40, time: START_MS, requestId: 'r1', origin: 'https://a.example', msg };
  const { lines } = logRequests([fromOrigin('https://a.example'), fromOrigin('https://a.example')]);
  assert.deepEqual(lines, [`${JSON.stringify(line)}\n`]);
});

test("an allowed origin, the service's own and a missing one are not logged", () => {
  const none = [
    undefined,
    'null',
    BASE,
    'https://allowed.example',
    'ftp://a.example',
    'https://a.example/',
    'https://a.example/path',
    'https://A.example',
    'https://[',
    'http://a b',
    `https://${'a'.repeat(60)}.${'b'.repeat(60)}`,
  ];
  assert.equal(none.at(-1)?.length, 129);
  assert.deepEqual(logRequests(none.map(fromOrigin), { allowed: 'https://allowed.example' }).lines, []);
  const longest = `https://${'a'.repeat(60)}.${'b'.repeat(59)}`;
  assert.deepEqual(listOrigins(logRequests([fromOrigin(longest)])), [longest]);
});

test('invented origins do not flood the log: few per network, and 20 an hour in total', () => {
  const requests = Array.from({ length: 30 }, (_, number) => fromOrigin(`https://made-up-${number}.example`));
  const logged = logRequests(requests);
  assert.deepEqual(
    listOrigins(logged),
    requests.slice(0, 5).map(({ headers }) => headers?.origin),
  );
  for (const [network, request] of requests.entries())
    logged.ask({ ...request, headers: { origin: `https://x-${network}.example` }, address: `198.51.${network}.1` });
  assert.equal(logged.lines.length, 20);
  logged.clock.nowMs += 3_600_000;
  logged.ask(fromOrigin('https://made-up-0.example'));
  assert.equal(logged.lines.length, 21);
});

test('a page of the service at another address is logged with both addresses, without advice on CORS', () => {
  const page = { origin: 'http://localhost:8080', host: 'localhost:8080' };
  const refused = {
    headers: { origin: 'http://login.test' },
    refusal: wrongPageAddressError(BASE, 'http://login.test'),
  };
  const misdirected = { headers: { host: 'other.test' }, refusal: wrongHostError(BASE, 'other.test') };
  const logged = told(logRequests([{ headers: page }, { headers: page }, refused, misdirected]));
  assert.deepEqual(
    logged.map(({ origin, msg }) => [origin, msg]),
    ['http://localhost:8080', 'http://login.test', 'other.test'].map((opened) => [
      undefined,
      `The service was opened at ${opened}, but BASE_URL is ${BASE}. Open ${BASE}, or change BASE_URL to the address that browsers use.`,
    ]),
  );
  const unreadable = { headers: { host: '<b>' }, refusal: wrongHostError(BASE, '<b>') };
  const forAnother = { headers: page, url: '/cognito/forward-auth' };
  assert.deepEqual(logRequests([unreadable, forAnother]).lines, []);
});

test('a page whose cookies do not arrive is logged, over HTTP with the advice to change BASE_URL', () => {
  const refusal = new GatewayError('csrf_failed', 'x', { reason: 'cookies_missing' });
  const [line] = told(logRequests([{ headers: { origin: BASE }, refusal }]));
  assert.equal(line?.origin, BASE);
  assert.match(line?.msg ?? '', /^A page of this service sent a form without its cookies\..*BASE_URL is http:.*change/);
});

test('a client that uses HTTP where HTTPS is served is logged once', () => {
  const logged = logRequests([]);
  for (const code of ['ERR_SSL_HTTP_REQUEST', 'ERR_SSL_HTTP_REQUEST', 'ECONNRESET'])
    for (const address of [ADDRESS, undefined])
      logged.log.logConnectionError(Object.assign(new Error('x'), { code }), address);
  assert.deepEqual(
    told(logged).map(({ msg }) => msg),
    [
      `The service was opened over http, but it serves https, and BASE_URL is ${BASE}. Open ${BASE}, or change POOLGATE_TLS and BASE_URL to serve http.`,
    ],
  );
});

test('no warning is written if the log level excludes them', () => {
  for (const [logLevel, count] of [
    ['warn', 1],
    ['error', 0],
    ['fatal', 0],
    ['silent', 0],
  ] as const) {
    assert.equal(logRequests([fromOrigin('https://a.example')], { logLevel }).lines.length, count, logLevel);
  }
});
