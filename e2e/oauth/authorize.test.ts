import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import {
  assertOAuthError,
  CALLBACK,
  callAsAdmin,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  createResourceServer,
  type OAuthClient,
  openSignedInBrowser,
  postForm,
  readCallbackParameters,
  readLocation,
  requestCode,
  toBasicHeader,
  toRootBrowser,
} from '../support/oauth/oauth-client.ts';
import type { Exchange } from '../support/requests/exchange.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser, parseSetCookies } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
const APP_URIS = [CALLBACK, 'https://app.test/callback?tenant=1', 'http://127.0.0.1/native', 'myapp://callback'];

describe('the authorization endpoint', () => {
  let service: TestService;
  let client: OAuthClient;
  let confidential: OAuthClient;
  let implicit: OAuthClient;
  before(async () => {
    service = await startTestService({ issuer: 'base-url' });
    await addUser(service, ADA);
    await createResourceServer(service);
    client = await createOAuthClient(service, { CallbackURLs: APP_URIS });
    confidential = await createOAuthClient(service, { GenerateSecret: true });
    implicit = await createOAuthClient(service, { AllowedOAuthFlows: ['implicit'] });
  });
  after(() => service.close());

  const { verifier, challenge } = createPkce();
  const authorize = (browser: CookieBrowser, more = {}, of = client) =>
    browser.get(`/oauth2/authorize?${createAuthorizeQuery(of, challenge, more)}`);
  const exchangeCode = (code: string, more: Record<string, string> = {}, of = client) => {
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier, ...more };
    return postForm(service, '/oauth2/token', { client_id: of.id, ...fields }, of.secret ? toBasicHeader(of) : {});
  };
  const refused = (answer: Exchange, error: string, about = '') => {
    const parameters = readCallbackParameters(answer);
    assert.deepEqual([parameters.get('error'), parameters.get('state')], [error, 'a state'], about);
    assert.equal(parameters.get('iss'), `${service.baseUrl}/${service.userPoolId}`);
    assert.equal(parameters.get('code'), null);
  };
  const onPage = (answer: Exchange, about = '') => {
    assert.equal(answer.status, 400, `${about} ${answer.text}`);
    assert.equal(answer.headers.location, undefined, about);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
  };

  it('gives a signed-in user a code, and the code gives the tokens of the pool, as Cognito writes them', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const parameters = readCallbackParameters(await authorize(browser));
    assert.deepEqual([...parameters.keys()].sort(), ['code', 'iss', 'state']);
    assert.equal(parameters.get('state'), 'a state');
    const answer = await exchangeCode(parameters.get('code') ?? '');
    assert.equal(answer.status, 200, answer.text);
    const {
      access_token: access = '',
      id_token: id = '',
      refresh_token: refresh,
    } = answer.body as Record<string, string>;
    const accessClaims = decodeTokenPart(access, 1);
    const { scope, version, client_id, username, auth_time, token_use } = accessClaims;
    assert.deepEqual([scope, version, client_id, token_use], ['openid email', 2, client.id, 'access']);
    assert.equal(auth_time, Math.floor(service.clock.now() / 1000));
    const claims = decodeTokenPart(id, 1);
    const atHash = createHash('sha256').update(access).digest().subarray(0, 16).toString('base64url');
    assert.deepEqual(
      [claims.nonce, claims.at_hash, claims.aud, claims.email, claims['cognito:username'], claims.origin_jti],
      ['a nonce', atHash, client.id, ADA, username, accessClaims.origin_jti],
    );
    const info = await service.get('/oauth2/userInfo', { authorization: `Bearer ${access}` });
    assert.deepEqual(info.body, { sub: claims.sub, email: ADA, email_verified: 'true', username });
    const refreshed = await postForm(service, '/oauth2/token', {
      grant_type: 'refresh_token',
      client_id: client.id,
      refresh_token: refresh ?? '',
    });
    assert.equal(refreshed.status, 200, refreshed.text);
    const again = decodeTokenPart(String(refreshed.body.id_token), 1);
    assert.deepEqual([again.nonce, again.sub, again.auth_time], [undefined, claims.sub, auth_time]);
    assert.equal(decodeTokenPart(String(refreshed.body.access_token), 1).scope, 'openid email');
  });

  it('asks a signed-out user to log in, and continues in the same browser', async () => {
    const pages = new CookieBrowser(service);
    const browser = toRootBrowser(service, pages);
    const location = readLocation(await authorize(browser, { login_hint: ADA, lang: 'de', ui_locales: 'se fr' }));
    const page = new URL(location, service.baseUrl);
    assert.equal(page.pathname, '/cognito/login');
    const hints = ['login_hint', 'lang', 'ui_locales'].map((name) => page.searchParams.get(name));
    assert.deepEqual(hints, [ADA, 'de', 'se fr']);
    const returnTo = page.searchParams.get('return_to') ?? '';
    assert.match(returnTo, /^\/oauth2\/authorize\/continue\?request=[\w.-]+$/);
    const waiting = await browser.get(returnTo);
    assert.match(readLocation(waiting), /^\/cognito\/login\?return_to=/);
    await pages.logIn(ADA);
    const back = toRootBrowser(service, pages);
    for (const [name, value] of browser.cookies) if (!back.cookies.has(name)) back.cookies.set(name, value);
    const code = readCallbackParameters(await back.get(returnTo)).get('code') ?? '';
    assert.equal((await exchangeCode(code)).status, 200);
    onPage(await back.get(returnTo), 'a request is answered once');
  });

  it('session fixation through authorize: a request continues only in the browser that brought it', async () => {
    const attacker = new CookieBrowser(service, '');
    const location = readLocation(await authorize(attacker));
    const returnTo = new URL(location, service.baseUrl).searchParams.get('return_to') ?? '';
    const victim = await openSignedInBrowser(service, ADA);
    onPage(await victim.get(returnTo));
    await authorize(victim, { prompt: 'login' });
    onPage(await victim.get(returnTo), 'with a name of its own');
    const cookie = parseSetCookies(await authorize(new CookieBrowser(service, ''))).find(({ name }) =>
      name.endsWith('-oauth'),
    );
    assert.deepEqual(cookie?.attributes.toSorted(), ['httponly', 'path=/', 'samesite=lax', 'secure']);
    assert.match(cookie?.name ?? '', /^__Host-/);
  });

  it('redirect tricks: an address that is not registered character by character stays on our page', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const tricks = [
      'https://app.test/callback/',
      'https://app.test/callback/../callback',
      'https://app.test/%63allback',
      'https://app.test/callback%2f..',
      'https://app.test/callback?',
      'https://app.test/callback?tenant=2',
      'https://app.test/callback#x',
      'https://APP.test/callback',
      'https://app.test:443/callback',
      'https://app.test@evil.test/callback',
      'https://evil.test/https://app.test/callback',
      'https://app.test.evil.test/callback',
      'https://app.test\\@evil.test/callback',
      'https://äpp.test/callback',
      'http://app.test/callback',
      '//app.test/callback',
      'myapp://callback/',
      'http://127.0.0.1:0/native',
      'http://127.0.0.1:8080/other',
      'http://localhost:8080/native',
      'http://127.0.0.1.evil.test:8080/native',
      'https://127.0.0.1:8080/native',
      'javascript:alert(1)',
      `${CALLBACK} `,
    ];
    for (const redirect_uri of tricks) onPage(await authorize(browser, { redirect_uri }), redirect_uri);
    onPage(await authorize(browser, { redirect_uri: undefined }), 'none, and no default');
    onPage(
      await browser.get(`/oauth2/authorize?${createAuthorizeQuery(client, challenge)}&redirect_uri=https://evil.test`),
    );
    for (const [redirect_uri, callback] of [
      ['https://app.test/callback?tenant=1', 'https://app.test/callback?tenant=1&'],
      ['http://127.0.0.1:49152/native', 'http://127.0.0.1:49152/native?'],
      ['myapp://callback', 'myapp://callback?'],
    ] as const) {
      assert.ok(readLocation(await authorize(browser, { redirect_uri })).startsWith(`${callback}code=`), redirect_uri);
    }
  });

  it('errors before the address is verified stay on our page, later ones go to the callback', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    onPage(await authorize(browser, { client_id: undefined }));
    onPage(await authorize(browser, { client_id: 'nobody' }));
    onPage(await browser.get('/oauth2/authorize'));
    const bad: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
      ['invalid_request', { response_type: undefined }],
      ['unsupported_response_type', { response_type: 'id_token' }],
      ['unsupported_response_type', { response_type: 'code token' }],
      ['invalid_scope', { scope: 'openid nothing' }],
      ['invalid_scope', { scope: 'things/read' }],
      ['invalid_scope', { scope: 'email' }],
      ['invalid_request', { prompt: 'none login' }],
      ['invalid_request', { prompt: 'none create' }],
      ['invalid_request', { max_age: '-1' }],
      ['invalid_request', { identity_provider: 'Google' }],
      ['invalid_request', { idp_identifier: 'x' }],
      ['invalid_request', { response_mode: 'fragment' }],
      ['invalid_target', { resource: 'things' }],
      ['invalid_target', { resource: 'https://things.test/#x' }],
      ['request_not_supported', { request: 'x' }],
      ['request_uri_not_supported', { request_uri: 'https://app.test/request' }],
    ];
    for (const [error, more] of bad) refused(await authorize(browser, more), error, JSON.stringify(more));
    refused(
      await browser.get(`/oauth2/authorize?${createAuthorizeQuery(client, challenge)}&scope=openid`),
      'invalid_request',
    );
    const token = await authorize(browser, { response_type: 'token' });
    assert.match(readLocation(token), /^https:\/\/app\.test\/callback#error=unauthorized_client&/);
    const closed = await createOAuthClient(service, { AllowedOAuthFlowsUserPoolClient: false });
    refused(await authorize(browser, {}, closed), 'unauthorized_client');
    const nobody = await createOAuthClient(service, { SupportedIdentityProviders: [] });
    refused(await authorize(browser, {}, nobody), 'unauthorized_client');
    onPage(await authorize(browser, { state: 'a\0b' }));
    onPage(await authorize(browser, { state: 'x'.repeat(4_096) }));
  });

  it('PKCE downgrade: plain is refused, clients without a secret must use S256, and a verifier without a challenge is refused', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const without = { code_challenge: undefined, code_challenge_method: undefined };
    refused(await authorize(browser, without), 'invalid_request');
    refused(await authorize(browser, { code_challenge_method: 'plain' }), 'invalid_request');
    refused(await authorize(browser, { code_challenge_method: undefined }), 'invalid_request');
    refused(await authorize(browser, { code_challenge: undefined }), 'invalid_request');
    refused(await authorize(browser, { code_challenge: 'short' }), 'invalid_request');
    const requestCode = async (more = {}, of = client) =>
      readCallbackParameters(await authorize(browser, more, of)).get('code') ?? '';
    assertOAuthError(await exchangeCode(await requestCode(), { code_verifier: '' }), 400, 'invalid_grant');
    assertOAuthError(await exchangeCode(await requestCode(), { code_verifier: challenge }), 400, 'invalid_grant');
    assertOAuthError(
      await exchangeCode(await requestCode(), { code_verifier: createPkce().verifier }),
      400,
      'invalid_grant',
    );
    const plain = await requestCode(without, confidential);
    assertOAuthError(await exchangeCode(plain, {}, confidential), 400, 'invalid_grant');
    const good = await exchangeCode(await requestCode(without, confidential), { code_verifier: '' }, confidential);
    assert.equal(good.status, 200, good.text);
    assert.equal((await exchangeCode(await requestCode({}, confidential), {}, confidential)).status, 200);
  });

  it('code injection: a code works for its client, address and verifier, and is consumed if shown to another client', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const stolen =
      (more: Record<string, string>, of = client) =>
      async (code: string) =>
        assertOAuthError(await exchangeCode(code, more, of), 400, 'invalid_grant');
    for (const inject of [
      stolen({}, confidential),
      stolen({ redirect_uri: 'https://app.test/callback?tenant=1' }),
      stolen({ redirect_uri: '' }),
      stolen({ code_verifier: createPkce().verifier }),
    ]) {
      const code = readCallbackParameters(await authorize(browser)).get('code') ?? '';
      await inject(code);
      await stolen({})(code);
    }
  });

  for (const seconds of [0, 30]) {
    it(`replay: a code that is sent again ${seconds} seconds later ends the login that it opened`, async () => {
      const browser = await openSignedInBrowser(service, ADA);
      const code = readCallbackParameters(await authorize(browser)).get('code') ?? '';
      const first = await exchangeCode(code);
      const refresh = { grant_type: 'refresh_token', client_id: client.id };
      const good = { ...refresh, refresh_token: String(first.body.refresh_token) };
      const info = () => service.get('/oauth2/userInfo', { authorization: `Bearer ${first.body.access_token}` });
      service.clock.advance(seconds * 1_000);
      assert.equal((await info()).status, 200);
      assertOAuthError(await exchangeCode(code), 400, 'invalid_grant');
      assert.equal((await info()).status, 401);
      assertOAuthError(await postForm(service, '/oauth2/token', good), 400, 'invalid_grant');
    });
  }

  it('a client with a secret exchanges a code with HTTP Basic and in the body, and not without its secret', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const requestCode = async () =>
      readCallbackParameters(await authorize(browser, {}, confidential)).get('code') ?? '';
    const exchange = (code: string, more: Readonly<Record<string, string>>, headers = {}) => {
      const grant = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: verifier };
      return postForm(service, '/oauth2/token', { ...grant, code, ...more }, headers);
    };
    const { id: client_id, secret: client_secret = '' } = confidential;
    const byBasic = await exchange(await requestCode(), {}, toBasicHeader(confidential));
    const byBody = await exchange(await requestCode(), { client_id, client_secret });
    for (const { status, body, text } of [byBasic, byBody]) {
      assert.equal(status, 200, text);
      assert.equal(decodeTokenPart(String(body.id_token), 1).aud, client_id);
    }
    assertOAuthError(await exchange(await requestCode(), { client_id }), 400, 'invalid_client');
  });

  it('auth_time shows a new login, and a reused login keeps its own', async () => {
    const pages = new CookieBrowser(service);
    await pages.logIn(ADA);
    const began = Math.floor(service.clock.now() / 1000);
    const exchangeForAuthTime = async (answer: Exchange) => {
      const { body, text } = await exchangeCode(readCallbackParameters(answer).get('code') ?? '');
      assert.ok(body.id_token, text);
      return decodeTokenPart(String(body.id_token), 1).auth_time;
    };
    const browser = toRootBrowser(service, pages);
    for (const more of [{}, { max_age: '10000' }, { prompt: 'none' }]) {
      service.clock.advance(1_000);
      assert.equal(await exchangeForAuthTime(await authorize(browser, more)), began, JSON.stringify(more));
    }
    for (const more of [{ prompt: 'login' }, { max_age: '1' }]) {
      service.clock.advance(2_000);
      const sent = readLocation(await authorize(browser, more));
      const place = new URL(sent, service.baseUrl).searchParams.get('return_to') ?? '';
      assert.match(readLocation(await browser.get(place)), /^\/cognito\/login\?/, 'the older login does not do');
      await pages.logIn(ADA);
      for (const [name, value] of pages.cookies) browser.cookies.set(name, value);
      const authTime = await exchangeForAuthTime(await browser.get(place));
      assert.equal(authTime, Math.floor(service.clock.now() / 1000), JSON.stringify(more));
    }
  });

  it('one of a hundred parallel exchanges of a code gets tokens', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const code = await requestCode(browser, createAuthorizeQuery(client, challenge));
    const answers = await Promise.all(Array.from({ length: 100 }, () => exchangeCode(code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers.filter(({ status }) => status !== 200)) assertOAuthError(answer, 400, 'invalid_grant');
  });

  it('a code lasts five minutes, and no longer than the login behind it', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const late = await requestCode(browser, createAuthorizeQuery(client, challenge));
    service.clock.advance(5 * 60_000);
    assertOAuthError(await exchangeCode(late), 400, 'invalid_grant');
    const pages = new CookieBrowser(service);
    await pages.logIn(ADA);
    const orphan = await requestCode(toRootBrowser(service, pages), createAuthorizeQuery(client, challenge));
    assert.equal((await pages.post('/logout')).status, 200);
    assertOAuthError(await exchangeCode(orphan), 400, 'invalid_grant');
  });

  it('implicit returns tokens in the fragment without a refresh token, and only to clients that allow it', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const without = { response_type: 'token', code_challenge: undefined, code_challenge_method: undefined };
    const answer = await authorize(browser, without, implicit);
    const parameters = readCallbackParameters(answer);
    assert.match(readLocation(answer), /callback#/);
    assert.deepEqual([...parameters.keys()].sort(), [
      'access_token',
      'expires_in',
      'id_token',
      'iss',
      'state',
      'token_type',
    ]);
    const { body } = await service.get('/admin/audit?limit=60', service.asAdmin);
    const { origin_jti: login } = decodeTokenPart(parameters.get('access_token') ?? '', 1);
    const logged = (body.events as { type: string; details: Record<string, unknown> }[]).filter(
      ({ details }) => details.grant === 'implicit' && details.login === login,
    );
    assert.deepEqual(
      logged.map(({ type }) => type),
      ['login.succeeded'],
      'as every login does, it stands in the audit log',
    );
    const { nonce, at_hash } = decodeTokenPart(parameters.get('id_token') ?? '', 1);
    assert.deepEqual([nonce, typeof at_hash], ['a nonce', 'string']);
    refused(await authorize(browser, { ...without, response_type: 'code' }, implicit), 'unauthorized_client');
    const noId = readCallbackParameters(
      await authorize(browser, { ...without, scope: 'aws.cognito.signin.user.admin' }, implicit),
    );
    assert.equal(noId.get('id_token'), null);
  });

  it('prompt, max_age and the session lifetime of the client decide whether a login is reused', async () => {
    const pages = new CookieBrowser(service);
    refused(await authorize(new CookieBrowser(service, ''), { prompt: 'none' }), 'login_required');
    await pages.logIn(ADA);
    const browser = toRootBrowser(service, pages);
    service.clock.advance(30_000);
    const needsLogin = async (more: Readonly<Record<string, string>>, of = client) => {
      const location = readLocation(await authorize(browser, more, of));
      return location.startsWith('/cognito/login?');
    };
    assert.equal(await needsLogin({}), false);
    assert.equal(await needsLogin({ prompt: 'login' }), true);
    assert.equal(await needsLogin({ max_age: '30' }), false);
    assert.equal(await needsLogin({ max_age: '29' }), true);
    assert.equal(await needsLogin({ max_age: '0' }), true);
    refused(await authorize(browser, { prompt: 'none', max_age: '29' }), 'login_required');
    assert.ok(readCallbackParameters(await authorize(browser, { prompt: 'none' })).get('code'));
    const short = await createOAuthClient(service);
    const { userPoolId: UserPoolId } = service;
    const life = (MaxValidityMinutes: number) =>
      callAsAdmin(service, 'SetUserPoolClientSessionConfiguration', {
        UserPoolId,
        ClientId: short.id,
        SSOSession: { MaxValidityMinutes },
      });
    await life(0);
    assert.equal(await needsLogin({}, short), true);
    await life(2);
    assert.equal(await needsLogin({}, short), false);
    service.clock.advance(90_000);
    assert.equal(await needsLogin({}, short), true);
  });

  it('CSRF on consent: only the page that asked, in the same browser, can agree', async () => {
    const pages = new CookieBrowser(service);
    await pages.logIn(ADA);
    const browser = toRootBrowser(service, pages);
    const asked = await authorize(browser, { prompt: 'consent' });
    const page = await browser.get(readLocation(asked));
    assert.equal(page.status, 200, page.text);
    assert.match(page.text, /app requests: your user ID and your email address\./);
    assert.match(
      String(page.headers['content-security-policy']),
      /form-action 'self' https:\/\/app\.test; frame-ancestors 'none'$/,
    );
    assert.equal(page.headers['x-frame-options'], 'DENY', 'clickjacking');
    assert.equal(page.headers['referrer-policy'], 'same-origin');
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(page.text)?.[1] ?? '';
    const fields = { request: field('request'), csrf_token: field('csrf_token'), choice: 'continue' };
    const send = (more: Record<string, string>, headers: Record<string, string> = {}) =>
      postForm(service, '/oauth2/authorize/continue', { ...fields, ...more }, { ...browser.cookieHeader, ...headers });
    const own = { origin: service.baseUrl };
    assert.equal((await send({}, { origin: 'https://evil.test' })).status, 403);
    assert.equal((await send({}, {})).status, 403);
    onPage(await send({ csrf_token: 'x' }, own));
    const other = await openSignedInBrowser(service, ADA);
    onPage(await send({}, { ...own, ...other.cookieHeader }));
    for (const choice of ['', 'allow', 'CONTINUE', 'constructor']) {
      const unknown = await send({ choice }, own);
      assert.equal(unknown.status, 200, choice);
      assert.match(unknown.text, /wants access to your account/, `${choice} agrees to nothing`);
    }
    const code = readCallbackParameters(await send({}, own)).get('code') ?? '';
    assert.equal((await exchangeCode(code)).status, 200);
    onPage(await send({}, own), 'sent again');
    service.clock.advance(1_000);
    const again = await browser.get(readLocation(await authorize(browser, { prompt: 'select_account' })));
    const denied = { request: /name="request" value="([^"]+)"/.exec(again.text)?.[1] ?? '', choice: 'deny' };
    refused(await send(denied, own), 'access_denied');
  });

  it('unknown parameters and hints are ignored, and the order of scopes is kept', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    for (const display of ['page', 'popup']) {
      assert.ok(readCallbackParameters(await authorize(browser, { display })).get('code'), display);
    }
    const hints = {
      nonce: undefined,
      scope: 'email openid',
      display: 'touch',
      ui_locales: 'se',
      claims_locales: 'se',
      acr_values: '1 2',
      id_token_hint: 'x.y.z',
      claims: '{"userinfo":{"name":{"essential":true}}}',
      extra: 'foobar',
    };
    const code = readCallbackParameters(await authorize(browser, hints)).get('code') ?? '';
    const { body } = await exchangeCode(code);
    const access = String(body.access_token);
    assert.equal(decodeTokenPart(access, 1).scope, 'email openid');
    assert.equal(decodeTokenPart(String(body.id_token), 1).nonce, undefined);
    const inHeader = await postForm(service, '/oauth2/userInfo', {}, { authorization: `Bearer ${access}` });
    const inBody = await postForm(service, '/oauth2/userInfo', { access_token: access });
    assert.deepEqual([inHeader.body.email, inBody.body.email], [ADA, ADA]);
  });

  it('each scope returns what Cognito returns for it, in the ID token and at userInfo', async () => {
    const attributes = { name: 'Ada', phone_number: '+15550100', address: 'London' };
    const told = ['email', 'email_verified', 'phone_number', 'phone_number_verified', 'name', 'address'];
    const changed = await service.ask('PATCH', `/admin/users/${ADA}`, {
      headers: service.asAdmin,
      body: { attributes },
    });
    assert.equal(changed.status, 200, changed.text);
    const browser = await openSignedInBrowser(service, ADA);
    const rows: readonly (readonly [string, readonly string[]])[] = [
      ['openid email', told.slice(0, 2)],
      ['openid phone', told.slice(2, 4)],
      ['openid profile', told],
      ['openid email phone profile', told],
    ];
    for (const [scope, expected] of rows) {
      const { body } = await exchangeCode(
        readCallbackParameters(await authorize(browser, { scope })).get('code') ?? '',
      );
      const info = await service.get('/oauth2/userInfo', { authorization: `Bearer ${body.access_token}` });
      for (const claims of [decodeTokenPart(String(body.id_token), 1), info.body]) {
        assert.deepEqual(
          told.filter((name) => claims[name] !== undefined),
          expected,
          scope,
        );
      }
    }
  });

  it('referrer leakage: no response that knows a code or a session reveals its address', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const answer = await authorize(browser);
    assert.equal(answer.headers['referrer-policy'], 'no-referrer');
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.text, '');
  });

  it('mix-up: every response names its issuer, and discovery announces it', async () => {
    const issuer = `${service.baseUrl}/${service.userPoolId}`;
    const { body } = await service.get(`/${service.userPoolId}/.well-known/openid-configuration`);
    assert.equal(body.authorization_response_iss_parameter_supported, true);
    const browser = await openSignedInBrowser(service, ADA);
    assert.equal(readCallbackParameters(await authorize(browser)).get('iss'), issuer);
  });

  it('a token that is bound to a resource works there, and at no route of its user', async () => {
    const browser = await openSignedInBrowser(service, ADA);
    const more = { scope: 'openid aws.cognito.signin.user.admin', resource: 'https://things.test/' };
    const served: OAuthClient = { id: service.clientId, secret: undefined };
    await callAsAdmin(service, 'UpdateUserPoolClient', {
      UserPoolId: service.userPoolId,
      ClientId: served.id,
      ExplicitAuthFlows: ['ALLOW_USER_SRP_AUTH', 'ALLOW_USER_PASSWORD_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'aws.cognito.signin.user.admin'],
      SupportedIdentityProviders: ['COGNITO'],
      CallbackURLs: [CALLBACK],
    });
    const requestToken = async (asked: object) => {
      const code = readCallbackParameters(await authorize(browser, asked, served)).get('code') ?? '';
      return String((await exchangeCode(code, {}, served)).body.access_token);
    };
    const profile = async (token: string) =>
      (await service.get('/user/profile', { authorization: `Bearer ${token}` })).status;
    const bound = await requestToken(more);
    assert.equal(decodeTokenPart(bound, 1).aud, 'https://things.test/');
    assert.equal(await profile(bound), 403);
    assert.equal((await service.call('GetUser', { AccessToken: bound })).status, 400);
    const free = await requestToken({ scope: more.scope });
    assert.equal(await profile(free), 200);
    assert.equal((await service.call('GetUser', { AccessToken: free })).status, 200);
    assert.equal(await profile(await requestToken({ scope: 'openid' })), 403);
  });

  it('the other pages of Cognito’s domain redirect to ours, with the request', async () => {
    const pages = { signup: 'register', forgotPassword: 'forgot', 'passkeys/add': 'account' };
    for (const [path, page] of Object.entries({ login: 'login', ...pages })) {
      const answer = await new CookieBrowser(service, '').get(`/${path}?${createAuthorizeQuery(client, challenge)}`);
      assert.match(readLocation(answer), new RegExp(`^/cognito/${page}\\?return_to=%2Foauth2%2Fauthorize%2Fcontinue`));
      onPage(await new CookieBrowser(service, '').get(`/${path}`), path);
    }
  });
});

describe('an authorization endpoint that is as lax as Cognito', () => {
  it('lets clients without a secret omit PKCE, and the address if they have a default', async () => {
    const service = await startTestService({ pkce: 'as-cognito' });
    await addUser(service, ADA);
    const client = await createOAuthClient(service, { DefaultRedirectURI: CALLBACK });
    const browser = await openSignedInBrowser(service, ADA);
    const bare = { code_challenge: undefined, code_challenge_method: undefined, redirect_uri: undefined };
    const code = readCallbackParameters(
      await browser.get(`/oauth2/authorize?${createAuthorizeQuery(client, '', bare)}`),
    ).get('code');
    const fields = { grant_type: 'authorization_code', client_id: client.id, code: code ?? '' };
    const answer = await postForm(service, '/oauth2/token', fields);
    assert.equal(answer.status, 200, answer.text);
    const { iss } = decodeTokenPart(String(answer.body.id_token), 1);
    assert.equal(iss, `https://cognito-idp.us-east-1.amazonaws.com/${service.userPoolId}`);
    await service.close();
  });
});
