import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type CheckedAuthorizationRequest, OAuthError, type OAuthServer, type OAuthTokens } from '@poolgate/provider';
import { openTestEventPool, type TestEventPool } from '../testing/test-events.ts';
import { addUser, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';

const ADA = 'ada@example.com';
const CALLBACK = 'https://app.test/callback';
const MINUTE_MS = 60_000;
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

type Texts = Readonly<Record<string, string | undefined>>;

interface Client {
  readonly ClientId: string;
  readonly ClientSecret: string;
}

/** Expects a protocol error, and returns its redirect address, if any. */
async function refused(call: Promise<unknown>, error: string, about = ''): Promise<URL | undefined> {
  const reason: unknown = await call.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  assert.ok(reason instanceof OAuthError, `${about} ${reason}`);
  assert.equal(reason.error, error, `${about} ${reason.message}`);
  return reason.location === undefined ? undefined : new URL(reason.location);
}

describe('the authorization server of a pool', () => {
  let pool: TestPool;
  let newEvents: TestEventPool['newEvents'];
  let oauth: OAuthServer;
  let app: Client;
  let server: Client;
  let machine: Client;
  let access: string;
  let setScopes: (...names: string[]) => Promise<void>;

  before(async () => {
    ({ pool, newEvents } = await openTestEventPool('sqlite::memory:', { domain: true }));
    oauth = pool.embedded.extensions.oauth ?? assert.fail();
    await addUser(pool, ADA);
    const scopes = (...names: string[]) => names.map((ScopeName) => ({ ScopeName, ScopeDescription: ScopeName }));
    const things = { UserPoolId: pool.userPoolId, Identifier: 'things', Name: 'Things' };
    await pool.operations.createResourceServer(
      { ...things, Scopes: scopes('read', 'write', 'gone', 'later') },
      TEST_CALL,
    );
    app = await makeClient({ AllowedOAuthFlows: ['code', 'implicit'] });
    server = await makeClient({ GenerateSecret: true, AllowedOAuthFlows: ['code'] });
    const AllowedOAuthScopes = ['things/read', 'things/gone'];
    machine = await makeClient({ GenerateSecret: true, AllowedOAuthFlows: ['client_credentials'], AllowedOAuthScopes });
    await pool.operations.updateResourceServer({ ...things, Scopes: scopes('read', 'write', 'later') }, TEST_CALL);
    setScopes = (...names) =>
      pool.operations.updateResourceServer({ ...things, Scopes: scopes(...names) }, TEST_CALL).then(() => {});
  });
  beforeEach(async () => {
    access = requireTokens(await loginByPassword(pool, ADA)).access;
  });
  after(() => pool.close());

  async function makeClient(members: object): Promise<Client> {
    const { UserPoolClient = {} } = await pool.operations.createUserPoolClient(
      {
        UserPoolId: pool.userPoolId,
        ClientName: 'app',
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthScopes: ['openid', 'email', 'phone', 'profile', 'aws.cognito.signin.user.admin', 'things/read'],
        SupportedIdentityProviders: ['COGNITO'],
        CallbackURLs: [CALLBACK, 'http://localhost/cb'],
        LogoutURLs: ['https://app.test/bye'],
        ...members,
      },
      TEST_CALL,
    );
    const { ClientId = '', ClientSecret = '' } = UserPoolClient;
    return { ClientId, ClientSecret };
  }

  const GOOD: Texts = {
    response_type: 'code',
    redirect_uri: CALLBACK,
    scope: 'openid email',
    state: 's',
    nonce: 'n',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  };

  function authorize(
    more: Texts = {},
    RequiresPkce = true,
    twice: string[] = [],
  ): Promise<CheckedAuthorizationRequest> {
    const sent = Object.entries({ client_id: app.ClientId, ...GOOD, ...more });
    const present = sent.filter((pair): pair is [string, string] => pair[1] !== undefined);
    const Parameters = Object.fromEntries(
      present.map(([name, value]) => [name, twice.includes(name) ? [value, value] : [value]]),
    );
    return oauth.authorize({ UserPoolId: pool.userPoolId, Parameters, RequiresPkce }, TEST_CALL);
  }

  /** Everything that is sent by default except the state. */
  function lengthOfRest(): number {
    return Object.values({ ...GOOD, client_id: app.ClientId, state: '' }).join('').length;
  }

  async function granted(more: Texts = {}, AccessToken = access): Promise<URLSearchParams> {
    const { ClientId, Request } = await authorize(more);
    const { Location } = await oauth.grant({ UserPoolId: pool.userPoolId, ClientId, Request, AccessToken }, TEST_CALL);
    assert.ok(Location.startsWith(`${CALLBACK}${Request.responseType === 'code' ? '?' : '#'}`), Location);
    return new URLSearchParams(Location.slice(CALLBACK.length + 1));
  }

  const requestCode = async (more: Texts = {}): Promise<string> => (await granted(more)).get('code') ?? assert.fail();
  const exchange = (Code: string, more: object = {}): Promise<OAuthTokens> =>
    oauth.exchangeCode(
      {
        UserPoolId: pool.userPoolId,
        ClientId: app.ClientId,
        Code,
        RedirectUri: CALLBACK,
        CodeVerifier: VERIFIER,
        ...more,
      },
      TEST_CALL,
    );
  const refresh = (RefreshToken: string, Scopes: string[] = [], client: Partial<Client> = { ClientId: app.ClientId }) =>
    oauth.refresh({ UserPoolId: pool.userPoolId, ClientId: '', ...client, RefreshToken, Scopes }, TEST_CALL);

  describe('for an authorization request', () => {
    it('returns the parsed request', async () => {
      const checked = await authorize({ prompt: 'login consent', max_age: '90', resource: 'https://things.test/' });
      const { ClientId, ClientName, Issuer, SsoSeconds, Request } = checked;
      const issuer = (await pool.embedded.describe(pool.userPoolId))?.issuer;
      assert.deepEqual([ClientId, ClientName, Issuer, SsoSeconds], [app.ClientId, 'app', issuer, 3600]);
      assert.deepEqual(Request, {
        redirectUri: CALLBACK,
        isRedirectUriSent: true,
        responseType: 'code',
        scope: 'openid email',
        state: 's',
        nonce: 'n',
        codeChallenge: CHALLENGE,
        audience: 'https://things.test/',
        prompts: ['login', 'consent'],
        maxAgeSeconds: 90,
      });
      const least = { state: undefined, nonce: '', scope: undefined, redirect_uri: 'http://localhost:5000/cb' };
      const { Request: other } = await authorize(least);
      assert.deepEqual([other.state, other.nonce, other.maxAgeSeconds, other.audience], [null, null, null, null]);
      assert.deepEqual(other.scope.split(' '), [
        'openid',
        'email',
        'phone',
        'profile',
        'aws.cognito.signin.user.admin',
        'things/read',
      ]);
      assert.equal((await authorize({ max_age: '0' })).Request.maxAgeSeconds, 0);
      assert.deepEqual((await authorize({ prompt: 'none' })).Request.prompts, ['none']);
      assert.deepEqual((await authorize({ prompt: 'login login' })).Request.prompts, ['login']);
      assert.equal((await authorize({ scope: 'openid' })).Request.scope, 'openid');
      const state = 'x'.repeat(4_096 - lengthOfRest());
      assert.equal((await authorize({ state })).Request.state, state);
      const named = { identity_provider: 'COGNITO', response_mode: 'query' };
      assert.equal((await authorize(named)).Request.responseType, 'code');
    });

    it('keeps the existing scopes that the client may request', async () => {
      const code = { AllowedOAuthFlows: ['code'] };
      const [few, gone] = [
        await makeClient({ ...code, AllowedOAuthScopes: ['openid', 'things/read', 'things/later'] }),
        await makeClient({ ...code, AllowedOAuthScopes: ['things/later'] }),
      ];
      await setScopes('read', 'write');
      const ask = (client: Client, scope?: string) => authorize({ client_id: client.ClientId, scope });
      assert.equal((await ask(few)).Request.scope, 'openid things/read');
      assert.equal((await ask(few, 'things/read')).Request.scope, 'things/read');
      assert.ok(await refused(ask(few, 'openid email'), 'invalid_scope', 'of the pool, not of the client'));
      assert.ok(await refused(ask(few, 'things/later'), 'invalid_scope', 'of the client, gone from the pool'));
      assert.ok(await refused(ask(few, 'openid things/later'), 'invalid_scope'));
      assert.ok(await refused(ask(gone), 'invalid_scope', 'nothing is left'));
    });

    it('refuses on its own page until client and address are verified', async () => {
      for (const [about, more] of Object.entries({
        'no client': { client_id: undefined },
        'an unknown client': { client_id: 'nobody' },
        'a foreign address': { redirect_uri: 'https://evil.test/' },
        'a longer address': { redirect_uri: `${CALLBACK}/` },
        'no address': { redirect_uri: undefined },
        'control characters': { state: 'a\u0000b' },
        'far too much': { state: 'x'.repeat(4_096) },
        'one character too much': { state: 'x'.repeat(4_097 - lengthOfRest()) },
      })) {
        const error = about === 'an unknown client' ? 'invalid_client' : 'invalid_request';
        assert.equal(await refused(authorize(more), error, about), undefined, about);
      }
      for (const name of ['client_id', 'redirect_uri']) {
        assert.equal(await refused(authorize({}, true, [name]), 'invalid_request', name), undefined);
      }
      const one = await makeClient({
        AllowedOAuthFlows: ['code'],
        CallbackURLs: [CALLBACK],
        DefaultRedirectURI: CALLBACK,
      });
      const { Request } = await authorize({ client_id: one.ClientId, redirect_uri: undefined });
      assert.deepEqual([Request.redirectUri, Request.isRedirectUriSent], [CALLBACK, false]);
    });

    it('reports everything else to the client, with its state and the issuer', async () => {
      const cases: Readonly<Record<string, [error: string, more: Texts]>> = {
        'no type': ['invalid_request', { response_type: undefined }],
        'an unknown type': ['unsupported_response_type', { response_type: 'id_token' }],
        'an object': ['request_not_supported', { request: 'x' }],
        'the address of one': ['request_uri_not_supported', { request_uri: 'https://x.test' }],
        'another mode': ['invalid_request', { response_mode: 'fragment' }],
        'another provider': ['invalid_request', { identity_provider: 'Google' }],
        'another provider by its id': ['invalid_request', { idp_identifier: 'x' }],
        'a scope that is not there': ['invalid_scope', { scope: 'openid things/gone' }],
        'a scope that is not allowed': ['invalid_scope', { scope: 'openid things/write' }],
        'a claim without openid': ['invalid_scope', { scope: 'email' }],
        'no challenge': ['invalid_request', { code_challenge: undefined }],
        'no challenge at all': ['invalid_request', { code_challenge: undefined, code_challenge_method: undefined }],
        'a plain challenge': ['invalid_request', { code_challenge_method: 'plain' }],
        'a short challenge': ['invalid_request', { code_challenge: CHALLENGE.slice(1) }],
        'a fragment': ['invalid_target', { resource: 'https://things.test/#x' }],
        'no resource': ['invalid_target', { resource: 'things' }],
        'a resource in clear': ['invalid_target', { resource: 'http://things.test/' }],
        'a resource at another host than it looks': [
          'invalid_target',
          { resource: 'http://localhost:80@things.test/' },
        ],
        'a resource that no parser reads': ['invalid_target', { resource: 'https://things.test:99999/' }],
        'an unknown prompt': ['invalid_request', { prompt: 'maybe' }],
        'none and more': ['invalid_request', { prompt: 'none login' }],
        'no age': ['invalid_request', { max_age: '-1' }],
        'no age in numbers': ['invalid_request', { max_age: '1e3' }],
      };
      const issuer = (await pool.embedded.describe(pool.userPoolId))?.issuer;
      for (const [about, [error, more]] of Object.entries(cases)) {
        const { searchParams, origin, pathname } = (await refused(authorize(more), error, about)) ?? assert.fail(about);
        assert.equal(origin + pathname, CALLBACK, about);
        const [told, state, iss] = ['error', 'state', 'iss'].map((name) => searchParams.get(name));
        assert.deepEqual([told, state, iss], [error, 's', issuer], about);
      }
      for (const name of ['scope', 'nonce', 'code_challenge', 'prompt', 'max_age', 'resource']) {
        const more = { prompt: 'login', max_age: '1', resource: 'https://x.test/' };
        assert.ok(await refused(authorize(more, true, [name]), 'invalid_request', name), name);
      }
      const twice = await refused(authorize({}, true, ['state']), 'invalid_request');
      assert.equal(twice?.searchParams.get('state'), null);
      const stateless = await refused(authorize({ state: '', prompt: 'maybe' }), 'invalid_request');
      assert.equal(stateless?.searchParams.has('state'), false);
      const implicit = await refused(authorize({ response_type: 'token', prompt: 'maybe' }), 'invalid_request');
      assert.equal(new URLSearchParams(implicit?.hash.slice(1)).get('error'), 'invalid_request');
    });

    it('responds with a form if the client requests it, also with errors', async () => {
      const byForm = { response_mode: 'form_post' };
      const { Request } = await authorize(byForm);
      assert.equal(Request.responseMode, 'form_post');
      const asked = { UserPoolId: pool.userPoolId, ClientId: app.ClientId, Request, AccessToken: access };
      const { Location, Form = {} } = await oauth.grant(asked, TEST_CALL);
      assert.equal(Location, CALLBACK);
      assert.deepEqual(Object.keys(Form), ['code', 'iss', 'state']);
      const { Request: implicit } = await authorize({ ...byForm, response_type: 'token' });
      const tokens = await oauth.grant({ ...asked, Request: implicit }, TEST_CALL);
      assert.deepEqual([tokens.Location, typeof tokens.Form?.access_token], [CALLBACK, 'string']);
      await assert.rejects(authorize({ ...byForm, prompt: 'maybe' }), (error) => {
        assert.ok(error instanceof OAuthError);
        const { error: code, state } = error.form ?? {};
        assert.deepEqual([error.location, code, state], [CALLBACK, 'invalid_request', 's']);
        return true;
      });
      const native = await makeClient({ AllowedOAuthFlows: ['code'], CallbackURLs: ['app.things:/cb'] });
      const toApp = { ...byForm, client_id: native.ClientId, redirect_uri: 'app.things:/cb' };
      const back = await refused(authorize(toApp), 'invalid_request', 'no browser posts there');
      assert.equal(back?.protocol, 'app.things:');
    });

    it('requires PKCE for codes of clients without a secret if configured', async () => {
      const without = { code_challenge: undefined, code_challenge_method: undefined };
      assert.equal((await authorize(without, false)).Request.codeChallenge, null);
      assert.ok(await refused(authorize({ code_challenge: undefined }, false), 'invalid_request', 'a method alone'));
      assert.equal((await authorize({ ...without, client_id: server.ClientId })).Request.codeChallenge, null);
      const implicit = await authorize({ ...without, response_type: 'token', response_mode: 'fragment' });
      assert.equal(implicit.Request.responseType, 'token');
    });

    it('lets a client do only what it may', async () => {
      const closed = await makeClient({ AllowedOAuthFlows: ['code'], AllowedOAuthFlowsUserPoolClient: false });
      const codes = await makeClient({ AllowedOAuthFlows: ['code'] });
      const foreign = await makeClient({ AllowedOAuthFlows: ['code'], SupportedIdentityProviders: [] });
      assert.ok(await refused(authorize({ client_id: closed.ClientId }), 'unauthorized_client'));
      assert.ok(await refused(authorize({ client_id: codes.ClientId, response_type: 'token' }), 'unauthorized_client'));
      assert.ok(await refused(authorize({ client_id: foreign.ClientId }), 'unauthorized_client'));
      assert.ok(await authorize({ client_id: codes.ClientId }));
    });
  });

  describe('that stores a request', () => {
    const ids = () => ({ UserPoolId: pool.userPoolId, Browser: 'b'.repeat(43) });
    async function kept(more: Texts = {}) {
      const { ClientId, Request } = await authorize(more);
      return (await oauth.encryptAuthorizationRequest({ ...ids(), ClientId, Request }, TEST_CALL)).Handle;
    }

    it('returns it to its browser for an hour, until it is ended', async () => {
      const Handle = await kept();
      const asked = Math.floor(pool.clock.now() / 1000);
      pool.clock.advance(60 * MINUTE_MS - 1);
      const waiting = await oauth.decryptAuthorizationRequest({ ...ids(), Handle }, TEST_CALL);
      const { RequestedAt, ...checked } = waiting;
      assert.deepEqual([RequestedAt, checked], [asked, await authorize()]);
      await refused(
        oauth.decryptAuthorizationRequest({ ...ids(), Browser: 'c'.repeat(43), Handle }, TEST_CALL),
        'invalid_request',
      );
      await refused(
        oauth.decryptAuthorizationRequest({ ...ids(), UserPoolId: 'us-east-1_Other', Handle }, TEST_CALL),
        'invalid_request',
      );
      await refused(oauth.decryptAuthorizationRequest({ ...ids(), Handle: 'x' }, TEST_CALL), 'invalid_request');
      const elsewhere = { ...ids(), UserPoolId: 'us-east-1_Other', Handle };
      await refused(oauth.consumeAuthorizationRequest(elsewhere, TEST_CALL), 'invalid_request', 'by another pool');
      await oauth.consumeAuthorizationRequest({ ...ids(), Handle }, TEST_CALL);
      await refused(oauth.consumeAuthorizationRequest({ ...ids(), Handle }, TEST_CALL), 'invalid_request');
      const twins = [await kept(), await kept()];
      for (const one of twins) await oauth.consumeAuthorizationRequest({ ...ids(), Handle: one }, TEST_CALL);
      pool.clock.advance(1);
      await refused(oauth.decryptAuthorizationRequest({ ...ids(), Handle }, TEST_CALL), 'invalid_request');
      const late = await kept();
      pool.clock.advance(60 * MINUTE_MS);
      await refused(oauth.consumeAuthorizationRequest({ ...ids(), Handle: late }, TEST_CALL), 'invalid_request');
    });

    it('returns it while the client may request it', async () => {
      const { userPoolId: UserPoolId } = pool;
      const settings = {
        ClientName: 'app',
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code', 'implicit'],
        AllowedOAuthScopes: ['openid', 'email'],
        SupportedIdentityProviders: ['COGNITO'],
        CallbackURLs: [CALLBACK],
      } as const;
      const { ClientId } = await makeClient(settings);
      const [code, token] = [
        await kept({ client_id: ClientId }),
        await kept({ client_id: ClientId, response_type: 'token' }),
      ];
      const rows: readonly (readonly [Handle: string, more: object, isGood: boolean])[] = [
        [code, { AllowedOAuthFlows: ['code'] }, true],
        [token, { AllowedOAuthFlows: ['code'] }, false],
        [code, { AllowedOAuthFlows: ['implicit'] }, false],
        [token, { AllowedOAuthFlows: ['implicit'] }, true],
        [code, { AllowedOAuthScopes: ['openid'] }, false],
        [code, { SupportedIdentityProviders: [] }, false],
        [code, { CallbackURLs: ['https://app.test/other'] }, false],
        [code, {}, true],
      ];
      for (const [Handle, more, isGood] of rows) {
        await pool.operations.updateUserPoolClient({ UserPoolId, ClientId, ...settings, ...more }, TEST_CALL);
        const waiting = oauth.decryptAuthorizationRequest({ ...ids(), Handle }, TEST_CALL);
        if (isGood) assert.equal((await waiting).ClientId, ClientId);
        else await refused(waiting, 'invalid_request', JSON.stringify(more));
      }
    });

    it('stores none that is too large, and none of a deleted client', async () => {
      await refused(kept({ state: '\u00e4'.repeat(3_500) }), 'invalid_request');
      const gone = await makeClient({ AllowedOAuthFlows: ['code'] });
      const Handle = await kept({ client_id: gone.ClientId });
      await pool.operations.deleteUserPoolClient({ UserPoolId: pool.userPoolId, ClientId: gone.ClientId }, TEST_CALL);
      await refused(oauth.decryptAuthorizationRequest({ ...ids(), Handle }, TEST_CALL), 'invalid_request');
    });
  });

  describe('that issues a code', () => {
    it('exchanges it for the tokens of the user, with the requested claims', async () => {
      const answer = await granted({ resource: 'https://things.test/' });
      assert.deepEqual([...answer.keys()].toSorted(), ['code', 'iss', 'state']);
      assert.match(answer.get('code') ?? '', /^[\w-]{43}$/);
      const tokens = await exchange(answer.get('code') ?? '');
      assert.deepEqual([tokens.Scope, tokens.ExpiresIn, tokens.IsScopeChanged], ['openid email', 3600, false]);
      const [own, id] = [decodeTokenPart(tokens.AccessToken, 1), decodeTokenPart(tokens.IdToken ?? '', 1)];
      assert.deepEqual([own.scope, own.aud, own.client_id], ['openid email', 'https://things.test/', app.ClientId]);
      assert.deepEqual([id.aud, id.nonce, id.email], [app.ClientId, 'n', ADA]);
      assert.equal(own.auth_time, decodeTokenPart(access, 1).auth_time);
      assert.notEqual(own.origin_jti, decodeTokenPart(access, 1).origin_jti, 'a login of its own');
      const grants = (await newEvents()).flatMap(({ type, details }) =>
        type === 'login.succeeded' ? [details.grant] : [],
      );
      assert.ok(grants.includes('authorization_code'), String(grants));
      const refreshed = await refresh(tokens.RefreshToken ?? '');
      assert.deepEqual(
        [refreshed.Scope, decodeTokenPart(refreshed.AccessToken, 1).aud],
        ['openid email', 'https://things.test/'],
      );
    });

    it('accepts it once: a second use ends its login', async () => {
      const code = await requestCode();
      const { RefreshToken = '' } = await exchange(code);
      await newEvents();
      await refused(exchange(code), 'invalid_grant');
      await refused(refresh(RefreshToken), 'invalid_grant');
      assert.ok((await newEvents()).some(({ type }) => type === 'login.reuse_detected'));
      const leaked = await requestCode();
      const first = await exchange(leaked);
      await refused(exchange(leaked, { CodeVerifier: 'w'.repeat(43) }), 'invalid_grant', 'again, and wrong');
      await refused(refresh(first.RefreshToken ?? ''), 'invalid_grant');
      const raced = await requestCode();
      const ends = await Promise.allSettled([exchange(raced), exchange(raced)]);
      assert.ok(ends.filter(({ status }) => status === 'fulfilled').length <= 1);
      for (const end of ends) {
        if (end.status === 'fulfilled') await refused(refresh(end.value.RefreshToken ?? ''), 'invalid_grant');
        else assert.ok(end.reason instanceof OAuthError && end.reason.error === 'invalid_grant', String(end.reason));
      }
    });

    it('accepts a verifier of 43 to 128 characters', async () => {
      for (const length of [42, 43, 128, 129]) {
        const CodeVerifier = 'v'.repeat(length);
        const code = await requestCode({
          code_challenge: createHash('sha256').update(CodeVerifier).digest('base64url'),
        });
        const exchanged = exchange(code, { CodeVerifier });
        if (length === 43 || length === 128) assert.ok((await exchanged).AccessToken);
        else await refused(exchanged, 'invalid_grant', String(length));
      }
    });

    it('refuses one of another pool, whose clients use up nothing of this one', async () => {
      const { operations } = pool;
      const { UserPool = {} } = await operations.createUserPool({ PoolName: 'other' }, TEST_CALL);
      const UserPoolId = UserPool.Id ?? '';
      const other = await makeClient({ UserPoolId, AllowedOAuthFlows: ['code'], AllowedOAuthScopes: ['openid'] });
      const code = await requestCode();
      await refused(exchange(code, { UserPoolId, ClientId: other.ClientId }), 'invalid_grant');
      assert.ok(await exchange(code));
      const { Request } = await authorize();
      const input = { UserPoolId, ClientId: other.ClientId, Request, AccessToken: access };
      await refused(oauth.grant(input, TEST_CALL), 'access_denied');
    });

    it('accepts it for five minutes', async () => {
      const [early, late] = [await requestCode(), await requestCode()];
      pool.clock.advance(5 * MINUTE_MS - 1);
      assert.ok(await exchange(early));
      pool.clock.advance(1);
      await refused(exchange(late), 'invalid_grant');
    });

    it('consumes it if a client proves the wrong thing', async () => {
      const wrong: Readonly<Record<string, object>> = {
        'another verifier': { CodeVerifier: 'w'.repeat(43) },
        'no verifier': { CodeVerifier: undefined },
        'a short verifier': { CodeVerifier: 'v'.repeat(42) },
        'another address': { RedirectUri: `${CALLBACK}x` },
        'no address': { RedirectUri: undefined },
        'another client': server,
      };
      for (const [about, more] of Object.entries(wrong)) {
        const code = await requestCode();
        await refused(exchange(code, more), 'invalid_grant', about);
        await refused(exchange(code), 'invalid_grant', `${about}, then right`);
      }
      await refused(exchange('x'.repeat(43)), 'invalid_grant', 'an invented one');
    });

    it('refuses a verifier if none was announced, and the address can be omitted if it was', async () => {
      const one = await makeClient({
        GenerateSecret: true,
        AllowedOAuthFlows: ['code'],
        CallbackURLs: [CALLBACK],
        DefaultRedirectURI: CALLBACK,
      });
      const plain = {
        client_id: one.ClientId,
        code_challenge: undefined,
        code_challenge_method: undefined,
        redirect_uri: undefined,
      };
      assert.ok(await exchange(await requestCode(plain), { ...one, CodeVerifier: undefined, RedirectUri: undefined }));
      assert.ok(await exchange(await requestCode(plain), { ...one, CodeVerifier: undefined }));
      await refused(exchange(await requestCode(plain), one), 'invalid_grant');
      const elsewhere = { ...one, CodeVerifier: undefined, RedirectUri: `${CALLBACK}x` };
      await refused(exchange(await requestCode(plain), elsewhere), 'invalid_grant', 'another address');
    });

    it('ends with the login that it came from', async () => {
      const code = await requestCode();
      await pool.operations.globalSignOut({ AccessToken: access }, TEST_CALL);
      const ended = { error: 'invalid_grant', message: 'The login behind the code has ended.' };
      await assert.rejects(exchange(code), ended);
      access = requireTokens(await loginByPassword(pool, ADA)).access;
      const other = await requestCode();
      await pool.operations.adminDisableUser({ UserPoolId: pool.userPoolId, Username: ADA }, TEST_CALL);
      await refused(exchange(other), 'invalid_grant');
      await pool.operations.adminEnableUser({ UserPoolId: pool.userPoolId, Username: ADA }, TEST_CALL);
    });

    it('returns tokens directly if the client requests it, without a refresh token', async () => {
      const answer = await granted({ response_type: 'token' });
      const names = ['access_token', 'expires_in', 'id_token', 'iss', 'state', 'token_type'];
      assert.deepEqual([...answer.keys()].toSorted(), names);
      assert.deepEqual([answer.get('expires_in'), answer.get('token_type')], ['3600', 'Bearer']);
      assert.equal(decodeTokenPart(answer.get('access_token') ?? '', 1).scope, 'openid email');
      assert.equal(decodeTokenPart(answer.get('id_token') ?? '', 1).nonce, 'n');
      const bare = await granted({ response_type: 'token', scope: 'things/read' });
      assert.equal(bare.get('id_token'), null);
    });

    it('returns nothing for an unknown login or one of another pool', async () => {
      const { ClientId, Request } = await authorize();
      const input = { UserPoolId: pool.userPoolId, ClientId, Request, AccessToken: access };
      await refused(oauth.grant({ ...input, ClientId: 'nobody' }, TEST_CALL), 'access_denied');
      await refused(oauth.grant({ ...input, UserPoolId: 'us-east-1_Other' }, TEST_CALL), 'access_denied');
      await assert.rejects(oauth.grant({ ...input, AccessToken: `${access}x` }, TEST_CALL));
    });
  });

  describe('called by a client', () => {
    it("identifies the user of the client's token, unless it is bound to a resource", async () => {
      const identify = (AccessToken: string, ClientId = app.ClientId) =>
        oauth.identifyUser({ UserPoolId: pool.userPoolId, ClientId, AccessToken }, TEST_CALL);
      const { AccessToken } = await exchange(await requestCode());
      const { sub, username } = decodeTokenPart(AccessToken, 1);
      assert.deepEqual(await identify(AccessToken), { Sub: sub, Username: username, VerifiedEmail: ADA, Groups: [] });
      const { VerifiedEmail } = await identify(
        (await exchange(await requestCode({ scope: 'openid phone' }))).AccessToken,
      );
      assert.equal(VerifiedEmail, undefined, 'a token that is not for the address');
      await refused(identify(AccessToken, server.ClientId), 'invalid_token', 'of another client');
      await refused(identify(access), 'invalid_token', 'of the API');
      const bound = await exchange(await requestCode({ resource: 'https://things.test/' }));
      await refused(identify(bound.AccessToken), 'invalid_token', 'bound to a resource');
      await refused(identify(bound.IdToken ?? ''), 'invalid_token', 'an ID token');
    });

    it('reports how a client authenticated', async () => {
      const { userPoolId: UserPoolId } = pool;
      const rows: readonly (readonly [asking: { ClientId: string; ClientSecret?: string }, proof: string])[] = [
        [server, 'confidential'],
        [{ ClientId: server.ClientId }, 'refused'],
        [{ ...server, ClientSecret: machine.ClientSecret }, 'refused'],
        [{ ClientId: app.ClientId }, 'public'],
        [{ ClientId: app.ClientId, ClientSecret: 'x' }, 'refused'],
        [{ ...server, ClientId: 'nobody' }, 'unknown'],
        [{ ClientId: 'nobody' }, 'unknown'],
      ];
      for (const [asking, Proof] of rows) {
        assert.deepEqual(
          await oauth.proveClient({ UserPoolId, ...asking }, TEST_CALL),
          { Proof },
          JSON.stringify(asking),
        );
      }
      const elsewhere = { UserPoolId: 'us-east-1_Other', ...server };
      assert.deepEqual(await oauth.proveClient(elsewhere, TEST_CALL), { Proof: 'unknown' });
    });

    it("accepts the client's own secret, and none for a client without one", async () => {
      const machineTokens = (client: Partial<Client>) =>
        oauth.clientCredentials({ UserPoolId: pool.userPoolId, ClientId: '', Scopes: [], ...client }, TEST_CALL);
      assert.ok(await machineTokens(machine));
      for (const wrong of [
        { ClientId: machine.ClientId },
        { ...machine, ClientSecret: `${machine.ClientSecret}x` },
        { ...machine, ClientSecret: server.ClientSecret },
        { ClientId: 'nobody', ClientSecret: machine.ClientSecret },
        { ClientId: app.ClientId, ClientSecret: 'x' },
      ]) {
        await refused(machineTokens(wrong), 'invalid_client', JSON.stringify(wrong));
      }
      await refused(machineTokens(server), 'unauthorized_client');
      await refused(machineTokens({ ClientId: app.ClientId }), 'unauthorized_client');
      const { ClientId, ClientSecret } = await makeMachine({});
      const record = (await pool.store.clients.byId(ClientId)) ?? assert.fail();
      const { settings, modifiedAtMs } = record;
      await pool.store.write(({ clients }) =>
        clients.update(ClientId, { settings, modifiedAtMs, secretsEncrypted: [] }),
      );
      await refused(machineTokens({ ClientId, ClientSecret }), 'invalid_client');
      await refused(machineTokens({ ClientId }), 'unauthorized_client', 'a machine must have a secret');
      const codes = await makeClient({ AllowedOAuthFlows: ['implicit'] });
      await refused(exchange('x', { ClientId: codes.ClientId }), 'unauthorized_client', 'no codes');
    });

    const makeMachine = (members: object) =>
      makeClient({
        GenerateSecret: true,
        AllowedOAuthFlows: ['client_credentials'],
        AllowedOAuthScopes: ['things/read'],
        ...members,
      });

    it('gives a machine of the API its tokens only there', async () => {
      const one = await makeMachine({
        AllowedOAuthFlows: undefined,
        AllowedOAuthFlowsUserPoolClient: undefined,
        ExplicitAuthFlows: ['ALLOW_CLIENT_TOKEN_AUTH'],
      });
      const asked = { UserPoolId: pool.userPoolId, ...one, Scopes: [] };
      await refused(oauth.clientCredentials(asked, TEST_CALL), 'unauthorized_client');
      const api = { ClientId: one.ClientId, Secret: one.ClientSecret };
      const { ClientAuthenticationResult: result } = await pool.operations.getClientToken(api, TEST_CALL);
      assert.deepEqual([result?.ExpiresIn, result?.TokenType], [3600, 'Bearer']);
    });

    it('gives a machine its own token, for existing scopes that it may have', async () => {
      const ask = (Scopes: string[], more: object = {}) =>
        oauth.clientCredentials({ UserPoolId: pool.userPoolId, ...machine, Scopes, ...more }, TEST_CALL);
      const { AccessToken, ExpiresIn, Scope, IdToken, RefreshToken } = await ask([]);
      assert.deepEqual([ExpiresIn, Scope, IdToken, RefreshToken], [3600, 'things/read', undefined, undefined]);
      const nowSeconds = Math.floor(pool.clock.now() / 1000);
      const { jti, iss, ...claims } = decodeTokenPart(AccessToken, 1);
      assert.ok(jti && iss);
      assert.deepEqual(claims, {
        sub: machine.ClientId,
        token_use: 'access',
        scope: 'things/read',
        auth_time: nowSeconds,
        exp: nowSeconds + 3600,
        iat: nowSeconds,
        version: 2,
        client_id: machine.ClientId,
      });
      const bound = await ask(['things/read', 'things/read'], { Resource: 'app.things://x' });
      assert.deepEqual([decodeTokenPart(bound.AccessToken, 1).aud, bound.Scope], ['app.things://x', 'things/read']);
      assert.equal((await ask(['things/read'])).Scope, 'things/read');
      for (const scopes of [['things/write'], ['things/gone'], ['things/read', 'things/write'], ['openid']]) {
        await refused(ask(scopes), 'invalid_scope', scopes.join());
      }
      const idle = await makeMachine({ AllowedOAuthScopes: ['things/write'] });
      await setScopes('read');
      await refused(ask([], idle), 'invalid_scope', 'nothing is left');
      await setScopes('read', 'write');
      await refused(ask([], { Resource: 'x' }), 'invalid_target');
      const api = await pool.operations.getClientToken(
        { ClientId: machine.ClientId, Secret: machine.ClientSecret },
        TEST_CALL,
      );
      assert.equal(decodeTokenPart(api.ClientAuthenticationResult?.AccessToken ?? '', 1).scope, 'things/read');
      const wrong = pool.operations.getClientToken({ ClientId: machine.ClientId, Secret: 'x' }, TEST_CALL);
      const message = `Unable to verify secret for client ${machine.ClientId}`;
      await assert.rejects(wrong, { code: 'NotAuthorizedException', message, reason: 'client_secret' });
      const noFlow = pool.operations.getClientToken(
        { ClientId: server.ClientId, Secret: server.ClientSecret },
        TEST_CALL,
      );
      await assert.rejects(noFlow, { code: 'NotAuthorizedException', reason: 'flow_disabled' });
      const noScope = { ClientId: machine.ClientId, Secret: machine.ClientSecret, Scopes: ['things/write'] };
      await assert.rejects(pool.operations.getClientToken(noScope, TEST_CALL), { code: 'InvalidParameterException' });
    });

    it('refreshes to at most the granted scopes, and revokes', async () => {
      const { RefreshToken = '' } = await exchange(await requestCode());
      assert.ok(await refresh(RefreshToken, ['openid']));
      await refused(refresh(RefreshToken, ['openid', 'phone']), 'invalid_scope');
      await refused(refresh(RefreshToken, [], server), 'invalid_grant');
      await refused(refresh('x'), 'invalid_grant');
      await refused(refresh('x', ['openid']), 'invalid_grant');
      const confidential = await exchange(await requestCode({ client_id: server.ClientId }), server);
      const theirs = confidential.RefreshToken ?? '';
      assert.ok(await refresh(theirs, [], server));
      await oauth.revoke({ UserPoolId: pool.userPoolId, ...server, Token: theirs }, TEST_CALL);
      await refused(refresh(theirs, [], server), 'invalid_grant');
      const proof = { UserPoolId: pool.userPoolId, ClientId: app.ClientId };
      await refused(oauth.revoke({ ...proof, ClientSecret: 'x', Token: RefreshToken }, TEST_CALL), 'invalid_client');
      await oauth.revoke({ ...proof, Token: RefreshToken }, TEST_CALL);
      await refused(refresh(RefreshToken), 'invalid_grant');
    });

    it('revokes the login of an access token only for its client, and treats any other text as revoked', async () => {
      const revoke = (Token: string, client: Partial<Client> = { ClientId: app.ClientId }) =>
        oauth.revoke({ UserPoolId: pool.userPoolId, ClientId: '', ...client, Token }, TEST_CALL);
      const [ended, other] = [await exchange(await requestCode()), await exchange(await requestCode())];
      const info = ({ AccessToken }: OAuthTokens) =>
        oauth.userInfo({ UserPoolId: pool.userPoolId, AccessToken }, TEST_CALL);
      await refused(revoke(ended.AccessToken, server), 'invalid_grant', 'another client');
      const [head, payload, signature = ''] = ended.AccessToken.split('.');
      const forged = `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
      const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
      for (const nobodys of ['x', 'a.b.c', '', forged, unsigned, ended.IdToken ?? '']) await revoke(nobodys);
      assert.ok(await info(ended), 'nothing has ended it');
      await revoke(ended.AccessToken);
      await refused(info(ended), 'invalid_token');
      await refused(refresh(ended.RefreshToken ?? ''), 'invalid_grant');
      await revoke(ended.AccessToken);
      assert.ok(await info(other));
      pool.clock.advance(61 * MINUTE_MS);
      await revoke(other.AccessToken);
      assert.ok(await refresh(other.RefreshToken ?? ''), 'an expired token ends nothing');
      const ofMachine = await oauth.clientCredentials(
        { UserPoolId: pool.userPoolId, ...machine, Scopes: [] },
        TEST_CALL,
      );
      await refused(revoke(ofMachine.AccessToken, server), 'invalid_grant');
      const introspect = () =>
        oauth.introspect({ UserPoolId: pool.userPoolId, ...machine, Token: ofMachine.AccessToken }, TEST_CALL);
      assert.equal((await introspect()).active, true);
      await revoke(ofMachine.AccessToken, machine);
      assert.deepEqual(await introspect(), { active: false });
      const { ClientId: untracked } = await makeClient({ AllowedOAuthFlows: ['code'], EnableTokenRevocation: false });
      await refused(revoke('x', { ClientId: untracked }), 'invalid_request');
    });

    it('binds tokens to the requested resource, which must be that of the grant', async () => {
      const Resource = 'https://things.test/';
      const other = { Resource: 'https://other.test/' };
      const renew = (token: string, more: object) =>
        oauth.refresh({ UserPoolId: pool.userPoolId, ClientId: app.ClientId, RefreshToken: token, ...more }, TEST_CALL);
      const readAudience = ({ AccessToken }: OAuthTokens) => decodeTokenPart(AccessToken, 1).aud;
      const bound = await requestCode({ resource: Resource });
      await refused(exchange(bound, other), 'invalid_target');
      await refused(exchange(bound, { Resource: 'x' }), 'invalid_target');
      const tokens = await exchange(bound, { Resource });
      assert.equal(readAudience(tokens), Resource, 'a wrong resource spends no code');
      const refreshToken = tokens.RefreshToken ?? '';
      await refused(renew(refreshToken, other), 'invalid_target');
      assert.equal(readAudience(await renew(refreshToken, {})), Resource);
      const late = await exchange(await requestCode(), { Resource });
      assert.equal(readAudience(await renew(late.RefreshToken ?? '', {})), Resource, 'the login is bound');
      const free = await exchange(await requestCode());
      assert.deepEqual(
        [readAudience(free), readAudience(await renew(free.RefreshToken ?? '', { Resource }))],
        [undefined, Resource],
      );
      assert.equal(readAudience(await renew(free.RefreshToken ?? '', {})), undefined, 'that refresh alone');
      const { AccessToken } = tokens;
      await refused(oauth.userInfo({ UserPoolId: pool.userPoolId, AccessToken }, TEST_CALL), 'invalid_token');
    });

    it('returns the granted scopes to a client that named none', async () => {
      assert.equal((await exchange(await requestCode())).IsScopeChanged, false);
      const all = await exchange(await requestCode({ scope: undefined }));
      assert.deepEqual([all.IsScopeChanged, all.Scope.includes('things/read')], [true, true]);
      const implicit = await authorize({ response_type: 'token', scope: undefined });
      const { ClientId, Request } = implicit;
      const { Location } = await oauth.grant(
        { UserPoolId: pool.userPoolId, ClientId, Request, AccessToken: access },
        TEST_CALL,
      );
      assert.equal(new URLSearchParams(new URL(Location).hash.slice(1)).get('scope'), Request.scope);
    });

    it("returns the user's claims as the scopes allow, for tokens with openid", async () => {
      const shown = async (scope: string) => {
        const { AccessToken } = await exchange(await requestCode({ scope }));
        return oauth.userInfo({ UserPoolId: pool.userPoolId, AccessToken }, TEST_CALL);
      };
      const { sub, username, ...rest } = await shown('openid email');
      assert.ok(sub === username);
      assert.deepEqual(rest, { email: ADA, email_verified: 'true' });
      assert.deepEqual(
        Object.keys(await shown('openid'))
          .toSorted()
          .slice(-2),
        ['sub', 'username'],
      );
      assert.equal((await shown('openid phone')).email, undefined);
      const info = (AccessToken: string, UserPoolId = pool.userPoolId) =>
        oauth.userInfo({ UserPoolId, AccessToken }, TEST_CALL);
      await refused(info(access), 'insufficient_scope');
      await refused(info('a.b.c'), 'invalid_token');
      const { AccessToken } = await exchange(await requestCode());
      await refused(info(AccessToken, 'us-east-1_Other'), 'invalid_token');
      await pool.operations.adminUserGlobalSignOut({ UserPoolId: pool.userPoolId, Username: ADA }, TEST_CALL);
      await refused(info(AccessToken), 'invalid_token');
    });

    it('knows the addresses of its clients, separately for logins and logouts', async () => {
      const is = (Uri: string, For: 'login' | 'logout', ClientId = app.ClientId) =>
        oauth.isUriRegistered({ UserPoolId: pool.userPoolId, ClientId, Uri, For }, TEST_CALL);
      assert.deepEqual(await Promise.all([is(CALLBACK, 'login'), is('https://app.test/bye', 'logout')]), [true, true]);
      assert.deepEqual(await Promise.all([is(CALLBACK, 'logout'), is('https://app.test/bye', 'login')]), [
        false,
        false,
      ]);
      const loopback = [
        'http://localhost/cb',
        'http://localhost:1/cb',
        'http://localhost:65535/cb',
        'http://localhost:0/cb',
        'http://127.0.0.1:80/cb',
      ];
      assert.deepEqual(await Promise.all(loopback.map((uri) => is(uri, 'login'))), [true, true, true, false, false]);
      assert.equal(await is(CALLBACK, 'login', 'nobody'), false);
    });
  });
});
