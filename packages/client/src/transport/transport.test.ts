import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createAuthenticator } from '../server.ts';
import { PoolgateError } from './poolgate-error.ts';
import { type Credentials, createTransport, type TransportOptions } from './transport.ts';

const BASE_URL = 'https://auth.example.com';

const CREDENTIALS: Credentials = {
  prefix: '/cognito',
  cookies: 'same-origin',
  headers: async () => ({ authorization: 'Bearer of-ada' }),
  renew: async () => false,
};

/** The arguments of `fetch`, with responses from the test. */
function recordedFetch(answer: () => Response = () => Response.json({})) {
  const calls: { readonly url: string; readonly init: RequestInit }[] = [];
  const fetch: TransportOptions['fetch'] = async (input, init = {}) => {
    calls.push({ url: String(input), init });
    return answer();
  };
  return { calls, fetch };
}

const isNetworkError = (error: unknown): boolean => error instanceof PoolgateError && error.code === 'network_error';

test('requests of the client neither follow redirects nor use the cache', async () => {
  const { calls, fetch } = recordedFetch();
  const transport = createTransport({ baseUrl: BASE_URL, fetch, onDate: () => {} }, CREDENTIALS);
  await transport.send('loginParameters');
  await transport.send('logout');
  assert.deepEqual(
    calls.map(({ init: { method, redirect, cache, credentials } }) => [method, redirect, cache, credentials]),
    [
      ['GET', 'error', 'no-store', 'same-origin'],
      ['POST', 'error', 'no-store', 'same-origin'],
    ],
  );
});

/** A service that redirects each request, and the requested paths. */
async function redirectingService(context: TestContext, status: number) {
  const requested: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requested.push(request.url);
    response.writeHead(request.url === '/elsewhere' ? 200 : status, { location: '/elsewhere' });
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { requested, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('a redirect is a network error, and the request goes nowhere else', async (context) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { requested, baseUrl } = await redirectingService(context, status);
    const transport = createTransport({ baseUrl, fetch: globalThis.fetch, onDate: () => {} }, CREDENTIALS);
    await assert.rejects(transport.send('loginParameters'), isNetworkError, String(status));
    await assert.rejects(transport.send('logout'), isNetworkError, String(status));
    assert.equal(requested.length, 2);
    assert.ok(!requested.includes('/elsewhere'), String(status));
  }
});

test("a server's authenticator does not follow a redirect with its caller's cookie", async (context) => {
  const { requested, baseUrl } = await redirectingService(context, 307);
  const authenticate = createAuthenticator({ baseUrl, accept: ['session'] });
  await assert.rejects(authenticate({ headers: { cookie: '__Host-poolgate=of-ada' } }), isNetworkError);
  assert.deepEqual(requested, ['/cognito/session']);
});

test('distinguishes an aborted request from an unreachable service', async () => {
  for (const [cause, code] of [
    [new DOMException('given up', 'AbortError'), 'aborted'],
    [new DOMException('too late', 'TimeoutError'), 'network_error'],
    [new TypeError('fetch failed'), 'network_error'],
  ] as const) {
    const transport = createTransport(
      { baseUrl: BASE_URL, fetch: () => Promise.reject(cause), onDate: () => {} },
      CREDENTIALS,
    );
    await assert.rejects(transport.send('loginParameters'), { code, status: 0, cause });
  }
});

test('renews credentials after a refusal, and a second refusal is final', async () => {
  const { calls, fetch } = recordedFetch(() => Response.json({ code: 'unauthenticated' }, { status: 401 }));
  const renewed: string[] = [];
  const credentials: Credentials = {
    ...CREDENTIALS,
    async renew({ code }, { path, headers }) {
      renewed.push(`${code} ${path} ${headers.authorization}`);
      return true;
    },
  };
  const transport = createTransport({ baseUrl: BASE_URL, fetch, onDate: () => {} }, credentials);
  await assert.rejects(transport.send('userProfile'), { code: 'unauthenticated' });
  assert.equal(calls.length, 2);
  assert.deepEqual(renewed, ['unauthenticated /user/profile Bearer of-ada']);
});

test('encodes a value as one path segment, whatever it contains', async () => {
  const { calls, fetch } = recordedFetch();
  const transport = createTransport({ baseUrl: BASE_URL, fetch, onDate: () => {} }, CREDENTIALS);
  await transport.send('deviceForget', { params: { device_key: '../user/profile?x=1#y' } });
  assert.equal(calls[0]?.url, `${BASE_URL}/cognito/device/..%2Fuser%2Fprofile%3Fx%3D1%23y`);
});
