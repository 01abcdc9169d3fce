import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, TEST_CALL } from '@poolgate/pool/testing';
import { ProviderError } from '@poolgate/provider';
import { assertProblem, PageBrowser, parseSetCookies } from '../../testing/page-browser.ts';
import { type PoolService, type PoolServiceResponse, startPoolService } from '../../testing/pool-service.ts';

const APP = 'https://app.example.com';
const OTHER_APP = 'https://other.example.com';
const CALLBACK = '/.poolgate/callback';
const MADE_UP = `${CALLBACK}?ticket=${'x'.repeat(43)}`;
const TOLD = ['sub', 'username', 'email', 'email-verified', 'groups'].map((name) => `x-poolgate-${name}`);

type Headers = Readonly<Record<string, string>>;

let addresses = 0;
/** Few warnings are written per network. */
function newAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses % 256}`;
}

/** A browser at an application behind a proxy that calls the service. */
class AppPage {
  readonly cookies = new Map<string, string>();
  readonly #service: PoolService;
  readonly #origin: URL;
  readonly #address = newAddress();

  constructor(service: PoolService, origin = APP, cookies: Iterable<[string, string]> = []) {
    this.#service = service;
    this.#origin = new URL(origin);
    this.cookies = new Map(cookies);
  }

  open(uri: string, more: Headers = {}, query = '?redirect=1'): Promise<PoolServiceResponse> {
    return this.#ask(`/cognito/forward-auth${query}`, {
      'x-forwarded-host': this.#origin.host,
      'x-forwarded-uri': uri,
      'x-forwarded-method': 'GET',
      ...more,
    });
  }

  /** Opens a callback address, which the proxy routes to the service. */
  comeBack(uri: string, more: Headers = {}): Promise<PoolServiceResponse> {
    return this.#ask(uri, { host: this.#origin.host, ...more });
  }

  async #ask(url: string, more: Headers): Promise<PoolServiceResponse> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#service.ask('GET', url, {
      headers: {
        'x-forwarded-proto': this.#origin.protocol.slice(0, -1),
        'x-forwarded-for': this.#address,
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...more,
      },
    });
    for (const { name, value, attributes } of parseSetCookies(answer)) {
      if (attributes.includes('max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  get isSignedIn(): boolean {
    return this.cookies.has('__Host-poolgate-app');
  }
}

function requireLocation({ status, headers, text }: PoolServiceResponse): string {
  assert.equal(status, 302, text);
  return String(headers.location);
}

const toPath = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');

/** No user is let in, and none is named. */
function assertOut(answer: PoolServiceResponse, about = ''): void {
  assert.equal(answer.status, 401, `${about} ${answer.text}`);
  for (const name of TOLD) assert.equal(answer.headers[name], '', `${about} ${name}`);
}

/** A page with a refusal, without a cookie. */
function assertRefused(answer: PoolServiceResponse, about = ''): void {
  assert.equal(answer.status, 403, `${about} ${answer.text}`);
  assert.match(String(answer.headers['content-type']), /^text\/html/, about);
  assert.deepEqual(parseSetCookies(answer), [], about);
}

describe('forward authentication', () => {
  let service: PoolService;
  let users = 0;
  let mayReadGroups = true;
  const lines: string[] = [];
  before(async () => {
    const settings = { trustedProxies: ['127.0.0.1/32'], returnOrigins: [APP, OTHER_APP], logLevel: 'warn' } as const;
    service = await startPoolService({
      settings,
      logStream: { write: (line) => void lines.push(line) },
      wrap: (operations) => ({
        ...operations,
        async adminListGroupsForUser(...asked) {
          if (!mayReadGroups) throw new ProviderError('AccessDeniedException', 'no right');
          return await operations.adminListGroupsForUser(...asked);
        },
      }),
    });
    for (const GroupName of ['staff', 'München·Süd']) {
      await service.operations.createGroup({ UserPoolId: service.userPoolId, GroupName }, TEST_CALL);
    }
  });
  after(() => service.close());

  /** The warnings in the log since the last call. */
  const warnings = (): readonly { readonly host?: string; readonly msg: string }[] =>
    lines.splice(0).map((line) => JSON.parse(line) as { host?: string; msg: string });

  const inGroup = (email: string, GroupName: string) => ({
    UserPoolId: service.userPoolId,
    Username: email,
    GroupName,
  });

  async function signedIn(groups: readonly string[] = []) {
    users += 1;
    const email = `forwarded-${users}@example.com`;
    const sub = await addUser(service, email);
    for (const group of groups) await service.operations.adminAddUserToGroup(inGroup(email, group), TEST_CALL);
    const browser = new PageBrowser(service);
    await browser.logIn(email);
    return { browser, email, sub };
  }

  /** The callback with a ticket for a browser that started at an application. */
  async function ticketFor(browser: PageBrowser, app: AppPage, uri = '/x'): Promise<string> {
    const start = requireLocation(await app.open(uri));
    return toPath(requireLocation(await browser.open(toPath(start).replace(/^\/cognito/, ''))));
  }

  async function signedInAt(browser: PageBrowser, origin = APP): Promise<AppPage> {
    const app = new AppPage(service, origin);
    const back = await ticketFor(browser, app, '/deep?q=1');
    assert.equal(requireLocation(await app.comeBack(back)), `${origin}/deep?q=1`);
    assert.equal((await app.open('/deep?q=1')).status, 204);
    return app;
  }

  it('names the signed-in user at its own host, in headers for any text, and no user without a session', async () => {
    const { browser, email, sub } = await signedIn(['staff', 'München·Süd']);
    const { status, text, headers } = await browser.get('/forward-auth');
    assert.deepEqual([status, text], [204, '']);
    const [toldSub, username, toldEmail, isVerified, groups] = TOLD.map((name) => String(headers[name]));
    assert.deepEqual([toldSub, username, toldEmail, isVerified], [sub, sub, encodeURIComponent(email), 'true']);
    assert.deepEqual(groups?.split(',').toSorted(), ['M%C3%BCnchen%C2%B7S%C3%BCd', 'staff']);
    assertOut(await new PageBrowser(service).get('/forward-auth'));
    await browser.post('/logout');
    assertOut(await browser.get('/forward-auth'));
  });

  it("overwrites the client's headers about itself, and accepts no token as its own", async () => {
    const { browser, email } = await signedIn();
    const forged = Object.fromEntries(TOLD.map((name) => [name, 'admin']));
    const answer = await browser.get('/forward-auth', { ...forged, authorization: 'Bearer of-the-application' });
    assert.deepEqual(
      [answer.headers['x-poolgate-email'], answer.headers['x-poolgate-groups']],
      [encodeURIComponent(email), ''],
    );
    assertOut(await new PageBrowser(service).get('/forward-auth', forged));
  });

  it('lets members of any required group in', async () => {
    const { browser } = await signedIn(['staff']);
    const ask = (group: string) => browser.get(`/forward-auth?group=${encodeURIComponent(group)}`);
    for (const group of ['staff', 'boss,staff', ' staff ,x']) assert.equal((await ask(group)).status, 204, group);
    for (const group of ['boss', 'Staff', 'staf', ',']) {
      const refused = await ask(group);
      assertProblem(refused, [403, 'forbidden'], group);
      for (const name of TOLD) assert.equal(refused.headers[name], '', name);
    }
  });

  it('forwards no unverified address', async () => {
    const { email, sub } = await signedIn();
    const changed = { UserPoolId: service.userPoolId, Username: email };
    const UserAttributes = [
      { Name: 'email', Value: 'ceo@example.com' },
      { Name: 'email_verified', Value: 'false' },
    ];
    await service.operations.adminUpdateUserAttributes({ ...changed, UserAttributes }, TEST_CALL);
    const browser = new PageBrowser(service);
    await browser.logIn(sub);
    const { status, headers } = await browser.get('/forward-auth');
    assert.deepEqual(
      [status, ...TOLD.map((name) => headers[name])],
      [204, sub, sub, '', 'false', ''],
      'the application is told no address',
    );
    assert.deepEqual(await browser.user().then((user) => Object(user).email_verified), false);
  });

  it('uses the groups in the pool, not those in the tokens', async () => {
    const { browser, email } = await signedIn(['staff']);
    await service.operations.adminRemoveUserFromGroup(inGroup(email, 'staff'), TEST_CALL);
    await service.operations.adminAddUserToGroup(inGroup(email, 'München·Süd'), TEST_CALL);
    assert.deepEqual(Object(await browser.user()).groups, ['staff'], 'the tokens are older');
    assertProblem(await browser.get('/forward-auth?group=staff'), [403, 'forbidden']);
    const inside = await browser.get(`/forward-auth?group=${encodeURIComponent('München·Süd')}`);
    assert.deepEqual([inside.status, inside.headers['x-poolgate-groups']], [204, encodeURIComponent('München·Süd')]);
  });

  it('cannot forward groups if the service may not read them, and logs that', async () => {
    const { browser } = await signedIn(['staff']);
    warnings();
    mayReadGroups = false;
    assertProblem(await browser.get('/forward-auth?group=staff'), [403, 'forbidden']);
    assert.equal((await browser.get('/forward-auth')).headers['x-poolgate-groups'], '');
    mayReadGroups = true;
    assert.match(warnings()[0]?.msg ?? '', /cannot pass on groups.*AdminListGroupsForUser/);
  });

  it('signs a browser in at another host with one callback, whose address shows only the ticket', async () => {
    const { browser, sub } = await signedIn();
    const app = new AppPage(service);
    const begun = await app.open('/deep?q=1');
    const start = new URL(requireLocation(begun));
    assert.equal(start.origin + start.pathname, `${service.baseUrl}/cognito/forward-auth/start`);
    assert.equal(start.searchParams.get('return_to'), `${APP}/deep?q=1`);
    assert.match(start.searchParams.get('browser') ?? '', /^[0-9a-f]{64}$/);
    const [kept] = parseSetCookies(begun);
    assert.deepEqual([kept?.name, kept?.attributes.at(-1)], ['__Host-poolgate-return', 'max-age=3600']);
    assert.match(kept?.value ?? '', /^[\w-]{43}$/);
    for (const name of TOLD) assert.equal(begun.headers[name], '', name);
    const back = new URL(requireLocation(await browser.open(`/forward-auth/start${start.search}`)));
    assert.match(back.href, /^https:\/\/app\.example\.com\/\.poolgate\/callback\?ticket=[\w-]{43}$/);
    const token = { authorization: 'Bearer of-the-application' };
    const arrived = await app.comeBack(back.pathname + back.search, token);
    assert.equal(requireLocation(arrived), `${APP}/deep?q=1`);
    const appCookie = parseSetCookies(arrived).find(({ name }) => name === '__Host-poolgate-app');
    assert.deepEqual(appCookie?.attributes, ['path=/', 'secure', 'httponly', 'samesite=lax']);
    assert.equal(app.cookies.has('__Host-poolgate-return'), false);
    const inside = await app.open('/deep?q=1');
    assert.deepEqual([inside.status, inside.headers['x-poolgate-sub']], [204, sub]);
  });

  it('lets a browser in at the application that it came from, and at no other', async () => {
    const { browser } = await signedIn();
    const app = await signedInAt(browser);
    const other = new AppPage(service, OTHER_APP, app.cookies);
    assertOut(await other.open('/', { accept: 'application/json' }));
    const begun = new AppPage(service);
    const uri = await ticketFor(browser, begun);
    const elsewhere = new AppPage(service, OTHER_APP, begun.cookies);
    assertRefused(await elsewhere.comeBack(uri));
    assertRefused(await begun.comeBack(uri), 'spent at the other application');
    assert.equal(
      (await browser.get('/forward-auth', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost' })).status,
      204,
    );
  });

  it('accepts a ticket once, within a minute', async () => {
    const { browser } = await signedIn();
    const used = new AppPage(service);
    const first = await ticketFor(browser, used);
    const replayed = new AppPage(service, APP, used.cookies);
    await used.comeBack(first);
    assert.ok(used.isSignedIn);
    assertRefused(await replayed.comeBack(first), 'twice');
    const late = new AppPage(service);
    const old = await ticketFor(browser, late);
    service.clock.advance(60_000);
    assertRefused(await late.comeBack(old), 'too late');
    const inTime = new AppPage(service);
    const young = await ticketFor(browser, inTime);
    service.clock.advance(59_999);
    await inTime.comeBack(young);
    assert.ok(inTime.isSignedIn, 'in time');
  });

  it('refuses a browser without the matching cookie, after it has consumed the ticket', async () => {
    const { browser } = await signedIn();
    const victims: Readonly<Record<string, () => Promise<AppPage>>> = {
      'that keeps no cookies': async () => new AppPage(service),
      'that has begun itself': async () => {
        const begun = new AppPage(service);
        await begun.open('/own');
        return begun;
      },
      'that is signed in': async () => signedInAt(browser),
    };
    for (const [about, victimOf] of Object.entries(victims)) {
      const thief = new AppPage(service);
      const uri = await ticketFor(browser, thief, '/of-the-thief');
      const victim = await victimOf();
      const cookies = new Map(victim.cookies);
      const refused = await victim.comeBack(uri);
      assertRefused(refused, about);
      assert.deepEqual(victim.cookies, cookies, about);
      // It continues automatically only if the browser keeps cookies, to avoid an endless loop.
      assert.equal(refused.headers.refresh, cookies.size === 0 ? undefined : `0; url=${APP}/of-the-thief`, about);
      assertRefused(await thief.comeBack(uri), `${about}: the ticket is spent`);
    }
  });

  it('signs in a browser whose tabs start at the same time', async () => {
    const { browser } = await signedIn();
    const [one, two] = [new AppPage(service), new AppPage(service)];
    const [first, second] = [await ticketFor(browser, one, '/one'), await ticketFor(browser, two, '/two')];
    // Both responses reach the browser, and the second cookie replaces the first.
    const tabs = new AppPage(service, APP, two.cookies);
    const refused = await tabs.comeBack(first);
    assert.equal(refused.headers.refresh, `0; url=${APP}/one`);
    assert.equal(requireLocation(await tabs.comeBack(second)), `${APP}/two`);
    assert.equal((await tabs.open('/one')).status, 204);
    const later = new AppPage(service);
    const third = await ticketFor(browser, later, '/three');
    const fourth = await ticketFor(browser, later, '/four');
    assert.equal(
      requireLocation(await later.comeBack(third)),
      `${APP}/three`,
      'a tab that began later keeps the cookie',
    );
    assert.equal((await later.comeBack(fourth)).headers.refresh, `0; url=${APP}/four`);
    assert.equal((await later.open('/four')).status, 204);
  });

  it('consumes a ticket that a proxy forwards because it lacks the route, and logs what is missing', async () => {
    const { browser } = await signedIn();
    const asked: Readonly<Record<string, [more?: Headers, query?: string]>> = {
      'a browser': [],
      'a proxy that wants no redirects': [{}, ''],
      'a script': [{ accept: '*/*', 'sec-fetch-mode': 'cors' }],
      'a post': [{ 'x-forwarded-method': 'POST' }],
    };
    warnings();
    for (const signedInThere of [false, true]) {
      for (const [about, [more, query]] of Object.entries(asked)) {
        const app = new AppPage(service, APP, signedInThere ? (await signedInAt(browser)).cookies : []);
        const begun = new AppPage(service);
        const uri = await ticketFor(browser, begun);
        const refused = await app.open(`${uri}&${'x'.repeat(4000)}`, more, query);
        assert.equal(refused.status, 403, about);
        for (const name of TOLD) assert.equal(refused.headers[name], '', `${about} ${name}`);
        assertRefused(await begun.comeBack(uri), `${about}: it is spent`);
      }
    }
    const [told, ...others] = warnings();
    assert.equal(told?.host, 'app.example.com');
    assert.match(told.msg, /Route \/\.poolgate\/callback on the host of the application to Poolgate/);
    assert.deepEqual(others, [], 'once an hour');
    const direct = await service.ask('GET', '/cognito/forward-auth', { headers: { 'x-forwarded-uri': CALLBACK } });
    assert.equal(direct.status, 403, 'without a ticket');
    service.clock.advance(3_600_000);
    for (const uri of [CALLBACK, MADE_UP]) assert.equal((await new AppPage(service, OTHER_APP).open(uri)).status, 403);
    assert.deepEqual(warnings(), [], 'anyone can make up a request');
    const { browser: later } = await signedIn();
    const odd = { 'x-forwarded-host': 'ada@example.com' };
    assert.equal((await new AppPage(service).open(await ticketFor(later, new AppPage(service)), odd)).status, 403);
    assert.deepEqual(
      warnings().map(({ host }) => host),
      [undefined],
      'what is no host is not logged',
    );
  });

  it('serves the callback only on hosts of applications, and consumes the ticket on every host', async () => {
    const { browser } = await signedIn();
    const elsewhere: Readonly<Record<string, Headers>> = {
      'the host of the service': { host: 'localhost:3000' },
      'a host that is no application': { host: 'evil.example' },
      'another scheme': { 'x-forwarded-proto': 'http' },
      'no scheme': { 'x-forwarded-proto': '' },
      'two schemes': { 'x-forwarded-proto': 'https, http' },
    };
    warnings();
    for (const [about, more] of Object.entries(elsewhere)) {
      const app = new AppPage(service);
      const uri = await ticketFor(browser, app);
      const answer = await app.comeBack(uri, more);
      assert.equal(answer.status, 421, `${about} ${answer.text}`);
      assert.deepEqual(parseSetCookies(answer), [], about);
      assertRefused(await app.comeBack(uri), `${about}: it is spent`);
    }
    const told = warnings().map(({ host, msg }) => [host, /POOLGATE_RETURN_ORIGINS/.test(msg)]);
    assert.deepEqual(
      told,
      ['localhost:3000', 'evil.example', 'app.example.com'].map((host) => [host, true]),
    );
    assert.equal((await new AppPage(service).comeBack(MADE_UP, { host: 'stranger.example' })).status, 421);
    assert.deepEqual(warnings(), [], 'anyone can make up a request');
    for (const query of ['', '?ticket=', '?ticket=x', `?ticket=${'x'.repeat(44)}`]) {
      assert.equal((await new AppPage(service).comeBack(CALLBACK + query)).status, 422, query);
    }
  });

  it('starts only for documents: no script, frame or image gets a ticket', async () => {
    const { browser } = await signedIn();
    const start = toPath(requireLocation(await new AppPage(service).open('/x'))).replace(/^\/cognito/, '');
    const others: Readonly<Record<string, Headers>> = {
      'a frame': { 'sec-fetch-dest': 'iframe' },
      'a script': { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      'an image': { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    };
    for (const [about, headers] of Object.entries(others)) {
      const refused = await browser.open(start, headers);
      assert.deepEqual([refused.status, refused.headers.location], [403, undefined], about);
    }
    const old = { ...browser.cookieHeader, accept: 'image/*' };
    assert.equal((await service.ask('GET', `/cognito${start}`, { headers: old })).status, 403, 'no page');
    const page = { ...browser.cookieHeader, accept: 'text/html' };
    const { status } = await service.ask('GET', `/cognito${start}`, { headers: page });
    assert.equal(status, 302, 'a browser that says nothing of its requests');
  });

  it('shows a signed-out user the sign-in page, and returns from there', async () => {
    const app = new AppPage(service);
    const start = requireLocation(await app.open('/deep'));
    const asked = new URL(
      requireLocation(await new PageBrowser(service).open(toPath(start).replace(/^\/cognito/, ''))),
    );
    assert.equal(asked.pathname, '/cognito/login');
    assert.equal(`${service.baseUrl}${asked.searchParams.get('return_to')}`, start);
    const own = await new PageBrowser(service).get('/forward-auth?redirect=1', {
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'localhost:3000',
      'x-forwarded-uri': '/docs',
      accept: 'text/html',
    });
    const page = new URL(requireLocation(own));
    assert.deepEqual(
      [page.pathname, page.searchParams.get('return_to')],
      ['/cognito/login', `${service.baseUrl}/docs`],
    );
  });

  it('redirects only navigations, and only from allowed applications', async () => {
    const stays: Readonly<Record<string, [uri: string, headers: Headers, query?: string]>> = {
      'a post': ['/', { 'x-forwarded-method': 'POST' }],
      'a script': ['/', { accept: '*/*' }],
      'a fetch of a page': ['/', { 'sec-fetch-mode': 'cors' }],
      'a frame': ['/', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
      'another host': ['/', { 'x-forwarded-host': 'evil.example' }],
      'no host': ['/', { 'x-forwarded-host': '' }],
      'two hosts': ['/', { 'x-forwarded-host': 'app.example.com, evil.example' }],
      'a user in the host': ['/', { 'x-forwarded-host': 'a@app.example.com' }],
      'another scheme': ['/', { 'x-forwarded-proto': 'ftp' }],
      'no wish for it': ['/', {}, ''],
    };
    for (const [about, [uri, headers, query]] of Object.entries(stays)) {
      assertOut(await new AppPage(service).open(uri, headers, query ?? '?redirect=1'), about);
    }
    const goes: Readonly<Record<string, Headers>> = {
      'a head': { 'x-forwarded-method': 'HEAD' },
      'a navigation of any type': { 'sec-fetch-mode': 'navigate', accept: '*/*' },
    };
    for (const [about, headers] of Object.entries(goes)) {
      assert.equal((await new AppPage(service).open('/', headers)).status, 302, about);
    }
    const asked = async (uri: string) =>
      new URL(requireLocation(await new AppPage(service).open(uri))).searchParams.get('return_to');
    assert.equal(await asked('no-path'), `${APP}/`);
    assert.equal(await asked(`/${'x'.repeat(2047)}`), `${APP}/${'x'.repeat(2047)}`);
    assert.equal(await asked(`/${'x'.repeat(2048)}`), `${APP}/`);
    const { browser } = await signedIn();
    const app = new AppPage(service);
    assert.equal(
      requireLocation(await app.comeBack(await ticketFor(browser, app, `/${'x'.repeat(2047)}`))),
      `${APP}/${'x'.repeat(2047)}`,
    );
  });

  it('redirects no browser for a proxy that does not name the requested address', async () => {
    warnings();
    const headers = { accept: 'text/html', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'app.example.com' };
    assertOut(await service.ask('GET', '/cognito/forward-auth?redirect=1', { headers }));
    assert.match(warnings()[0]?.msg ?? '', /does not send X-Forwarded-Uri/);
  });

  it('starts only for an application, for any caller', async () => {
    const { browser } = await signedIn();
    const digest = 'a'.repeat(64);
    for (const target of ['/account', `${service.baseUrl}/account`, 'https://evil.example/', '']) {
      const query = new URLSearchParams({ return_to: target, browser: digest });
      const navigation = { accept: 'application/json', 'sec-fetch-mode': 'navigate' };
      const refused = await browser.get(`/forward-auth/start?${query}`, navigation);
      assertProblem(refused, [422, 'validation_failed'], target);
      const message = 'has an origin that is not listed in POOLGATE_RETURN_ORIGINS';
      if (target !== '') {
        assert.deepEqual(refused.body.errors, [{ field: 'return_to', code: 'not_allowed', message }]);
      }
    }
  });

  it('trusts only configured proxies', async () => {
    const direct = await startPoolService({ settings: { returnOrigins: [APP] } });
    await addUser(direct, 'ada@example.com');
    const browser = new PageBrowser(direct);
    await browser.logIn('ada@example.com');
    assertOut(await new AppPage(direct).open('/deep'));
    const started = `/cognito/forward-auth/start?return_to=${APP}/&browser=${'a'.repeat(64)}`;
    const uri = toPath(requireLocation(await browser.open(started.replace('/cognito', ''))));
    assert.equal((await new AppPage(direct).comeBack(uri)).status, 421);
    const token = { authorization: 'Bearer of-the-application' };
    assertProblem(await browser.get('/forward-auth', token), [400, 'malformed_request']);
    await direct.close();
  });

  it('ends at every application with the session, and continues there while it lasts', async () => {
    const { browser } = await signedIn();
    const app = await signedInAt(browser);
    await browser.post('/session/step-up', { password: 'Correct-Horse1!' });
    assert.equal((await app.open('/deep')).status, 204, 'a new id of the session changes nothing');
    await browser.post('/logout');
    assertOut(await app.open('/deep', { accept: 'application/json' }));
  });

  it('counts toward a limit only for signed-out users', async () => {
    const rateLimits = { readsPerMinute: 3, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 };
    const limited = await startPoolService({ settings: { rateLimits } });
    await addUser(limited, 'ada@example.com');
    const browser = new PageBrowser(limited);
    await browser.logIn('ada@example.com');
    for (let asked = 0; asked < 6; asked += 1) assert.equal((await browser.get('/forward-auth')).status, 204);
    const statuses = [];
    for (let asked = 0; asked < 4; asked += 1) {
      statuses.push((await limited.ask('GET', '/cognito/forward-auth')).status);
    }
    assert.equal(statuses.at(-1), 429, String(statuses));
    await limited.close();
  });
});
