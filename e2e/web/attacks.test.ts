import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isUnderWebPrefix, listAddresses, ROUTES, type Route, WEB_ROUTES } from '@poolgate/contract';
import type { Exchange } from '../support/requests/exchange.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

type Headers = Readonly<Record<string, string>>;

interface WebAddress {
  readonly method: string;
  readonly path: string;
  readonly guard: Route['guard'];
}

/** Every address under the prefix of browser sessions. */
const ADDRESSES: readonly WebAddress[] = [
  ...Object.values<Route>(ROUTES).flatMap((route) =>
    listAddresses(route)
      .filter((address) => isUnderWebPrefix(route, address))
      .map(({ method, path }) => ({ method, path, guard: route.guard })),
  ),
  ...Object.values<Route>(WEB_ROUTES).flatMap((route) =>
    (route.mount === 'web' ? listAddresses(route) : []).map(({ method, path }) => ({
      method,
      path,
      guard: route.guard,
    })),
  ),
].map(({ path, ...rest }) => ({ ...rest, path: path.replaceAll(/\{\w+\}/g, 'x') }));

const CHANGES = ADDRESSES.filter(({ method }) => method !== 'GET');
const MARKUP = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`;

describe('attacks on browser sessions', () => {
  let service: TestService;
  let users = 0;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  async function somebody(): Promise<string> {
    users += 1;
    const email = `attacked-${users}@example.com`;
    await addUser(service, email);
    return email;
  }

  async function signedIn(): Promise<CookieBrowser> {
    const browser = new CookieBrowser(service);
    await browser.logIn(await somebody());
    return browser;
  }

  /** What a page of another site makes a browser send, or a page without the token. */
  function forgeries(browser: CookieBrowser, otherToken: string): Readonly<Record<string, Headers>> {
    const { origin = '', ...page } = browser.pageHeaders;
    const { 'x-csrf-token': _, ...withoutToken } = browser.pageHeaders;
    const { port } = new URL(service.baseUrl);
    return {
      'no origin': page,
      'another origin': { ...page, origin: 'https://evil.example' },
      'an opaque origin': { ...page, origin: 'null' },
      'another port of the host': { ...page, origin: origin.replace(port, '1') },
      'another scheme': { ...page, origin: origin.replace('http:', 'https:').replace(port, '443') },
      'a host that begins alike': { ...page, origin: `${origin}.evil.example` },
      'an origin with a path': { ...page, origin: `${origin}/` },
      'another site by its metadata': { ...page, 'sec-fetch-site': 'cross-site' },
      'a sibling by its metadata': { ...page, 'sec-fetch-site': 'same-site' },
      'metadata that contradict the origin': { ...page, origin, 'sec-fetch-site': 'cross-site' },
      'no token': withoutToken,
      'an empty token': { ...withoutToken, 'x-csrf-token': '' },
      'a token of another session': { ...withoutToken, 'x-csrf-token': otherToken },
      'a token with a byte more': { ...withoutToken, 'x-csrf-token': `${browser.csrfToken}A` },
    };
  }

  it('CSRF: a page of another site, or one without the token, changes nothing', async () => {
    const browser = await signedIn();
    const other = await signedIn();
    assert.ok(CHANGES.length > 35);
    for (const [name, headers] of Object.entries(forgeries(browser, other.csrfToken))) {
      for (const { method, path } of CHANGES) {
        const answer = await service.ask(method, `/cognito${path}`, { headers, body: {} });
        assertProblem(answer, 403, 'csrf_failed', `${name}: ${method} ${path}`);
        assert.equal(answer.headers['set-cookie'], undefined, `${name}: ${method} ${path}`);
      }
    }
    assert.equal((await browser.get('/user/profile')).status, 200);
    assert.equal((await browser.post('/logout')).status, 200, 'the page itself can');
  });

  it('CSRF: Sec-Fetch-Site replaces an origin that a browser does not send', async () => {
    const browser = await signedIn();
    const { origin: _, ...headers } = browser.pageHeaders;
    const answer = await browser.post('/logout', {}, { ...headers, 'sec-fetch-site': 'same-origin' });
    assert.equal(answer.status, 200, answer.text);
  });

  it('a form of another site logs in no user, in a new browser or a known one', async () => {
    const email = await somebody();
    const visited = new CookieBrowser(service);
    await visited.session();
    const form = `username=${encodeURIComponent(email)}&password=${encodeURIComponent(PASSWORD)}`;
    for (const cookies of [{}, visited.cookieHeader]) {
      for (const [type, body] of [
        ['application/x-www-form-urlencoded', form],
        ['text/plain', JSON.stringify({ username: email, password: PASSWORD })],
        ['multipart/form-data; boundary=x', `--x--`],
        ['application/json', JSON.stringify({ username: email, password: PASSWORD })],
      ] as const) {
        for (const from of [{ origin: 'https://evil.example' }, {}] as const) {
          const headers = { ...cookies, ...from, 'content-type': type };
          const answer = await service.ask('POST', '/cognito/login', { headers, body });
          assertProblem(answer, 403, 'csrf_failed', type);
          assert.equal(answer.headers['set-cookie'], undefined);
        }
      }
    }
  });

  it('the token of one browser before its login is refused in another one', async () => {
    const [victim, attacker] = [new CookieBrowser(service), new CookieBrowser(service)];
    await victim.session();
    await attacker.session();
    const headers = { ...victim.pageHeaders, 'x-csrf-token': attacker.csrfToken };
    const login = { username: await somebody(), password: PASSWORD };
    assertProblem(await victim.post('/login', login, headers), 403, 'csrf_failed');
    const invented = { ...victim.pageHeaders, cookie: `__Host-poolgate-login=${'A'.repeat(200)}` };
    assertProblem(await victim.post('/login', login, invented), 403, 'csrf_failed');
    service.clock.advance(24 * 3_600_000);
    assertProblem(await victim.post('/login', login), 403, 'csrf_failed', 'a page that stayed open for a day');
    await victim.logIn(login.username);
  });

  it('the ID and the CSRF token change at login, step-up and logout, and the earlier ones are invalid', async () => {
    const email = await somebody();
    const browser = new CookieBrowser(service);
    await browser.session();
    const planted = 'A'.repeat(43);
    browser.cookies.set('__Host-poolgate', planted);
    const seen = new Set([planted]);
    const tokens = new Set([browser.csrfToken]);
    const acts = [
      () => browser.logIn(email),
      () => browser.post('/session/step-up', { password: PASSWORD }),
      () => browser.logIn(email),
      () => browser.post('/session/step-up', { password: PASSWORD }),
    ];
    for (const act of acts) {
      const before = browser.at(service);
      assert.equal((await act()).status, 200);
      const id = browser.cookies.get('__Host-poolgate') ?? '';
      assert.ok(!seen.has(id) && !tokens.has(browser.csrfToken));
      seen.add(id);
      tokens.add(browser.csrfToken);
      assertProblem(await before.get('/user/profile'), 401, 'unauthenticated');
    }
    assert.equal((await browser.post('/logout')).status, 200);
    await browser.session();
    assert.ok(!tokens.has(browser.csrfToken));
    for (const id of seen) {
      const headers = { cookie: `__Host-poolgate=${id}` };
      assertProblem(await service.get('/cognito/user/profile', headers), 401, 'unauthenticated');
    }
  });

  it("a login over another user's planted session gets a new session, and the planted one ends", async () => {
    const attacker = await signedIn();
    const victim = attacker.at(service);
    const email = await somebody();
    const answer = await victim.logIn(email);
    assert.equal((answer.body.user as { email: string }).email, email);
    assertProblem(await attacker.get('/user/profile'), 401, 'unauthenticated');
  });

  it('a tossed cookie of the same name never wins, before or after the real one', async () => {
    const [victim, attacker] = [await signedIn(), await signedIn()];
    const [own, tossed] = [victim, attacker].map(({ cookies }) => `__Host-poolgate=${cookies.get('__Host-poolgate')}`);
    for (const cookie of [`${own}; ${tossed}`, `${tossed}; ${own}`, `${own};${own}`, `a=b; ${tossed};  ${own}`]) {
      assertProblem(await service.get('/cognito/user/profile', { cookie }), 401, 'unauthenticated', cookie);
      const headers = { ...attacker.pageHeaders, cookie };
      assertProblem(await service.ask('POST', '/cognito/logout', { headers, body: {} }), 401, 'unauthenticated');
    }
    const alike = `poolgate=1; __host-poolgate=2; x__Host-poolgate=3; __Host-poolgate2=4; ${own}`;
    assert.equal((await service.get('/cognito/user/profile', { cookie: alike })).status, 200);
    assert.equal((await attacker.get('/user/profile')).status, 200);
  });

  it('a cookie that is malformed, endless or of another kind gives no access and breaks nothing', async () => {
    const good = (await signedIn()).cookies.get('__Host-poolgate') ?? '';
    const ids = [
      '',
      '=',
      good.slice(1),
      `${good}A`,
      `"${good}"`,
      '../../etc',
      '%00',
      'é',
      good.toLowerCase(),
      'A'.repeat(9000),
    ];
    for (const id of ids) {
      for (const name of ['__Host-poolgate', '__Host-poolgate-login']) {
        const headers = { cookie: `${name}=${Buffer.from(id).toString('latin1')}` };
        const { status, body, text } = await service.get('/cognito/session', headers);
        assert.deepEqual([status, body.user], [200, null], `${name}=${id} ${text}`);
      }
    }
  });

  it('open redirect: a page gets no other target, whatever the host header says', async () => {
    const targets = [
      '//evil.example',
      '/\\evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
    ];
    for (const to of targets) {
      for (const headers of [{}, { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }] as Headers[]) {
        const answer = await service.get(`/cognito/session?return_to=${encodeURIComponent(to)}`, headers);
        assert.equal(answer.body.return_to, null, to);
      }
    }
    const own = await service.get('/cognito/session?return_to=/account', { 'x-forwarded-host': 'evil.example' });
    assert.equal(own.body.return_to, `${service.baseUrl}/account`);
    assertProblem(await service.get('/cognito/session?return_to='), 422, 'validation_failed');
  });

  it('host header: another host is refused, and appears in no response', async () => {
    for (const path of ['/session', '/user/profile', '/nowhere']) {
      const answer = await service.get(`/cognito${path}`, { host: 'evil.example' });
      assert.ok(answer.status === 421 || answer.status === 404, `${path} ${answer.status}`);
      assert.doesNotMatch(`${answer.text}${JSON.stringify(answer.headers)}`, /evil\.example/);
    }
    const { cookies } = await signedIn();
    const headers = {
      host: 'evil.example',
      origin: 'http://evil.example',
      cookie: `__Host-poolgate=${cookies.get('__Host-poolgate')}`,
    };
    const answer = await service.ask('POST', '/cognito/logout', { headers, body: {} });
    assert.ok(answer.status === 421 || answer.status === 403, answer.text);
  });

  it('markup in names, attributes, paths and queries comes back as data, and no response can be a page', async () => {
    const browser = await signedIn();
    assert.equal((await browser.ask('PATCH', '/user/profile', { attributes: { given_name: MARKUP } })).status, 200);
    service.clock.advance(10_000);
    await browser.post('/token/refresh');
    const query = `?return_to=${encodeURIComponent(MARKUP)}&x=${encodeURIComponent(MARKUP)}`;
    const answers = [
      await browser.session(),
      await browser.get('/user/profile'),
      await browser.get(`/session${query}`),
      await browser.get(`/nowhere/${encodeURIComponent(MARKUP)}${query}`),
      await browser.post('/login', { username: MARKUP, password: MARKUP }),
      await browser.post('/challenge', { challenge_name: MARKUP, session: MARKUP }),
      await browser.ask('DELETE', `/user/sessions/${encodeURIComponent(MARKUP)}`, {}),
    ];
    assert.equal((answers[0]?.body.user as { attributes: Headers } | undefined)?.attributes.given_name, MARKUP);
    for (const answer of answers) assertInert(answer);
  });

  it('clickjacking and caches: no response under the prefix can be framed or cached', async () => {
    const browser = await signedIn();
    for (const { method, path } of ADDRESSES) {
      const anonymous = await service.ask(method, `/cognito${path}`, method === 'GET' ? {} : { body: {} });
      assertInert(anonymous);
      if (method === 'GET') assertInert(await browser.get(path));
    }
    for (const path of ['/nowhere', '/', '/admin/users']) assertInert(await browser.get(path));
    const preflight = await service.ask('OPTIONS', '/cognito/session', { headers: { origin: 'https://evil.example' } });
    assert.equal(preflight.headers['access-control-allow-origin'], undefined);
  });

  function assertInert({ headers, status, text }: Exchange): void {
    const about = `${status} ${text.slice(0, 80)}`;
    if (status !== 204) assert.match(String(headers['content-type']), /^application\/(?:problem\+)?json/, about);
    assert.equal(headers['x-content-type-options'], 'nosniff', about);
    assert.equal(headers['x-frame-options'], 'DENY', about);
    assert.equal(headers['cache-control'], 'no-store', about);
    assert.equal(headers['referrer-policy'], 'no-referrer', about);
    const policy = String(headers['content-security-policy']);
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/, about);
    assert.doesNotMatch(policy, /unsafe|\*/, about);
    assert.equal(headers['access-control-allow-origin'], undefined, about);
  }

  it('each of a hundred parallel browsers sees only its own user', async () => {
    const browsers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const email = await somebody();
        const browser = new CookieBrowser(service);
        await browser.logIn(email);
        return { email, browser };
      }),
    );
    const looks = browsers.flatMap((each) => Array.from({ length: 5 }, () => each));
    const answers = await Promise.all(looks.map(({ browser }) => browser.session()));
    for (const [index, { body }] of answers.entries()) {
      assert.equal((body.user as { email: string }).email, looks[index]?.email);
    }
  });

  it('pages of other origins that may use the routes with tokens cannot use them with cookies', async (t) => {
    const open = await startTestService({ corsOrigins: ['https://app.example.com'] });
    t.after(() => open.close());
    const headers = { origin: 'https://app.example.com' };
    const withTokens = await open.get('/login/parameters', headers);
    assert.equal(withTokens.headers['access-control-allow-origin'], 'https://app.example.com');
    const withCookies = await open.get('/cognito/session', headers);
    assert.equal(withCookies.headers['access-control-allow-origin'], undefined);
    assert.equal(withCookies.headers['access-control-allow-credentials'], undefined);
  });
});
