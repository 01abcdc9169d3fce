import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IdentityProvider, PublicKey } from '@poolgate/provider';
import Fastify from 'fastify';
import { toGatewayError } from '../kernel/gateway-errors.ts';
import { createPoolSites } from '../runtime/pool-sites.ts';
import { createRuntime } from '../runtime/runtime.ts';
import { createTestDeps, createTestProvider, POOL } from '../testing/gateway-deps.ts';
import { mountDiscovery } from './discovery.ts';

const KEY: PublicKey = { alg: 'RS256', kty: 'RSA', use: 'sig', kid: 'k1', n: 'AQAB', e: 'AQAB' };
const OTHER = 'us-east-1_Other1234';

/** The documents of a provider that knows every pool, with OAuth endpoints if a test says so. */
function documents({ isOpen = false, oauth = true } = {}) {
  const asked: unknown[] = [];
  const published = [KEY];
  const extensions = {
    oauth: {
      isOpen: async (...given: readonly unknown[]) => {
        asked.push(given);
        return isOpen;
      },
      findSite: async ({ UserPoolId }: { readonly UserPoolId: string }) =>
        isOpen ? { UserPoolId, ClientId: 'pages', HasPages: true, AdmitsLocalUsers: true } : undefined,
    },
  } as unknown as IdentityProvider['extensions'];
  const provider: IdentityProvider = {
    ...createTestProvider(() => []),
    extensions,
    describe: async (userPoolId) => ({ ...POOL, userPoolId, issuer: `https://issuer.example/${userPoolId}` }),
    signingKeys: async () => published,
  };
  const app = Fastify({ genReqId: () => 'r1' });
  app.decorateRequest('poolRuntime', null);
  const runtime = createRuntime(createTestDeps({ provider }, { oauth, baseUrl: 'https://auth.example' }));
  const sites = oauth && extensions.oauth ? createPoolSites(runtime, extensions.oauth) : undefined;
  mountDiscovery(app, { runtime, sites, readClientAddress: () => '127.0.0.1', isFromProxy: () => false });
  app.setErrorHandler((error, _request, reply) => reply.code(toGatewayError(error).status).send());
  return { app, asked, published };
}

const listPaths = (id: string) => [
  `/${id}/.well-known/openid-configuration`,
  `/${id}/.well-known/oauth-authorization-server`,
  `/.well-known/oauth-authorization-server/${id}`,
];

test('the documents of a pool are JSON that any page may read and cache for five minutes', async () => {
  const { app } = documents();
  for (const path of [`/${POOL.userPoolId}/.well-known/jwks.json`, ...listPaths(POOL.userPoolId)]) {
    const { statusCode, headers } = await app.inject(path);
    assert.equal(statusCode, 200, path);
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['cache-control'], 'public, max-age=300');
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  }
  const keys = await app.inject(`/${POOL.userPoolId}/.well-known/jwks.json`);
  assert.deepEqual(keys.json(), { keys: [KEY] });
  await app.close();
});

test('the algorithms of ID tokens are those of the published keys, without duplicates', async () => {
  const { app, published } = documents();
  const supported = async () => {
    const found = await Promise.all(listPaths(POOL.userPoolId).map(async (path) => (await app.inject(path)).json()));
    return found.map((document) => document.id_token_signing_alg_values_supported);
  };
  const each = (algorithms: readonly string[]) => [algorithms, algorithms, algorithms];
  assert.deepEqual(await supported(), each(['RS256']));
  const curve: PublicKey = { alg: 'ES256', kty: 'EC', crv: 'P-256', use: 'sig', kid: 'k2', x: 'AQAB', y: 'AQAB' };
  published.push({ ...KEY, kid: 'k3' }, curve);
  assert.deepEqual(await supported(), each(['RS256', 'ES256']));
  published.splice(0, 2);
  assert.deepEqual(await supported(), each(['ES256']));
  await app.close();
});

test('endpoints are named once they are open, and those of other pools below their IDs', async () => {
  const named = async (id: string, options: Parameters<typeof documents>[0]) => {
    const { app, asked } = documents(options);
    const found = await Promise.all(listPaths(id).map(async (path) => (await app.inject(path)).json()));
    await app.close();
    for (const { issuer, jwks_uri } of found) {
      assert.equal(issuer, `https://issuer.example/${id}`);
      assert.equal(jwks_uri, `https://auth.example/${id}/.well-known/jwks.json`);
    }
    return { endpoints: found.map(({ token_endpoint }) => token_endpoint), asked };
  };
  const open = await named(POOL.userPoolId, { isOpen: true });
  assert.deepEqual(new Set(open.endpoints), new Set(['https://auth.example/oauth2/token']));
  assert.deepEqual(open.asked[0], [{ UserPoolId: POOL.userPoolId }, { requestId: 'r1', sourceAddress: '' }]);
  const other = await named(OTHER, { isOpen: true });
  assert.deepEqual(new Set(other.endpoints), new Set([`https://auth.example/${OTHER}/oauth2/token`]));
  for (const [id, options, asks] of [
    [POOL.userPoolId, { isOpen: false }, 3],
    [POOL.userPoolId, { isOpen: true, oauth: false }, 0],
    [OTHER, { isOpen: false }, 0],
  ] as const) {
    const { endpoints, asked } = await named(id, options);
    assert.deepEqual(new Set(endpoints), new Set([undefined]));
    assert.equal(asked.length, asks);
  }
});

test('an invalid or overlong pool ID is not found without a lookup', async () => {
  const { app } = documents();
  const ids = { [`${'a'.repeat(45)}_${'b'.repeat(9)}`]: 200, [`${'a'.repeat(45)}_${'b'.repeat(10)}`]: 404 };
  for (const [id, status] of Object.entries({ ...ids, x: 404, 'a_b-c': 404, 'a.b_c': 404, '%00': 404 })) {
    for (const path of [`/${id}/.well-known/jwks.json`, ...listPaths(id)]) {
      assert.equal((await app.inject(path)).statusCode, status, path);
    }
  }
  await app.close();
});
