import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addUser, PASSWORD, TEST_CALL } from '@poolgate/pool/testing';
import { type CallContext, ProviderError } from '@poolgate/provider';
import type { GatewayRecords } from '../records/index.ts';
import { assertProblem, PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';
import { toDigestHex } from './digest-hex.ts';

const MINUTE_MS = 60_000;
const SESSION = '__Host-poolgate';
const APP = 'https://app.example.com';
const UNAVAILABLE = [503, 'unavailable'] as const;

type Records = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Records with some methods that reject. */
function failingAt(records: GatewayRecords, failing: ReadonlySet<string>): GatewayRecords {
  const away = () => Promise.reject(Object.assign(new Error('away'), { code: 'store_unavailable' }));
  const parts = Object.entries(records as unknown as Records).map(([part, methods]) => {
    if (typeof methods !== 'object') return [part, methods];
    const wrapped = Object.entries(methods).map(([name, method]) => [
      name,
      (...input: unknown[]) =>
        failing.has(`${part}.${name}`) ? away() : (method as (...input: unknown[]) => unknown)(...input),
    ]);
    return [part, Object.fromEntries(wrapped)];
  });
  return Object.fromEntries(parts);
}

describe('a browser session if something fails', () => {
  /** The methods of the records that fail now. */
  const failing = new Set<string>();
  const provider: { revoke: (() => unknown) | undefined; refresh: ((call: CallContext) => unknown) | undefined } = {
    revoke: undefined,
    refresh: undefined,
  };
  /** The tokens that the pool was asked to revoke. */
  const revoked: string[] = [];
  let endsMeanwhile = false;
  let service: PoolService;
  let users = 0;
  let name = '';
  let browser: PageBrowser;

  before(async () => {
    service = await startPoolService({
      settings: { returnOrigins: [APP], trustedProxies: ['127.0.0.1/32'] },
      wrap: (operations) => ({
        ...operations,
        async revokeToken(input, call) {
          revoked.push(input.Token);
          await provider.revoke?.();
          return operations.revokeToken(input, call);
        },
        async getTokensFromRefreshToken(input, call) {
          await provider.refresh?.(call);
          return operations.getTokensFromRefreshToken(input, call);
        },
      }),
      wrapRecords(records) {
        const { webSessions } = records;
        return failingAt(
          {
            ...records,
            webSessions: {
              ...webSessions,
              async replace(digest, session, nowMs) {
                if (endsMeanwhile) await webSessions.end(digest);
                return webSessions.replace(digest, session, nowMs);
              },
            },
          },
          failing,
        );
      },
    });
  });
  after(() => service.close());
  beforeEach(async () => {
    failing.clear();
    Object.assign(provider, { revoke: undefined, refresh: undefined });
    endsMeanwhile = false;
    name = await somebody();
    browser = new PageBrowser(service);
    await browser.logIn(name);
    revoked.length = 0;
  });

  async function somebody(): Promise<string> {
    users += 1;
    await addUser(service, `fails-${users}@example.com`);
    return `fails-${users}@example.com`;
  }

  const signedOutElsewhere = () =>
    service.operations.adminUserGlobalSignOut({ UserPoolId: service.userPoolId, Username: name }, TEST_CALL);
  const proof = { password: PASSWORD };
  const refuse = (error: Error) => () => Promise.reject(error);
  const record = (from: PageBrowser) =>
    service.records.webSessions.find(toDigestHex(from.cookies.get(SESSION) ?? ''), service.clock.now());

  it('is opened only after it is stored', async () => {
    const fresh = new PageBrowser(service);
    await fresh.get('/session');
    failing.add('webSessions.insert');
    assertProblem(await fresh.post('/login', { username: name, password: PASSWORD }), UNAVAILABLE);
    assert.equal(fresh.cookies.has(SESSION), false);
  });

  it('is ended only after it is removed', async () => {
    failing.add('webSessions.end');
    assertProblem(await browser.post('/logout'), UNAVAILABLE, 'by a logout');
    const another = { username: await somebody(), ...proof };
    assertProblem(await browser.copy().post('/login', another), UNAVAILABLE, 'by a login');
    failing.clear();
    assert.ok(await browser.user());
    await signedOutElsewhere();
    failing.add('webSessions.end');
    assertProblem(await browser.get('/user/profile'), UNAVAILABLE, 'by a sign-out elsewhere');
  });

  it('is ended by a refused refresh only after it is removed', async () => {
    provider.refresh = refuse(new ProviderError('NotAuthorizedException', 'no', { reason: 'invalid_grant' }));
    failing.add('webSessions.end');
    service.clock.advance(59.5 * MINUTE_MS);
    assertProblem(await browser.get('/user/profile'), UNAVAILABLE);
    failing.clear();
    assert.ok(await record(browser));
    service.clock.advance(20_000);
    assertProblem(await browser.get('/user/profile'), [401, 'unauthenticated']);
    assert.equal(await record(browser), undefined);
  });

  it('is used only after that is recorded', async () => {
    service.clock.advance(MINUTE_MS);
    failing.add('webSessions.touch');
    assertProblem(await browser.get('/session'), UNAVAILABLE);
  });

  it('returns the lease of a refresh before it continues without one', async () => {
    service.clock.advance(59.5 * MINUTE_MS);
    provider.refresh = refuse(new ProviderError('InternalErrorException', 'away'));
    failing.add('webSessions.release');
    assertProblem(await browser.get('/user/profile'), UNAVAILABLE);
    failing.clear();
    service.clock.advance(20_000);
    assert.equal((await browser.get('/user/profile')).status, 200);
  });

  it('gives no ticket that is not stored, and no page for one that is not consumed', async () => {
    const at = { 'x-forwarded-proto': 'https', accept: 'text/html' };
    const ask = (uri: string) =>
      service.ask('GET', '/cognito/forward-auth?redirect=1', {
        headers: { ...at, 'x-forwarded-host': 'app.example.com', 'x-forwarded-uri': uri },
      });
    const comeBack = (uri: string, cookie = '') =>
      service.ask('GET', uri, { headers: { ...at, host: 'app.example.com', ...(cookie && { cookie }) } });
    const begun = await ask('/x');
    const [back = ''] = String(begun.headers['set-cookie']).split(';');
    const start = String(begun.headers.location).replace(`${service.baseUrl}/cognito`, '');
    const navigation = { accept: 'application/json', 'sec-fetch-mode': 'navigate' };
    failing.add('webTickets.insert');
    assertProblem(await browser.get(start, navigation), UNAVAILABLE);
    failing.clear();
    const ticket = String((await browser.open(start)).headers.location).slice(APP.length);
    failing.add('webTickets.consume');
    assert.equal((await comeBack(ticket)).status, 503, 'without the cookie of the way back');
    assert.equal((await comeBack(ticket, back)).status, 503, 'with it');
    assert.equal((await ask(ticket)).status, 503, 'where the proxy lacks the route');
    failing.clear();
    assert.equal((await comeBack(ticket, back)).status, 302);
  });

  it('ends its login, however it ends', async () => {
    const logins: Readonly<Record<string, () => Promise<number>>> = {
      'a logout': async () => (await browser.post('/logout')).status,
      'another login': async () => (await browser.post('/login', { username: await somebody(), ...proof })).status,
      'a proof anew': async () => (await browser.post('/session/step-up', proof)).status,
    };
    for (const [about, end] of Object.entries(logins)) {
      browser = new PageBrowser(service);
      await browser.logIn(name);
      revoked.length = 0;
      assert.equal(await end(), 200, about);
      assert.equal(revoked.length, 1, about);
    }
  });

  it('is removed by a logout even if the provider fails, and the browser is told so', async () => {
    provider.revoke = refuse(new ProviderError('InternalErrorException', 'away'));
    assertProblem(await browser.post('/logout'), UNAVAILABLE);
    assert.equal(browser.cookies.has(SESSION), false);
    const rows: Readonly<Record<string, readonly [error: Error, status: number]>> = {
      'has ended already': [new ProviderError('NotAuthorizedException', 'no', { reason: 'invalid_grant' }), 200],
      'fails like nothing that is known': [Object.assign(new Error('x'), { code: 'invalid_grant' }), 500],
    };
    for (const [about, [error, status]] of Object.entries(rows)) {
      const page = new PageBrowser(service);
      await page.logIn(name);
      provider.revoke = refuse(error);
      assert.equal((await page.post('/logout')).status, status, about);
      assert.equal(page.cookies.has(SESSION), false, about);
    }
  });

  it('replaces another one even if that one’s login cannot be ended, except for an internal error', async () => {
    const other = await somebody();
    const rows = [
      [new ProviderError('InternalErrorException', 'away'), 200],
      [new TypeError('a defect'), 500],
    ] as const;
    for (const [error, status] of rows) {
      const ways: Readonly<Record<string, (page: PageBrowser) => Promise<{ status: number }>>> = {
        'another login': (page) => page.post('/login', { username: other, ...proof }),
        'a proof anew': (page) => page.post('/session/step-up', proof),
      };
      for (const [about, go] of Object.entries(ways)) {
        const page = new PageBrowser(service);
        await page.logIn(name);
        const before = page.copy();
        provider.revoke = refuse(error);
        assert.equal((await go(page)).status, status, `${about} ${error.message}`);
        provider.revoke = undefined;
        assert.equal(await before.user(), null, about);
      }
    }
  });

  it('that ends during a new proof is not restarted, and the new login ends too', async () => {
    endsMeanwhile = true;
    const rows = [
      [undefined, 401],
      [new ProviderError('InternalErrorException', 'away'), 401],
      [new TypeError('a defect'), 500],
    ] as const;
    for (const [error, status] of rows) {
      const page = new PageBrowser(service);
      await page.logIn(name);
      revoked.length = 0;
      provider.revoke = error && refuse(error);
      const answer = await page.post('/session/step-up', proof);
      assert.equal(answer.status, status, answer.text);
      assert.equal(revoked.length, 1);
      if (status === 401) {
        assert.match(answer.text, /The session has ended/);
        assert.equal(page.cookies.has(SESSION), false);
      }
    }
  });

  it('has ended if it gets no new tokens when a page requests some', async () => {
    service.clock.advance(10_000);
    const from: string[] = [];
    provider.refresh = ({ sourceAddress }) => {
      from.push(sourceAddress);
      throw new ProviderError('NotAuthorizedException', 'no', { reason: 'invalid_grant' });
    };
    const answer = await browser.post('/token/refresh');
    assertProblem(answer, [401, 'unauthenticated']);
    assert.match(answer.text, /The session has ended/);
    assert.equal(browser.cookies.has(SESSION), false);
    assert.deepEqual(from, ['127.0.0.1'], 'the provider is told who asks');
  });
});
