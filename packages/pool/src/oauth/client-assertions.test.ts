import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { OAuthError, type OAuthServer } from '@poolgate/provider';
import type { CryptoKey, JWK } from 'jose';
import { exportJWK, generateKeyPair } from 'jose';
import { SignJWT } from 'jose/jwt/sign';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { encodeTokenPart } from '../testing/test-tokens.ts';

const KEYS_URL = 'https://client.example/keys';

interface Key {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

async function createKey(kid: string, alg = 'ES256'): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid } };
}

describe('a client that authenticates with a key', () => {
  let pool: TestPool;
  let replica: TestPool;
  let oauth: OAuthServer;
  let issuer: string;
  let key: Key;
  let other: Key;
  let machine: { readonly id: string; readonly secret: string };
  let published: string | undefined;
  let fetched: string[];
  let nextJti = 0;

  before(async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const fetchClientKeys = async (url: string) => {
      fetched.push(url);
      return published;
    };
    const options = { ...opened.options, fetchClientKeys };
    pool = await openTestPoolOn({ ...opened, options }, { domain: true });
    replica = pool.replica();
    oauth = pool.embedded.extensions.oauth ?? assert.fail();
    issuer = (await pool.embedded.describe(pool.userPoolId))?.issuer ?? '';
    const { userPoolId: UserPoolId } = pool;
    const Scopes = [{ ScopeName: 'read', ScopeDescription: 'read' }];
    await pool.operations.createResourceServer({ UserPoolId, Identifier: 'things', Name: 'Things', Scopes }, TEST_CALL);
    const { UserPoolClient } = await pool.operations.createUserPoolClient(
      {
        ...{ UserPoolId, ClientName: 'machine', GenerateSecret: true, AllowedOAuthScopes: ['things/read'] },
        ...{ AllowedOAuthFlowsUserPoolClient: true, AllowedOAuthFlows: ['client_credentials'] },
      },
      TEST_CALL,
    );
    machine = { id: UserPoolClient?.ClientId ?? '', secret: UserPoolClient?.ClientSecret ?? '' };
    [key, other] = [await createKey('one'), await createKey('two')];
  });
  beforeEach(async () => {
    [published, fetched] = [undefined, []];
    await setKeys({ jwks: { keys: [key.publicJwk] }, jwksUri: null });
  });
  after(() => pool.close());

  async function setKeys(Change: Readonly<Record<string, unknown>>): Promise<void> {
    const ids = { UserPoolId: pool.userPoolId, ClientId: machine.id };
    await pool.embedded.extensions.client_extensions?.update({ ...ids, Change }, TEST_CALL);
  }

  interface Differing {
    readonly claims?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, unknown>>;
    readonly by?: CryptoKey;
  }

  function sign({ claims = {}, header = {}, by = key.privateKey }: Differing = {}): Promise<string> {
    nextJti += 1;
    const nowSeconds = Math.floor(pool.clock.now() / 1000);
    const usual = { iss: machine.id, sub: machine.id, aud: issuer, jti: `j${nextJti}`, exp: nowSeconds + 60 };
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'one', ...header }).sign(by);
  }

  /** Each request is a separate call, with the two steps of the token endpoint. */
  async function request(credentials: object, server = oauth): Promise<string> {
    const call = { ...TEST_CALL };
    const asking = { UserPoolId: pool.userPoolId, ClientId: machine.id, ...credentials };
    const { Proof } = await server.proveClient(asking, call);
    const tokens = server.clientCredentials({ ...asking, Scopes: [] }, call);
    return tokens.then(
      () => `${Proof} token`,
      (error: unknown) => `${Proof} ${error instanceof OAuthError ? error.error : error}`,
    );
  }
  const present = (ClientAssertion: string, server = oauth) => request({ ClientAssertion }, server);

  const REFUSED = 'refused invalid_client';

  it('gets its tokens with each assertion once, also at another replica', async () => {
    const assertion = await sign();
    assert.equal(await present(assertion), 'confidential token');
    assert.equal(await present(assertion), REFUSED);
    assert.equal(await present(assertion, replica.embedded.extensions.oauth), REFUSED);
    const raced = await sign();
    const answers = await Promise.all(Array.from({ length: 6 }, () => present(raced)));
    assert.equal(answers.filter((answer) => answer === 'confidential token').length, 1, answers.join());
    const reused = await sign({ claims: { jti: 'same', n: 1 } });
    assert.equal(await present(reused), 'confidential token');
    assert.equal(await present(await sign({ claims: { jti: 'same', n: 2 } })), REFUSED, 'another one of that name');
  });

  it('cannot authenticate with its secret or without credentials', async () => {
    assert.equal(await request({ ClientSecret: machine.secret }), REFUSED);
    assert.equal(await request({}), REFUSED);
    assert.equal(await request({ ClientSecret: machine.secret, ClientAssertion: await sign() }), REFUSED);
    await setKeys({ jwks: null });
    assert.equal(await present(await sign()), REFUSED, 'without keys');
    assert.equal(await request({ ClientSecret: machine.secret }), 'confidential token');
  });

  it('is refused for an assertion with any other claim', async () => {
    const nowSeconds = Math.floor(pool.clock.now() / 1000);
    const rows: readonly (readonly [string, Differing])[] = [
      ['the token endpoint as audience', { claims: { aud: 'https://pool.test/oauth2/token' } }],
      ['several audiences', { claims: { aud: [issuer, 'https://other.test'] } }],
      ['a list of audiences', { claims: { aud: [issuer] } }],
      ['no audience', { claims: { aud: undefined } }],
      ['another issuer', { claims: { iss: 'other' } }],
      ['another subject', { claims: { sub: 'other' } }],
      ['no name', { claims: { jti: undefined } }],
      ['a name that is no text', { claims: { jti: 1 } }],
      ['no end', { claims: { exp: undefined } }],
      ['an end in the past', { claims: { exp: nowSeconds - 31 } }],
      ['a late end', { claims: { exp: nowSeconds + 3_700 } }],
      ['a later begin', { claims: { nbf: nowSeconds + 60 } }],
      ['another type', { header: { typ: 'at+jwt' } }],
      ['a type that is no text', { header: { typ: 5 } }],
      ['an unknown key', { header: { kid: 'two' } }],
      ['a key of somebody else', { by: other.privateKey }],
    ];
    for (const [about, differing] of rows) assert.equal(await present(await sign(differing)), REFUSED, about);
    for (const typ of ['JWT', 'client-authentication+jwt']) {
      assert.equal(await present(await sign({ header: { typ } })), 'confidential token', typ);
    }
  });

  it('may use a fraction of a second for the expiry of its assertion', async () => {
    const exp = Math.floor(pool.clock.now() / 1000) + 60.0625;
    assert.equal(await present(await sign({ claims: { exp } })), 'confidential token');
  });

  it('cannot be impersonated with its public key, for any algorithm', async () => {
    const [, claims] = (await sign()).split('.');
    const secret = JSON.stringify(key.publicJwk);
    for (const alg of ['none', 'HS256']) {
      const text = `${encodeTokenPart({ alg, kid: 'one' })}.${claims}`;
      const mac = alg === 'none' ? '' : createHmac('sha256', secret).update(text).digest('base64url');
      assert.equal(await present(`${text}.${mac}`), REFUSED, alg);
    }
    for (const text of ['', 'x', 'x.y.z', 'x'.repeat(10_000)]) assert.equal(await present(text), REFUSED);
  });

  it('has keys at an address, which are fetched again for new ones, but rarely', async () => {
    await setKeys({ jwks: null, jwksUri: KEYS_URL });
    published = JSON.stringify({ keys: [key.publicJwk] });
    assert.equal(await present(await sign()), 'confidential token');
    assert.equal(await present(await sign()), 'confidential token');
    assert.deepEqual(fetched, [KEYS_URL]);
    published = JSON.stringify({ keys: [other.publicJwk] });
    const rotated = () => sign({ header: { kid: 'two' }, by: other.privateKey });
    for (let tries = 0; tries < 3; tries += 1) assert.equal(await present(await rotated()), REFUSED);
    assert.equal(fetched.length, 1, 'within a minute');
    pool.clock.advance(60_000);
    assert.equal(await present(await rotated()), 'confidential token');
    assert.equal(fetched.length, 2);
    pool.clock.advance(300_000);
    for (published of [undefined, 'no JSON', '{}', JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA' }] })]) {
      assert.equal(await present(await rotated()), REFUSED, String(published));
      pool.clock.advance(300_000);
    }
  });

  it('cannot have invalid keys, or those of others', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const short = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 0xff).toString('base64url') };
    for (const keys of [[], [{}], [await exportJWK(privateKey)], [{ kty: 'oct', k: 'AAAA' }], [short], 'x']) {
      await assert.rejects(setKeys({ jwks: { keys } }), { code: 'InvalidParameterException' }, JSON.stringify(keys));
    }
    for (const jwksUri of ['x', 'ftp://client.example/', 'https://u@client.example/', `${KEYS_URL}#x`, 1]) {
      await assert.rejects(setKeys({ jwks: null, jwksUri }), { code: 'InvalidParameterException' }, String(jwksUri));
    }
    await assert.rejects(setKeys({ jwksUri: KEYS_URL }), { code: 'InvalidParameterException' }, 'both');
  });
});
