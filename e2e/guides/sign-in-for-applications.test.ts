import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { loadModule, readGuide } from '../support/guides/guide.ts';
import {
  CALLBACK,
  createOAuthClient,
  type OAuthClient,
  openSignedInBrowser,
  readLocation,
} from '../support/oauth/oauth-client.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { createApplicationFetch } from '../support/web/application-fetch.ts';
import type { CookieBrowser } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
/** What a browser sends with a navigation. */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

describe('the applications of the guide, with the libraries as they come from the registry', () => {
  let service: TestService;
  let ISSUER = '';
  before(async () => {
    service = await startTestService({ issuer: 'base-url' });
    // The libraries read the clock of the machine.
    service.clock.advance(Date.now() - service.clock.now());
    await addUser(service, ADA);
    ISSUER = `${service.baseUrl}/${service.userPoolId}`;
  });
  after(() => service.close());

  const guide = readGuide('sign-in-for-applications');
  const readCode = (section: string) => guide.code(section, 'ts').join('\n');

  /** The browser follows the link of an application, and is sent back. */
  async function visit(browser: CookieBrowser, url: string | null): Promise<string> {
    const { pathname, search } = new URL(url ?? '');
    return readLocation(await browser.get(`${pathname}${search}`, { ...browser.cookieHeader, ...NAVIGATION }));
  }

  async function assertLoggedOut(browser: CookieBrowser, { id: client_id }: OAuthClient, redirect_uri: string) {
    const query = { prompt: 'none', response_type: 'code', scope: 'openid', client_id, redirect_uri };
    const back = new URL(await visit(browser, `${service.baseUrl}/oauth2/authorize?${new URLSearchParams(query)}`));
    assert.equal(back.searchParams.get('error'), 'login_required');
  }

  it('Auth.js: the Cognito provider', async () => {
    const callback = 'https://app.test/auth/callback/cognito';
    const client = await createOAuthClient(service, { GenerateSecret: true, CallbackURLs: [callback, CALLBACK] });
    Object.assign(process.env, {
      AUTH_SECRET: 'a secret of the application, long enough',
      AUTH_COGNITO_ID: client.id,
      AUTH_COGNITO_SECRET: client.secret,
      AUTH_COGNITO_ISSUER: ISSUER,
    });
    const { answer } = await loadModule<{ answer(request: Request): Promise<Response> }>(readCode('Auth.js'));
    const ask = createApplicationFetch(answer);
    const json = async (path: string) => (await ask(`https://app.test${path}`)).json();
    const { csrfToken } = (await json('/auth/csrf')) as { csrfToken: string };
    const signIn = await ask('https://app.test/auth/signin/cognito', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrfToken }).toString(),
    });
    const browser = await openSignedInBrowser(service, ADA);
    const done = await ask(await visit(browser, signIn.headers.get('location')));
    assert.equal(done.headers.get('location'), 'https://app.test', done.headers.get('location') ?? '');
    const session = (await json('/auth/session')) as { user: { email: string } };
    assert.equal(session.user.email, ADA);
    const bye = `/logout?${new URLSearchParams({ client_id: client.id, logout_uri: 'https://app.test/bye' })}`;
    assert.equal(await visit(browser, `${service.baseUrl}${bye}`), 'https://app.test/bye');
    await assertLoggedOut(browser, client, CALLBACK);
  });

  it('Express: login, userInfo, refresh and logout by express-openid-connect', async (t) => {
    // It listens before the application is there, which is told its address: the port is its own from the first.
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const BASE_URL = `http://localhost:${(server.address() as AddressInfo).port}`;
    const callback = `${BASE_URL}/callback`;
    const client = await createOAuthClient(service, {
      GenerateSecret: true,
      CallbackURLs: [callback],
      LogoutURLs: [BASE_URL],
    });
    const secrets = { CLIENT_SECRET: client.secret, SECRET: 'a secret of the application, long enough' };
    Object.assign(process.env, { ISSUER, BASE_URL, CLIENT_ID: client.id, ...secrets });
    const { app } = await loadModule<{ app: RequestListener }>(readCode('Express'));
    server.on('request', app);
    const ask = createApplicationFetch();
    const browser = await openSignedInBrowser(service, ADA);
    const asked = await ask(`${BASE_URL}/profile`);
    const done = await ask(await visit(browser, asked.headers.get('location')));
    assert.equal(done.headers.get('location'), '/profile', await done.text());
    const profile = (await (await ask(`${BASE_URL}/profile`)).json()) as { email: string };
    assert.equal(profile.email, ADA);
    const renewed = await ask(`${BASE_URL}/renew`);
    assert.deepEqual([renewed.status, await renewed.json()], [200, { expires_in: 3_600 }]);
    const out = await ask(`${BASE_URL}/logout`);
    assert.equal(await visit(browser, out.headers.get('location')), BASE_URL);
    await assertLoggedOut(browser, client, callback);
    assert.equal((await ask(`${BASE_URL}/profile`)).status, 302, 'signed out of the application too');
  });
});
