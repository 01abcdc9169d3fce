import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import { type IdentityProvider, ProviderError, type RsaPublicKey, type TokenState } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import type { GatewayRuntime } from '../runtime/runtime.ts';
import {
  CLIENT_ID,
  createGuardRecords,
  createMovableClock,
  createTestProvider,
  createTestRuntime,
  POOL,
  START_MS,
} from '../testing/gateway-deps.ts';
import { authenticateUser, readBearerToken } from './authenticate-user.ts';

interface SigningKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
  readonly published: RsaPublicKey;
}

function signingKey(kid: string): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
  return { kid, publicKey, privateKey, published: { alg: 'RS256', kty: 'RSA', use: 'sig', kid, n, e } };
}

const KEY = signingKey('key-of-access-tokens=');
const NEXT_KEY = signingKey('key-after-rotation=');
const NOW = START_MS / 1000;
const CALL = { requestId: 'r1', sourceAddress: '203.0.113.5' };

const CLAIMS = {
  sub: '3f1c1d3e-0000-4000-8000-000000000001',
  iss: POOL.issuer,
  client_id: CLIENT_ID,
  origin_jti: 'login-1',
  token_use: 'access',
  scope: 'aws.cognito.signin.user.admin',
  auth_time: NOW - 10,
  exp: NOW + 3600,
  iat: NOW - 10,
  jti: 'token-1',
  username: 'ada',
};

const HEADER = { kid: KEY.kid, alg: 'RS256' };

const part = (value: string | object) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

function mint(header: string | object = HEADER, claims: string | object = CLAIMS, key = KEY): string {
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), key.privateKey).toString('base64url')}`;
}

const withClaims = (claims: object) => mint(HEADER, { ...CLAIMS, ...claims });

/** A service that counts its calls to the provider. */
function service(settings: { introspect?: boolean } = {}) {
  const asked = { keys: 0, getUser: 0 };
  const published = [KEY.published];
  const getUserAnswer: { error?: ProviderError } = {};
  const provider = createTestProvider(
    () => {
      asked.keys += 1;
      return published;
    },
    {
      getUser: async () => {
        asked.getUser += 1;
        if (getUserAnswer.error !== undefined) throw getUserAnswer.error;
        return { Username: 'ada', UserAttributes: [] };
      },
    },
  );
  const clock = createMovableClock();
  const records = createGuardRecords();
  const runtime = createTestRuntime({ provider, clock, records }, settings);
  return { runtime, asked, published, getUserAnswer, clock, records };
}

async function refused(runtime: GatewayRuntime, token: string | undefined): Promise<GatewayError> {
  const error: unknown = await authenticateUser(runtime, token, CALL).then(
    () => new Error(`accepted: ${token}`),
    (reason) => reason,
  );
  assert.ok(error instanceof GatewayError, String(error));
  assert.equal(error.code, 'unauthenticated');
  assert.equal(error.status, 401);
  assert.match(error.headers['www-authenticate'] ?? '', /^Bearer/);
  return error;
}

test('a valid token authenticates the user in its claims', async () => {
  const token = withClaims({ 'cognito:groups': ['staff'] });
  assert.deepEqual(await authenticateUser(service().runtime, token, CALL), {
    kind: 'user',
    accessToken: token,
    sub: CLAIMS.sub,
    username: 'ada',
    groups: ['staff'],
    originJti: 'login-1',
    authTimeSeconds: NOW - 10,
    issuedAtSeconds: NOW - 10,
    expiresAtSeconds: NOW + 3600,
  });
});

test('a token without groups and without a login is valid too', async () => {
  const caller = await authenticateUser(service().runtime, withClaims({ origin_jti: undefined }), CALL);
  assert.deepEqual(caller.groups, []);
  assert.equal(caller.originJti, undefined);
});

test('a missing token is requested', async () => {
  const error = await refused(service().runtime, undefined);
  assert.equal(error.headers['www-authenticate'], 'Bearer');
});

test('the SigV4Authorization header is read as RFC 6750 writes it', () => {
  assert.equal(readBearerToken('Bearer abc.def'), 'abc.def');
  assert.equal(readBearerToken('bearer abc'), 'abc');
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'Bearer a,Bearer b c']) {
    assert.equal(readBearerToken(header), undefined, String(header));
  }
});

test('refuses every algorithm but RS256, in any spelling', async () => {
  const { runtime } = service();
  for (const alg of [
    'none',
    'None',
    'NONE',
    'nOnE',
    'none ',
    '',
    null,
    0,
    ['none'],
    'HS256',
    'RS512',
    'PS256',
    'rs256',
  ]) {
    const token = mint({ ...HEADER, alg });
    await refused(runtime, token);
    await refused(runtime, token.replace(/[^.]*$/, ''));
  }
  await refused(runtime, mint({ kid: KEY.kid }));
});

test('refuses a MAC with public data: the public key as PEM, as DER, or nothing', async () => {
  const { runtime } = service();
  const { publicKey } = KEY;
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const secrets: readonly (string | Buffer)[] = [
    pem,
    ` ${pem}`,
    pem.trim(),
    publicKey.export({ format: 'der', type: 'spki' }),
    KEY.published.n,
    '',
  ];
  for (const secret of secrets) {
    for (const alg of ['HS256', 'RS256']) {
      const input = `${part({ ...HEADER, alg })}.${part(CLAIMS)}`;
      await refused(runtime, `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`);
    }
  }
});

test('refuses a header with anything but alg, kid and typ before it looks for a key', async () => {
  const { runtime, asked } = service();
  const extras: readonly object[] = [
    { crit: ['exp'] },
    { crit: ['b64'], b64: false },
    { b64: false },
    { b64: true },
    { jku: 'https://attacker.example/jwks.json' },
    { jwk: KEY.published },
    { x5u: 'https://attacker.example/cert.pem' },
    { x5c: ['MII='] },
    { zip: 'DEF' },
    { cty: 'JWT' },
    { constructor: 1 },
  ];
  for (const extra of extras) await refused(runtime, mint({ ...HEADER, ...extra }));
  assert.equal(asked.keys, 0);
});

test('accepts typ, because some issuers write it', async () => {
  await authenticateUser(service().runtime, mint({ ...HEADER, typ: 'JWT' }), CALL);
});

test('refuses a key ID that is unknown, a path, or not text', async () => {
  const { runtime } = service();
  for (const kid of [
    'unknown',
    '',
    '../../etc/passwd',
    `${KEY.kid}\0`,
    'x'.repeat(10_000),
    null,
    7,
    [KEY.kid],
    '__proto__',
  ]) {
    await refused(runtime, mint({ ...HEADER, kid }));
  }
});

test('accepts only the compact form of a JWS', async () => {
  const { runtime } = service();
  const token = mint();
  const [header = '', claims = '', signature = ''] = token.split('.');
  const forms = [
    JSON.stringify({ protected: header, payload: claims, signature }),
    JSON.stringify({ payload: claims, signatures: [{ protected: header, signature }] }),
    `${header}.${claims}`,
    `${header}..${signature}`,
    `${token}.`,
    `${token}.x.y`,
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    `${header}.${claims}.${Buffer.from(signature, 'base64url').toString('base64')}=`,
    '',
    '..',
    'x'.repeat(100_000),
  ];
  for (const form of forms) await refused(runtime, form);
});

test('refuses a duplicate name, in the header or at any depth of the claims', async () => {
  const { runtime } = service();
  const claims = JSON.stringify(CLAIMS);
  await refused(runtime, mint(`{"alg":"RS256","alg":"RS256","kid":"${KEY.kid}"}`));
  await refused(runtime, mint(HEADER, claims.replace('{', '{"sub":"someone-else",')));
  await refused(runtime, mint(HEADER, claims.replace('{', '{"\\u0073ub":"someone-else",')));
  await refused(runtime, mint(HEADER, claims.replace('{', '{"a":[{"b":1,"c":{"d":2},"b":3}],')));
  const harmless = claims.replace('{', '{"a":[{"b":1},{"b":"\\"b\\": {"}],"c":{"a":1},');
  await authenticateUser(runtime, mint(HEADER, harmless), CALL);
});

test('refuses a token that was changed after signing, or signed by someone else', async () => {
  const { runtime } = service();
  const [header = '', , signature = ''] = mint().split('.');
  await refused(runtime, `${header}.${part({ ...CLAIMS, username: 'admin' })}.${signature}`);
  await refused(runtime, mint(HEADER, CLAIMS, NEXT_KEY));
});

test('refuses an ID token, a refresh token, and a token of another client, pool, region or provider', async () => {
  const { runtime } = service();
  const others = [
    { token_use: 'id' },
    { token_use: 'refresh' },
    { token_use: undefined },
    { token_use: ['access'] },
    { client_id: 'another' },
    { client_id: undefined },
    { client_id: undefined, aud: CLIENT_ID },
    { client_id: [CLIENT_ID] },
    { iss: POOL.issuer.replace('us-east-1_Abc123xyz', 'us-east-1_Other1234') },
    { iss: POOL.issuer.replaceAll('us-east-1', 'eu-west-1') },
    { iss: `${POOL.issuer}/` },
    { iss: 'http://localhost:3000' },
    { iss: undefined },
    { iss: [POOL.issuer] },
  ];
  for (const claims of others) await refused(runtime, withClaims(claims));
});

test('refuses a token without a user', async () => {
  const { runtime } = service();
  const nobody = [{ sub: '' }, { sub: undefined }, { sub: 7 }, { username: undefined }, { username: '' }];
  const odd = [{ origin_jti: 7 }, { 'cognito:groups': 'admin' }, { 'cognito:groups': [7] }];
  for (const claims of [...nobody, ...odd]) await refused(runtime, withClaims(claims));
  for (const claims of ['[]', 'null', '"x"', '{', '']) await refused(runtime, mint(HEADER, claims));
});

test('a token expires to the second', async () => {
  const { runtime, clock } = service();
  const token = mint();
  clock.nowMs = CLAIMS.exp * 1000 - 1;
  await authenticateUser(runtime, token, CALL);
  clock.nowMs = CLAIMS.exp * 1000;
  await refused(runtime, token);
});

test('a verified token is checked for expiry again, and for everything else as before', async () => {
  const { runtime, clock } = service();
  const token = withClaims({ nbf: NOW });
  const caller = await authenticateUser(runtime, token, CALL);
  assert.deepEqual(await authenticateUser(runtime, token, CALL), caller);
  const plain = mint();
  await authenticateUser(runtime, plain, CALL);
  clock.nowMs = START_MS - 1;
  await refused(runtime, token);
  clock.nowMs = (CLAIMS.iat - 61) * 1000;
  await refused(runtime, plain);
  clock.nowMs = CLAIMS.exp * 1000 - 1;
  assert.deepEqual(await authenticateUser(runtime, token, CALL), caller);
  clock.nowMs = CLAIMS.exp * 1000;
  await refused(runtime, token);
});

test('refuses a missing or invalid expiry', async () => {
  const { runtime } = service();
  for (const exp of [
    undefined,
    null,
    '1e30',
    String(NOW + 3600),
    Number.NaN,
    -1,
    1.5 + NOW,
    1e30,
    [NOW + 3600],
    true,
  ]) {
    await refused(runtime, withClaims({ exp }));
  }
  await refused(runtime, mint(HEADER, JSON.stringify(CLAIMS).replace(String(CLAIMS.exp), '1e400')));
});

test('refuses a token issued in the future beyond the leeway, or not valid yet', async () => {
  const { runtime } = service();
  for (const good of [{ iat: NOW + 60, auth_time: NOW + 60 }, { iat: 0, auth_time: 0 }, { nbf: NOW }]) {
    await authenticateUser(runtime, withClaims(good), CALL);
  }
  for (const iat of [NOW + 61, NOW + 600, -1, '0', undefined]) await refused(runtime, withClaims({ iat }));
  for (const nbf of [NOW + 1, NOW + 600, '0']) await refused(runtime, withClaims({ nbf }));
  for (const auth_time of [NOW + 61, NOW + 600, -1, NOW - 0.5, undefined, 'now']) {
    await refused(runtime, withClaims({ auth_time }));
  }
});

test('a login that ended is refused at once, other logins of the user are not', async () => {
  const { runtime, records } = service();
  await authenticateUser(runtime, mint(), CALL);
  await records.revocations.record({
    userPoolId: POOL.userPoolId,
    subject: 'login:login-1',
    endedAtMs: 0,
    expiresAtMs: START_MS * 2,
  });
  await refused(runtime, mint());
  await authenticateUser(runtime, withClaims({ origin_jti: 'login-2' }), CALL);
});

test('tokens from before all logins of a user ended are refused, those of a later second are not', async () => {
  const { runtime, records } = service();
  const endedAtMs = CLAIMS.iat * 1000 + 400;
  const subject = `user:${CLAIMS.sub}`;
  await records.revocations.record({ userPoolId: POOL.userPoolId, subject, endedAtMs, expiresAtMs: START_MS * 2 });
  await refused(runtime, withClaims({ iat: CLAIMS.iat - 1 }));
  await authenticateUser(runtime, withClaims({ iat: CLAIMS.iat + 1 }), CALL);
});

test('for tokens issued in the same second, the provider decides', async () => {
  const { runtime, records } = service();
  const endedAtMs = CLAIMS.iat * 1000 + 400;
  const subject = `user:${CLAIMS.sub}`;
  await records.revocations.record({ userPoolId: POOL.userPoolId, subject, endedAtMs, expiresAtMs: START_MS * 2 });
  const answering = (getUser: () => Promise<{ Username: string; UserAttributes: [] }>) => ({
    ...runtime,
    provider: { ...runtime.provider, operations: { ...runtime.provider.operations, getUser } },
  });
  await authenticateUser(
    answering(async () => ({ Username: 'ada', UserAttributes: [] })),
    mint(),
    CALL,
  );
  const revoked = answering(() => Promise.reject(new ProviderError('NotAuthorizedException', 'revoked')));
  await refused(revoked, mint());
});

test('a deleted user stays deleted, whatever the issue time of a token', async () => {
  const { runtime, records } = service();
  const subject = `gone:${CLAIMS.sub}`;
  await records.revocations.record({ userPoolId: POOL.userPoolId, subject, endedAtMs: 0, expiresAtMs: START_MS * 2 });
  await refused(runtime, mint());
  await refused(runtime, withClaims({ iat: CLAIMS.iat + 1 }));
});

test('the revocation check costs one read per request', async () => {
  const { runtime, records } = service();
  await authenticateUser(runtime, mint(), CALL);
  await authenticateUser(runtime, mint(), CALL);
  assert.deepEqual(records.calls, ['revocations.listBySubjects', 'revocations.listBySubjects']);
});

test('no token is accepted while the store does not respond', async () => {
  const { runtime } = service();
  const down = {
    ...runtime,
    records: {
      ...runtime.records,
      revocations: { ...runtime.records.revocations, listBySubjects: () => Promise.reject(new Error('store down')) },
    },
  };
  await assert.rejects(authenticateUser(down, mint(), CALL), /store down/);
});

test('no token is accepted while the keys are unavailable, and all are again afterwards', async () => {
  const { runtime } = service();
  let isDown = true;
  const provider = {
    ...runtime.provider,
    signingKeys: (id: string) => (isDown ? Promise.reject(new Error('down')) : runtime.provider.signingKeys(id)),
  };
  const broken = createTestRuntime({ provider });
  await assert.rejects(authenticateUser(broken, mint(), CALL), /down/);
  isDown = false;
  await authenticateUser(broken, mint(), CALL);
});

test('keys are cached, and fetched again for an unknown key ID', async () => {
  const { runtime, asked, published } = service();
  for (let round = 0; round < 5; round += 1) await authenticateUser(runtime, mint(), CALL);
  assert.equal(asked.keys, 1);
  const next = mint({ ...HEADER, kid: NEXT_KEY.kid }, CLAIMS, NEXT_KEY);
  await refused(runtime, next);
  published.push(NEXT_KEY.published);
  await authenticateUser(runtime, next, CALL);
  assert.equal(asked.keys, 3);
});

const invented = (round: number) => mint({ ...HEADER, kid: `invented-${round}` });

test('a flood of invented key IDs delays no token that is signed with a key after a rotation', async () => {
  const { runtime, published } = service();
  const next = mint({ ...HEADER, kid: NEXT_KEY.kid }, CLAIMS, NEXT_KEY);
  await refused(runtime, next);
  for (let round = 0; round < 200; round += 1) await refused(runtime, invented(round));
  published.push(NEXT_KEY.published);
  await authenticateUser(runtime, next, CALL);
});

test('nor does a request that started before the rotation', async () => {
  const { runtime, published } = service();
  const answers: (() => void)[] = [];
  const provider = {
    ...runtime.provider,
    async signingKeys() {
      const asOfNow = [...published];
      await new Promise<void>((resolve) => answers.push(resolve));
      return asOfNow;
    },
  };
  const waiting = createTestRuntime({ provider });
  const attacker = refused(waiting, invented(0));
  published.push(NEXT_KEY.published);
  const owner = authenticateUser(waiting, mint({ ...HEADER, kid: NEXT_KEY.kid }, CLAIMS, NEXT_KEY), CALL);
  while (answers.length > 0) {
    answers.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all([attacker, owner]);
});

test('many parallel invented key IDs cause one request to the provider, and later ones one more', async () => {
  const { runtime, asked } = service();
  await Promise.all(Array.from({ length: 200 }, (_, round) => refused(runtime, invented(round))));
  assert.ok(asked.keys <= 2, `${asked.keys}`);
});

test('invented key IDs do not make the tokens of others be verified again', async () => {
  const { runtime } = service();
  const trust = runtime.tokenTrustStore;
  const before = await trust.key(KEY.kid);
  await trust.key('invented');
  assert.equal(await trust.key(KEY.kid), before);
});

test('many parallel requests share one request for keys', async () => {
  const { runtime, asked } = service();
  await Promise.all(Array.from({ length: 20 }, () => authenticateUser(runtime, mint(), CALL)));
  assert.equal(asked.keys, 1);
});

test('tokens with a changed issuer are accepted at once, and those with the previous one are refused', async () => {
  const { runtime: before } = service();
  let issuer = POOL.issuer;
  const runtime = createTestRuntime({
    provider: { ...before.provider, describe: async () => ({ ...POOL, issuer }) },
    clock: before.clock,
    records: before.records,
  });
  const old = mint();
  await authenticateUser(runtime, old, CALL);
  issuer = 'https://auth.example.com/pool';
  await authenticateUser(runtime, withClaims({ iss: issuer }), CALL);
  assert.equal((await refused(runtime, old)).reason, 'invalid');
  assert.equal((await refused(runtime, withClaims({ iss: 'https://evil.example' }))).reason, 'invalid');
});

test('a retired key expires from the cache', async () => {
  const { runtime, published, clock } = service();
  const token = withClaims({ exp: NOW + 86_400 });
  await authenticateUser(runtime, token, CALL);
  published.splice(0, 1, NEXT_KEY.published);
  clock.nowMs += 5 * 60_000;
  await refused(runtime, token);
});

test('setting the clock back keeps no retired key', async () => {
  const { runtime, published, clock } = service();
  const token = withClaims({ exp: NOW + 86_400, iat: NOW - 7_200, auth_time: NOW - 7_200 });
  await authenticateUser(runtime, token, CALL);
  clock.nowMs -= 60 * 60_000;
  await authenticateUser(runtime, token, CALL);
  published.splice(0, 1, NEXT_KEY.published);
  clock.nowMs += 5 * 60_000;
  await refused(runtime, token);
});

test('a key that replaces another one under the same ID does not verify its signatures', async () => {
  const { runtime, published, clock } = service();
  const token = withClaims({ exp: NOW + 86_400 });
  await authenticateUser(runtime, token, CALL);
  published.splice(0, 1, { ...NEXT_KEY.published, kid: KEY.kid });
  clock.nowMs += 5 * 60_000;
  await refused(runtime, token);
});

test('with introspection the provider decides about every token', async () => {
  const { runtime, asked, getUserAnswer } = service({ introspect: true });
  await authenticateUser(runtime, mint(), CALL);
  getUserAnswer.error = new ProviderError('NotAuthorizedException', 'Access Token has been revoked');
  await refused(runtime, mint());
  assert.equal(asked.getUser, 2);
  getUserAnswer.error = new ProviderError('TooManyRequestsException', 'Rate exceeded');
  await assert.rejects(authenticateUser(runtime, mint(), CALL), { code: 'TooManyRequestsException' });
  await refused(runtime, withClaims({ exp: NOW }));
  assert.equal(asked.getUser, 3);
});

test('the provider receives the token and the caller; what it says of the user ends the token, other failures do not', async () => {
  const { runtime } = service({ introspect: true });
  const token = mint();
  const told: unknown[] = [];
  let failure: Error | undefined;
  const getUser = async (...given: readonly unknown[]) => {
    told.push(given);
    if (failure !== undefined) throw failure;
    return { Username: 'ada', UserAttributes: [] };
  };
  const provider = { ...runtime.provider, operations: { ...runtime.provider.operations, getUser } };
  const asking = { ...runtime, provider };
  await authenticateUser(asking, { accessToken: token }, CALL);
  assert.deepEqual(told, [[{ AccessToken: token }, CALL]]);
  for (const code of [
    'NotAuthorizedException',
    'PasswordResetRequiredException',
    'UserNotConfirmedException',
    'UserNotFoundException',
  ] as const) {
    failure = new ProviderError(code, 'x');
    assert.equal((await refused(asking, token)).reason, 'revoked', code);
  }
  failure = Object.assign(new Error('of somebody else'), { code: 'NotAuthorizedException' });
  await assert.rejects(authenticateUser(asking, token, CALL), failure);
});

test('a refusal names its reason: missing, invalid, another kind of token, expired or revoked', async () => {
  const { runtime, records } = service();
  await records.revocations.record({
    userPoolId: POOL.userPoolId,
    subject: 'login:ended',
    endedAtMs: 0,
    expiresAtMs: START_MS * 2,
  });
  for (const [token, reason] of [
    [undefined, 'missing'],
    ['x', 'invalid'],
    [mint({ ...HEADER, kid: 'unknown' }), 'invalid'],
    [mint(HEADER, CLAIMS, NEXT_KEY), 'invalid'],
    [withClaims({ client_id: 'another' }), 'invalid'],
    [withClaims({ token_use: 'id' }), 'not_an_access_token'],
    [withClaims({ exp: NOW }), 'expired'],
    [withClaims({ origin_jti: 'ended' }), 'revoked'],
  ] as const) {
    assert.equal((await refused(runtime, token)).reason, reason);
  }
});

test('a token that does not act for its user here is forbidden: without the scope, or bound to another resource', async () => {
  const { runtime } = service();
  await authenticateUser(runtime, withClaims({ scope: 'openid aws.cognito.signin.user.admin' }), CALL);
  for (const claims of [
    { scope: 'openid email' },
    { scope: undefined },
    { scope: '' },
    { aud: 'https://api.example' },
  ]) {
    await assert.rejects(authenticateUser(runtime, withClaims(claims), CALL), (error: unknown) => {
      assert.ok(error instanceof GatewayError);
      assert.equal(error.code, 'forbidden');
      assert.match(error.headers['www-authenticate'] ?? '', /^Bearer error="insufficient_scope"/);
      return true;
    });
  }
});

test('a verified token is not verified again while its key is the same', async (context) => {
  const { runtime, asked, clock } = service();
  const held = { accessToken: withClaims({ exp: NOW + 86_400 }) };
  const caller = await authenticateUser(runtime, held, CALL);
  assert.equal(caller.accessToken, held.accessToken);
  const { tokenTrustStore } = runtime;
  const neverAsked = { ...tokenTrustStore, key: () => assert.fail('a key is asked for') };
  for (const token of [held, held.accessToken]) {
    assert.deepEqual(await authenticateUser({ ...runtime, tokenTrustStore: neverAsked }, token, CALL), caller);
  }
  const put = context.mock.method(tokenTrustStore.verifiedTokens, 'put');
  clock.nowMs += 5 * 60_000;
  assert.deepEqual(await authenticateUser(runtime, held, CALL), caller);
  assert.deepEqual([asked.keys, put.mock.callCount()], [2, 0]);
});

test('a caller before the pool exists should retry', async () => {
  const { provider } = service().runtime;
  for (const missing of [{ signingKeys: async () => undefined }, { describe: async () => undefined }]) {
    const runtime = createTestRuntime({ provider: { ...provider, ...missing } });
    await assert.rejects(authenticateUser(runtime, mint(), CALL), { code: 'unavailable', retryAfterSeconds: 1 });
  }
});

test('keys are fresh for exactly five minutes', async () => {
  const { runtime, asked, clock } = service();
  const token = withClaims({ exp: NOW + 86_400 });
  await authenticateUser(runtime, token, CALL);
  clock.nowMs += 299_999;
  await authenticateUser(runtime, token, CALL);
  assert.equal(asked.keys, 1);
  clock.nowMs += 1;
  await authenticateUser(runtime, token, CALL);
  assert.equal(asked.keys, 2);
});

test('a key with another exponent or modulus is another key', async () => {
  const { runtime, published, clock } = service();
  const keyNow = () => runtime.tokenTrustStore.key(KEY.kid);
  const first = await keyNow();
  for (const change of [{ e: 'Aw' }, { n: NEXT_KEY.published.n }]) {
    published.splice(0, 1, { ...KEY.published, ...change });
    clock.nowMs += 5 * 60_000;
    assert.notEqual(await keyNow(), first);
    published.splice(0, 1, KEY.published);
    clock.nowMs += 5 * 60_000;
    await keyNow();
  }
});

test('a provider that checks tokens itself is called once, and nothing else is read', async () => {
  const { clock, records } = service();
  const asked: unknown[][] = [];
  const answers: (TokenState | ProviderError)[] = [];
  const provider: IdentityProvider = {
    ...createTestProvider(() => [KEY.published]),
    async readTokenState(...input) {
      asked.push(input);
      const answer = answers.shift() ?? 'active';
      if (answer instanceof ProviderError) throw answer;
      return answer;
    },
  };
  const revocations = { ...records.revocations, listBySubjects: () => assert.fail('the records are not read') };
  const runtime = createTestRuntime({ provider, clock, records: { ...records, revocations } });
  const token = mint();
  await authenticateUser(runtime, token, CALL);
  assert.deepEqual(asked, [[token, CALL]]);
  assert.equal(asked[0]?.[1], CALL);
  answers.push(
    'revoked',
    new ProviderError('NotAuthorizedException', 'no'),
    new ProviderError('UserNotFoundException', 'no'),
  );
  for (const _ of [1, 2, 3]) assert.equal((await refused(runtime, token)).reason, 'revoked');
  answers.push(new ProviderError('InternalErrorException', 'broken'));
  await assert.rejects(authenticateUser(runtime, token, CALL), {
    name: 'ProviderError',
    code: 'InternalErrorException',
  });
  assert.equal((await refused(runtime, withClaims({ client_id: 'another' }))).reason, 'invalid');
  assert.equal(asked.length, 5);
});

test('an elliptic-curve key verifies only ES256, and an RSA key never ES256', async () => {
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = curve.publicKey.export({ format: 'jwk' });
  const published = { alg: 'ES256', kty: 'EC', crv: 'P-256', use: 'sig', kid: 'curve', x, y } as const;
  const { clock, records } = service();
  const runtime = createTestRuntime({ provider: createTestProvider(() => [KEY.published, published]), clock, records });
  const signed = (header: object, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363') => {
    const input = `${part(header)}.${part(CLAIMS)}`;
    return `${input}.${sign('sha256', Buffer.from(input), { key: curve.privateKey, dsaEncoding }).toString('base64url')}`;
  };
  assert.equal((await authenticateUser(runtime, signed({ kid: 'curve', alg: 'ES256' }), CALL)).username, 'ada');
  assert.equal((await authenticateUser(runtime, mint(), CALL)).username, 'ada');
  for (const token of [
    signed({ kid: 'curve', alg: 'RS256' }),
    signed({ kid: KEY.kid, alg: 'ES256' }),
    signed({ kid: 'curve', alg: 'ES256' }, 'der'),
    mint({ kid: 'curve', alg: 'RS256' }),
    mint({ kid: KEY.kid, alg: 'ES256' }),
  ]) {
    assert.equal((await refused(runtime, token)).reason, 'invalid');
  }
});
