import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser } from '@poolgate/pool/testing';
import { assertProblem, PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';

const USER = 'ada@example.com';
const HOUR_MS = 3_600_000;
const SESSION = '__Host-poolgate';
const PRE_LOGIN = '__Host-poolgate-login';
const ACCESS = 'e30.e30.e30';

describe('a request of a browser', () => {
  let service: PoolService;
  before(async () => {
    service = await startPoolService();
    await addUser(service, USER);
  });
  after(() => service.close());

  async function signedIn(): Promise<PageBrowser> {
    const browser = new PageBrowser(service);
    await browser.logIn(USER);
    return browser;
  }

  it('changes nothing unless a page of this origin sent it', async () => {
    const browser = await signedIn();
    const { origin, ...rest } = { ...browser.pageHeaders };
    const change = async (headers: Readonly<Record<string, string>>) =>
      service.ask('POST', '/cognito/user/mfa/deactivate', { body: {}, headers: { ...rest, ...headers } });
    const own = { origin: service.baseUrl };
    for (const [about, headers] of Object.entries({
      'no origin': {},
      'another origin': { origin: 'https://evil.example' },
      'an opaque origin': { origin: 'null' },
      'a longer origin': { origin: `${service.baseUrl}.evil.example` },
      'another scheme': { origin: 'ftp://localhost:3000' },
      'another site, by the browser': { 'sec-fetch-site': 'cross-site' },
      'the same site, by the browser': { 'sec-fetch-site': 'same-site' },
      'an address that was typed': { 'sec-fetch-site': 'none' },
      'what contradicts itself': { ...own, 'sec-fetch-site': 'cross-site' },
      'another loopback name': { origin: 'http://127.0.0.1:3000' },
    })) {
      assertProblem(await change(headers), [403, 'csrf_failed'], about);
    }
    for (const headers of [own, { 'sec-fetch-site': 'same-origin' }, { ...own, 'sec-fetch-site': 'same-origin' }]) {
      assert.equal((await change(headers)).status, 200, JSON.stringify(headers));
    }
    const local = { host: '127.0.0.1:3000' };
    for (const name of ['http://127.0.0.1:3000', 'https://127.0.0.1:3000']) {
      assert.equal((await change({ ...local, origin: name })).status, 200, name);
    }
    assertProblem(await change({ ...local, origin: 'http://127.0.0.1:3001' }), [403, 'csrf_failed']);
  });

  it('changes nothing without the CSRF token of its page', async () => {
    const browser = await signedIn();
    const fresh = new PageBrowser(service);
    await fresh.get('/session');
    for (const token of ['', 'x', browser.csrfToken.slice(1), `${browser.csrfToken}x`, fresh.csrfToken]) {
      assertProblem(await browser.post('/logout', {}, { 'x-csrf-token': token }), [403, 'csrf_failed'], token);
    }
    const login = { username: USER, password: 'Correct-Horse1!' };
    for (const token of ['', browser.csrfToken]) {
      assertProblem(await fresh.post('/login', login, { 'x-csrf-token': token }), [403, 'csrf_failed'], token);
    }
    const nobody = new PageBrowser(service);
    nobody.csrfToken = fresh.csrfToken;
    assertProblem(await nobody.post('/login', login), [403, 'csrf_failed'], 'without the cookie of the token');
    const token = fresh.csrfToken;
    assertProblem(
      await browser.post('/login', login, { 'x-csrf-token': token }),
      [403, 'csrf_failed'],
      'who is signed in has another one',
    );
    assert.equal((await fresh.post('/login', login)).status, 200);
  });

  it('from a page that was open for a day before the login is refused, and a reload helps', async () => {
    const browser = new PageBrowser(service);
    await browser.get('/session');
    service.clock.advance(24 * HOUR_MS - 1);
    const { csrfToken } = browser;
    await browser.get('/session');
    assert.equal(browser.csrfToken, csrfToken);
    service.clock.advance(1);
    const login = { username: USER, password: 'Correct-Horse1!' };
    assertProblem(await browser.post('/login', login), [403, 'csrf_failed']);
    await browser.logIn(USER);
    assert.ok(await browser.user());
  });

  it('has no user if its cookies are not as the service set them', async () => {
    const browser = await signedIn();
    const id = browser.cookies.get(SESSION) ?? '';
    const shown = async (cookie: string) =>
      (await service.ask('GET', '/cognito/session', { headers: { cookie } })).body.user;
    assert.ok(await shown(`a=1; ${SESSION}=${id}; b=2`));
    assert.ok(await shown(`${SESSION}=${id}`));
    for (const cookie of [
      `${SESSION}=${id}; ${SESSION}=${id}`,
      `${SESSION}=${id}; ${SESSION}=${'A'.repeat(43)}`,
      `${SESSION}=${id}x`,
      `${SESSION}=${id.slice(1)}`,
      `${SESSION}=${'A'.repeat(43)}`,
      `${SESSION}=`,
      `x${SESSION}=${id}`,
      `${SESSION}x=${id}`,
      `${SESSION}=${id}; fill=${'x'.repeat(16_384)}`,
    ]) {
      assert.equal(await shown(cookie), null, cookie.slice(0, 80));
    }
    const forged = new PageBrowser(service);
    await forged.get('/session');
    // All bits of the last character but one count, for any number of bytes.
    const altered = forged.cookies.get(PRE_LOGIN)?.replace(/.(?=.$)/, (each) => (each === 'A' ? 'B' : 'A')) ?? '';
    forged.cookies.set(PRE_LOGIN, altered);
    assertProblem(await forged.post('/login', { username: USER, password: 'x' }), [403, 'csrf_failed']);
  });

  it('contains no token, in the header, the query or the body', async () => {
    const browser = await signedIn();
    for (const scheme of ['Bearer', 'bearer', 'DPoP', 'AWS4-HMAC-SHA256']) {
      const answer = await browser.get('/user/profile', { authorization: `${scheme} ${ACCESS}` });
      assertProblem(answer, [400, 'malformed_request'], scheme);
    }
    assertProblem(await browser.get(`/user/profile?access_token=${ACCESS}`), [400, 'malformed_request']);
    assertProblem(await browser.post('/passkey/start', { access_token: ACCESS }), [400, 'malformed_request']);
    assert.equal((await browser.get('/user/profile', { authorization: 'Basic YTpi' })).status, 200);
    assert.equal((await browser.get('/user/profile')).status, 200);
  });

  it('gets a 401 that says whether no user was signed in or a session has ended, and what a cookie is for', async () => {
    const nobody = await new PageBrowser(service).get('/user/profile');
    assertProblem(nobody, [401, 'unauthenticated']);
    assert.match(nobody.text, /No user is signed in/);
    assert.equal(nobody.headers['www-authenticate'], `Cookie realm="session", cookie-name="${SESSION}"`);
    const browser = await signedIn();
    service.clock.advance(HOUR_MS);
    const ended = await browser.get('/user/profile');
    assertProblem(ended, [401, 'unauthenticated']);
    assert.match(ended.text, /The session has ended/);
    assert.equal(browser.cookies.has(SESSION), false);
  });

  it('finds no admin route, and no change with GET', async () => {
    const browser = await signedIn();
    for (const path of ['/admin/users', '/admin/audit', '/healthz', '/openapi.json']) {
      assertProblem(await browser.get(path), [404, 'not_found'], path);
    }
    for (const path of ['/logout', '/user/mfa/activate', '/passkey/start']) {
      assertProblem(await browser.get(path), [405, 'method_not_allowed'], path);
    }
  });

  it('that deletes the account ends the session', async () => {
    const name = 'gone@example.com';
    await addUser(service, name);
    const browser = new PageBrowser(service);
    await browser.logIn(name);
    const stolen = browser.copy();
    const answer = await service.ask('DELETE', '/cognito/user', {
      headers: browser.pageHeaders,
      body: { confirm: true },
    });
    assert.equal(answer.status, 200, answer.text);
    assert.match(String(answer.headers['set-cookie']), /__Host-poolgate=; .*Max-Age=0/);
    assert.equal(await stolen.user(), null);
  });
});
