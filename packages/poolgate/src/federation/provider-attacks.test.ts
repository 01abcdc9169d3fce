import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { createGuardedFetch, isAllowedUrl } from './guarded-fetch.ts';
import { createIdentityProviderProtocol } from './identity-provider-protocol.ts';

const SECRET = 'the secret of this service at the provider';
const PROTECTION = {
  redirectUri: 'https://pool.example.com/oauth2/idpresponse',
  state: 'state',
  nonce: 'nonce',
  codeVerifier: 'v'.repeat(43),
};
const MEGABYTE = 1_048_576;

/** The provider's responses at its endpoints. Undefined for the honest one. */
interface Lies {
  token?: ((response: ServerResponse) => void) | undefined;
  userInfo?: object | undefined;
  keys?: ((response: ServerResponse) => void) | undefined;
  metadata?: object | undefined;
}

describe('a malicious identity provider', () => {
  const server = createServer();
  let issuer = '';
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let lies: Lies = {};
  let idToken = '';
  let publishedKey: object = {};
  /** The paths of requests, oldest first. */
  let asked: string[] = [];
  before(async () => {
    keys = await generateKeyPair('RS256', { extractable: true });
    publishedKey = { ...(await exportJWK(keys.publicKey)), kid: 'key', alg: 'RS256', use: 'sig' };
    const send = (response: ServerResponse, body: object) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    };
    server.on('request', ({ url = '/' }, response) => {
      const { pathname } = new URL(url, issuer);
      asked.push(pathname);
      if (pathname === '/keys') return lies.keys ? lies.keys(response) : send(response, { keys: [publishedKey] });
      if (pathname === '/userinfo') return send(response, lies.userInfo ?? { sub: 'alice', email: 'a@example.com' });
      if (pathname === '/token') return lies.token ? lies.token(response) : send(response, createTokens());
      if (pathname === '/elsewhere') return send(response, createTokens());
      const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
      const published = { ...endpoints, userinfo_endpoint: `${issuer}/userinfo`, jwks_uri: `${issuer}/keys` };
      send(response, { issuer, ...published, ...lies.metadata });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    lies = {};
    asked = [];
    idToken = await sign();
  });

  const createTokens = () => ({ access_token: 'access', token_type: 'bearer', id_token: idToken });

  const createClaims = (more: Readonly<Record<string, unknown>> = {}): JWTPayload => {
    const nowSeconds = Math.floor(Date.now() / 1000);
    return { iss: issuer, aud: 'pool', sub: 'alice', nonce: 'nonce', iat: nowSeconds, exp: nowSeconds + 60, ...more };
  };
  const sign = (more: Readonly<Record<string, unknown>> = {}, key = keys.privateKey, kid = 'key'): Promise<string> =>
    new SignJWT(createClaims(more)).setProtectedHeader({ alg: 'RS256', kid }).sign(key);
  const signWithSecret = (secret: string): Promise<string> =>
    new SignJWT(createClaims()).setProtectedHeader({ alg: 'HS256', kid: 'key' }).sign(new TextEncoder().encode(secret));

  function redeem(parameters: Readonly<Record<string, string>> = { code: 'code', state: 'state' }) {
    const protocol = createIdentityProviderProtocol({ allowPrivate: false, allowLoopback: true, clock: Date });
    const details = { oidc_issuer: issuer, client_id: 'pool', authorize_scopes: 'openid' };
    return protocol.redeemCode({ type: 'OIDC', details, secret: SECRET }, PROTECTION, { parameters, wantedClaims: [] });
  }

  it('is trusted while it is honest', async () => {
    const { claims } = await redeem();
    assert.deepEqual([claims.sub, claims.email], ['alice', 'a@example.com']);
  });

  it('is asked for an action of the user: Google for a choice of account, others for a new sign-in', async () => {
    const protocol = createIdentityProviderProtocol({ allowPrivate: false, allowLoopback: true, clock: Date });
    const details = { oidc_issuer: issuer, client_id: 'pool', authorize_scopes: 'openid' };
    const wishes = { mustLogIn: true, loginHint: undefined, acrValues: undefined };
    for (const [type, prompt, maxAge] of [
      ['Google', 'select_account', null],
      ['OIDC', 'login', '0'],
    ] as const) {
      const url = await protocol.createAuthorizationUrl({ type, details, secret: SECRET }, PROTECTION, wishes);
      const { searchParams } = new URL(url);
      assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], [prompt, maxAge], type);
    }
  });

  it('cannot use an ID token without its own signature: none, key confusion, another key', async () => {
    const stranger = await generateKeyPair('RS256');
    const attacks: Readonly<Record<string, string>> = {
      'alg none': new UnsecuredJWT(createClaims()).encode(),
      'the public key as an HMAC secret': await signWithSecret(await exportSPKI(keys.publicKey)),
      'the client secret as an HMAC secret': await signWithSecret(SECRET),
      'another key under the same name': await sign({}, stranger.privateKey),
      'a key that it does not publish': await sign({}, stranger.privateKey, 'stranger'),
      'a signature that was cut off': `${idToken.split('.').slice(0, 2).join('.')}.`,
    };
    for (const [name, token] of Object.entries(attacks)) {
      idToken = token;
      await assert.rejects(redeem(), { name: 'IdentityProviderError' }, name);
    }
  });

  it('cannot use an ID token that is for someone else, or for another sign-in', async () => {
    const attacks: readonly Readonly<Record<string, unknown>>[] = [
      { nonce: undefined },
      { nonce: 'of another sign-in' },
      { aud: 'another-client' },
      { aud: ['pool', 'another-client'], azp: 'another-client' },
      { iss: 'https://evil.example' },
      { exp: 1 },
      { sub: undefined },
    ];
    for (const more of attacks) {
      idToken = await sign(more);
      await assert.rejects(redeem(), { reason: 'invalid_response' }, JSON.stringify(more));
    }
  });

  it('cannot swap the account with its profile, or the issuer and state of a response', async () => {
    lies.userInfo = { sub: 'bob', email: 'bob@example.com' };
    await assert.rejects(redeem(), { name: 'IdentityProviderError' });
    lies.userInfo = { sub: 'ALICE' };
    await assert.rejects(redeem(), { name: 'IdentityProviderError' });
    lies = {};
    const response = { code: 'code', state: 'state' };
    await assert.rejects(redeem({ ...response, iss: 'https://evil.example' }), { name: 'IdentityProviderError' });
    await assert.rejects(redeem({ ...response, state: 'of another sign-in' }), { name: 'IdentityProviderError' });
  });

  it('cannot pass on the response of another provider without an issuer, if it promises to send one (RFC 9207)', async () => {
    lies.metadata = { authorization_response_iss_parameter_supported: true };
    const response = { code: 'code', state: 'state' };
    await assert.rejects(redeem(response), { reason: 'invalid_response' });
    await assert.rejects(redeem({ ...response, iss: '' }), { reason: 'invalid_response' });
    await assert.rejects(redeem({ ...response, iss: `${issuer}/other` }), { reason: 'invalid_response' });
    assert.equal((await redeem({ ...response, iss: issuer })).claims.sub, 'alice');
  });

  it('cannot fill the memory with answers that are right except for their length', async () => {
    const pad = (body: () => object, length: number) => (response: ServerResponse) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...body(), padding: 'a'.repeat(length) }));
    };
    const publish = () => ({ keys: [publishedKey] });
    const profile = { sub: 'alice', email: 'a@example.com' };
    for (const [isAccepted, length] of [
      [true, MEGABYTE / 16],
      [false, MEGABYTE],
    ] as const) {
      for (const lie of [
        { token: pad(createTokens, length) },
        { keys: pad(publish, length) },
        { userInfo: { ...profile, padding: 'a'.repeat(length) } },
      ]) {
        lies = lie;
        if (isAccepted) assert.equal((await redeem()).claims.sub, 'alice');
        else await assert.rejects(redeem(), { name: 'IdentityProviderError' }, Object.keys(lie).join());
      }
    }
  });

  it('cannot redirect the client secret to another address, even of its own', async () => {
    lies = { token: (response) => void response.writeHead(307, { location: `${issuer}/elsewhere` }).end() };
    await assert.rejects(redeem(), { name: 'IdentityProviderError' });
    assert.ok(asked.includes('/token'));
    assert.ok(!asked.includes('/elsewhere'), 'the redirect was followed');
  });

  it('cannot keep a request open after its end', async () => {
    const fetch = createGuardedFetch({ allowPrivate: false, allowLoopback: true });
    const hanging = createServer(() => {});
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`;
    const ended = new AbortController();
    const waiting = fetch(url, { method: 'GET', headers: {}, signal: ended.signal });
    hanging.once('request', () => ended.abort());
    await assert.rejects(waiting);
    hanging.closeAllConnections();
    hanging.close();
  });

  it('cannot direct requests into the network of the service, however its name resolves', async () => {
    const answers = ['93.184.216.34', '10.0.0.1'];
    let lookups = 0;
    const fetchAt = (...addresses: readonly string[]) =>
      createGuardedFetch({
        allowPrivate: false,
        allowLoopback: false,
        lookup: (_hostname, _options, callback) => {
          lookups += 1;
          callback(
            null,
            addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
          );
        },
      });
    const get = { method: 'GET', headers: {} };
    for (const addresses of [['10.0.0.1'], ['169.254.169.254'], ['127.0.0.1'], ['::1'], ['::ffff:10.0.0.1'], answers]) {
      await assert.rejects(fetchAt(...addresses)('https://idp.example/', get), /forbidden/, addresses.join());
    }
    assert.equal(lookups, 6, 'the address that was checked is the one that is connected to');
    for (const url of ['https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/']) {
      await assert.rejects(fetchAt()(url, get), /forbidden/, url);
    }
    for (const url of ['http://idp.example/', 'https://user:pass@idp.example/', 'file:///etc/passwd', 'nothing']) {
      assert.equal(isAllowedUrl(url, { allowPrivate: false, allowLoopback: false }), false, url);
    }
  });
});
