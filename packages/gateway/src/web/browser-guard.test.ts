import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestRuntime } from '../testing/gateway-deps.ts';
import { Browser } from './browser.ts';
import { admitBrowser, needsUser } from './browser-guard.ts';
import { createPreLogin, encryptPreLogin } from './pre-login.ts';
import { logOutBrowser, refreshSession } from './session-handlers.ts';
import { stepUp } from './step-up.ts';

const call = { requestId: 'test', sourceAddress: '127.0.0.1' };
const runtime = createTestRuntime({});

describe('the guard of browser sessions', () => {
  it('requires a user as the route does, also with a session in the body', () => {
    const rows = [
      ['public', {}, false],
      ['user', {}, true],
      ['user', { session: 'x' }, true],
      ['operator', undefined, true],
      ['user-or-session', { session: 'x' }, false],
      ['user-or-session', { session: undefined }, false],
      ['user-or-session', {}, true],
      ['user-or-session', undefined, true],
      ['user-or-session', null, true],
      ['user-or-session', 'session', true],
    ] as const;
    for (const [guard, body, wanted] of rows) {
      assert.equal(needsUser({ guard } as Parameters<typeof needsUser>[0], body), wanted, `${guard} ${body}`);
    }
  });

  it('refuses a token anywhere, and accepts any other body', async () => {
    const preLogin = createPreLogin(runtime);
    const admit = (more: object, headers: object = {}) => {
      const cookie = `__Host-poolgate-login=${encryptPreLogin(runtime, preLogin)}`;
      const browser = new Browser(runtime, { cookie, 'x-csrf-token': preLogin.csrfToken, ...headers }, false);
      const request = { browser, method: 'POST', query: undefined, body: undefined, isForAnother: false, call };
      return admitBrowser(runtime, { ...request, ...more }, false);
    };
    for (const body of [null, undefined, 'access_token', [], {}, { other: 1 }]) {
      assert.equal(await admit({ body }), undefined);
      assert.equal(await admit({ query: body }), undefined);
    }
    const token = { access_token: '' };
    for (const more of [{ body: token }, { query: token }]) {
      await assert.rejects(admit(more), { code: 'malformed_request' });
    }
    const bearer = { authorization: 'Bearer x' };
    await assert.rejects(admit({}, bearer), { code: 'malformed_request' });
    assert.equal(await admit({ isForAnother: true, body: token }, bearer), undefined);
    await assert.rejects(admit({}, { 'x-csrf-token': 'x' }), { code: 'csrf_failed' });
    assert.equal(await admit({ method: 'GET' }, { 'x-csrf-token': 'x' }), undefined);
  });

  it('runs before anything that uses a session, which fails without one', async () => {
    for (const handle of [refreshSession, logOutBrowser, stepUp]) {
      const browser = new Browser(runtime, {}, false);
      const request = { browser, call, body: { password: 'x' }, query: undefined } as never;
      await assert.rejects((handle as typeof stepUp)(runtime, request), {
        code: 'unauthenticated',
        message: 'The session has ended. Log in again.',
      });
    }
  });
});
