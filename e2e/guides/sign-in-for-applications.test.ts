import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { STORE_LOCATIONS, type StoreLocation } from '@poolgate/store/testing';
import * as openid from 'openid-client';
import { loadModule, readGuide } from '../support/guides/guide.ts';
import { createPrintedClient } from '../support/guides/printed-client.ts';
import { type OAuthClient, openSignedInBrowser, readLocation } from '../support/oauth/oauth-client.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { createApplicationFetch } from '../support/web/application-fetch.ts';
import type { CookieBrowser } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
/** The headers of a browser's navigation. */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

describe('the applications of the guide, with the libraries from the registry', () => {
  let place: StoreLocation | undefined;
  let service: TestService;
  let ISSUER = '';
  before(async () => {
    place = await STORE_LOCATIONS['SQLite file']?.();
    service = await startTestService({ issuer: 'base-url', databaseUrl: place?.url ?? '' });
    // The libraries use the machine's clock.
    service.clock.advance(Date.now() - service.clock.now());
    await addUser(service, ADA);
    ISSUER = `${service.baseUrl}/${service.userPoolId}`;
  });
  after(async () => {
    await service.close();
    await place?.remove();
  });

  const guide = readGuide('how-to/sign-in-for-applications');
  /** Creates the client with the command of a section. */
  const createClient = (section: string, application: string) =>
    createPrintedClient(service, place?.url ?? '', guide.command(section), application);
  const readCode = (section: string) => guide.code(section, 'ts').join('\n');

  /** The browser follows an application's link, and is redirected back. */
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
    const client = await createClient('Auth.js', 'https://app.test');
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
    const bye = `/logout?${new URLSearchParams({ client_id: client.id, logout_uri: 'https://app.test/' })}`;
    assert.equal(await visit(browser, `${service.baseUrl}${bye}`), 'https://app.test/');
    await assertLoggedOut(browser, client, 'https://app.test/auth/callback/cognito');
  });

  it('Express: login, userInfo, refresh and logout with express-openid-connect', async (t) => {
    // It listens before the application, which needs its address, so the port is fixed from the start.
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    const BASE_URL = `http://localhost:${(server.address() as AddressInfo).port}`;
    const client = await createClient('Express', BASE_URL);
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
    await assertLoggedOut(browser, client, `${BASE_URL}/callback`);
    assert.equal((await ask(`${BASE_URL}/profile`)).status, 302, 'signed out of the application too');
  });

  it('openid-client: the client of the first command in docs/reference/oauth.md, with refresh and sign-out', async () => {
    const application = 'https://app.test';
    const command = readGuide('reference/oauth').command('Get started');
    const client = await createPrintedClient(service, place?.url ?? '', command, application);
    const options = { execute: [openid.allowInsecureRequests] };
    const config = await openid.discovery(new URL(ISSUER), client.id, undefined, openid.None(), options);
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: `${application}/callback`,
      scope: 'openid email',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
    });
    const browser = await openSignedInBrowser(service, ADA);
    const back = new URL(await visit(browser, url.href));
    const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, idTokenExpected: true });
    assert.equal(tokens.claims()?.email, ADA);
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    assert.ok(refreshed.refresh_token !== undefined && refreshed.refresh_token !== tokens.refresh_token);
    const end = openid.buildEndSessionUrl(config, { post_logout_redirect_uri: `${application}/` });
    assert.equal(await visit(browser, end.href), `${application}/`);
    assert.match(await visit(browser, url.href), /\/cognito\/login\?/);
  });

  for (const [section, language, pattern] of [
    ['Apache', 'apache', /^OIDCRedirectURI http:\/\/localhost:8080(\S+)$/m],
    ['Python', 'python', /redirect_uri=f'\{APPLICATION\}(\S+)'/],
  ] as const) {
    it(`${section}: the printed command registers the addresses in the printed settings`, async () => {
      const application = 'https://app.test';
      const client = await createClient(section, application);
      const [, path = assert.fail(section)] = pattern.exec(guide.code(section, language).join('\n')) ?? [];
      const redirect_uri = `${application}${path}`;
      const browser = await openSignedInBrowser(service, ADA);
      const query = { response_type: 'code', scope: 'openid email', client_id: client.id, redirect_uri };
      const back = new URL(await visit(browser, `${service.baseUrl}/oauth2/authorize?${new URLSearchParams(query)}`));
      assert.ok(back.searchParams.has('code'), back.href);
      const page = `${application}/`;
      const bye = new URLSearchParams({ client_id: client.id, post_logout_redirect_uri: page });
      assert.equal(await visit(browser, `${service.baseUrl}/logout?${bye}`), page);
      await assertLoggedOut(browser, client, redirect_uri);
    });
  }
});
