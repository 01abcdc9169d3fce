import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readClientGrants } from '../settings/client-grants.ts';
import { findResourceServerScopes } from '../settings/oauth-scopes.ts';
import { findRedirectUriProblem, isRegisteredRedirectUri } from '../settings/redirect-uris.ts';
import { createClockPort, KEY_RING_PORT, RANDOM_PORT } from '../testing/test-ports.ts';
import { encodeTokenPart } from '../testing/test-tokens.ts';
import { generateOAuthSecret } from './oauth-secrets.ts';
import { toOAuthTokens, toScopeResponse } from './oauth-tokens.ts';
import { encryptAuthorizationRequest } from './pending-authorization-requests.ts';

test('a client gets the scope if it differs from the granted one, in any order', () => {
  const rows = [
    ['a b', 'a b', false],
    ['a b', 'b a', false],
    ['a b', 'a', true],
    ['a', 'a b', true],
    ['a', 'b', true],
    ['a', '', true],
  ] as const;
  for (const [granted, Scope, IsScopeChanged] of rows) {
    assert.deepEqual(toScopeResponse(granted, Scope), { Scope, IsScopeChanged }, `${granted} ${Scope}`);
  }
});

test('the tokens of a login include an ID token if requested, or not restricted', () => {
  const token = (scope: string) => `x.${encodeTokenPart({ scope })}.y`;
  const AccessToken = token('openid');
  const told = { AccessToken, ExpiresIn: 5, Scope: 'openid', IsScopeChanged: false };
  const login = { scope: 'openid' };
  assert.deepEqual(toOAuthTokens(login, { AccessToken, ExpiresIn: 5 }), told);
  const all = { AccessToken, IdToken: 'id', RefreshToken: 'refresh', ExpiresIn: 5 };
  assert.deepEqual(toOAuthTokens(login, all), { ...told, IdToken: 'id', RefreshToken: 'refresh' });
  const { IdToken: _, ...bare } = { ...all, Scope: 'x', AccessToken: token('x'), IsScopeChanged: false };
  assert.deepEqual(toOAuthTokens({ scope: 'x' }, { ...all, AccessToken: token('x') }), bare);
  const own = token('aws.cognito.signin.user.admin');
  const { IdToken, IsScopeChanged, ExpiresIn } = toOAuthTokens({ scope: null }, { AccessToken: own, IdToken: 'id' });
  assert.deepEqual([IdToken, IsScopeChanged, ExpiresIn], ['id', false, 0]);
});

test('the resource server of a scope is everything before the last slash', async () => {
  const asked: string[] = [];
  const found = await findResourceServerScopes(['a/b', 'a/c', 'https://x/y/z', 'openid', '/x', 'x', ''], async (id) => {
    asked.push(id);
    if (id !== 'a') return undefined;
    const scopes = [{ name: 'b', description: '' }];
    return { poolId: 'p', identifier: id, name: 'A', scopes, createdAtMs: 0, modifiedAtMs: 0 };
  });
  assert.deepEqual([asked, [...found]], [['a', 'https://x/y'], ['a/b']]);
});

test('a secret has 256 bits, and a login may be reused for an hour by default', () => {
  assert.match(generateOAuthSecret(RANDOM_PORT), /^[\w-]{43}$/);
  const grants = (settings: object) => readClientGrants({ settings } as Parameters<typeof readClientGrants>[0]);
  assert.equal(grants({}).ssoSeconds, 3600);
  assert.equal(grants({ ssoMinutes: 2 }).ssoSeconds, 120);
});

test('a pending request fits into an address', () => {
  const request = { redirectUri: 'https://app.test/' } as Parameters<typeof encryptAuthorizationRequest>[1]['request'];
  const ofLength = (length: number) => {
    const keyRing = { ...KEY_RING_PORT.keyRing, encrypt: () => 'x'.repeat(length) };
    const ports = { ...createClockPort(), ...RANDOM_PORT, keyRing };
    return encryptAuthorizationRequest(ports, { poolId: 'p', clientId: 'c', request, browser: 'b' });
  };
  assert.equal(ofLength(6144).length, 6144);
  assert.throws(() => ofLength(6145), { error: 'invalid_request', message: 'The request is too long.' });
});

test("an application's address needs no repair by a parser and is not executed by a browser", () => {
  for (const uri of [
    'https://app.test/callback?x=1',
    'http://localhost:5173/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]:5173/',
    'https://app.test/a@b?c=//d@e',
    'myapp://callback',
    'myapp://auth.example/callback',
    'MyApp:///callback',
    'com.example.app:/callback',
    'researcher://callback',
    'mshealth://callback',
  ]) {
    assert.equal(findRedirectUriProblem(uri), undefined, uri);
  }
  const invalid = 'is not a valid URL.';
  const user = 'cannot contain user information.';
  const http = 'cannot use the HTTP protocol.';
  for (const [uri, problem] of Object.entries({
    '': invalid,
    callback: invalid,
    'https://app.test/a b': invalid,
    'https://app.test/\u00e4': invalid,
    'https://app.test:99999/': invalid,
    'https:app.test': invalid,
    'https:/app.test': invalid,
    'https:///app.test': invalid,
    'http:localhost': invalid,
    'https://app.test/#': 'cannot contain a fragment.',
    'https://app.test\\callback': 'cannot contain a backslash.',
    'https://user@app.test/': user,
    'https://:pass@app.test/': user,
    'http://app.test/': http,
    'http://localhost.test/': http,
    'javascript:alert(1)': 'cannot use the javascript: scheme.',
    'data:text/html,x': 'cannot use the data: scheme.',
    'file:///etc/passwd': 'cannot use the file: scheme.',
    'FEED://app.test/': 'cannot use the feed: scheme.',
    'mhtml:https://app.test/': 'cannot use the mhtml: scheme.',
    'ms-msdt:/id': 'cannot use the ms-msdt: scheme.',
    'ms-settings://x': 'cannot use the ms-settings: scheme.',
    'search:query=x': 'cannot use the search: scheme.',
    'search-ms://query=x': 'cannot use the search-ms: scheme.',
    'view-source:https://app.test/': 'cannot use the view-source: scheme.',
    'intent://app.test/#x': 'cannot contain a fragment.',
    'intent://app.test/': 'cannot use the intent: scheme.',
    'web+app://callback': 'cannot use the web+app: scheme.',
    'mailto:ada@app.test': 'cannot use the mailto: scheme.',
    'wss://app.test/': 'cannot use the wss: scheme.',
    'myapp:callback': invalid,
    'myapp://user@callback': user,
    'https://@app.test/': user,
    'http://localhost:80@app.test/': user,
    'http://127.0.0.1.app.test/': http,
    'http://2130706434/': http,
  })) {
    assert.equal(findRedirectUriProblem(uri), `${uri} ${problem}`, uri);
  }
});

test('an address matches a registered one exactly, except for the port of this machine if none was registered', () => {
  const registered = ['https://app.test/cb', 'http://localhost/cb', 'http://[::1]', 'http://127.0.0.1:80/cb'];
  const rows: Readonly<Record<string, boolean>> = {
    'https://app.test/cb': true,
    'https://app.test/cb/': false,
    'https://app.test:8443/cb': false,
    'http://localhost/cb': true,
    'http://localhost:1/cb': true,
    'http://localhost:65535/cb': true,
    'http://localhost:0/cb': false,
    'http://localhost:1/cb?x': false,
    'http://[::1]:5173': true,
    'http://[::1]:5173/': false,
    'http://127.0.0.1:80/cb': true,
    'http://127.0.0.1:81/cb': false,
    'http://127.0.0.1/cb': false,
  };
  for (const [uri, wanted] of Object.entries(rows)) assert.equal(isRegisteredRedirectUri(registered, uri), wanted, uri);
  // An earlier release let it be registered.
  assert.equal(isRegisteredRedirectUri(['feed://app.test/'], 'feed://app.test/'), false);
});
