import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, CALL } from '@poolgate/pool/testing';
import { assertProblem, cookiesOf, PageBrowser } from '../../testing/page-browser.ts';
import { type PoolAnswer, type PoolService, poolService } from '../../testing/pool-service.ts';

const APP = 'https://app.example.com';
const OTHER_APP = 'https://other.example.com';
const TOLD = ['sub', 'username', 'email', 'groups'].map((name) => `x-poolgate-${name}`);

type Headers = Readonly<Record<string, string>>;

/** A browser at an application behind a proxy that asks the service. */
class AppPage {
  readonly cookies = new Map<string, string>();
  readonly #service: PoolService;
  readonly #origin: URL;

  constructor(service: PoolService, origin = APP) {
    this.#service = service;
    this.#origin = new URL(origin);
  }

  async open(uri: string, more: Headers = {}, query = '?redirect=1'): Promise<PoolAnswer> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const answer = await this.#service.ask('GET', `/cognito/forward-auth${query}`, {
      headers: {
        'x-forwarded-proto': this.#origin.protocol.slice(0, -1),
        'x-forwarded-host': this.#origin.host,
        'x-forwarded-uri': uri,
        'x-forwarded-method': 'GET',
        accept: 'text/html',
        ...(cookie && { cookie }),
        ...more,
      },
    });
    for (const { name, value, attributes } of cookiesOf(answer)) {
      if (attributes.includes('max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }
}

function locationOf({ status, headers, text }: PoolAnswer): string {
  assert.equal(status, 302, text);
  return String(headers.location);
}

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '');

/** Nobody is let in, and nobody is named. */
function assertOut(answer: PoolAnswer, about = ''): void {
  assert.equal(answer.status, 401, `${about} ${answer.text}`);
  for (const name of TOLD) assert.equal(answer.headers[name], '', `${about} ${name}`);
}

describe('forward authentication', () => {
  let service: PoolService;
  let users = 0;
  before(async () => {
    const settings = { trustedProxies: ['127.0.0.1/32'], returnOrigins: [APP, OTHER_APP] };
    service = await poolService({ settings });
    for (const GroupName of ['staff', 'München·Süd']) {
      await service.operations.createGroup({ UserPoolId: service.userPoolId, GroupName }, CALL);
    }
  });
  after(() => service.close());

  async function signedIn(groups: readonly string[] = []) {
    users += 1;
    const email = `forwarded-${users}@example.com`;
    const sub = await addUser(service, email);
    for (const GroupName of groups) {
      await service.operations.adminAddUserToGroup(
        { UserPoolId: service.userPoolId, Username: email, GroupName },
        CALL,
      );
    }
    const browser = new PageBrowser(service);
    await browser.logIn(email);
    return { browser, email, sub };
  }

  /** A ticket for a browser that has begun at an application. */
  async function ticketFor(browser: PageBrowser, app: AppPage, uri: string): Promise<string> {
    const start = locationOf(await app.open(uri));
    return pathOf(locationOf(await browser.get(pathOf(start).replace(/^\/cognito/, ''))));
  }

  async function signedInAt(browser: PageBrowser, origin = APP): Promise<AppPage> {
    const app = new AppPage(service, origin);
    const back = await ticketFor(browser, app, '/deep?q=1');
    assert.equal(locationOf(await app.open(back)), `${origin}/deep?q=1`);
    assert.equal((await app.open('/deep?q=1')).status, 204);
    return app;
  }

  it('names at its own host who is signed in, by headers that hold any text, and nobody without a session', async () => {
    const { browser, email, sub } = await signedIn(['staff', 'München·Süd']);
    const { status, text, headers } = await browser.get('/forward-auth');
    assert.deepEqual([status, text], [204, '']);
    const [toldSub, username, toldEmail, groups] = TOLD.map((name) => String(headers[name]));
    assert.deepEqual([toldSub, username, toldEmail], [sub, sub, encodeURIComponent(email)]);
    assert.deepEqual(groups?.split(',').toSorted(), ['M%C3%BCnchen%C2%B7S%C3%BCd', 'staff']);
    assertOut(await new PageBrowser(service).get('/forward-auth'));
    await browser.post('/logout');
    assertOut(await browser.get('/forward-auth'));
  });

  it('overwrites what a client says of itself, and takes no token for one of its own', async () => {
    const { browser, email } = await signedIn();
    const forged = Object.fromEntries(TOLD.map((name) => [name, 'admin']));
    const answer = await browser.get('/forward-auth', { ...forged, authorization: 'Bearer of-the-application' });
    assert.deepEqual(
      [answer.headers['x-poolgate-email'], answer.headers['x-poolgate-groups']],
      [encodeURIComponent(email), ''],
    );
    assertOut(await new PageBrowser(service).get('/forward-auth', forged));
  });

  it('lets in by a group, of which any one will do', async () => {
    const { browser } = await signedIn(['staff']);
    const ask = (group: string) => browser.get(`/forward-auth?group=${encodeURIComponent(group)}`);
    for (const group of ['staff', 'boss,staff', ' staff ,x']) assert.equal((await ask(group)).status, 204, group);
    for (const group of ['boss', 'Staff', 'staf', ',']) {
      const refused = await ask(group);
      assertProblem(refused, [403, 'forbidden'], group);
      for (const name of TOLD) assert.equal(refused.headers[name], '', name);
    }
  });

  it('signs a browser in at another host by a way that its address shows only once', async () => {
    const { browser, sub } = await signedIn();
    const app = new AppPage(service);
    const begun = await app.open('/deep?q=1');
    const start = new URL(locationOf(begun));
    assert.equal(start.origin + start.pathname, `${service.baseUrl}/cognito/forward-auth/start`);
    assert.equal(start.searchParams.get('return_to'), `${APP}/deep?q=1`);
    assert.match(start.searchParams.get('browser') ?? '', /^[0-9a-f]{64}$/);
    const [kept] = cookiesOf(begun);
    assert.deepEqual([kept?.name, kept?.attributes.at(-1)], ['__Host-poolgate-return', 'max-age=3600']);
    assert.match(kept?.value ?? '', /^[\w-]{43}$/);
    for (const name of TOLD) assert.equal(begun.headers[name], '', name);
    const back = new URL(locationOf(await browser.get(`/forward-auth/start${start.search}`)));
    assert.match(back.href, /^https:\/\/app\.example\.com\/deep\?q=1&poolgate_ticket=[\w-]{43}$/);
    const arrived = await app.open(back.pathname + back.search);
    assert.equal(locationOf(arrived), `${APP}/deep?q=1`);
    const appCookie = cookiesOf(arrived).find(({ name }) => name === '__Host-poolgate-app');
    assert.deepEqual(appCookie?.attributes, ['path=/', 'secure', 'httponly', 'samesite=lax']);
    assert.equal(app.cookies.has('__Host-poolgate-return'), false);
    const inside = await app.open('/deep?q=1');
    assert.deepEqual([inside.status, inside.headers['x-poolgate-sub']], [204, sub]);
    const plain = new URL(await ticketUrl(browser, new AppPage(service), '/plain'));
    assert.match(plain.search, /^\?poolgate_ticket=[\w-]{43}$/);
  });

  async function ticketUrl(browser: PageBrowser, app: AppPage, uri: string): Promise<string> {
    return `${APP}${await ticketFor(browser, app, uri)}`;
  }

  it('lets a browser in at the application that it came from, and at no other', async () => {
    const { browser } = await signedIn();
    const app = await signedInAt(browser);
    const other = new AppPage(service, OTHER_APP);
    for (const [name, value] of app.cookies) other.cookies.set(name, value);
    assertOut(await other.open('/', { accept: 'application/json' }));
    const begun = new AppPage(service);
    const uri = await ticketFor(browser, begun, '/x');
    const elsewhere = new AppPage(service, OTHER_APP);
    for (const [name, value] of begun.cookies) elsewhere.cookies.set(name, value);
    assert.equal(locationOf(await elsewhere.open(uri)), `${OTHER_APP}/x`);
    assert.equal(elsewhere.cookies.has('__Host-poolgate-app'), false);
    assert.equal(
      (await browser.get('/forward-auth', { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost' })).status,
      204,
    );
  });

  it('a ticket is good once, for a minute, in the browser that began', async () => {
    const { browser } = await signedIn();
    const used = new AppPage(service);
    const first = await ticketFor(browser, used, '/x');
    const replayed = new AppPage(service);
    for (const [name, value] of used.cookies) replayed.cookies.set(name, value);
    await used.open(first);
    assert.ok(used.cookies.has('__Host-poolgate-app'));
    await replayed.open(first);
    assert.equal(replayed.cookies.has('__Host-poolgate-app'), false, 'twice');
    const late = new AppPage(service);
    const old = await ticketFor(browser, late, '/x');
    service.clock.advance(60_000);
    await late.open(old);
    assert.equal(late.cookies.has('__Host-poolgate-app'), false, 'too late');
    const inTime = new AppPage(service);
    const young = await ticketFor(browser, inTime, '/x');
    service.clock.advance(59_999);
    await inTime.open(young);
    assert.ok(inTime.cookies.has('__Host-poolgate-app'), 'in time');
    const victim = new AppPage(service);
    await victim.open('/x');
    const foreign = await ticketFor(browser, new AppPage(service), '/x');
    assert.equal(locationOf(await victim.open(foreign)), `${APP}/x`);
    assert.equal(victim.cookies.has('__Host-poolgate-app'), false, 'in another browser');
    const withoutCookies = await ticketFor(browser, new AppPage(service), '/x');
    assertOut(await new AppPage(service).open(withoutCookies), 'without the cookie nobody goes to and fro');
  });

  it('uses a ticket up that comes where somebody is let in already, and takes it from the address', async () => {
    const { browser } = await signedIn();
    const app = await signedInAt(browser);
    const spare = new AppPage(service);
    const uri = await ticketFor(browser, spare, '/y?z=1');
    assert.equal(locationOf(await app.open(uri)), `${APP}/y?z=1`);
    await spare.open(uri);
    assert.equal(spare.cookies.has('__Host-poolgate-app'), false);
    assert.equal((await app.open(`${uri}`, {}, '')).status, 204, 'a proxy that wants no redirects');
    assert.equal((await app.open(uri, { 'x-forwarded-method': 'POST' })).status, 204, 'what is no navigation');
  });

  it('shows the sign-in page to who is signed in nowhere, and leads back from there', async () => {
    const app = new AppPage(service);
    const start = locationOf(await app.open('/deep'));
    const asked = new URL(locationOf(await new PageBrowser(service).get(pathOf(start).replace(/^\/cognito/, ''))));
    assert.equal(asked.pathname, '/cognito/login');
    assert.equal(`${service.baseUrl}${asked.searchParams.get('return_to')}`, start);
    const own = await new PageBrowser(service).get('/forward-auth?redirect=1', {
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'localhost:3000',
      'x-forwarded-uri': '/docs',
      accept: 'text/html',
    });
    const page = new URL(locationOf(own));
    assert.deepEqual(
      [page.pathname, page.searchParams.get('return_to')],
      ['/cognito/login', `${service.baseUrl}/docs`],
    );
  });

  it('sends only navigations elsewhere, and only from applications that are allowed', async () => {
    const stays: Readonly<Record<string, [uri: string, headers: Headers, query?: string]>> = {
      'a post': ['/', { 'x-forwarded-method': 'POST' }],
      'a script': ['/', { accept: '*/*' }],
      'a fetch of a page': ['/', { 'sec-fetch-mode': 'cors' }],
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
      new URL(locationOf(await new AppPage(service).open(uri))).searchParams.get('return_to');
    assert.equal(await asked('no-path'), `${APP}/`);
    assert.equal(await asked(`/${'x'.repeat(2047)}`), `${APP}/${'x'.repeat(2047)}`);
    assert.equal(await asked(`/${'x'.repeat(2048)}`), `${APP}/`);
  });

  it('starts nowhere but for an application, whoever asks', async () => {
    const { browser } = await signedIn();
    const digest = 'a'.repeat(64);
    for (const target of ['/account', `${service.baseUrl}/account`, 'https://evil.example/', '']) {
      const query = new URLSearchParams({ return_to: target, browser: digest });
      const refused = await browser.get(`/forward-auth/start?${query}`);
      assertProblem(refused, [422, 'validation_failed'], target);
      const message = 'is at no origin of POOLGATE_RETURN_ORIGINS';
      if (target !== '') {
        assert.deepEqual(refused.body.errors, [{ field: 'return_to', code: 'not_allowed', message }]);
      }
    }
  });

  it('believes no proxy that it was not told about', async () => {
    const direct = await poolService({ settings: { returnOrigins: [APP] } });
    await addUser(direct, 'ada@example.com');
    const browser = new PageBrowser(direct);
    await browser.logIn('ada@example.com');
    assertOut(await new AppPage(direct).open('/deep'));
    const token = { authorization: 'Bearer of-the-application' };
    assertProblem(await browser.get('/forward-auth', token), [400, 'malformed_request']);
    await direct.close();
  });

  it('is over at every application when the session ends, and goes on there while it lasts', async () => {
    const { browser } = await signedIn();
    const app = await signedInAt(browser);
    await browser.post('/session/step-up', { password: 'Correct-Horse1!' });
    assert.equal((await app.open('/deep')).status, 204, 'a new id of the session changes nothing');
    await browser.post('/logout');
    assertOut(await app.open('/deep', { accept: 'application/json' }));
  });

  it('costs an allowance only those who are not signed in', async () => {
    const rateLimits = { readsPerMinute: 3, loginStepsPerMinute: 0, userStepsPerMinute: 0, clientStepsPerMinute: 0 };
    const limited = await poolService({ settings: { rateLimits } });
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
