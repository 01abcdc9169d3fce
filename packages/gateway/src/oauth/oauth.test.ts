import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addUser, PASSWORD, TEST_CALL } from '@poolgate/pool/testing';
import { PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, type PoolServiceResponse, startPoolService } from '../testing/pool-service.ts';

const ADA = 'ada@example.test';
const BOB = 'bob@example.test';
const CALLBACK = 'https://app.test/callback';
const BYE = 'https://app.test/bye';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

type Texts = Readonly<Record<string, string>>;

interface Client {
  readonly id: string;
  readonly secret: string;
}

function requireLocation({ status, headers, text }: PoolServiceResponse, wanted: 302 | 303 = 302): string {
  assert.equal(status, wanted, text);
  return String(headers.location);
}

const readParameters = (answer: PoolServiceResponse): Texts =>
  Object.fromEntries(new URL(requireLocation(answer)).searchParams);

/** An error in the form of RFC 6749 §5.2. */
function assertError(answer: PoolServiceResponse, status: number, error: string, about = ''): void {
  assert.deepEqual([answer.status, answer.body.error], [status, error], `${about} ${answer.text}`);
  assert.equal(answer.headers['cache-control'], 'no-store', about);
}

describe('the OAuth endpoints', () => {
  let service: PoolService;
  let app: Client;
  let other: Client;
  let machine: Client;
  let browser: PageBrowser;

  before(async () => {
    service = await startPoolService();
    const { operations, userPoolId: UserPoolId } = service;
    for (const name of [ADA, BOB]) await addUser(service, name);
    const Scopes = ['read', 'write'].map((ScopeName) => ({ ScopeName, ScopeDescription: ScopeName }));
    await operations.createResourceServer({ UserPoolId, Identifier: 'things', Name: 'Things', Scopes }, TEST_CALL);
    [app, other] = [await makeClient({}), await makeClient({})];
    machine = await makeClient({
      GenerateSecret: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['things/read'],
    });
  });
  beforeEach(async () => {
    const pages = new PageBrowser(service);
    await pages.logIn(ADA);
    browser = pages.copy('');
  });
  after(() => service.close());

  async function makeClient(members: object): Promise<Client> {
    const { UserPoolClient } = await service.operations.createUserPoolClient(
      {
        UserPoolId: service.userPoolId,
        ClientName: 'The <app>',
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid', 'email', 'phone'],
        SupportedIdentityProviders: ['COGNITO'],
        CallbackURLs: [CALLBACK],
        LogoutURLs: [BYE, 'myapp://bye', `${BYE}?kept=1`],
        ...members,
      },
      TEST_CALL,
    );
    return { id: UserPoolClient?.ClientId ?? '', secret: UserPoolClient?.ClientSecret ?? '' };
  }

  const query = (more: Readonly<Record<string, string | undefined>> = {}): string => {
    const all = {
      response_type: 'code',
      client_id: app.id,
      redirect_uri: CALLBACK,
      scope: 'openid email',
      state: 'a state',
      nonce: 'a nonce',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...more,
    };
    const sent = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
    return new URLSearchParams(sent).toString();
  };
  const authorize = (more: Readonly<Record<string, string | undefined>> = {}, from = browser) =>
    from.get(`/oauth2/authorize?${query(more)}`);
  const form = (path: string, fields: Texts | string, headers: Texts = {}) =>
    service.ask('POST', path, {
      body: typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
      headers,
    });
  const basic = ({ id, secret }: Client) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });
  const exchange = (code: string, more: Texts = {}) =>
    form('/oauth2/token', {
      grant_type: 'authorization_code',
      code,
      client_id: app.id,
      redirect_uri: CALLBACK,
      code_verifier: VERIFIER,
      ...more,
    });
  const isSignedIn = async () => requireLocation(await authorize({ prompt: 'none' })).includes('code=');

  describe('for a signed-in user', () => {
    it('give a code at once, and tokens for it once', async () => {
      const { code = '', state, iss } = readParameters(await authorize());
      assert.deepEqual([state, iss], ['a state', (await service.embedded.describe(service.userPoolId))?.issuer]);
      const answer = await exchange(code);
      assert.equal(answer.status, 200, answer.text);
      const { access_token, id_token, refresh_token, ...rest } = answer.body;
      assert.deepEqual(rest, { expires_in: 3600, token_type: 'Bearer' });
      assert.ok(access_token && id_token && refresh_token);
      assert.deepEqual([answer.headers['cache-control'], answer.headers.pragma], ['no-store', 'no-cache']);
      assert.equal(answer.headers['access-control-allow-origin'], '*');
      assertError(await exchange(code), 400, 'invalid_grant');
    });

    it('give no tokens for a code with any wrong parameter', async () => {
      for (const wrong of [
        { code_verifier: 'w'.repeat(43) },
        { code_verifier: '' },
        { redirect_uri: `${CALLBACK}/` },
        { client_id: other.id },
      ]) {
        const { code = '' } = readParameters(await authorize());
        assertError(await exchange(code, wrong), 400, 'invalid_grant', JSON.stringify(wrong));
      }
      assertError(await exchange(''), 400, 'invalid_request');
    });

    it('return the user at userInfo, with the token in header or body, and revoke a login', async () => {
      const { body } = await exchange(readParameters(await authorize()).code ?? '');
      const [access, refresh] = [String(body.access_token), String(body.refresh_token)];
      const bearer = { authorization: `Bearer ${access}` };
      const shown = await service.ask('GET', '/oauth2/userInfo', { headers: bearer });
      assert.deepEqual([shown.status, shown.body.email], [200, ADA], shown.text);
      assert.equal((await form('/oauth2/userInfo', { access_token: access })).body.email, ADA);
      assert.equal((await form('/oauth2/userinfo', { access_token: access })).body.email, ADA);
      assertError(await form('/oauth2/userInfo', { access_token: access }, bearer), 400, 'invalid_request');
      const without = await service.ask('GET', '/oauth2/userInfo');
      assert.deepEqual([without.status, without.headers['www-authenticate']], [401, 'Bearer']);
      const wrong = await service.ask('GET', '/oauth2/userInfo', { headers: { authorization: 'Bearer a.b.c' } });
      assertError(wrong, 401, 'invalid_token');
      assert.match(String(wrong.headers['www-authenticate']), /^Bearer error="invalid_token", error_description="/);
      const own = await service.ask('POST', '/login', { body: { username: ADA, password: PASSWORD } });
      const api = { authorization: `Bearer ${own.body.access_token}` };
      const short = await service.ask('GET', '/oauth2/userInfo', { headers: api });
      assertError(short, 403, 'insufficient_scope');
      assert.match(String(short.headers['www-authenticate']), /, scope="openid"$/);
      const refreshed = await form('/oauth2/token', {
        grant_type: 'refresh_token',
        refresh_token: refresh,
        client_id: app.id,
      });
      assert.equal(refreshed.status, 200, refreshed.text);
      const gone = await form('/oauth2/revoke', { token: refresh, client_id: app.id });
      assert.deepEqual([gone.status, gone.text], [200, '{}']);
      assert.match(String(gone.headers['content-type']), /^application\/json/);
      assertError(
        await form('/oauth2/token', { grant_type: 'refresh_token', refresh_token: refresh, client_id: app.id }),
        400,
        'invalid_grant',
      );
      assertError(await form('/oauth2/revoke', { client_id: app.id }), 400, 'invalid_request');
      const again = await form('/oauth2/revoke', { token: access, client_id: app.id });
      assert.deepEqual([again.status, again.text], [200, '{}'], 'its login has ended');
    });

    it('are listed as applications for their user, who ends all tokens of one and no others', async () => {
      const logIn = async (username: string) => {
        const answer = await service.ask('POST', '/login', { body: { username, password: PASSWORD } });
        return { authorization: `Bearer ${answer.body.access_token}` };
      };
      const [ada, bob] = [await logIn(ADA), await logIn(BOB)];
      const list = async (headers: Texts) => {
        const answer = await service.ask('GET', '/user/applications', { headers });
        assert.equal(answer.status, 200, answer.text);
        return answer.body.applications as readonly { readonly client_id: string; readonly grants: number }[];
      };
      const end = (id: string, headers: Texts) =>
        service.ask('DELETE', `/user/applications/${id}`, { headers, body: {} });
      await end(app.id, ada);
      const grants = [];
      for (const client of [app, app, other]) {
        const { code = '' } = readParameters(await authorize({ client_id: client.id }));
        grants.push((await exchange(code, { client_id: client.id })).body);
      }
      const found = (await list(ada)).filter(({ client_id }) => [app.id, other.id].includes(client_id));
      assert.deepEqual(
        found.map(({ client_id, grants: count }) => [client_id, count]).sort(),
        [
          [app.id, 2],
          [other.id, 1],
        ].sort(),
      );
      assert.ok(!(await list(bob)).some(({ client_id }) => client_id === app.id));
      assert.deepEqual([(await end(app.id, bob)).status, (await end('unknown', ada)).status], [404, 404]);
      const ended = await end(app.id, ada);
      assert.deepEqual([ended.status, ended.body.ended], [200, 2], ended.text);
      const statuses = [];
      for (const [at, { refresh_token }] of grants.entries()) {
        const client_id = at < 2 ? app.id : other.id;
        const fields = { grant_type: 'refresh_token', refresh_token: String(refresh_token), client_id };
        statuses.push((await form('/oauth2/token', fields)).status);
      }
      assert.deepEqual(statuses, [400, 400, 200]);
      const info = await service.ask('GET', '/oauth2/userInfo', {
        headers: { authorization: `Bearer ${grants[0]?.access_token}` },
      });
      assert.equal(info.status, 401);
      assert.equal((await service.ask('GET', '/user/profile', { headers: ada })).status, 200);
    });

    it("export their user's data, with that user's events and only after a recent login", async () => {
      service.clock.advance(1_000);
      const { body } = await service.ask('POST', '/login', { body: { username: BOB, password: PASSWORD } });
      const headers = { authorization: `Bearer ${body.access_token}` };
      service.clock.advance(1_000);
      const answer = await service.ask('POST', '/user/export', { headers, body: {} });
      assert.equal(answer.status, 200, answer.text);
      const { user, sessions, events } = answer.body as unknown as {
        readonly user: { readonly email: string; readonly sub: string };
        readonly sessions: readonly object[];
        readonly events: readonly { readonly type: string }[];
      };
      assert.deepEqual([user.email, sessions.length > 0, events[0]?.type], [BOB, true, 'login.succeeded']);
      assert.ok(!answer.text.includes(ADA));
      const shown = await service.ask('GET', '/user/events?limit=1', { headers });
      const [exported] = shown.body.events as readonly { readonly type: string; readonly by: string }[];
      assert.deepEqual([exported?.type, exported?.by], ['user.exported', 'you']);
      const more = await service.ask('GET', `/user/events?cursor=${shown.body.next_cursor}`, { headers });
      assert.equal(more.status, 200, more.text);
      const ada = await service.ask('POST', '/login', { body: { username: ADA, password: PASSWORD } });
      const foreign = await service.ask('GET', `/user/events?cursor=${shown.body.next_cursor}`, {
        headers: { authorization: `Bearer ${ada.body.access_token}` },
      });
      assert.deepEqual([foreign.status, foreign.body.code], [422, 'validation_failed']);
      service.clock.advance(901_000);
      const late = await service.ask('POST', '/user/export', { headers, body: {} });
      assert.deepEqual([late.status, late.body.code], [403, 'reauthentication_required']);
    });

    it('accept POST too, and continue with GET, so that the browser sends its cookies', async () => {
      const state = 'a b&c=ä"';
      const posted = await form('/oauth2/authorize?prompt=none', query({ state }));
      const next = new URL(requireLocation(posted, 303), service.baseUrl);
      assert.equal(posted.headers['set-cookie'], undefined);
      assert.deepEqual([next.pathname, next.searchParams.get('prompt')], ['/oauth2/authorize', 'none']);
      const granted = readParameters(await browser.get(`${next.pathname}${next.search}`));
      assert.deepEqual([typeof granted.code, granted.state], ['string', state]);
      const tooLong = await form('/oauth2/authorize', query({ state: 'ä'.repeat(2_000) }));
      assert.deepEqual([tooLong.status, tooLong.headers.location], [400, undefined]);
    });

    it('post the answer as a form if the client requests it, also for errors and after a prompt', async () => {
      const state = '"><img src=x onerror=alert(1)>';
      const byForm = { response_mode: 'form_post', state };
      const readForm = ({ status, text, headers }: PoolServiceResponse) => {
        assert.equal(status, 200, text);
        assert.equal(headers['cache-control'], 'no-store');
        assert.match(text, new RegExp(`<form method="post" action="${CALLBACK}">`));
        assert.ok(text.includes('name="state" value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"'), text);
        return Object.fromEntries(
          Array.from(text.matchAll(/name="(\w+)" value="([^"]*)"/g), ([, key, value]) => [key, value]),
        );
      };
      const { code = '' } = readForm(await authorize(byForm));
      assert.equal((await exchange(code)).status, 200);
      const fresh = new PageBrowser(service, '');
      assert.equal(readForm(await authorize({ ...byForm, prompt: 'none' }, fresh)).error, 'login_required');
      const question = await browser.get(requireLocation(await authorize({ ...byForm, prompt: 'consent' })));
      const hidden = Array.from(
        question.text.matchAll(/name="(request|csrf_token)" value="([^"]+)"/g),
        ([, key = '', value = '']) => [key, value],
      );
      const headers = { ...browser.cookieHeader, origin: service.baseUrl };
      const allowed = await form(
        '/oauth2/authorize/continue',
        { ...Object.fromEntries(hidden), choice: 'continue' },
        headers,
      );
      assert.equal((await exchange(readForm(allowed).code ?? '')).status, 200);
    });

    it('prompt again if the client requires a login, a recent one, or consent', async () => {
      for (const more of [{ prompt: 'login' }, { max_age: '0' }]) {
        assert.match(requireLocation(await authorize(more)), /^\/cognito\/login\?/, JSON.stringify(more));
      }
      const refused = readParameters(await authorize({ prompt: 'none', max_age: '0' }));
      assert.deepEqual([refused.error, refused.state], ['login_required', 'a state']);
      service.clock.advance(10_000);
      assert.match(requireLocation(await authorize({ max_age: '9' })), /^\/cognito\/login\?/);
      assert.match(requireLocation(await authorize({ max_age: '11' })), /code=/);
      assert.match(requireLocation(await authorize({ prompt: 'consent' })), /^\/oauth2\/authorize\/continue\?request=/);
      const again = new URL(requireLocation(await authorize({ prompt: 'login' })), service.baseUrl);
      const next = again.searchParams.get('return_to') ?? '';
      assert.match(requireLocation(await browser.get(next)), /^\/cognito\/login\?/, 'a login of before will not do');
    });

    it('give no code without PKCE to clients without a secret, unless configured', async () => {
      const without = { code_challenge: undefined, code_challenge_method: undefined };
      assert.equal(readParameters(await authorize(without)).error, 'invalid_request');
    });
  });

  describe('for a signed-out user', () => {
    it('keep the request for this browser, show the login with its hints, and continue after it', async () => {
      const fresh = new PageBrowser(service, '');
      const more = { login_hint: 'a'.repeat(256), lang: 'de', ui_locales: 'x'.repeat(257) };
      const page = new URL(requireLocation(await authorize(more, fresh)), service.baseUrl);
      assert.equal(page.pathname, '/cognito/login');
      const { return_to = '', ...hints } = Object.fromEntries(page.searchParams);
      assert.deepEqual(hints, { prompt: 'login', login_hint: more.login_hint, lang: 'de' });
      const name = fresh.cookies.get('__Host-poolgate-oauth') ?? '';
      assert.match(name, /^[\w-]{43}$/);
      await authorize({}, fresh);
      assert.equal(fresh.cookies.get('__Host-poolgate-oauth'), name, 'a browser keeps its name');
      assert.match(requireLocation(await fresh.get(return_to)), /^\/cognito\/login\?return_to=/, 'not yet');
      const pages = fresh.copy('/cognito');
      await pages.logIn(ADA);
      const back = pages.copy('');
      const elsewhere = back.copy();
      elsewhere.cookies.delete('__Host-poolgate-oauth');
      assert.equal((await elsewhere.get(return_to)).status, 400, 'in another browser');
      assert.match(requireLocation(await back.get(return_to)), /^https:\/\/app\.test\/callback\?code=/);
      assert.equal((await back.get(return_to)).status, 400, 'a second time');
    });

    it('report it if no page may be shown', async () => {
      const fresh = new PageBrowser(service, '');
      assert.equal(readParameters(await authorize({ prompt: 'none' }, fresh)).error, 'login_required');
    });

    it('start at the sign-up page if the client requests it, whoever is signed in', async () => {
      service.clock.advance(1_000);
      const page = new URL(requireLocation(await authorize({ prompt: 'create' })), service.baseUrl);
      assert.equal(page.pathname, '/cognito/register');
      const next = page.searchParams.get('return_to') ?? '';
      assert.match(
        requireLocation(await browser.get(next)),
        /^\/cognito\/login\?/,
        'the session of before will not do',
      );
      service.clock.advance(1_000);
      const pages = browser.copy('/cognito');
      await pages.logIn(BOB);
      assert.match(requireLocation(await pages.copy('').get(next)), /[?&]code=/);
    });

    it('can start at other pages', async () => {
      const fresh = new PageBrowser(service, '');
      for (const [path, page] of Object.entries({
        '/login': 'login',
        '/signup': 'register',
        '/forgotPassword': 'forgot',
        '/passkeys/add': 'account',
      })) {
        const to = new URL(requireLocation(await fresh.get(`${path}?${query()}`)), service.baseUrl);
        assert.equal(to.pathname, `/cognito/${page}`);
        assert.equal(to.searchParams.get('prompt'), page === 'login' ? 'login' : null, path);
        const next = to.searchParams.get('return_to') ?? '';
        assert.match(next, /^\/oauth2\/authorize\/continue\?request=/);
        assert.match(requireLocation(await fresh.get(next)), /^\/cognito\/login\?/, 'the request waits');
      }
    });

    it('show a page without a redirect before client and address are verified', async () => {
      for (const more of [
        { client_id: 'nobody' },
        { client_id: undefined },
        { redirect_uri: 'https://evil.test/' },
        { redirect_uri: `${CALLBACK}/` },
      ]) {
        const answer = await authorize(more);
        assert.deepEqual([answer.status, answer.headers.location], [400, undefined], JSON.stringify(more));
        assert.match(String(answer.headers['content-type']), /^text\/html/);
        assert.match(answer.text, /<small>(?:No such app client|The parameter client_id|The redirect_uri is none)/);
      }
      const twice = await browser.get(`/oauth2/authorize?${query()}&redirect_uri=${encodeURIComponent(CALLBACK)}`);
      assert.equal(twice.status, 400);
      const many = await browser.get(`/oauth2/authorize?${query()}&${'x=1&'.repeat(64)}`);
      assert.equal(many.status, 400);
      const wrong = readParameters(await authorize({ response_type: 'id_token' }));
      assert.deepEqual([wrong.error, wrong.state], ['unsupported_response_type', 'a state']);
    });
  });

  describe('if consent is required', () => {
    async function asked(headers: Texts = {}) {
      const next = requireLocation(await authorize({ prompt: 'consent' }));
      const page = await browser.get(next, headers);
      assert.equal(page.status, 200, page.text);
      const hidden = Object.fromEntries(
        Array.from(page.text.matchAll(/name="(request|csrf_token)" value="([^"]+)"/g), ([, name, value]) => [
          name,
          value,
        ]),
      ) as Texts;
      return { page, hidden };
    }
    const answer = (fields: Texts, headers: Texts = { origin: service.baseUrl }) =>
      form('/oauth2/authorize/continue', fields, { ...browser.cookieHeader, ...headers });

    it('name the application and its scopes in the language of the browser, and redirect only to it', async () => {
      const { page } = await asked();
      assert.match(page.text, /The &lt;app&gt;/);
      assert.match(page.text, /your user ID and your email address/);
      assert.match(page.text, new RegExp(ADA));
      assert.match(String(page.headers['content-security-policy']), /form-action 'self' https:\/\/app\.test;/);
      assert.equal(page.headers['referrer-policy'], 'same-origin');
      const german = await asked({ 'accept-language': 'de' });
      assert.equal(german.page.headers['content-language'], 'de');
      assert.match(german.page.text, /<html lang="de">/);
    });

    it('give a code after consent, and an error without it', async () => {
      const yes = await asked();
      const granted = new URL(requireLocation(await answer({ ...yes.hidden, choice: 'continue' }), 303));
      assert.ok(granted.searchParams.get('code'));
      assert.equal((await answer({ ...yes.hidden, choice: 'continue' })).status, 400, 'a second time');
      const no = await asked();
      const denied = new URL(requireLocation(await answer({ ...no.hidden, choice: 'deny' }), 303));
      assert.deepEqual([denied.searchParams.get('error'), denied.searchParams.get('code')], ['access_denied', null]);
      assert.equal((await answer({ ...no.hidden, choice: 'continue' })).status, 400, 'after a no');
    });

    it('end the session of a user who wants another account, and ask for a login', async () => {
      const { hidden } = await asked();
      const stolen = browser.copy('/cognito');
      const other = await answer({ ...hidden, choice: 'other' });
      assert.match(requireLocation(other, 303), /^\/cognito\/login\?return_to=/);
      assert.match(String(other.headers['set-cookie']), /^__Host-poolgate=;.*Max-Age=0/);
      assert.equal(await isSignedIn(), false);
      assert.equal(await stolen.user(), null);
    });

    it('accept a choice only from their own page', async () => {
      const { hidden } = await asked();
      const choice = { ...hidden, choice: 'continue' };
      assert.equal((await answer(choice, { origin: 'https://evil.test' })).status, 403);
      assert.equal((await answer(choice, {})).status, 403);
      for (const csrf_token of ['', 'x', `${hidden.csrf_token}x`]) {
        assert.equal((await answer({ ...choice, csrf_token })).status, 400, csrf_token);
      }
      const { origin } = new URL(service.baseUrl);
      const cookie = `__Host-poolgate-oauth=${browser.cookies.get('__Host-poolgate-oauth')}`;
      assert.equal((await answer({ ...choice, csrf_token: '' }, { origin, cookie })).status, 400, 'of nobody');
      const again = await answer({ ...hidden, choice: 'whatever' });
      assert.equal(again.status, 200, 'no choice: the page once more');
      assert.ok((await answer(choice)).headers.location);
    });
  });

  describe('for programs', () => {
    const grant = { grant_type: 'client_credentials' };

    it('give a machine its token, with HTTP Basic or in the body, never both', async () => {
      const byBasic = await form('/oauth2/token', grant, basic(machine));
      assert.deepEqual(Object.keys(byBasic.body), ['access_token', 'expires_in', 'token_type', 'scope'], byBasic.text);
      assert.equal(byBasic.body.scope, 'things/read', 'it named none');
      const inBody = { ...grant, client_id: machine.id, client_secret: machine.secret };
      const byBody = await form('/oauth2/token', { ...inBody, scope: 'things/read' });
      assert.deepEqual([byBody.status, byBody.body.scope], [200, 'things/read']);
      assertError(await form('/oauth2/token', inBody, basic(machine)), 400, 'invalid_request');
      assertError(await form('/oauth2/token', { ...grant, client_id: app.id }, basic(machine)), 400, 'invalid_request');
      assert.equal((await form('/oauth2/token', { ...grant, client_id: machine.id }, basic(machine))).status, 200);
      const encoded = { authorization: `basic ${btoa(`${machine.id}:${encodeURIComponent(machine.secret)}`)}` };
      assert.equal((await form('/oauth2/token', grant, encoded)).status, 200);
    });

    it('bind a token to a resource, and pass metadata to a trigger', async () => {
      const bound = await form('/oauth2/token', { ...grant, resource: 'https://things.test/' }, basic(machine));
      const [, claims = ''] = String(bound.body.access_token).split('.');
      assert.equal(JSON.parse(Buffer.from(claims, 'base64url').toString()).aud, 'https://things.test/');
      const metadata = (aws_client_metadata: string) =>
        form('/oauth2/token', { ...grant, aws_client_metadata }, basic(machine));
      assert.equal((await metadata('{"a":"b"}')).status, 200);
      for (const text of ['{', '[]', '"x"', 'null', '{"a":1}'])
        assertError(await metadata(text), 400, 'invalid_request', text);
    });

    it('reveal nothing else to a client that fails to authenticate', async () => {
      const wrong = await form('/oauth2/token', grant, basic({ ...machine, secret: 'x' }));
      assertError(wrong, 401, 'invalid_client');
      assert.equal(wrong.headers['www-authenticate'], 'Basic realm="oauth2"');
      assertError(
        await form('/oauth2/token', { ...grant, client_id: machine.id, client_secret: 'x' }),
        400,
        'invalid_client',
      );
      assertError(await form('/oauth2/token', { ...grant, client_id: 'nobody' }), 400, 'invalid_client');
      assertError(await form('/oauth2/token', grant), 400, 'invalid_request');
      for (const text of [
        'Basic',
        'Basic !',
        `Basic ${btoa(':x')}`,
        `Basic ${btoa('a')}`,
        `Basic ${btoa('a:%')}`,
        'Bearer x',
      ]) {
        assertError(await form('/oauth2/token', grant, { authorization: text }), 401, 'invalid_client', text);
      }
    });

    it('use the error names of the protocol', async () => {
      const ask = (fields: Texts | string) => form('/oauth2/token', fields, basic(machine));
      assertError(await ask({ ...grant, scope: 'things/write' }), 400, 'invalid_scope');
      assertError(await ask({ ...grant, resource: 'x' }), 400, 'invalid_target');
      assertError(await ask({ grant_type: 'password' }), 400, 'unsupported_grant_type');
      assertError(await ask({ grant_type: 'toString' }), 400, 'unsupported_grant_type');
      assertError(await ask({}), 400, 'invalid_request');
      assertError(await ask('grant_type=client_credentials&grant_type=client_credentials'), 400, 'invalid_request');
      assertError(await ask('grant_type=client_credentials&scope=a%00b'), 400, 'invalid_request');
      for (const path of ['/oauth2/token', '/oauth2/revoke', '/oauth2/introspect']) {
        const json = { headers: { ...basic(machine), 'content-type': 'application/json' }, body: grant };
        assertError(await service.ask('POST', path, json), 400, 'invalid_request', path);
      }
    });

    it('introspect tokens only for a client that may', async () => {
      const { access_token: token } = (await form('/oauth2/token', grant, basic(machine))).body;
      const { status, body, headers } = await form('/oauth2/introspect', { token: String(token) }, basic(machine));
      assert.deepEqual([status, body.active, headers['cache-control']], [200, true, 'no-store']);
      assertError(await form('/oauth2/introspect', {}, basic(machine)), 400, 'invalid_request');
      const wrong = basic({ ...machine, secret: 'x' });
      assertError(await form('/oauth2/introspect', { token: String(token) }, wrong), 401, 'invalid_client');
      const open = { token: String(token), client_id: app.id };
      assertError(await form('/oauth2/introspect', open), 400, 'unauthorized_client');
    });

    it('appear in the discovery document, and do not exist without a domain or if turned off', async () => {
      const path = `/${service.userPoolId}/.well-known/openid-configuration`;
      const { body } = await service.ask('GET', path);
      assert.equal(body.token_endpoint, `${service.baseUrl}/oauth2/token`);
      const endpoints = Object.entries(body).filter(([name]) => name.endsWith('_endpoint'));
      assert.equal(endpoints.length, 8, String(endpoints));
      const settings = { oauth: false };
      for (const without of [await startPoolService({ settings }), await startPoolService({ domain: false })]) {
        assert.equal((await without.ask('POST', '/oauth2/token', { body: 'grant_type=x' })).status, 404);
        assert.equal((await without.ask('GET', '/oauth2/authorize')).status, 404);
        const found = await without.ask('GET', `/${without.userPoolId}/.well-known/openid-configuration`);
        assert.deepEqual([found.status, found.body.token_endpoint], [200, undefined]);
        await without.close();
      }
    });
  });

  describe('at sign-out', () => {
    const logout = (parameters: Texts, headers: Texts = NAVIGATION) =>
      browser.get(`/logout?${new URLSearchParams(parameters)}`, headers);

    it('end the session for a registered address, and redirect the browser there', async () => {
      assert.equal(await isSignedIn(), true);
      const to = { client_id: app.id, logout_uri: BYE };
      const stolen = browser.copy('/cognito');
      assert.equal(requireLocation(await logout(to)), BYE);
      assert.equal(browser.cookies.has('__Host-poolgate'), false);
      assert.equal(await stolen.user(), null);
      assert.equal(await isSignedIn(), false);
      assert.equal(requireLocation(await logout(to, {})), BYE, 'also where nobody is signed in');
      assert.equal(requireLocation(await logout({ ...to, state: 'x' })), `${BYE}?state=x`);
      assert.equal(
        requireLocation(await logout({ ...to, logout_uri: `${BYE}?kept=1`, state: 'x' })),
        `${BYE}?kept=1&state=x`,
      );
      assert.equal(requireLocation(await logout({ ...to, logout_uri: 'myapp://bye' })), 'myapp://bye');
      const login = new URL(
        requireLocation(await logout({ client_id: app.id, redirect_uri: CALLBACK, state: 's' })),
        service.baseUrl,
      );
      assert.equal(login.pathname, '/login');
      assert.deepEqual(Object.fromEntries(login.searchParams), {
        client_id: app.id,
        redirect_uri: CALLBACK,
        state: 's',
      });
    });

    const readIdToken = async (from = browser) =>
      String((await exchange(readParameters(await authorize({}, from)).code ?? '')).body.id_token);
    async function openBrowserOf(name: string): Promise<PageBrowser> {
      const pages = new PageBrowser(service);
      await pages.logIn(name);
      return pages.copy('');
    }

    it("read the client from an ID token that the pool signed, however old, and end only its user's session", async () => {
      const bobs = await readIdToken(await openBrowserOf(BOB));
      const own = await readIdToken();
      const to = { post_logout_redirect_uri: BYE };
      const [head, payload] = own.split('.');
      const forged = `${head}.${payload}.${'A'.repeat(342)}`;
      assert.equal((await logout({ ...to, id_token_hint: forged })).status, 400, 'it names no client');
      assert.equal((await logout({ ...to, id_token_hint: own, client_id: other.id })).status, 400);
      assert.equal(requireLocation(await logout({ ...to, id_token_hint: bobs })), BYE);
      const toLogin = { redirect_uri: CALLBACK, client_id: app.id, id_token_hint: bobs };
      assert.match(requireLocation(await logout(toLogin)), /^\/login\?/);
      assert.match((await logout({ id_token_hint: bobs })).text, /Sign out\?/);
      assert.equal(await isSignedIn(), true, 'the hint was of another user');
      service.clock.advance(61 * 60_000);
      assert.equal(requireLocation(await logout({ ...to, id_token_hint: own })), BYE);
      assert.equal(await isSignedIn(), false);
    });

    it('accept a form, and continue with GET without the ID token, so that the browser sends its cookies', async () => {
      const bobs = await readIdToken(await openBrowserOf(BOB));
      const own = await readIdToken();
      const to = { post_logout_redirect_uri: BYE, state: 'x' };
      const post = async (fields: Texts) => requireLocation(await form('/logout', { ...to, ...fields }), 303);
      const follow = async (location: string, headers: Texts = NAVIGATION) => browser.get(location, headers);
      const next = await post({ id_token_hint: own });
      assert.ok(!next.includes(own) && next.startsWith('/logout?'), next);
      assert.equal((await form('/logout', { ...to, id_token_hint: own, client_id: other.id })).status, 400);
      assert.equal(requireLocation(await follow(await post({ id_token_hint: bobs }))), `${BYE}?state=x`);
      assert.equal(await isSignedIn(), true, 'the hint was of another user');
      const frame = { ...NAVIGATION, 'sec-fetch-dest': 'iframe' };
      assert.match((await follow(next, frame)).text, /Sign out\?/, 'a frame of another site ends nothing');
      assert.match((await follow(requireLocation(await form('/logout', {}), 303))).text, /Sign out\?/);
      const evil = { client_id: app.id, post_logout_redirect_uri: 'https://evil.test/' };
      assert.equal((await follow(await post(evil))).status, 400);
      assert.equal(await isSignedIn(), true);
      assert.equal(requireLocation(await follow(next)), `${BYE}?state=x`);
      assert.equal(await isSignedIn(), false);
    });

    it('leave JSON and an empty body at that address to the API route', async () => {
      for (const sent of [{ headers: { 'content-type': 'application/json' }, body: {} }, {}]) {
        const { status, headers } = await service.ask('POST', '/logout', sent);
        assert.deepEqual([status, headers['content-type']], [401, 'application/problem+json; charset=utf-8']);
      }
    });

    it('answer an application that names its user only for that user', async () => {
      const bobs = await readIdToken(await openBrowserOf(BOB));
      const own = await readIdToken();
      const none = { prompt: 'none' };
      assert.ok(readParameters(await authorize({ ...none, id_token_hint: own })).code);
      for (const hint of [bobs, 'x.y.z']) {
        assert.equal(readParameters(await authorize({ ...none, id_token_hint: hint })).error, 'login_required', hint);
      }
      const page = new URL(requireLocation(await authorize({ id_token_hint: bobs })), service.baseUrl);
      assert.equal(page.pathname, '/cognito/login');
      service.clock.advance(1_000);
      const again = browser.copy('/cognito');
      await again.logIn(ADA);
      const refused = await again.copy('').get(page.searchParams.get('return_to') ?? '');
      assert.equal(readParameters(refused).error, 'login_required', 'another user logged in for it');
      assert.ok(await again.user(), 'who stays signed in');
    });

    it('redirect to no unregistered address, and end nothing for it', async () => {
      for (const parameters of [
        { client_id: app.id, logout_uri: 'https://evil.test/' },
        { client_id: app.id, logout_uri: CALLBACK },
        { client_id: app.id, redirect_uri: BYE },
        { client_id: 'nobody', logout_uri: BYE },
        { id_token_hint: 'x.y.z', post_logout_redirect_uri: BYE },
        { client_id: 'no\0body', logout_uri: BYE },
        { logout_uri: BYE },
      ] as Texts[]) {
        const answer = await logout(parameters);
        assert.deepEqual([answer.status, answer.headers.location], [400, undefined], JSON.stringify(parameters));
      }
      const twice = `/logout?client_id=${app.id}&logout_uri=${BYE}&logout_uri=https://evil.test`;
      assert.equal((await browser.get(twice, NAVIGATION)).status, 400);
      assert.equal(await isSignedIn(), true);
    });

    it('ask first if another page could have sent the request', async () => {
      const to = { client_id: app.id, logout_uri: BYE };
      for (const headers of [
        {},
        { ...NAVIGATION, 'sec-fetch-dest': 'iframe' },
        { ...NAVIGATION, 'sec-fetch-mode': 'no-cors' },
      ]) {
        const page = await logout(to, headers);
        assert.deepEqual([page.status, page.headers.location], [200, undefined]);
        assert.match(page.text, /Sign out\?/);
      }
      const plain = await logout({ logout_uri: '', redirect_uri: '' });
      assert.match(String(plain.headers['content-security-policy']), /form-action 'self';/);
      assert.doesNotMatch(plain.text, /name="logout_uri"/);
      assert.match((await logout({}, { ...NAVIGATION, 'accept-language': 'fr' })).text, /<html lang="fr">/);
      assert.equal(await isSignedIn(), true);
      const page = await logout({ ...to, state: 'x' }, {});
      assert.match(String(page.headers['content-security-policy']), /form-action 'self' https:\/\/app\.test;/);
      const hidden = Object.fromEntries(
        Array.from(page.text.matchAll(/name="(\w+)" value="([^"]+)"/g), ([, name = '', value = '']) => [name, value]),
      );
      const confirm = (fields: Texts, origin: string) =>
        form('/logout/confirm', fields, { ...browser.cookieHeader, origin });
      assert.equal((await confirm(hidden, 'https://evil.test')).status, 403);
      assert.equal((await confirm({ ...hidden, csrf_token: 'x' }, service.baseUrl)).status, 400);
      const ofNobody = { ...hidden, csrf_token: '' };
      assert.equal((await form('/logout/confirm', ofNobody, { origin: service.baseUrl })).status, 400);
      assert.equal((await confirm({ ...hidden, logout_uri: 'https://evil.test' }, service.baseUrl)).status, 400);
      assert.equal(await isSignedIn(), true);
      assert.equal(requireLocation(await confirm(hidden, service.baseUrl), 303), `${BYE}?state=x`);
      assert.equal(await isSignedIn(), false);
      assert.match((await logout({})).text, /You’re signed out/);
    });

    it('confirm it on a page if there is no address to redirect to', async () => {
      const page = await logout({});
      const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const done = await form('/logout/confirm', { csrf_token }, { ...browser.cookieHeader, origin: service.baseUrl });
      assert.equal(done.status, 200);
      assert.match(done.text, /You’re signed out/);
      assert.match(String(done.headers['set-cookie']), /^__Host-poolgate=;.*Max-Age=0/);
      assert.equal(await isSignedIn(), false);
    });
  });
});
