import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnyRouteName } from '@poolgate/contract';
import { createMovableClock, createTestRuntime } from '../testing/gateway-deps.ts';
import { encryptRegistrationSession } from '../users/registration-session.ts';
import { Browser } from './browser.ts';
import { addRegistrationSession, rememberRegistrationSession } from './browser-registration.ts';

const EMAIL = 'ada@example.com';
const TAKING = ['loginSrp', 'registerResend', 'registerVerify', 'registerVerifyLink', 'webLogin'] as const;

describe('the registration of a browser', () => {
  const runtime = createTestRuntime({ clock: createMovableClock() });
  const session = encryptRegistrationSession(runtime, [EMAIL, 'ada'], { Session: 'of-the-provider' });
  const newBrowser = () => new Browser(runtime, {}, false);

  function registered(): Browser {
    const browser = newBrowser();
    rememberRegistrationSession('register', browser, { session });
    return browser;
  }

  const createBody = (route: AnyRouteName, body: object, browser: Browser | null = registered()) =>
    addRegistrationSession(runtime, route, browser, { body }).body;

  it('is sent along with a request for its names, in any case', () => {
    for (const body of [{ username: 'ada' }, { email: EMAIL }, { email: 'ADA@Example.com', code: '1' }]) {
      for (const route of TAKING) assert.deepEqual(createBody(route, body), { ...body, session }, route);
    }
    assert.deepEqual(createBody('registerVerifyLink', { token: 'x' }), { token: 'x', session }, 'a link names nobody');
  });

  it('is not sent along with a request for another name', () => {
    for (const body of [
      { username: 'eve' },
      { email: 'eve@example.com' },
      { username: 'eve', email: EMAIL },
      { email: '' },
    ]) {
      for (const route of TAKING) assert.deepEqual(createBody(route, body), body, route);
    }
  });

  it('is not sent along if the request has a session, or needs none', () => {
    for (const body of [
      { email: EMAIL, session: 'other' },
      { email: EMAIL, session: '' },
      { email: EMAIL, with_registration: false },
    ]) {
      assert.deepEqual(createBody('registerVerify', body), body);
    }
    for (const route of ['register', 'passwordForgot', 'passwordReset', 'loginAnswer'] as const) {
      assert.deepEqual(createBody(route, { email: EMAIL }), { email: EMAIL }, route);
    }
    for (const browser of [null, newBrowser()]) {
      assert.deepEqual(createBody('registerVerify', { email: EMAIL }, browser), { email: EMAIL });
    }
  });

  it('is ignored if it was made elsewhere, or for another client', () => {
    const foreign = createTestRuntime({ clock: createMovableClock() });
    const elsewhere = { ...runtime, clientId: 'another' };
    for (const strange of [
      encryptRegistrationSession(foreign, [EMAIL], undefined),
      encryptRegistrationSession(elsewhere, [EMAIL], undefined),
      `${session.slice(0, -2)}AA`,
    ]) {
      const browser = newBrowser();
      rememberRegistrationSession('register', browser, { session: strange });
      assert.deepEqual(createBody('registerVerify', { email: EMAIL }, browser), { email: EMAIL });
    }
  });

  it('is stored only from the response to a sign-up, and forgotten once confirmed', () => {
    for (const [route, answer, remembers] of [
      ['register', { session }, true],
      ['register', {}, false],
      ['register', { session: 1 }, false],
      ['registerResend', { session }, false],
      ['loginSrp', { session }, false],
    ] as const) {
      const browser = newBrowser();
      rememberRegistrationSession(route, browser, answer);
      assert.equal(browser.preLogin?.registration !== undefined, remembers, route);
    }
    for (const route of ['registerVerify', 'registerVerifyLink'] as const) {
      const browser = registered();
      rememberRegistrationSession('registerResend', browser, {});
      assert.equal(browser.preLogin?.registration, session);
      rememberRegistrationSession(route, browser, {});
      assert.equal(browser.preLogin?.registration, undefined, route);
    }
  });
});
