import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { isUnderConsolePrefix, listAddresses, ROUTES, type Route } from '@poolgate/contract';
import { addUser } from '@poolgate/pool/testing';
import { ADMIN_SCOPES, type AdminScope } from '@poolgate/provider';
import { createAdminKey } from '../credentials/admin-key-secret.ts';
import { createTestKeyRing } from '../testing/gateway-deps.ts';
import { assertProblem, parseSetCookies } from '../testing/page-browser.ts';
import { type PoolService, type PoolServiceResponse, startPoolService } from '../testing/pool-service.ts';

const SESSION = '__Host-poolgate-console';
const ADA = 'ada@example.com';
const MINUTE_MS = 60_000;

type Headers = Readonly<Record<string, string>>;
type Method = Parameters<PoolService['ask']>[0];

/** A browser at the console. */
class ConsolePage {
  readonly cookies = new Map<string, string>();
  csrfToken = '';
  readonly #service: PoolService;

  constructor(service: PoolService) {
    this.#service = service;
  }

  async ask(method: Method, path: string, body?: unknown, headers: Headers = {}): Promise<PoolServiceResponse> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const ofPage = { origin: this.#service.baseUrl, 'x-csrf-token': this.csrfToken };
    const answer = await this.#service.ask(method, `/cognito/console${path}`, {
      headers: { ...(cookie && { cookie }), ...(method === 'GET' ? {} : ofPage), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const { name, value, attributes } of parseSetCookies(answer)) {
      if (attributes.includes('max-age=0')) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    if (typeof answer.body.csrf_token === 'string') this.csrfToken = answer.body.csrf_token;
    return answer;
  }

  async signIn(key: string): Promise<PoolServiceResponse> {
    await this.ask('GET', '/session');
    return this.ask('POST', '/login', { admin_key: key });
  }
}

describe('the console', () => {
  let service: PoolService;
  let page: ConsolePage;
  before(async () => {
    service = await startPoolService({ settings: { trustedProxies: ['127.0.0.1'] } });
    await addUser(service, ADA);
  });
  after(() => service.close());
  beforeEach(() => {
    page = new ConsolePage(service);
  });

  async function makeKey(...scopes: readonly AdminScope[]): Promise<{ readonly id: string; readonly key: string }> {
    const { id, secret } = await createAdminKey(
      {
        clock: service.clock,
        keyRing: createTestKeyRing(),
        random: (length) => crypto.getRandomValues(new Uint8Array(length)),
        records: service.records,
      },
      { label: 'Support', scopes: scopes.length === 0 ? ADMIN_SCOPES : scopes, lifetimeSeconds: 86_400 },
    );
    return { id, key: `pg_${id}_${secret}` };
  }

  async function signedIn(...scopes: readonly AdminScope[]): Promise<{ readonly id: string; readonly key: string }> {
    const made = await makeKey(...scopes);
    const answer = await page.signIn(made.key);
    assert.equal(answer.status, 200, answer.text);
    return made;
  }

  it('accepts an admin key once, and its session has the same rights', async () => {
    const { id, key } = await makeKey('users:read');
    assert.equal((await page.ask('GET', '/session')).body.session, null);
    const answer = await page.ask('POST', '/login', { admin_key: key });
    assert.equal(answer.status, 200, answer.text);
    const [cookie] = parseSetCookies(answer).filter(({ name }) => name === SESSION);
    assert.deepEqual(cookie?.attributes.toSorted(), ['httponly', 'path=/', 'samesite=strict', 'secure']);
    assert.ok(!answer.text.includes(key.slice(-20)));
    const session = (await page.ask('GET', '/session')).body.session as Readonly<Record<string, unknown>>;
    assert.equal(session.admin_key_id, id);
    assert.equal(session.label, 'Support');
    assert.deepEqual(session.scopes, ['users:read']);
    const shown = await page.ask('GET', `/api/admin/users/${ADA}`);
    assert.equal(shown.status, 200, shown.text);
    assertProblem(await page.ask('POST', `/api/admin/users/${ADA}/disable`, {}), [403, 'forbidden']);
  });

  it('names the key in the audit log', async () => {
    service.clock.advance(1);
    const { id } = await signedIn();
    for (const path of [`/api/admin/users/${ADA}/disable`, `/api/admin/users/${ADA}/enable`, '/logout']) {
      service.clock.advance(1);
      await page.ask('POST', path, {});
    }
    service.clock.advance(1);
    await signedIn('audit:read');
    const { body } = await page.ask('GET', '/api/admin/audit?limit=5');
    const [, ...events] = body.events as readonly { readonly type: string; readonly actor: { readonly id: string } }[];
    assert.deepEqual(
      events.map(({ type, actor }) => `${type} ${actor.id}`),
      ['console.closed', 'user.enabled', 'user.disabled', 'console.opened'].map((type) => `${type} ${id}`),
    );
  });

  it('records the end of a session that another sign-in of the browser replaces', async () => {
    service.clock.advance(1);
    const first = await signedIn();
    service.clock.advance(1);
    const second = await signedIn('audit:read');
    const { body } = await page.ask('GET', '/api/admin/audit?limit=3');
    const events = body.events as readonly { readonly type: string; readonly actor: { readonly id: string } }[];
    assert.deepEqual(events.map(({ type, actor }) => `${type} ${actor.id}`).toSorted(), [
      `console.closed ${first.id}`,
      ...[first.id, second.id].map((id) => `console.opened ${id}`).toSorted(),
    ]);
  });

  it('refuses every invalid key, and leaves no session', async () => {
    const { id, key } = await makeKey();
    await service.records.adminKeys.revoke(id, service.clock.now());
    for (const wrong of [key, `${key}x`, 'pg_a_b', 'x', ` ${key}`, `pg_decoy_${key}`]) {
      const answer = await page.signIn(wrong);
      assertProblem(answer, [401, 'unauthenticated']);
      assert.ok(!page.cookies.has(SESSION));
    }
  });

  it('allows every admin key route with a session, and none without one', async () => {
    const routes = Object.values<Route>(ROUTES).filter(isUnderConsolePrefix);
    const addresses = routes.flatMap((route) => listAddresses(route).map((address) => ({ ...address, route })));
    assert.ok(addresses.length > 40);
    const nobody = page;
    await nobody.ask('GET', '/session');
    for (const { method, path, route } of addresses) {
      const target = `/api${path.replaceAll(/\{\w+\}/g, 'x')}`;
      assertProblem(await nobody.ask(method, target, method === 'GET' ? undefined : {}), [401, 'unauthenticated']);
      // Under the prefix of users, and with the console's cookie at the API, the same route stays closed.
      const headers = { cookie: `${SESSION}=${'a'.repeat(43)}` };
      const elsewhere = await service.ask(method, path.replaceAll(/\{\w+\}/g, 'x'), { headers });
      assert.equal(elsewhere.status, 401, `${method} ${path}`);
      page = new ConsolePage(service);
      await signedIn(ADMIN_SCOPES.find((scope) => scope !== route.scope) ?? 'users:read');
      assertProblem(await page.ask(method, target, method === 'GET' ? undefined : {}), [403, 'forbidden']);
    }
  });

  it('changes nothing without the CSRF token, from another origin, or for a request with a key', async () => {
    await signedIn();
    const disable = (headers: Headers) => page.ask('POST', `/api/admin/users/${ADA}/disable`, {}, headers);
    const token = page.csrfToken;
    for (const headers of [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': `${token}x` },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
    ])
      assertProblem(await disable(headers), [403, 'csrf_failed']);
    assertProblem(await disable({ authorization: 'Bearer pg_a_b' }), [400, 'malformed_request']);
    const other = new ConsolePage(service);
    await other.ask('GET', '/session');
    assertProblem(await disable({ 'x-csrf-token': other.csrfToken }), [403, 'csrf_failed']);
    const { body } = await page.ask('GET', `/api/admin/users/${ADA}`);
    assert.equal((body.user as { readonly enabled: boolean }).enabled, true);
  });

  it('signs in only from its own page', async () => {
    const { key } = await makeKey();
    assertProblem(await page.ask('POST', '/login', { admin_key: key }), [403, 'csrf_failed']);
    await page.ask('GET', '/session');
    const headers = { origin: 'https://evil.example' };
    assertProblem(await page.ask('POST', '/login', { admin_key: key }, headers), [403, 'csrf_failed']);
  });

  it('replaces a session that another person left in the browser', async () => {
    await signedIn('users:read');
    const planted = page.cookies.get(SESSION);
    await signedIn();
    assert.notEqual(page.cookies.get(SESSION), planted);
    page.cookies.set(SESSION, planted ?? '');
    assertProblem(await page.ask('GET', '/api/admin/users'), [401, 'unauthenticated']);
  });

  it('ends with the key: revoked, expired, or replaced under the same ID', async () => {
    const isOpen = async () => (await page.ask('GET', '/api/admin/users')).status === 200;
    const revoked = await signedIn();
    assert.ok(await isOpen());
    await service.records.adminKeys.revoke(revoked.id, service.clock.now());
    assert.ok(!(await isOpen()));
    const shortened = await signedIn();
    await service.records.adminKeys.shortenLife(shortened.id, service.clock.now() + 1000, service.clock.now());
    assert.ok(await isOpen());
    service.clock.advance(1000);
    assert.ok(!(await isOpen()));
  });

  it('ends after fifteen idle minutes, and after eight hours in any case', async () => {
    const ask = () => page.ask('GET', '/api/admin/users');
    await signedIn();
    service.clock.advance(14 * MINUTE_MS);
    assert.equal((await ask()).status, 200);
    service.clock.advance(14 * MINUTE_MS);
    assert.equal((await ask()).status, 200);
    service.clock.advance(15 * MINUTE_MS);
    assertProblem(await ask(), [401, 'unauthenticated']);
    assert.ok(!page.cookies.has(SESSION), 'the answer removes the cookie');
    await signedIn();
    for (let minutes = 0; minutes < 8 * 60 - 10; minutes += 10) {
      assert.equal((await ask()).status, 200, `after ${minutes} minutes`);
      service.clock.advance(10 * MINUTE_MS);
    }
    service.clock.advance(10 * MINUTE_MS);
    assertProblem(await ask(), [401, 'unauthenticated']);
  });

  it('asks for the key again before it deletes something or creates a key', async () => {
    await signedIn();
    const create = () => page.ask('POST', '/api/admin/groups', { group_name: 'recent' });
    const remove = () => page.ask('DELETE', '/api/admin/groups/recent', {});
    const makeOther = () => page.ask('POST', '/api/admin/keys', { label: 'other', scopes: ['users:read'] });
    assert.equal((await create()).status, 201);
    assert.equal((await makeOther()).status, 201);
    for (let turn = 0; turn < 2; turn += 1) {
      service.clock.advance(10 * MINUTE_MS);
      assert.equal((await page.ask('GET', '/api/admin/users')).status, 200);
    }
    const disable = () => page.ask('POST', `/api/admin/users/${ADA}/disable`, {});
    for (const answer of [await remove(), await makeOther(), await disable()])
      assertProblem(answer, [403, 'reauthentication_required']);
    assert.equal((await page.ask('GET', '/api/admin/groups/recent')).status, 200);
    await signedIn();
    assert.equal((await remove()).status, 200);
  });

  it('ends at sign-out, also for a copy of the cookie', async () => {
    await signedIn();
    const stolen = page.cookies.get(SESSION) ?? '';
    assert.equal((await page.ask('POST', '/logout', {})).status, 200);
    page.cookies.set(SESSION, stolen);
    assertProblem(await page.ask('GET', '/api/admin/users'), [401, 'unauthenticated']);
  });

  it('ends at sign-out from another network too', async () => {
    const { id } = await signedIn();
    const session = page.cookies.get(SESSION) ?? '';
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    const forged = await page.ask('POST', '/logout', {}, { ...elsewhere, 'x-csrf-token': 'forged' });
    assertProblem(forged, [403, 'csrf_failed']);
    page.cookies.set(SESSION, session);
    assert.equal((await page.ask('GET', '/api/admin/users')).status, 200);
    service.clock.advance(1);
    assert.equal((await page.ask('POST', '/logout', {}, elsewhere)).status, 200);
    page.cookies.set(SESSION, session);
    assertProblem(await page.ask('GET', '/api/admin/users'), [401, 'unauthenticated']);
    service.clock.advance(1);
    await signedIn();
    const { body } = await page.ask('GET', '/api/admin/audit?limit=2&type=console.closed');
    const [closed] = body.events as readonly { readonly actor: { readonly id: string } }[];
    assert.equal(closed?.actor.id, id);
  });

  it('asks for the key again from another network', async () => {
    await signedIn();
    const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
    const stolen = new ConsolePage(service);
    stolen.cookies.set(SESSION, page.cookies.get(SESSION) ?? '');
    assertProblem(await stolen.ask('GET', '/api/admin/users', undefined, elsewhere), [401, 'unauthenticated']);
    assert.equal((await page.ask('GET', '/api/admin/users')).status, 200, 'its owner goes on');
  });

  it('stores no secret of a session', async () => {
    await signedIn();
    const id = page.cookies.get(SESSION) ?? '';
    const { createHash } = await import('node:crypto');
    const record = await service.records.consoleSessions.find(
      createHash('sha256').update(id).digest('hex'),
      service.clock.now(),
    );
    const stored = JSON.stringify(record);
    assert.ok(record !== undefined && !stored.includes(id) && !stored.includes(page.csrfToken));
  });
});

describe('a console on its own host', () => {
  let service: PoolService;
  before(async () => {
    service = await startPoolService({ settings: { consoleUrl: 'https://console.example.com' } });
  });
  after(() => service.close());

  const ask = (path: string, headers: Headers = {}) => service.ask('GET', path, { headers });

  it('is served there, and nothing else is', async () => {
    const host = 'console.example.com';
    assert.equal((await ask('/cognito/console/session', { host })).status, 200);
    assert.equal((await ask('/healthz', { host })).status, 200);
    for (const path of ['/login/parameters', '/cognito/session', '/openapi.json', '/admin/users', '/none'])
      assertProblem(await ask(path, { host }), [404, 'not_found']);
    const opened = await ask('/', { host, accept: 'text/html' });
    assert.equal(opened.headers.location, '/cognito/console');
  });

  it('is not served elsewhere, and accepts changes only from its own pages', async () => {
    assertProblem(await ask('/cognito/console/session'), [404, 'not_found']);
    assertProblem(await ask('/cognito/console/api/admin/users'), [404, 'not_found']);
    const login = (origin: string) =>
      service.ask('POST', '/cognito/console/login', {
        headers: { host: 'console.example.com', origin, 'x-csrf-token': 'x' },
        body: { admin_key: 'pg_a_b' },
      });
    const refused = await login(service.baseUrl);
    assert.match(refused.text, /another site/);
    assert.match((await login('https://console.example.com')).text, /CSRF|cookie/i);
  });
});

describe('without the console', () => {
  it('none of its addresses exists', async () => {
    const service = await startPoolService({ settings: { console: false } });
    for (const path of ['', '/session', '/api/admin/users'])
      assertProblem(await service.ask('GET', `/cognito/console${path}`), [404, 'not_found']);
    await service.close();
  });
});
