import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CheckedAuthorizationRequest, OAuthError, type OAuthServer, type OAuthTokens } from '@poolgate/provider';
import { createTestProvider, createTestRuntime } from '../testing/gateway-deps.ts';
import { authorizeEndpoint } from './authorize-endpoints.ts';
import { readClientCredentials } from './client-authentication.ts';
import { ensureBrowserId, readBrowserId } from './oauth-browser.ts';
import { type OAuthRequest, requireOAuthServer } from './oauth-endpoint.ts';
import { revocationEndpoint, tokenEndpoint } from './token-endpoints.ts';

const call = { requestId: 'test', sourceAddress: '127.0.0.1' };
const TOKENS: OAuthTokens = { AccessToken: 'access', ExpiresIn: 60, Scope: 'a b', IsScopeChanged: false };

/** A service whose authorization server records its calls. */
function setting(tokens: OAuthTokens = TOKENS) {
  const asked: unknown[] = [];
  const given = async (input: unknown) => {
    asked.push(input);
    return tokens;
  };
  const server = {
    isOpen: async () => true,
    proveClient: async () => ({ Proof: 'public' }),
    exchangeCode: given,
    refresh: given,
    clientCredentials: given,
    revoke: given,
  } as unknown as OAuthServer;
  const provider = { ...createTestProvider(() => []), extensions: { oauth: server } };
  return { runtime: createTestRuntime({ provider }), server, asked };
}

function request(form?: Readonly<Record<string, string>>, headers: OAuthRequest['headers'] = {}): OAuthRequest {
  const values = form && Object.fromEntries(Object.entries(form).map(([name, value]) => [name, [value]]));
  return { method: 'POST', query: {}, form: values, headers, call };
}

describe('the authorization server', () => {
  it('exists if the provider has one, the pool has a domain and the settings allow it', async () => {
    const { runtime, server } = setting();
    assert.equal(await requireOAuthServer(runtime, call), server);
    const { settings, provider } = runtime;
    for (const without of [
      { ...runtime, settings: { ...settings, oauth: false } },
      { ...runtime, provider: { ...provider, extensions: {} } },
      { ...runtime, provider: { ...provider, extensions: { oauth: { ...server, isOpen: async () => false } } } },
    ]) {
      await assert.rejects(requireOAuthServer(without, call), {
        code: 'not_found',
        message: 'The user pool has no domain.',
      });
    }
  });

  it('gets exactly the token parameters that were sent', async () => {
    const client = { UserPoolId: setting().runtime.userPoolId, ClientId: 'c' };
    const own = { client_id: 'c' };
    const code = { ...own, grant_type: 'authorization_code', code: 'x' };
    const refresh = { ...own, grant_type: 'refresh_token', refresh_token: 'r' };
    const machine = { ...own, grant_type: 'client_credentials' };
    const rows: readonly (readonly [form: Record<string, string>, asked: object])[] = [
      [code, { Code: 'x' }],
      [
        { ...code, redirect_uri: 'u' },
        { Code: 'x', RedirectUri: 'u' },
      ],
      [
        { ...code, code_verifier: 'v' },
        { Code: 'x', CodeVerifier: 'v' },
      ],
      [
        { ...code, client_secret: 's' },
        { Code: 'x', ClientSecret: 's' },
      ],
      [refresh, { RefreshToken: 'r', Scopes: [] }],
      [
        { ...refresh, scope: 'a b' },
        { RefreshToken: 'r', Scopes: ['a', 'b'] },
      ],
      [machine, { Scopes: [] }],
      [{ ...machine, scope: 'a' }, { Scopes: ['a'] }],
      [
        { ...machine, resource: 'https://x.test/' },
        { Scopes: [], Resource: 'https://x.test/' },
      ],
      [
        { ...machine, aws_client_metadata: '{"k":"v"}' },
        { Scopes: [], ClientMetadata: { k: 'v' } },
      ],
    ];
    for (const [form, wanted] of rows) {
      const { runtime, asked } = setting();
      assert.equal((await tokenEndpoint(runtime, request(form))).status, 200);
      assert.deepEqual(asked, [{ ...client, ...wanted }], JSON.stringify(form));
    }
    const { runtime, asked } = setting();
    const { status, body } = await revocationEndpoint(runtime, request({ ...own, token: 't' }));
    assert.deepEqual([status, body], [200, '{}']);
    assert.deepEqual(asked, [{ ...client, Token: 't' }]);
  });

  it('returns its tokens, and the scope if it was named or differs', async () => {
    const form = { grant_type: 'client_credentials', client_id: 'c' };
    const least = { access_token: 'access', expires_in: 60, token_type: 'Bearer' };
    const rows: readonly (readonly [more: Partial<OAuthTokens>, form: object, wanted: object])[] = [
      [{}, {}, least],
      [{ IdToken: 'id', RefreshToken: 'refresh' }, {}, { ...least, id_token: 'id', refresh_token: 'refresh' }],
      [{ IsScopeChanged: true }, {}, { ...least, scope: 'a b' }],
      [{}, { scope: 'a' }, { ...least, scope: 'a b' }],
    ];
    for (const [more, named, wanted] of rows) {
      const { runtime } = setting({ ...TOKENS, ...more });
      const { body = '' } = await tokenEndpoint(runtime, request({ ...form, ...named }));
      assert.deepEqual(JSON.parse(body), wanted);
    }
  });

  it('is not called for a request that is not a form, or names no grant', async () => {
    const { runtime, asked } = setting();
    const form = 'The body must be a form (application/x-www-form-urlencoded).';
    for (const endpoint of [tokenEndpoint, revocationEndpoint]) {
      await assert.rejects(endpoint(runtime, request()), { error: 'invalid_request', message: form });
    }
    const grants = /^The grant_type must be authorization_code or refresh_token or /;
    const other = request({ grant_type: 'password', client_id: 'c' });
    await assert.rejects(tokenEndpoint(runtime, other), { error: 'unsupported_grant_type', message: grants });
    const metadata = request({ grant_type: 'client_credentials', client_id: 'c', aws_client_metadata: '[]' });
    const message = 'The aws_client_metadata must be a JSON object with string values.';
    await assert.rejects(tokenEndpoint(runtime, metadata), { error: 'invalid_request', message });
    const twice = request({
      ...{ grant_type: 'client_credentials', client_id: 'c', aws_client_metadata: '{"k":"v","k":"w"}' },
    });
    const ambiguous = 'The aws_client_metadata must not contain duplicate members.';
    await assert.rejects(tokenEndpoint(runtime, twice), { error: 'invalid_request', message: ambiguous });
    assert.deepEqual(asked, []);
  });

  it("reports to the application why no user is signed in, with the protocol's error", async () => {
    const Request = { redirectUri: 'https://app.test/', responseType: 'code', state: 's', prompts: ['none'] };
    const checked = { ClientId: 'c', SsoSeconds: 60, Issuer: 'https://issuer.test', Request };
    const { runtime, server } = setting();
    server.authorize = async () => checked as unknown as CheckedAuthorizationRequest;
    await assert.rejects(authorizeEndpoint(runtime, { ...request(), method: 'GET' }), (error) => {
      assert.ok(error instanceof OAuthError);
      assert.deepEqual([error.error, error.message], ['login_required', 'A login is required.']);
      const { searchParams } = new URL(error.location ?? '');
      assert.deepEqual(Object.fromEntries(searchParams), {
        error: 'login_required',
        error_description: 'A login is required.',
        iss: 'https://issuer.test',
        state: 's',
      });
      return true;
    });
  });
});

describe('a client authenticates', () => {
  const basic = (text: string, scheme = 'Basic') => ({ authorization: `${scheme} ${btoa(text)}` });

  it('in the body or with HTTP Basic, where both parts are form-encoded', () => {
    const rows: readonly (readonly [form: Record<string, string>, headers: object, wanted: object])[] = [
      [{ client_id: 'c' }, {}, { ClientId: 'c' }],
      [{ client_id: 'c', client_secret: 's' }, {}, { ClientId: 'c', ClientSecret: 's' }],
      [{}, basic('c:s'), { ClientId: 'c', ClientSecret: 's' }],
      [{}, basic('c:s', 'bAsIc '), { ClientId: 'c', ClientSecret: 's' }],
      [{ client_id: 'c' }, basic('c:s'), { ClientId: 'c', ClientSecret: 's' }],
      [{}, basic('c:'), { ClientId: 'c' }],
      [{}, basic('c:s:t'), { ClientId: 'c', ClientSecret: 's:t' }],
      [{}, basic('c:a+b'), { ClientId: 'c', ClientSecret: 'a+b' }],
      [{}, basic('c:a+b%2Bc'), { ClientId: 'c', ClientSecret: 'a b+c' }],
      [{}, basic('%63:%73'), { ClientId: 'c', ClientSecret: 's' }],
    ];
    for (const [form, headers, wanted] of rows) {
      assert.deepEqual(readClientCredentials(request(form, { ...headers })), wanted, JSON.stringify([form, headers]));
    }
  });

  it('with an assertion, whose subject it is if the request names none', () => {
    const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
    const ofClient = (claims: object) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;
    const assertion = ofClient({ sub: 'c' });
    const sent = { client_assertion_type: type, client_assertion: assertion };
    const wanted = { ClientId: 'c', ClientAssertion: assertion };
    assert.deepEqual(readClientCredentials(request(sent)), wanted);
    assert.deepEqual(readClientCredentials(request({ ...sent, client_id: 'd' })), { ...wanted, ClientId: 'd' });
    const rows: readonly (readonly [form: Record<string, string>, headers: object, error: string])[] = [
      [{ ...sent, client_secret: 's' }, {}, 'invalid_request'],
      [sent, basic('c:s'), 'invalid_request'],
      [{ client_assertion: assertion, client_id: 'c' }, {}, 'invalid_request'],
      [{ client_assertion_type: type, client_id: 'c' }, {}, 'invalid_request'],
      [{ ...sent, client_assertion_type: 'urn:x' }, {}, 'invalid_request'],
      ...['x', ofClient({}), ofClient({ sub: 1 }), ofClient({ sub: 'a\0b' }), ofClient({ sub: 'a\ud800' })].map(
        (client_assertion) => [{ ...sent, client_assertion }, {}, 'invalid_client'] as const,
      ),
    ];
    for (const [form, headers, error] of rows) {
      assert.throws(() => readClientCredentials(request(form, { ...headers })), { error }, JSON.stringify(form));
    }
  });

  it('once, in readable form', () => {
    const missing = 'The parameter client_id is missing.';
    const noBasic = 'The Authorization header must use HTTP Basic.';
    const twice = 'The request contains more than one way to authenticate the client.';
    const other = 'The client_id does not match the Authorization header.';
    const rows: readonly (readonly [form: Record<string, string>, headers: object, error: string, message: string])[] =
      [
        [{}, {}, 'invalid_request', missing],
        [{ client_secret: 's' }, {}, 'invalid_request', missing],
        [{ client_secret: 's' }, basic('c:s'), 'invalid_request', twice],
        [{ client_id: 'd' }, basic('c:s'), 'invalid_request', other],
        ...['', 'abc', ':', ':s', '%:s', 'c:%', '%00:s', 'c:%0a', 'c\n:s'].map(
          (text) => [{}, basic(text), 'invalid_client', noBasic] as const,
        ),
        [{}, { authorization: 'Bearer x' }, 'invalid_client', noBasic],
        [{}, { authorization: 'Basic !' }, 'invalid_client', noBasic],
      ];
    for (const [form, headers, error, message] of rows) {
      const refused = () => readClientCredentials(request(form, { ...headers }));
      assert.throws(refused, { error, message }, JSON.stringify([form, headers]));
    }
  });
});

it('a browser has an ID, which is set if it brings no valid one', () => {
  const { runtime } = setting();
  const name = 'n'.repeat(43);
  const cookie = (value: string) => request({}, { cookie: `__Host-poolgate-oauth=${value}` });
  assert.equal(readBrowserId(cookie(name)), name);
  assert.deepEqual(ensureBrowserId(runtime, cookie(name)), { name, headers: {} });
  for (const asked of [request(), cookie(''), cookie('x'), cookie(`${name}x`), cookie(`${name.slice(1)}.`)]) {
    assert.equal(readBrowserId(asked), undefined);
    const { name: given, headers } = ensureBrowserId(runtime, asked);
    assert.match(given, /^[\w-]{43}$/);
    assert.deepEqual(headers, {
      'set-cookie': `__Host-poolgate-oauth=${given}; Path=/; Secure; HttpOnly; SameSite=Lax`,
    });
  }
});
