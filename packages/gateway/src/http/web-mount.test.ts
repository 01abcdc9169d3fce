import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addUser, inviteUser, TEST_CALL } from '@poolgate/pool/testing';
import { ProviderError } from '@poolgate/provider';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createTestDeps } from '../testing/gateway-deps.ts';
import { assertProblem, PageBrowser, parseSetCookies } from '../testing/page-browser.ts';
import { type PoolService, startPoolService } from '../testing/pool-service.ts';
import { handlers } from './handlers.ts';
import type { StoredResponse } from './idempotency.ts';
import { createServer } from './server.ts';

const ADA = 'ada@example.com';
const OPERATOR = 'op@example.com';
const EVE = 'eve@example.com';
const SESSION = '__Host-poolgate';

describe('browser routes', () => {
  let service: PoolService;
  let failure: Error | undefined;
  before(async () => {
    service = await startPoolService({
      settings: { adminGroups: ['operators'] },
      wrap: (operations) => ({
        ...operations,
        getUser: (input, call) => (failure === undefined ? operations.getUser(input, call) : Promise.reject(failure)),
      }),
    });
    const { operations, userPoolId: UserPoolId } = service;
    for (const name of [ADA, OPERATOR]) await addUser(service, name);
    await inviteUser(service, EVE);
    await operations.createGroup({ UserPoolId, GroupName: 'operators' }, TEST_CALL);
    await operations.adminAddUserToGroup({ UserPoolId, GroupName: 'operators', Username: OPERATOR }, TEST_CALL);
  });
  after(() => service.close());

  async function signedIn(username = ADA): Promise<PageBrowser> {
    const browser = new PageBrowser(service);
    // Later than any earlier revocation: within one second, only the provider would know the order.
    service.clock.advance(2_000);
    await browser.logIn(username);
    return browser;
  }

  it('for operators are open to members of an admin group, and to no other signed-in user', async () => {
    const other = { username: EVE };
    const asOperator = await (await signedIn(OPERATOR)).post('/user/mfa/disable', other);
    assert.equal(asOperator.status, 200, asOperator.text);
    assertProblem(await (await signedIn()).post('/user/mfa/disable', other), [403, 'forbidden']);
    const nobody = new PageBrowser(service);
    await nobody.get('/session');
    assertProblem(await nobody.post('/user/mfa/disable', other), [401, 'unauthenticated']);
  });

  it('change nothing for a page of another origin, and need no origin to read', async () => {
    const browser = await signedIn();
    const elsewhere = { origin: 'https://evil.example' };
    assert.equal((await browser.get('/user/profile', elsewhere)).status, 200);
    const headers = { ...browser.pageHeaders, ...elsewhere };
    assertProblem(await service.ask('DELETE', '/cognito/user', { headers, body: {} }), [403, 'csrf_failed']);
    assertProblem(await browser.post('/logout', {}, elsewhere), [403, 'csrf_failed']);
  });

  it('set no cookie unless there is a new one', async () => {
    const browser = new PageBrowser(service);
    const first = await browser.get('/session');
    assert.equal(parseSetCookies(first).length, 1);
    const again = await browser.get('/session');
    assert.equal(again.headers['set-cookie'], undefined);
  });

  it('end the session if the provider refuses its tokens, and for no other failure', async () => {
    const browser = await signedIn();
    for (const [thrown, status] of [
      [new ProviderError('TooManyRequestsException', 'x'), 429],
      [new TypeError('x'), 500],
      [Object.assign(new Error('of somebody else'), { code: 'unauthenticated' }), 500],
    ] as const) {
      failure = thrown;
      const answer = await browser.get('/user/profile');
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.headers['set-cookie'], undefined);
    }
    failure = new ProviderError('NotAuthorizedException', 'revoked');
    const ended = await browser.copy().get('/user/profile');
    failure = undefined;
    assertProblem(ended, [401, 'unauthenticated']);
    assert.match(ended.text, /The session has ended/);
    assert.equal(
      parseSetCookies(ended)
        .find(({ name }) => name === SESSION)
        ?.attributes.at(-1),
      'max-age=0',
    );
    assert.equal(await browser.user(), null, 'for whoever has its cookie still');
  });

  it('are answered after the session has ended', async (context) => {
    const { webSessions } = service.records;
    const end = webSessions.end.bind(webSessions);
    for (const [about, act] of Object.entries({
      'the provider takes no token': async (browser: PageBrowser) => {
        failure = new ProviderError('NotAuthorizedException', 'revoked');
        const answer = browser.get('/user/profile');
        return () => answer;
      },
      'the user logs out everywhere': async (browser: PageBrowser) => {
        const answer = browser.post('/logout/forced');
        return () => answer;
      },
    })) {
      const browser = await signedIn();
      const begun = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const gated = context.mock.method(webSessions, 'end', async (digest: string) => {
        begun.resolve();
        await released.promise;
        await end(digest);
      });
      let isAnswered = false;
      const answer = (await act(browser))().then((given) => {
        isAnswered = true;
        return given;
      });
      await begun.promise;
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      assert.equal(isAnswered, false, about);
      released.resolve();
      await answer;
      failure = undefined;
      gated.mock.restore();
    }
  });

  it('end the session of a user who deletes the account, but not if that is refused', async () => {
    const name = 'gone@example.com';
    await addUser(service, name);
    const browser = await signedIn(name);
    const remove = (body: object) => service.ask('DELETE', '/cognito/user', { headers: browser.pageHeaders, body });
    const refused = await remove({});
    assertProblem(refused, [422, 'validation_failed']);
    assert.equal(refused.headers['set-cookie'], undefined);
    assert.ok(await browser.user());
    const gone = await remove({ confirm: true });
    assert.equal(gone.status, 200, gone.text);
    assert.match(String(gone.headers['set-cookie']), /^__Host-poolgate=;.*Max-Age=0/);
    assert.equal(await browser.user(), null);
  });

  it('require a recent login if the route does', async () => {
    const browser = await signedIn();
    service.clock.advance(901_000);
    assertProblem(await browser.post('/user/mfa/activate'), [403, 'reauthentication_required']);
    assert.equal((await browser.get('/user/profile')).status, 200);
  });

  it('fail before a page sees tokens that a route returns by mistake', async (context) => {
    const answers: StoredResponse[] = [
      { status: 200, body: { access_token: 'secret' } },
      { status: 200, body: { refresh_token: 'secret' } },
      { status: 200, body: { id_token: 'secret' } },
      { status: 200, body: null },
      { status: 200, body: 'access_token' },
    ];
    context.mock.method(handlers, 'userProfile', async () => answers.shift() as never);
    const mistaken = await startPoolService();
    await addUser(mistaken, ADA);
    const browser = new PageBrowser(mistaken);
    await browser.logIn(ADA);
    const statuses = [];
    for (let count = answers.length; count > 0; count -= 1) {
      const { status, text } = await browser.get('/user/profile');
      assert.doesNotMatch(text, /secret/);
      statuses.push(status);
    }
    assert.deepEqual(statuses, [500, 500, 500, 200, 200]);
    await mistaken.close();
  });
});

describe('a route that needs no session', () => {
  it('is refused in the same way if there is no session to end', async (context) => {
    const refuse = async () => {
      throw new GatewayError('unauthenticated');
    };
    context.mock.method(handlers, 'mfaActivate', refuse);
    const service = await startPoolService();
    const nobody = new PageBrowser(service);
    await nobody.get('/session');
    const answer = await nobody.post('/user/mfa/activate', { session: 'x'.repeat(20), username: ADA });
    assertProblem(answer, [401, 'unauthenticated']);
    await service.close();
  });
});

describe('browser pages', () => {
  it('are shown to everyone with page headers; unknown ones have the usual headers', async () => {
    const shells = async () => [{ language: 'en', html: () => '<p>' }];
    const pages = { names: ['login'], shells, file: async () => undefined };
    const app = await createServer({ ...createTestDeps({}), pages });
    for (const method of ['GET', 'HEAD'] as const) {
      const page = await app.inject({ method, url: '/cognito/login', headers: { origin: 'https://evil.example' } });
      assert.equal(page.statusCode, 200, method);
      assert.match(String(page.headers['content-security-policy']), /; script-src 'self';/);
      assert.equal(page.headers['cross-origin-opener-policy'], 'same-origin');
    }
    const { headers } = await app.inject('/cognito/session');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; base-uri/);
    assert.equal(headers['cross-origin-opener-policy'], undefined);
    await app.close();
  });
});

describe('the request of a proxy in front of an application', () => {
  it('may contain the token of that application, if it comes from a trusted proxy, and nowhere else', async () => {
    const token = { authorization: 'Bearer of.another.application' };
    for (const trustedProxies of [[], ['127.0.0.1']]) {
      const service = await startPoolService({ settings: { trustedProxies } });
      const isTrusted = trustedProxies.length > 0;
      const ask = (path: string) => service.ask('GET', path, { headers: token });
      assert.equal((await ask('/cognito/forward-auth')).status, isTrusted ? 401 : 400);
      assertProblem(await ask('/cognito/session'), [400, 'malformed_request'], 'any other route');
      await service.close();
    }
  });
});
