import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { Gateway } from '@poolgate/gateway';
import { openTestEnvironment, type TestEnvironment } from '../../packages/pool/src/testing/test-environment.ts';
import { addUser, openTestPoolOn, type TestPool } from '../../packages/pool/src/testing/test-pool.ts';
import { loginByPassword } from '../../packages/pool/src/testing/test-srp-logins.ts';
import {
  decodeTokenPart,
  encodeTokenPart,
  requireTokens,
  type Tokens,
} from '../../packages/pool/src/testing/test-tokens.ts';
import { readSigningKey, type SigningKey, signJwt } from '../support/oauth/minted-tokens.ts';
import { TOKEN_ENDPOINTS, TOKEN_ROUTES } from '../support/oauth/token-endpoints.ts';
import { createGatewayServer } from '../support/services/gateway-server.ts';

const ADA = 'ada@example.com';

describe('forged tokens at every entry point', () => {
  let opened: TestEnvironment;
  let pool: TestPool;
  let gateway: Gateway;
  let key: SigningKey;
  let real: Tokens;
  let claims: Readonly<Record<string, unknown>>;
  let header: Readonly<Record<string, unknown>>;
  before(async () => {
    opened = await openTestEnvironment('sqlite::memory:');
    pool = await openTestPoolOn(opened);
    gateway = await createGatewayServer(opened, pool);
    await addUser(pool, ADA);
    real = requireTokens(await loginByPassword(pool, ADA));
    key = await readSigningKey(opened, pool.userPoolId, 'access');
    claims = decodeTokenPart(real.access, 1);
    header = decodeTokenPart(real.access, 0);
  });
  after(async () => {
    await gateway.close();
    await opened.close();
  });

  const withHeader = (more: object): string => signJwt(key, { ...header, ...more }, claims);
  const withClaims = (more: object): string => signJwt(key, header, { ...claims, ...more });

  async function refusedEverywhere(
    tokens: Readonly<Record<string, string>>,
    entryPoints = TOKEN_ENDPOINTS,
  ): Promise<void> {
    for (const entryPoint of entryPoints) {
      for (const [name, token] of Object.entries(tokens)) {
        const { isRefused, text } = await entryPoint.present(gateway, token);
        assert.ok(isRefused, `${entryPoint.name}, ${name}: ${text.slice(0, 300)}`);
      }
    }
    // The user of the tokens has not changed.
    const user = await pool.operations.getUser({ AccessToken: real.access }, { requestId: 'x', sourceAddress: '' });
    assert.equal(user.Username, claims.username);
  }

  it('a copy of a real token that is signed again is accepted, so a refusal below is due to the change', async () => {
    const entryPoints = TOKEN_ENDPOINTS.filter(({ name }) =>
      ['GET /user/profile', 'GET /device', 'GetUser'].includes(name),
    );
    assert.equal(entryPoints.length, 3);
    for (const entryPoint of entryPoints) {
      const { isRefused, text } = await entryPoint.present(gateway, signJwt(key, header, claims));
      assert.equal(isRefused, false, text);
    }
    assert.ok(TOKEN_ENDPOINTS.length > 60);
  });

  it('refuses every algorithm but RS256, in any spelling, with or without a signature', async () => {
    const names = ['none', 'None', 'NONE', 'nOnE', 'none ', ' none', '', 'HS256', 'RS512', 'PS256', 'ES256', 'rs256'];
    const forged = [...names, null, 0, ['none'], true].flatMap((alg) => {
      const token = withHeader({ alg });
      return [
        [`alg ${JSON.stringify(alg)}`, token],
        [`alg ${JSON.stringify(alg)} unsigned`, token.replace(/[^.]*$/, '')],
      ];
    });
    await refusedEverywhere(Object.fromEntries(forged));
  });

  it('refuses a MAC with public data: the public key in its forms, or nothing', async () => {
    const published = (await pool.embedded.signingKeys(pool.userPoolId))?.find(({ kid }) => kid === key.kid);
    assert.ok(published);
    const publicKey = createPublicKey({ key: { ...published }, format: 'jwk' });
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const secrets: Readonly<Record<string, string | Buffer>> = {
      pem,
      'pem after a space': ` ${pem}`,
      'pem without its last line end': pem.trim(),
      'PKCS #1': publicKey.export({ format: 'pem', type: 'pkcs1' }),
      der: publicKey.export({ format: 'der', type: 'spki' }),
      jwk: JSON.stringify(published),
      n: published.kty === 'RSA' ? published.n : assert.fail('the key is of RSA'),
      nothing: '',
    };
    const forged = Object.entries(secrets).flatMap(([name, secret]) =>
      ['HS256', 'RS256'].map((alg) => {
        const input = `${encodeTokenPart({ ...header, alg })}.${encodeTokenPart(claims)}`;
        return [`${alg} ${name}`, `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`];
      }),
    );
    await refusedEverywhere(Object.fromEntries(forged));
  });

  it('refuses header members with other keys, and fetches nothing', async (t) => {
    let fetched = 0;
    const attacker = createServer((_request, response) => {
      fetched += 1;
      response.end('{"keys":[]}');
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    t.after(() => attacker.close());
    const address = attacker.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/jwks.json`;
    const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = { ...own.publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: key.kid };
    const theirs: SigningKey = { kid: key.kid, privateKey: own.privateKey };
    const members: readonly object[] = [
      { jku: url },
      { x5u: url },
      { jwk },
      { x5c: ['MII='] },
      { jku: url, jwk, kid: url },
      { crit: ['exp'] },
      { crit: ['b64'], b64: false },
      { b64: false },
      { zip: 'DEF' },
      { cty: 'JWT' },
    ];
    const forged = members.flatMap((more) => [
      [`ours ${JSON.stringify(more).slice(0, 20)}`, withHeader(more)],
      [`theirs ${JSON.stringify(more).slice(0, 20)}`, signJwt(theirs, { ...header, ...more }, claims)],
    ]);
    await refusedEverywhere(Object.fromEntries(forged));
    assert.equal(fetched, 0);
  });

  it('refuses key IDs that are unknown, paths or not text', async () => {
    const kids = [
      'unknown',
      '',
      '../../../../dev/null',
      `${key.kid}\u0000`,
      "' or 1=1 --",
      '__proto__',
      null,
      7,
      [key.kid],
    ];
    const tokens = kids.map((kid) => [`kid ${JSON.stringify(kid)}`, withHeader({ kid })]);
    await refusedEverywhere({ ...Object.fromEntries(tokens), 'no kid': signJwt(key, { alg: 'RS256' }, claims) });
  });

  it('refuses every form but the compact one, and duplicate names', async () => {
    const good = signJwt(key, header, claims);
    const [first = '', second = '', third = ''] = good.split('.');
    const written = JSON.stringify(claims);
    const forms = {
      flattened: JSON.stringify({ protected: first, payload: second, signature: third }),
      general: JSON.stringify({ payload: second, signatures: [{ protected: first, signature: third }] }),
      'two parts': `${first}.${second}`,
      'four parts': `${good}.`,
      'five parts': `${good}.x.y`,
      'empty claims': `${first}..${third}`,
      padded: `${good}=`,
      'changed claims': `${first}.${encodeTokenPart({ ...claims, username: 'admin' })}.${third}`,
      'no object': signJwt(key, header, 'null'),
      'no JSON': signJwt(key, header, '{'),
    };
    await refusedEverywhere(forms);
    // Only the pool can sign these. The routes may have another provider and must refuse them, too.
    const twice = {
      sub: signJwt(key, header, written.replace('{', '{"sub":"someone-else",')),
      'sub, once escaped': signJwt(key, header, written.replace('{', '{"\\u0073ub":"someone-else",')),
      alg: signJwt(key, JSON.stringify(header).replace('{', '{"alg":"RS256",'), claims),
    };
    await refusedEverywhere(twice, TOKEN_ROUTES);
  });

  it('refuses tokens for another use, client, pool, region or provider', async () => {
    const issuer = String(claims.iss);
    const idKey = await readSigningKey(opened, pool.userPoolId, 'id');
    const otherContext = await openTestEnvironment('sqlite::memory:');
    const otherPool = await openTestPoolOn(otherContext);
    await addUser(otherPool, ADA);
    const foreign = requireTokens(await loginByPassword(otherPool, ADA));
    await otherPool.close();
    await refusedEverywhere({
      'the ID token': real.id,
      'the refresh token': real.refresh,
      'of another pool': foreign.access,
      'signed with the key of ID tokens': signJwt(idKey, { ...header, kid: idKey.kid }, claims),
      'use id': withClaims({ token_use: 'id' }),
      'use refresh': withClaims({ token_use: 'refresh' }),
      'no use': withClaims({ token_use: undefined }),
      'another client': withClaims({ client_id: 'another' }),
      'no client': withClaims({ client_id: undefined }),
      'an audience instead': withClaims({ client_id: undefined, aud: pool.clientId }),
      'another pool': withClaims({ iss: issuer.replace(pool.userPoolId, 'us-east-1_Other1234') }),
      'another region': withClaims({ iss: issuer.replaceAll('us-east-1', 'eu-west-1') }),
      'a slash more': withClaims({ iss: `${issuer}/` }),
      'no issuer': withClaims({ iss: undefined }),
      nobody: withClaims({ sub: undefined, username: undefined }),
    });
  });

  it('refuses tokens that are expired, not yet valid, or without a readable time', async () => {
    const nowSeconds = Math.floor(pool.clock.now() / 1000);
    const times: Readonly<Record<string, object>> = {
      'over this second': { exp: nowSeconds },
      'over for long': { exp: nowSeconds - 86_400 },
      'no end': { exp: undefined },
      'end as text': { exp: String(nowSeconds + 3600) },
      'end as exponent text': { exp: '1e30' },
      'negative end': { exp: -1 },
      'null end': { exp: null },
      'list of ends': { exp: [nowSeconds + 3600] },
      'issued never': { iat: undefined },
      'valid in ten minutes': { nbf: nowSeconds + 600 },
    };
    // Only the pool can sign these. The routes may have another provider and must refuse them, too.
    const ownTimes: Readonly<Record<string, object>> = {
      'end beyond numbers': { exp: 1e30 },
      'issued in ten minutes': { iat: nowSeconds + 600 },
      'login in ten minutes': { auth_time: nowSeconds + 600 },
    };
    const minted = (of: Readonly<Record<string, object>>) =>
      Object.fromEntries(Object.entries(of).map(([name, more]) => [name, withClaims(more)]));
    await refusedEverywhere(minted(times));
    await refusedEverywhere(minted(ownTimes), TOKEN_ROUTES);
  });
});
