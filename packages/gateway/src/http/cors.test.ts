import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { createServer } from './server.ts';

const ALLOWED = 'https://app.example';
const OTHERS = [
  'https://evil.example',
  'https://app.example.evil.test',
  'https://evil-app.example',
  'https://sub.app.example',
  'https://app.example:8443',
  'http://app.example',
  'https://APP.example/',
  'null',
];

/** The CORS headers of a request from the origin and of its preflight. */
async function readableBy(corsOrigins: readonly string[], origin: string) {
  const app = await createServer(createTestDeps({}, { corsOrigins }));
  const preflight = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  const answers = [
    await app.inject({ url: '/healthz', headers: { origin } }),
    await app.inject({ url: '/user/profile', headers: { origin } }),
    await app.inject({ method: 'OPTIONS', url: '/user/profile', headers: preflight }),
  ];
  await app.close();
  return answers.map(({ headers }) => headers);
}

test('a page of an allowed origin can read responses, errors and preflights, without cookies', async () => {
  for (const headers of await readableBy(['https://first.example', ALLOWED], ALLOWED)) {
    assert.equal(headers['access-control-allow-origin'], ALLOWED);
    assert.equal(headers['access-control-allow-credentials'], undefined);
    assert.match(String(headers.vary), /origin/i);
  }
  const [answer, , preflight] = await readableBy([ALLOWED], ALLOWED);
  assert.equal(answer?.['access-control-expose-headers'], 'ETag, X-Request-Id, Retry-After, WWW-Authenticate');
  assert.equal(preflight?.['access-control-max-age'], '600');
  assert.equal(preflight?.['access-control-allow-methods'], 'GET, POST, PUT, PATCH, DELETE');
  assert.equal(preflight?.['access-control-allow-headers'], 'Authorization, Content-Type, Accept, If-Match');
});

test('a page of any other origin reads nothing, however similar its spelling', async () => {
  for (const origin of OTHERS) {
    for (const headers of await readableBy([ALLOWED], origin)) {
      assert.equal(headers['access-control-allow-origin'], undefined, origin);
    }
  }
});

test('without allowed origins no page reads anything', async () => {
  for (const origin of [ALLOWED, 'null']) {
    for (const headers of await readableBy([], origin)) {
      assert.equal(headers['access-control-allow-origin'], undefined, origin);
    }
  }
});
