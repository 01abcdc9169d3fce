import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createAuthenticator } from '@poolgate/client/server';
import { CognitoJwtVerifier, JwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { createRemoteJWKSet } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import { type Service, start } from 'poolgate';
import { sendRequest } from '../support/requests/exchange.ts';

const DEMO = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };

describe('tokens that are signed with ES256', () => {
  let service: Service;
  let tokens: Readonly<Record<'access_token' | 'id_token' | 'refresh_token', string>>;
  before(async () => {
    service = await start({ databaseUrl: 'sqlite::memory:', port: 0, signingAlgorithm: 'ES256' });
    tokens = (await sendRequest(service.url, 'POST', '/login', { body: DEMO })).body as typeof tokens;
  });
  after(() => service.close());

  const readDocument = async (name: string) =>
    (await sendRequest(service.url, 'GET', `/${service.userPoolId}/.well-known/${name}`)).body as Record<
      string,
      unknown
    >;
  /** The verifier fetches keys over HTTPS from the issuer's host. Here, the same path is fetched from the service. */
  const keysOfService = () =>
    new SimpleJwksCache({
      fetcher: { fetch: async (uri) => (await fetch(`${service.url}${new URL(uri).pathname}`)).arrayBuffer() },
    });

  it('appear in the discovery documents, whose keys have no private parts', async () => {
    const { keys } = (await readDocument('jwks.json')) as { keys: readonly Readonly<Record<string, string>>[] };
    assert.equal(keys.length, 2);
    for (const key of keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      assert.deepEqual([key.alg, key.crv, key.kty, key.use], ['ES256', 'P-256', 'EC', 'sig']);
    }
    const { id_token_signing_alg_values_supported: algorithms } = await readDocument('openid-configuration');
    assert.deepEqual(algorithms, ['ES256']);
  });

  it('are accepted by jose', async () => {
    const { issuer } = (await readDocument('openid-configuration')) as { issuer: string };
    const keys = createRemoteJWKSet(new URL(`${service.url}/${service.userPoolId}/.well-known/jwks.json`));
    const options = { issuer, algorithms: ['ES256'] };
    assert.equal((await jwtVerify(tokens.access_token, keys, options)).payload.client_id, service.clientId);
    assert.equal(
      (await jwtVerify(tokens.id_token, keys, { ...options, audience: service.clientId })).payload.email,
      DEMO.username,
    );
    await assert.rejects(jwtVerify(tokens.id_token, keys, { issuer, algorithms: ['RS256'] }), {
      code: 'ERR_JOSE_ALG_NOT_ALLOWED',
    });
  });

  it('are accepted by aws-jwt-verify, also as those of a Cognito pool', async () => {
    const { userPoolId, clientId } = service;
    for (const tokenUse of ['access', 'id'] as const) {
      const verifier = CognitoJwtVerifier.create({ userPoolId, tokenUse, clientId }, { jwksCache: keysOfService() });
      assert.equal((await verifier.verify(tokens[`${tokenUse}_token`])).token_use, tokenUse);
    }
    const { issuer, jwks_uri: jwksUri } = (await readDocument('openid-configuration')) as Record<string, string>;
    assert.ok(issuer && jwksUri);
    const verifier = JwtVerifier.create({ issuer, jwksUri, audience: clientId }, { jwksCache: keysOfService() });
    assert.equal((await verifier.verify(tokens.id_token)).email, DEMO.username);
  });

  it('are accepted by servers of applications that use @poolgate/client', async () => {
    const authenticate = createAuthenticator({ baseUrl: service.url });
    const authorization = `Bearer ${tokens.access_token}`;
    const caller = await authenticate({ headers: { authorization } });
    assert.equal(caller?.kind === 'token' && caller.claims.client_id, service.clientId);
    const [head, body, signature = ''] = tokens.access_token.split('.');
    const changed = `Bearer ${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    assert.equal(await authenticate({ headers: { authorization: changed } }), null);
  });

  it('work at the routes and the Cognito-compatible API, and can be refreshed', async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    assert.equal((await sendRequest(service.url, 'GET', '/device', { headers })).status, 200);
    const refreshed = await sendRequest(service.url, 'POST', '/token/refresh', {
      body: { refresh_token: tokens.refresh_token },
    });
    assert.equal(refreshed.status, 200);
    const { access_token: fresh } = refreshed.body as typeof tokens;
    const profile = await sendRequest(service.url, 'GET', '/user/profile', {
      headers: { authorization: `Bearer ${fresh}` },
    });
    assert.equal(profile.status, 200);
  });
});
