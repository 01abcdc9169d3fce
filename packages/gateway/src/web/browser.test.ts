import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMovableClock, createTestRuntime } from '../testing/gateway-deps.ts';
import { encryptRegistrationSession } from '../users/registration-session.ts';
import { Browser } from './browser.ts';
import { rememberLoginStep } from './browser-login.ts';
import { readCookie } from './cookies.ts';
import { toDigestHex } from './digest-hex.ts';
import { createPreLogin, encryptPreLogin, findPendingLogin } from './pre-login.ts';

const SESSION = '__Host-poolgate';
const PRE_LOGIN = '__Host-poolgate-login';
const SHARED = 'Path=/; Secure; HttpOnly';

describe('a named cookie', () => {
  it('is found once among others, in a header of limited length', () => {
    const fill = (length: number) => `a=1;x=${'y'.repeat(length - 'a=1;x='.length)}`;
    const rows: readonly (readonly [header: string | undefined, value: string | undefined])[] = [
      [undefined, undefined],
      ['', undefined],
      ['a=1', '1'],
      ['b=2;  a=1 ;c=3', '1'],
      ['a=', ''],
      ['a=1=2', '1=2'],
      ['aa=1; ba=2', undefined],
      ['a=1; a=1', undefined],
      ['a=1; b=2; a=2', undefined],
      [fill(16_384), '1'],
      [fill(16_385), undefined],
    ];
    for (const [header, value] of rows) assert.equal(readCookie(header, 'a'), value, `${header?.slice(0, 40)}`);
  });
});

describe('a browser', () => {
  const clock = createMovableClock();
  const runtime = createTestRuntime({ clock });
  const withPreLogin = (more: object = {}) => {
    const value = encryptPreLogin(runtime, { ...createPreLogin(runtime), ...more });
    return new Browser(runtime, { cookie: `${PRE_LOGIN}=${value}` }, false);
  };

  it('gets the session cookie with its lifetime, and loses that of the login before', () => {
    const stays = withPreLogin();
    stays.setSessionCookie('id', 60);
    assert.deepEqual(stays.setCookies, [
      `${SESSION}=id; ${SHARED}; SameSite=Lax; Max-Age=60`,
      `${PRE_LOGIN}=; ${SHARED}; SameSite=Strict; Max-Age=0`,
    ]);
    assert.equal(stays.preLogin, undefined);
    const plain = new Browser(runtime, {}, false);
    plain.setSessionCookie('id', undefined);
    assert.deepEqual(plain.setCookies, [`${SESSION}=id; ${SHARED}; SameSite=Lax`]);
  });

  it('loses its session cookie at the end, and only if it has one when none was opened', () => {
    const gone = `${SESSION}=; ${SHARED}; SameSite=Lax; Max-Age=0`;
    const browser = new Browser(runtime, { cookie: `${SESSION}=x` }, false);
    assert.equal(browser.sessionId, 'x');
    browser.clearSessionCookie();
    assert.deepEqual(browser.setCookies, [gone]);
    const none = new Browser(runtime, {}, false);
    none.clearSessionCookie();
    assert.deepEqual(none.setCookies, []);
    const { csrfToken, issuedAtMs } = none.closeSession();
    assert.match(csrfToken, /^[\w-]{43}$/);
    assert.equal(issuedAtMs, clock.now());
    const [first, second = ''] = none.setCookies;
    assert.equal(first, gone);
    assert.ok(second.startsWith(`${PRE_LOGIN}=`) && second.endsWith(`; ${SHARED}; SameSite=Strict`), second);
    assert.equal(none.preLogin?.csrfToken, csrfToken);
    assert.equal(none.ensurePreLogin().csrfToken, csrfToken);
  });

  it('loses its latest step when its session ends', () => {
    const browser = new Browser(runtime, { cookie: `${SESSION}=x; ${SESSION}-step=y` }, false);
    browser.closeSession();
    assert.ok(browser.setCookies.includes(`${SESSION}-step=; ${SHARED}; SameSite=Strict; Max-Age=0`));
  });

  it('fits into a cookie of 4,096 bytes, whatever it stores', () => {
    const browser = new Browser(runtime, {}, false);
    const names = [`${'a'.repeat(64)}@${'b'.repeat(63)}`, 'ü'.repeat(128)];
    const reset = { nameDigestHex: toDigestHex('x'), session: 'x'.repeat(300) };
    browser.rememberReset(reset);
    browser.rememberRegistration(encryptRegistrationSession(runtime, names, { Session: 's'.repeat(1_400) }));
    const proofs = ['PASSWORD', 'SOFTWARE_TOKEN_MFA', 'DEVICE'].map((factor) => ({ factor, atMs: clock.now() }));
    browser.rememberPendingLogin({ sessionDigestHex: toDigestHex('x'), proofs, staysSignedIn: true });
    assert.ok(browser.preLogin?.registration);
    assert.equal(browser.preLogin.reset, undefined);
    for (const cookie of browser.setCookies) assert.ok(cookie.length <= 4_096, `${cookie.length}`);
  });

  it('stores at an application the return address for an hour, and the session until the browser closes', () => {
    const browser = new Browser(runtime, {}, true);
    browser.setReturnCookie('back', 'secret');
    browser.setApplicationCookie('app', 'value');
    browser.clearCookie('old');
    assert.deepEqual(browser.setCookies, [
      `back=secret; ${SHARED}; SameSite=Lax; Max-Age=3600`,
      `app=value; ${SHARED}; SameSite=Lax`,
      `old=; ${SHARED}; SameSite=Lax; Max-Age=0`,
    ]);
  });

  it('stores a step of a login if it was shown, or if the user stays signed in', () => {
    const proofs = [{ factor: 'PASSWORD', atMs: 1 }];
    const outcome = { session: 'next' };
    const nothing = new Browser(runtime, {}, false);
    assert.equal(rememberLoginStep(nothing, { outcome, proofs: [], staysSignedIn: false }), outcome);
    assert.deepEqual(nothing.setCookies, []);
    for (const shown of [
      { proofs, staysSignedIn: false },
      { proofs: [], staysSignedIn: true },
      { proofs, staysSignedIn: true },
    ]) {
      const browser = withPreLogin();
      const csrfToken = browser.preLogin?.csrfToken;
      rememberLoginStep(browser, { outcome, ...shown });
      assert.deepEqual(browser.preLogin?.pending, { sessionDigestHex: toDigestHex('next'), ...shown });
      assert.equal(browser.preLogin?.csrfToken, csrfToken);
      const value = readCookie(browser.setCookies[0], PRE_LOGIN);
      const again = new Browser(runtime, { cookie: `${PRE_LOGIN}=${value}` }, false);
      assert.deepEqual(again.preLogin, browser.preLogin, 'at the next request');
    }
  });

  it('is recognized by the facts of one login only', () => {
    const pending = { sessionDigestHex: toDigestHex('one'), proofs: [], staysSignedIn: true };
    const { preLogin } = withPreLogin({ pending });
    assert.deepEqual(findPendingLogin(preLogin, 'one'), pending);
    for (const session of ['two', '', undefined]) assert.equal(findPendingLogin(preLogin, session), undefined);
    assert.equal(findPendingLogin(undefined, 'one'), undefined);
    assert.equal(findPendingLogin(createPreLogin(runtime), 'one'), undefined);
  });
});
