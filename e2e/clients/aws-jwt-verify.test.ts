import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CognitoJwtVerifier, JwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { type Service, start } from 'poolgate';
import { sendRequest } from '../support/requests/exchange.ts';

const DEMO = { username: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };

describe('unmodified aws-jwt-verify', () => {
  let service: Service;
  let tokens: Readonly<Record<'access_token' | 'id_token' | 'refresh_token', string>>;
  before(async () => {
    service = await start({ databaseUrl: 'sqlite::memory:', port: 0 });
    tokens = (await sendRequest(service.url, 'POST', '/login', { body: DEMO })).body as typeof tokens;
  });
  after(() => service.close());

  /** The verifier fetches keys over HTTPS from the issuer's host. Here, the same path is fetched from the service. */
  const keysOfService = () =>
    new SimpleJwksCache({
      fetcher: {
        fetch: async (uri) => (await fetch(`${service.url}${new URL(uri).pathname}`)).arrayBuffer(),
      },
    });

  const verifier = (tokenUse: 'access' | 'id', clientId = service.clientId) =>
    CognitoJwtVerifier.create({ userPoolId: service.userPoolId, tokenUse, clientId }, { jwksCache: keysOfService() });

  it('accepts access and ID tokens as those of a Cognito pool, with the keys of the service', async () => {
    const access = await verifier('access').verify(tokens.access_token);
    assert.deepEqual([access.token_use, access.client_id], ['access', service.clientId]);
    const id = await verifier('id').verify(tokens.id_token);
    assert.deepEqual([id.aud, id.email], [service.clientId, DEMO.username]);
    assert.equal(id.sub, access.sub);
  });

  it('accepts them as tokens of the issuer in the discovery document', async () => {
    const path = `/${service.userPoolId}/.well-known/openid-configuration`;
    const { issuer, jwks_uri: jwksUri } = (await sendRequest(service.url, 'GET', path)).body as Record<string, string>;
    assert.ok(issuer && jwksUri);
    const options = { issuer, jwksUri, audience: service.clientId };
    const claims = await JwtVerifier.create(options, { jwksCache: keysOfService() }).verify(tokens.id_token);
    assert.equal(claims.email, DEMO.username);
  });

  it('refuses a token of the other use, of another client, or with a change', async () => {
    await assert.rejects(verifier('access').verify(tokens.id_token), /Token use not allowed/);
    await assert.rejects(verifier('id', 'anotherclient').verify(tokens.id_token), /Client ID .*not allowed/);
    const [header, claims, signature = ''] = tokens.access_token.split('.');
    const changed = `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    await assert.rejects(verifier('access').verify(changed), /Invalid signature/);
  });

  it('gets two RSA keys for signatures, without private parts', async () => {
    const { keys } = (await sendRequest(service.url, 'GET', `/${service.userPoolId}/.well-known/jwks.json`)).body as {
      keys: readonly Readonly<Record<string, string>>[];
    };
    assert.equal(new Set(keys.map(({ kid }) => kid)).size, 2);
    for (const key of keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
      assert.deepEqual([key.alg, key.kty, key.use], ['RS256', 'RSA', 'sig']);
    }
  });
});
