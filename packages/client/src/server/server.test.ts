import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { type AnyRequest, type AuthenticatorOptions, createAuthenticator } from '../server.ts';
import { type AccessClaims, verifyAccessToken } from './access-token.ts';
import { findHeader } from './request-headers.ts';
import { createSigningKeys } from './signing-keys.ts';

const BASE_URL = 'https://auth.example.com';
const ISSUER = 'https://issuer.example.com/pool';
const START_MS = Date.UTC(2026, 0, 1);
const NOW = START_MS / 1000;
const CLAIMS = { iss: ISSUER, token_use: 'access', sub: 'one', client_id: 'app', username: 'ada', exp: NOW + 300 };

interface Pair {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey & { readonly kid: string };
}

function pair(kid: string): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid, privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JsonWebKey), kid } };
}

const KEY = pair('first');
const NEXT = pair('next');
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function createToken(claims: object = {}, { kid, privateKey } = KEY, head: object = {}): string {
  return signed(`${encoded({ alg: 'RS256', kid, ...head })}.${encoded({ ...CLAIMS, ...claims })}`, privateKey);
}

function signed(input: string, privateKey = KEY.privateKey): string {
  return `${input}.${sign('RSA-SHA256', Buffer.from(input), privateKey).toString('base64url')}`;
}

/** A valid token of exactly this many characters. */
function tokenOfLength(length: number): string {
  const roughly = Math.floor(((length - createToken().length) * 3) / 4);
  for (const [inHead, inBody] of [0, 1, 2].flatMap((more) => Array.from({ length: 30 }, (_, less) => [more, less]))) {
    const claims = { fill: 'x'.repeat(roughly - Number(inBody)) };
    const token = createToken(claims, KEY, { fill: 'x'.repeat(Number(inHead)) });
    if (token.length === length) return token;
  }
  return assert.fail(`no token of ${length} characters`);
}

/** A fake service: its responses by address, and the requests that it received. */
function service() {
  const asked: { path: string; headers: Readonly<Record<string, string>> }[] = [];
  const state = { nowMs: START_MS, keys: [KEY.jwk], revoked: false, away: false };
  const provider = { region: 'eu-west-1', user_pool_id: 'pool', client_id: 'app' };
  const user = { sub: 'one', username: 'ada' };
  const answers: Readonly<Record<string, (headers: Readonly<Record<string, string>>) => [number, unknown]>> = {
    '/login/parameters': () => [200, { provider }],
    '/pool/.well-known/openid-configuration': () => [200, { issuer: ISSUER, jwks_uri: 'https://elsewhere.example' }],
    '/pool/.well-known/jwks.json': () => [200, { keys: state.keys }],
    '/user/profile': () => (state.revoked ? [401, { code: 'unauthenticated' }] : [200, { user }]),
    '/cognito/session': ({ cookie }) => [200, { user: cookie === '__Host-poolgate=good' ? user : null }],
  };
  const fetch = async (input: unknown, init: RequestInit = {}) => {
    const { origin, pathname } = new URL(String(input));
    const headers = init.headers as Readonly<Record<string, string>>;
    asked.push({ path: origin === BASE_URL ? pathname : String(input), headers });
    if (state.away) throw new TypeError('fetch failed');
    const [status, body] = (origin === BASE_URL ? answers[pathname]?.(headers) : undefined) ?? [
      404,
      { code: 'not_found' },
    ];
    return new Response(JSON.stringify(body), { status });
  };
  const authenticator = (options: Partial<AuthenticatorOptions> = {}) =>
    createAuthenticator({
      baseUrl: BASE_URL,
      fetch: fetch as typeof globalThis.fetch,
      now: () => state.nowMs,
      ...options,
    });
  const paths = () => asked.splice(0).map(({ path }) => path);
  return { state, answers, asked, authenticator, paths };
}

const withToken = (token: string): AnyRequest => ({ headers: { authorization: `Bearer ${token}` } });
const withCookie = (cookie: string): AnyRequest => ({ headers: { cookie } });

describe("the server's authenticator", () => {
  it('discovers issuer, client and keys, and fetches them once', async () => {
    const { authenticator, paths } = service();
    const authenticate = authenticator();
    const caller = await authenticate(withToken(createToken()));
    assert.deepEqual(caller, { kind: 'token', claims: CLAIMS });
    const found = ['/login/parameters', '/pool/.well-known/openid-configuration', '/pool/.well-known/jwks.json'];
    assert.deepEqual(paths(), found);
    assert.ok(await authenticate(withToken(createToken({ sub: 'two' }))));
    assert.deepEqual(paths(), []);
  });

  it('accepts only valid tokens', async () => {
    const { authenticator } = service();
    const authenticate = authenticator();
    const [head = '', body = '', signature = ''] = createToken().split('.');
    for (const [about, token] of Object.entries({
      'another issuer': createToken({ iss: `${ISSUER}/` }),
      'an ID token': createToken({ token_use: 'id' }),
      'no subject': createToken({ sub: 1 }),
      'another client': createToken({ client_id: 'other' }),
      expired: createToken({ exp: NOW }),
      'no end': createToken({ exp: 'never' }),
      'an end as a text': createToken({ exp: String(NOW + 300) }),
      'not yet': createToken({ nbf: NOW + 1 }),
      'an odd beginning': createToken({ nbf: 'now' }),
      'a beginning as a text': createToken({ nbf: String(NOW) }),
      'another key': createToken({}, { ...NEXT, kid: KEY.kid }),
      'an unknown key': createToken({}, NEXT),
      'no algorithm': createToken({}, KEY, { alg: 'none' }),
      'another algorithm': createToken({}, KEY, { alg: 'RS512' }),
      'no key': createToken({}, KEY, { kid: 5 }),
      'other claims': `${head}.${encoded({ ...CLAIMS, sub: 'eve' })}.${signature}`,
      'no signature': `${head}.${body}.`,
      'half a signature': `${head}.${body}.${signature.slice(2)}`,
      'no JSON': signed(`${head}.e30x`),
      'no text in base64': signed(`${head}.e`),
      'claims that are a text': signed(`${head}.${encoded('text')}`),
      'claims that are a number': signed(`${head}.${encoded(5)}`),
      'claims that are nothing': signed(`${head}.${encoded(null)}`),
      'a head that is nothing': signed(`${encoded(null)}.${body}`),
      'more parts': `${createToken()}.x`,
      'too long': tokenOfLength(16_385),
    })) {
      assert.equal(await authenticate(withToken(token)), null, about);
    }
    for (const claims of [{ nbf: NOW }, { exp: NOW + 1 }, {}])
      assert.ok(await authenticate(withToken(createToken(claims))));
    assert.ok(await authenticate(withToken(tokenOfLength(16_384))));
    const text = { headers: { authorization: `Basic ${createToken()}` } };
    assert.equal(await authenticate(text), null);
    assert.ok(await authenticate({ headers: { authorization: `bearer ${createToken()}` } }));
  });

  it('reloads keys for an unknown one, at a limited rate, and all of them after some minutes', async () => {
    const { authenticator, state, paths } = service();
    const authenticate = authenticator();
    assert.ok(await authenticate(withToken(createToken())));
    state.keys = [KEY.jwk, NEXT.jwk];
    paths();
    state.nowMs += 10_000;
    assert.equal(await authenticate(withToken(createToken({}, NEXT))), null);
    assert.deepEqual(paths(), []);
    state.nowMs += 1;
    const both = await Promise.all([1, 2].map(() => authenticate(withToken(createToken({}, NEXT)))));
    assert.ok(both[0] && both[1]);
    assert.deepEqual(paths(), ['/pool/.well-known/jwks.json']);
    state.keys = [NEXT.jwk];
    state.nowMs += 5 * 60_000;
    const late = { exp: NOW + 3600 };
    assert.ok(await authenticate(withToken(createToken(late))), 'still taken for good');
    state.nowMs += 1;
    assert.equal(await authenticate(withToken(createToken(late))), null, 'a retired key is gone');
    const odd = [{ kty: 'EC', kid: 'first' }, { ...KEY.jwk, kid: undefined }, NEXT.jwk] as JsonWebKey[];
    const keys = createSigningKeys(
      async () => odd,
      () => 0,
    );
    assert.deepEqual(
      [await keys.find('first', 'RS256'), await keys.find('', 'RS256'), await keys.find('undefined', 'RS256')],
      Array(3).fill(undefined),
    );
    assert.equal((await keys.find('next', 'RS256'))?.type, 'public');
    assert.equal(await keys.find('next', 'ES256'), undefined, 'a token does not choose how it is verified');
  });

  it('fetches no keys for a malformed token', async () => {
    const { authenticator, state, paths } = service();
    const authenticate = authenticator();
    assert.ok(await authenticate(withToken(createToken())));
    paths();
    state.nowMs += 20_000;
    for (const head of [
      { kid: 5 },
      { kid: undefined },
      { kid: 'other', alg: 'RS512' },
      { kid: 'other', alg: 'none' },
    ]) {
      assert.equal(await authenticate(withToken(createToken({}, KEY, head))), null);
    }
    assert.deepEqual(paths(), []);
  });

  it('has no keys while the service is unreachable, and tries again', async () => {
    const { authenticator, state } = service();
    const authenticate = authenticator();
    state.away = true;
    await assert.rejects(authenticate(withToken(createToken())), { code: 'network_error' });
    await assert.rejects(authenticate(withCookie('__Host-poolgate=good')), { code: 'network_error' });
    state.away = false;
    assert.ok(await authenticate(withToken(createToken())));
  });

  it('checks revocation only on request', async () => {
    const { authenticator, state, asked, answers } = service();
    state.revoked = true;
    assert.ok(await authenticator()(withToken(createToken())));
    const checking = authenticator({ checkRevocation: true });
    assert.equal(await checking(withToken(createToken())), null);
    assert.equal(asked.at(-1)?.headers.authorization, `Bearer ${createToken()}`);
    state.revoked = false;
    assert.ok(await checking(withToken(createToken())));
    Object.assign(answers, { '/user/profile': () => [503, { code: 'unavailable' }] });
    await assert.rejects(checking(withToken(createToken())), { code: 'unavailable', status: 503 });
  });

  it('fetches the session with its own cookie alone, if no token was sent', async () => {
    const { authenticator, asked } = service();
    const authenticate = authenticator();
    const caller = await authenticate(withCookie('a=1; __Host-poolgate=good; b=2'));
    assert.deepEqual(caller, { kind: 'session', user: { sub: 'one', username: 'ada' } });
    assert.deepEqual(asked.at(-1), { path: '/cognito/session', headers: { cookie: '__Host-poolgate=good' } });
    const count = asked.length;
    for (const cookie of ['', 'a=1', '__Host-poolgate=good; __Host-poolgate=other', 'x__Host-poolgate=good']) {
      assert.equal(await authenticate(withCookie(cookie)), null, cookie);
    }
    assert.equal(asked.length, count);
    assert.equal(await authenticate(withCookie('__Host-poolgate=bad')), null);
    assert.equal(await authenticate({ headers: {} }), null);
    const both = { headers: { authorization: `Bearer ${createToken()}`, cookie: '__Host-poolgate=good' } };
    assert.equal((await authenticate(both))?.kind, 'token');
  });

  it('accepts only what it is configured to accept', async () => {
    const { authenticator, paths } = service();
    const both = { headers: { authorization: `Bearer ${createToken()}`, cookie: '__Host-poolgate=good' } };
    assert.equal((await authenticator({ accept: ['session'] })(both))?.kind, 'session');
    const tokens = authenticator({ accept: ['token'] });
    assert.equal(await tokens(withCookie('__Host-poolgate=good')), null);
    assert.equal(await authenticator({ clientIds: ['other'] })(withToken(createToken())), null);
    assert.ok(await authenticator({ clientIds: ['other', 'app'] })(withToken(createToken())));
    paths();
    const named = authenticator({ cookieName: 'mine', webPrefix: '/web' });
    await assert.rejects(named(withCookie('mine=good')), { status: 404 });
    assert.deepEqual(paths(), ['/web/session']);
    const trusted = authenticator({ issuer: ISSUER, jwksUrl: `${BASE_URL}/pool/.well-known/jwks.json` });
    assert.ok(await trusted(withToken(createToken())));
    assert.deepEqual(paths(), ['/login/parameters', '/pool/.well-known/jwks.json']);
    await assert.rejects(authenticator({ issuer: 'https://keys.example' })(withToken(createToken())), { status: 404 });
    assert.equal(paths().at(-1), 'https://keys.example/.well-known/jwks.json');
  });

  it('looks for the keys at Amazon if the service publishes none, but not after another error', async () => {
    const { authenticator, answers, paths } = service();
    const path = '/pool/.well-known/openid-configuration';
    Object.assign(answers, { [path]: () => [404, { code: 'not_found' }] });
    await assert.rejects(authenticator()(withToken(createToken())), { status: 404 });
    assert.equal(paths().at(-1), 'https://cognito-idp.eu-west-1.amazonaws.com/pool/.well-known/jwks.json');
    const amazon = { iss: 'https://cognito-idp.eu-west-1.amazonaws.com/pool' };
    const jwksUrl = `${BASE_URL}/pool/.well-known/jwks.json`;
    assert.ok(await authenticator({ jwksUrl })(withToken(createToken(amazon))));
    Object.assign(answers, { [path]: () => [500, {}] });
    await assert.rejects(authenticator()(withToken(createToken())), { status: 500, code: 'unexpected_answer' });
  });

  it('reads the requests of every kind of server', async () => {
    const headers = { authorization: 'Bearer x' };
    const request = new Request('http://localhost/', { headers });
    for (const shape of [{ headers }, request, request.headers, { raw: request }, { req: { raw: request } }]) {
      assert.equal(findHeader(shape, 'authorization'), 'Bearer x');
      assert.equal(findHeader(shape, 'cookie'), undefined);
    }
    assert.equal(findHeader({ headers: { cookie: ['a=1', 'b=2'] } }, 'cookie'), 'a=1; b=2');
  });

  it('validates a token with its own clock, issuer and clients', async () => {
    const keys = createSigningKeys(
      async () => [KEY.jwk],
      () => 0,
    );
    const trust = { issuer: ISSUER, clientIds: ['app'], keys, now: () => START_MS };
    const claims: AccessClaims | undefined = await verifyAccessToken(trust, createToken());
    assert.equal(claims?.username, 'ada');
    assert.equal(await verifyAccessToken({ ...trust, now: () => START_MS + 300_000 }, createToken()), undefined);
    assert.equal(await verifyAccessToken({ ...trust, clientIds: [] }, createToken()), undefined);
    assert.ok(
      await verifyAccessToken({ ...trust, now: () => 0 }, createToken()),
      'without a beginning it has always begun',
    );
  });
});
