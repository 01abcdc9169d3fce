import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forwardAuthBehind } from '../proofs/forward-auth.ts';
import { ticketThefts } from '../proofs/ticket-thefts.ts';
import { REPLICAS } from '../support/provider/tested-provider.ts';
import { BEHIND_PROXY, createClientAddress, type Exchange } from '../support/requests/exchange.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';
import { CookieBrowser, parseSetCookies } from '../support/web/cookie-browser.ts';
import {
  APPLICATION_ORIGIN,
  ForwardAuthBrowser,
  readLocation,
  toApplicationPath,
  toServicePath,
} from '../support/web/forward-auth-browser.ts';

const OTHER_APP = 'https://other.example.com';
const USER_HEADERS = ['sub', 'username', 'email', 'email-verified', 'groups'].map((name) => `x-poolgate-${name}`);

type Headers = Readonly<Record<string, string>>;

/** The response is a page, and the browser gets no cookie. */
function assertRefused(answer: Exchange, about?: string): void {
  assert.equal(answer.status, 403, `${about ?? ''} ${answer.text}`);
  assert.deepEqual(parseSetCookies(answer), [], about ?? answer.text);
}

/** Callers who accept a page get one. */
function assertStays({ status, headers, text }: Exchange, about?: string): void {
  assert.equal(status, 401, `${about ?? ''} ${text}`);
  for (const name of USER_HEADERS) assert.equal(headers[name], '', `${about ?? ''} ${name}`);
}

it("a proxy with Traefik's defaults lets signed-in users in, names the user, and forwards nothing forged", async () => {
  const { checks, faults } = await forwardAuthBehind('like-traefik');
  assert.deepEqual([faults, checks], [[], 25]);
});

it('behind such a proxy no attacker signs in with the ticket of a victim, whatever the proxy lacks', async () => {
  const { faults, ...figure } = await ticketThefts('like-traefik');
  // Without both the route and the address, the callback looks like a page of the application. No proxy there accepts a ticket.
  assert.deepEqual([faults, figure], [[], { tickets: 24, shown: 3, used: 0 }]);
});

describe('forward authentication', () => {
  let service: TestService;
  let users = 0;
  before(async () => {
    service = await startTestService({ ...BEHIND_PROXY, returnOrigins: [APPLICATION_ORIGIN, OTHER_APP] });
    for (const group_name of ['staff', 'München, Süd']) {
      const made = await service.post('/admin/groups', { group_name: group_name.replace(/, /, '·') }, service.asAdmin);
      assert.equal(made.status, 201, made.text);
    }
  });
  after(() => service.close());

  async function signedIn(
    groups: readonly string[] = [],
  ): Promise<{ browser: CookieBrowser; email: string; sub: string }> {
    users += 1;
    const email = `forwarded-${users}@example.com`;
    const sub = await addUser(service, email);
    for (const group_name of groups) {
      const added = await service.post(`/admin/users/${email}/groups`, { group_name }, service.asAdmin);
      assert.equal(added.status, 200, added.text);
    }
    const browser = new CookieBrowser(service);
    await browser.logIn(email);
    return { browser, email, sub };
  }

  /** The callback with a ticket for a browser that starts at an application. */
  const ticketFor = async (browser: CookieBrowser, app: ForwardAuthBrowser, uri = '/') =>
    toApplicationPath(readLocation(await browser.open(toServicePath(readLocation(await app.open(uri))))));

  /** Signs a browser in to an application, completely. */
  async function signedInAt(browser: CookieBrowser, origin = APPLICATION_ORIGIN): Promise<ForwardAuthBrowser> {
    const app = new ForwardAuthBrowser(service, origin);
    const start = readLocation(await app.open('/deep?q=1'));
    const back = readLocation(await browser.open(toServicePath(start)));
    assert.equal(readLocation(await app.comeBack(toApplicationPath(back))), `${origin}/deep?q=1`);
    assert.equal((await app.open('/deep?q=1')).status, 204);
    return app;
  }

  it('returns 204 and headers for a signed-in user on its own host, and 401 without a session', async () => {
    const { browser, email, sub } = await signedIn(['staff', 'München·Süd']);
    const answer = await browser.get('/forward-auth');
    assert.deepEqual([answer.status, answer.text], [204, '']);
    const groups = decodeURIComponent(String(answer.headers['x-poolgate-groups'])).split(',').toSorted();
    assert.deepEqual(groups, ['München·Süd', 'staff']);
    assert.match(String(answer.headers['x-poolgate-groups']), /^[\x21-\x7e]+$/);
    assert.equal(answer.headers['x-poolgate-sub'], sub);
    assert.equal(answer.headers['x-poolgate-email'], encodeURIComponent(email));
    assert.equal(answer.headers['x-poolgate-email-verified'], 'true');
    assert.equal(answer.headers['x-poolgate-username'], sub);
    const none = await service.get('/cognito/forward-auth');
    assertProblem(none, 401, 'unauthenticated');
    for (const name of USER_HEADERS) assert.equal(none.headers[name], '', name);
    await browser.post('/logout');
    assertProblem(await browser.get('/forward-auth'), 401, 'unauthenticated');
  });

  it("overwrites the client's headers about itself, also with nothing", async () => {
    const { browser, email } = await signedIn();
    const forged = Object.fromEntries(USER_HEADERS.map((name) => [name, 'admin']));
    for (const headers of [forged, { ...forged, ...browser.cookieHeader }]) {
      const answer = await service.get('/cognito/forward-auth', headers);
      for (const name of USER_HEADERS) assert.ok(!String(answer.headers[name]).includes('admin'), name);
    }
    const answer = await service.get('/cognito/forward-auth', { ...forged, ...browser.cookieHeader });
    assert.equal(answer.headers['x-poolgate-email'], encodeURIComponent(email));
    assert.equal(answer.headers['x-poolgate-groups'], '');
  });

  it('leaves tokens of requests to applications alone if a proxy checks them', async () => {
    const { browser } = await signedIn();
    const headers = { ...browser.cookieHeader, authorization: 'Bearer of-the-application' };
    assert.equal((await service.get('/cognito/forward-auth', headers)).status, 204);
    const direct = await startTestService();
    const asked = await direct.get('/cognito/forward-auth', headers);
    await direct.close();
    assertProblem(asked, 400, 'malformed_request');
  });

  it('returns 403 for a user in none of the required groups', async () => {
    const { browser } = await signedIn(['staff']);
    const status = async (group: string) =>
      (await browser.get(`/forward-auth?group=${encodeURIComponent(group)}`)).status;
    assert.deepEqual([await status('staff'), await status('boss,staff'), await status(' staff ,x')], [204, 204, 204]);
    assert.deepEqual(
      [await status('boss'), await status('Staff'), await status('staf'), await status(',')],
      [403, 403, 403, 403],
    );
    const refused = await browser.get('/forward-auth?group=boss');
    assertProblem(refused, 403, 'forbidden');
    for (const name of USER_HEADERS) assert.equal(refused.headers[name], '', name);
    assertProblem(await service.get('/cognito/forward-auth?group=staff'), 401, 'unauthenticated');
    assertProblem(await browser.get('/forward-auth?group='), 422, 'validation_failed');
  });

  it('redirects a browser to the sign-in page and back to an application of another host, once', async () => {
    const { browser, email } = await signedIn();
    await browser.post('/logout');
    const app = new ForwardAuthBrowser(service);
    const start = readLocation(await app.open('/deep/page?q=%C3%A4&r=1'));
    assert.ok(start.startsWith(`${service.baseUrl}/cognito/forward-auth/start?`), start);
    const signIn = readLocation(await browser.open(toServicePath(start)));
    assert.ok(signIn.startsWith(`${service.baseUrl}/cognito/login?return_to=`), signIn);
    const here = new URL(signIn).searchParams.get('return_to') ?? '';
    const checked = (await browser.get(`/session?return_to=${encodeURIComponent(here)}`)).body.return_to;
    assert.equal(checked, `${service.baseUrl}${here}`, 'the page may go there');
    await browser.logIn(email);
    const back = readLocation(await browser.open(toServicePath(here)));
    assert.match(back, /^https:\/\/app\.example\.com\/\.poolgate\/callback\?ticket=[\w-]{43}$/);
    const home = await app.comeBack(toApplicationPath(back));
    assert.equal(readLocation(home), `${APPLICATION_ORIGIN}/deep/page?q=%C3%A4&r=1`);
    const cookie = parseSetCookies(home).find(({ name }) => name === '__Host-poolgate-app');
    assert.deepEqual(cookie?.attributes.toSorted(), ['httponly', 'path=/', 'samesite=lax', 'secure']);
    const open = await app.open('/deep/page');
    assert.equal(open.headers['x-poolgate-email'], encodeURIComponent(email));
    assert.equal(open.status, 204);
  });

  it('forwards no address of another user that a user has entered', async () => {
    const required = { UserPoolId: service.userPoolId, AutoVerifiedAttributes: ['email'] };
    const updated = await service.call('UpdateUserPool', required, service.asAdmin);
    assert.equal(updated.status, 200, updated.text);
    const { browser, sub } = await signedIn();
    const changed = await browser.ask('PATCH', '/user/profile', { attributes: { email: 'ceo@example.com' } });
    assert.equal(changed.status, 200, changed.text);
    service.clock.advance(60_000);
    assert.equal((await browser.post('/token/refresh')).status, 200);
    const { email, email_verified } = Object((await browser.session()).body.user);
    assert.deepEqual([email, email_verified], ['ceo@example.com', false]);
    const { status, headers } = await browser.get('/forward-auth');
    const told = USER_HEADERS.map((name) => String(headers[name]));
    assert.deepEqual([status, ...told], [204, sub, sub, '', 'false', '']);
  });

  it('accepts a ticket once, within a minute, in its own browser and at its own application', async () => {
    const { browser } = await signedIn();
    const opens = async (app: ForwardAuthBrowser) => (await app.open('/', '')).status === 204;

    const twice = new ForwardAuthBrowser(service);
    const used = await ticketFor(browser, twice);
    const copy = new ForwardAuthBrowser(service);
    for (const [name, value] of twice.cookies) copy.cookies.set(name, value);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        Object.assign(new ForwardAuthBrowser(service), { cookies: new Map(copy.cookies) }).comeBack(used),
      ),
    );
    const given = answers.filter((answer) =>
      parseSetCookies(answer).some(({ name }) => name === '__Host-poolgate-app'),
    );
    assert.equal(given.length, 1, 'of ten at once one is let in');
    assertRefused(await copy.comeBack(used));
    assert.equal(await opens(copy), false, 'and nobody afterwards');

    const late = new ForwardAuthBrowser(service);
    const old = await ticketFor(browser, late);
    service.clock.advance(60_000);
    assertRefused(await late.comeBack(old), 'a minute later');

    const [victim, attacker] = [new ForwardAuthBrowser(service), new ForwardAuthBrowser(service)];
    const own = await ticketFor(browser, attacker);
    await victim.open('/');
    assertRefused(await victim.comeBack(own), 'in another browser');
    assert.equal(await opens(victim), false, 'in another browser');

    const elsewhere = new ForwardAuthBrowser(service, OTHER_APP);
    const begun = new ForwardAuthBrowser(service);
    const here = await ticketFor(browser, begun);
    await elsewhere.open('/');
    for (const [name, value] of begun.cookies) elsewhere.cookies.set(name, value);
    assertRefused(await elsewhere.comeBack(here), 'at another application');
  });

  it('ticket theft: making a browser fetch a ticket gains nothing, wherever the ticket arrives', async () => {
    const { browser } = await signedIn();
    const signedInVictim = await signedInAt(browser);
    const long = 'x'.repeat(3000);
    const arrivals: Readonly<Record<string, (uri: string) => Promise<Exchange>>> = {
      'at the callback, who is signed in there': (uri) => signedInVictim.comeBack(uri),
      'at the callback, without cookies': (uri) => new ForwardAuthBrowser(service).comeBack(uri),
      'at a host that is none': (uri) => new ForwardAuthBrowser(service, 'https://evil.example').comeBack(uri),
      'at forward authentication, who is signed in there': (uri) => signedInVictim.open(uri),
      'at forward authentication, without cookies': (uri) => new ForwardAuthBrowser(service).open(uri),
      'at forward authentication that redirects nobody': (uri) => signedInVictim.open(uri, ''),
      'in a long address': (uri) => signedInVictim.open(`${uri}&${long}`),
    };
    for (const [about, arrive] of Object.entries(arrivals)) {
      const thief = new ForwardAuthBrowser(service);
      const leaked = await ticketFor(browser, thief, '/wiki/of-the-thief');
      const { status } = await arrive(leaked);
      assert.ok(status === 403 || status === 421, `${about}: ${status}`);
      assertRefused(await thief.comeBack(leaked), about);
      assertStays(await thief.open('/', ''), about);
    }
    const start = toServicePath(readLocation(await new ForwardAuthBrowser(service).open('/')));
    const script = {
      ...browser.cookieHeader,
      accept: 'text/html',
      'sec-fetch-mode': 'cors',
      'sec-fetch-dest': 'empty',
    };
    assertProblem(await browser.get(start, script), 403, 'forbidden', 'a script gets no ticket');
  });

  it('accepts the cookie of an application for forward authentication there, and nowhere else', async () => {
    const { browser } = await signedIn();
    const app = await signedInAt(browser);
    const cookie = app.cookies.get('__Host-poolgate-app') ?? '';
    for (const name of ['__Host-poolgate-app', '__Host-poolgate']) {
      const headers = { cookie: `${name}=${cookie}` };
      assertProblem(await service.get('/cognito/user/profile', headers), 401, 'unauthenticated');
      assert.equal((await service.get('/cognito/session', headers)).body.user, null);
      assertProblem(await service.get('/cognito/forward-auth', headers), 401, 'unauthenticated');
    }
    const elsewhere = new ForwardAuthBrowser(service, OTHER_APP);
    elsewhere.cookies.set('__Host-poolgate-app', cookie);
    assertStays(await elsewhere.open('/', ''));
    const session = browser.cookies.get('__Host-poolgate') ?? '';
    const stolen = new ForwardAuthBrowser(service);
    stolen.cookies.set('__Host-poolgate', session);
    assertStays(await stolen.open('/', ''));
  });

  it('keeps the cookie of an application through a step-up, and ends it with the session', async () => {
    const { browser, email } = await signedIn();
    const app = await signedInAt(browser);
    assert.equal((await browser.post('/session/step-up', { password: PASSWORD })).status, 200);
    assert.equal((await app.open('/', '')).status, 204);
    await browser.post('/logout');
    assertStays(await app.open('/', ''));
    await browser.logIn(email);
    const again = await signedInAt(browser);
    const disabled = await service.post(`/admin/users/${email}/disable`, {}, service.asAdmin);
    assert.equal(disabled.status, 200);
    assertStays(await again.open('/', ''));
  });

  it('redirects elsewhere only for a page, through a trusted proxy, at a named origin, as configured', async () => {
    const app = new ForwardAuthBrowser(service);
    const stays = async (about: string, ...asked: Parameters<ForwardAuthBrowser['open']>) =>
      assertStays(await app.open(...asked), about);
    await stays('not told to', '/', '');
    await stays('a form', '/', '?redirect=1', { 'x-forwarded-method': 'POST' });
    await stays('a request of a script', '/', '?redirect=1', { 'sec-fetch-mode': 'cors' });
    await stays('no page', '/', '?redirect=1', { accept: 'application/json' });
    await stays('another origin', '/', '?redirect=1', { 'x-forwarded-host': 'evil.example' });
    await stays('another scheme', '/', '?redirect=1', { 'x-forwarded-proto': 'http' });
    await stays('another port', '/', '?redirect=1', { 'x-forwarded-host': 'app.example.com:444' });
    await stays('a scheme that is none', '/', '?redirect=1', { 'x-forwarded-proto': 'javascript' });
    await stays('two hosts', '/', '?redirect=1', { 'x-forwarded-host': 'app.example.com, evil.example' });
    await stays('a user in the host', '/', '?redirect=1', { 'x-forwarded-host': 'app.example.com@evil.example' });
    assert.equal((await app.open('//evil.example', '?redirect=1')).status, 302);
    const start = readLocation(await app.open('//evil.example'));
    assert.equal(new URL(new URL(start).searchParams.get('return_to') ?? '').origin, APPLICATION_ORIGIN);
    assert.equal((await app.open('/', '?redirect=yes')).status, 422);
    const direct = await startTestService({ returnOrigins: [APPLICATION_ORIGIN] });
    const unproxied = await new ForwardAuthBrowser(direct).open('/');
    await direct.close();
    assertStays(unproxied, 'no trusted proxy');
  });

  it('open redirect: the start redirects only to named applications', async () => {
    const { browser } = await signedIn();
    const digest = 'a'.repeat(64);
    const navigation = { ...browser.cookieHeader, accept: 'application/json', 'sec-fetch-mode': 'navigate' };
    for (const to of [
      'https://evil.example/',
      '/account',
      '//evil.example',
      `${APPLICATION_ORIGIN}.evil.example/`,
      `${APPLICATION_ORIGIN}@evil.example/`,
      'javascript:1',
      service.baseUrl,
    ]) {
      const asked = `/forward-auth/start?return_to=${encodeURIComponent(to)}&browser=${digest}`;
      assertProblem(await browser.get(asked, navigation), 422, 'validation_failed', to);
    }
    for (const query of [
      '',
      `?return_to=${APPLICATION_ORIGIN}/`,
      `?return_to=${APPLICATION_ORIGIN}/&browser=x`,
      `?browser=${digest}`,
    ]) {
      assertProblem(await browser.get(`/forward-auth/start${query}`), 422, 'validation_failed', query);
    }
  });

  it('answers a proxy at whatever name it uses for the service, and no one else', async () => {
    const { browser } = await signedIn();
    const headers = { host: 'poolgate:3000', ...browser.cookieHeader };
    assert.equal((await service.get('/cognito/forward-auth', headers)).status, 204);
    assertProblem(await service.get('/cognito/session', headers), 421, 'misdirected_request');
    const direct = await startTestService();
    const asked = await direct.get('/cognito/forward-auth', { host: 'poolgate:3000' });
    await direct.close();
    assertProblem(asked, 421, 'misdirected_request');
  });

  it('does not limit signed-in users, and counts the others', async (t) => {
    const limited = await startTestService({ ...BEHIND_PROXY, limitReads: 20, returnOrigins: [APPLICATION_ORIGIN] });
    t.after(() => limited.close());
    await addUser(limited, 'often@example.com');
    const browser = new CookieBrowser(limited);
    await browser.logIn('often@example.com');
    const address = createClientAddress();
    const ask = (headers: Headers) => limited.get('/cognito/forward-auth', { ...headers, ...address });
    for (let index = 0; index < 40; index += 1) assert.equal((await ask(browser.cookieHeader)).status, 204);
    // Each replica counts separately, and each gets more requests than it allows.
    const statuses = await Promise.all(Array.from({ length: 40 * REPLICAS }, async () => (await ask({})).status));
    assert.deepEqual(
      [statuses.filter((status) => status === 401).length, statuses.filter((status) => status === 429).length],
      [20 * REPLICAS, 20 * REPLICAS],
    );
    const sentElsewhere = await new ForwardAuthBrowser(limited).open('/', '?redirect=1', address);
    assert.equal(sentElsewhere.status, 429, 'a page');
    const madeUp = `/.poolgate/callback?ticket=${'x'.repeat(43)}`;
    assert.equal(
      (await new ForwardAuthBrowser(limited).open(madeUp, '', address)).status,
      429,
      'a ticket that somebody made up',
    );
  });
});
