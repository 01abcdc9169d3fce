import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  CALLBACK,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  type OAuthClient,
  openSignedInBrowser,
  postForm,
  readLocation,
} from '../support/oauth/oauth-client.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { type CookieBrowser, parseSetCookies } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
const BYE = 'https://app.test/bye';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

describe('the logout endpoint', () => {
  let service: TestService;
  let client: OAuthClient;
  let browser: CookieBrowser;
  before(async () => {
    service = await startTestService();
    await addUser(service, ADA);
    client = await createOAuthClient(service, { LogoutURLs: [BYE, 'myapp://bye'] });
  });
  beforeEach(async () => {
    browser = await openSignedInBrowser(service, ADA);
  });
  after(() => service.close());

  const logout = (
    parameters: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = NAVIGATION,
  ) => browser.get(`/logout?${new URLSearchParams(parameters)}`, { ...browser.cookieHeader, ...headers });
  const isSignedIn = async () => {
    const query = createAuthorizeQuery(client, createPkce().challenge, { prompt: 'none' });
    return readLocation(await browser.get(`/oauth2/authorize?${query}`)).includes('code=');
  };

  it('ends the session at once for a registered address, and redirects the browser there', async () => {
    assert.equal(await isSignedIn(), true);
    const answer = await logout({ client_id: client.id, logout_uri: BYE });
    assert.equal(readLocation(answer), BYE);
    assert.equal(browser.cookies.has('__Host-poolgate'), false);
    // Browsers do not send this one from another site.
    const step = parseSetCookies(answer).find(({ name }) => name === '__Host-poolgate-step');
    assert.ok(step?.attributes.includes('max-age=0'));
    assert.equal(await isSignedIn(), false);
  });

  it('redirects to the login of an application, as Cognito does, and to its custom scheme', async () => {
    const again = { client_id: client.id, response_type: 'code', redirect_uri: CALLBACK, scope: 'openid', state: 's' };
    const login = new URL(readLocation(await logout(again)), service.baseUrl);
    assert.deepEqual([login.pathname, login.searchParams.get('redirect_uri')], ['/login', CALLBACK]);
    assert.equal(readLocation(await logout({ client_id: client.id, logout_uri: 'myapp://bye' })), 'myapp://bye');
  });

  it('returns the state with a redirect, asks if there is none, and requires only the client', async () => {
    const to = { client_id: client.id, post_logout_redirect_uri: BYE };
    assert.match((await logout({ state: 'x' })).text, /Sign out\?/, 'a state alone');
    assert.match((await logout({ client_id: client.id })).text, /Sign out\?/, 'no address');
    assert.equal(await isSignedIn(), true);
    assert.equal(readLocation(await logout({ ...to, state: 'x' })), `${BYE}?state=x`);
    assert.equal(await isSignedIn(), false);
    assert.equal(readLocation(await logout(to)), BYE, 'also where nobody is signed in');
  });

  it('open redirect at logout: an address that is not registered is not followed and ends nothing', async () => {
    const tricks = [
      'https://evil.test/',
      `${BYE}/`,
      `${BYE}?x`,
      'https://app.test/bye@evil.test',
      '//app.test/bye',
      'javascript:alert(1)',
      CALLBACK,
    ];
    for (const uri of tricks) {
      for (const name of ['logout_uri', 'post_logout_redirect_uri']) {
        const answer = await logout({ client_id: client.id, [name]: uri });
        assert.deepEqual([answer.status, answer.headers.location], [400, undefined], uri);
      }
    }
    const others = [
      { logout_uri: BYE },
      { client_id: 'nobody', logout_uri: BYE },
      { id_token_hint: 'x.y.z', post_logout_redirect_uri: BYE },
      { client_id: client.id, redirect_uri: 'https://evil.test/' },
    ];
    for (const parameters of others) assert.equal((await logout(parameters)).status, 400, JSON.stringify(parameters));
    const twice = `/logout?client_id=${client.id}&logout_uri=${BYE}&logout_uri=https://evil.test`;
    assert.equal((await browser.get(twice, { ...browser.cookieHeader, ...NAVIGATION })).status, 400);
    assert.equal(await isSignedIn(), true);
  });

  it('asks the user if another page could have set the address, and ends nothing before the answer', async () => {
    const images = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' };
    const frames = { ...NAVIGATION, 'sec-fetch-dest': 'iframe' };
    for (const headers of [images, frames, {}]) {
      const page = await logout({ client_id: client.id, logout_uri: BYE }, headers);
      assert.equal(page.status, 200);
      assert.match(page.text, /Sign out\?/);
      assert.equal(page.headers['x-frame-options'], 'DENY');
    }
    const page = await logout({});
    assert.match(page.text, /Sign out\?/);
    assert.equal(await isSignedIn(), true);
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const confirm = (fields: Record<string, string>, origin: string) =>
      postForm(service, '/logout/confirm', fields, { ...browser.cookieHeader, origin });
    assert.equal((await confirm({ csrf_token }, 'https://evil.test')).status, 403);
    assert.equal((await confirm({ csrf_token: 'x' }, service.baseUrl)).status, 400);
    assert.equal(
      (await confirm({ csrf_token, client_id: client.id, logout_uri: 'https://evil.test' }, service.baseUrl)).status,
      400,
    );
    assert.equal(await isSignedIn(), true);
    const done = await confirm({ csrf_token, client_id: client.id, logout_uri: BYE }, service.baseUrl);
    assert.deepEqual([done.status, done.headers.location], [303, BYE]);
    assert.equal(await isSignedIn(), false);
    assert.match((await logout({})).text, /You’re signed out/);
  });
});
