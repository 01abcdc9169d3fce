import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { ENGLISH_TEXTS as EN } from '../../packages/elements/src/testing/english.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser } from '../support/browser/page-person.ts';
import { computeNextTotpCode, startPageService } from '../support/browser/page-service.ts';
import { createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { addUser, inviteUser, PASSWORD, type TestService } from '../support/services/test-service.ts';

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe('a browser on a phone that goes back, reloads and discards tabs', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let users = 0;
  before(async () => {
    service = await startPageService({ mfaTypes: ['SOFTWARE_TOKEN_MFA'] });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function opened(t: { after(end: () => Promise<void>): void }): Promise<BrowserUser> {
    const person = await openBrowserUser(browser, service, PHONE);
    t.after(async () => {
      const faults = [...person.faults];
      await person.close();
      assert.deepEqual(faults, []);
    });
    return person;
  }

  const createName = (): string => `resume${users++}@example.com`;
  const readStorage = ({ page }: BrowserUser): Promise<Readonly<Record<string, string>>> =>
    page.evaluate(() => ({ ...sessionStorage }));
  const countEntries = ({ page }: BrowserUser): Promise<number> => page.evaluate(() => history.length);
  const countMails = (to: string): number => service.outbox?.list(to).length ?? 0;

  async function addTotpUser(): Promise<{ readonly user: string; readonly secretCode: string }> {
    const user = createName();
    await addUser(service, user);
    return { user, secretCode: await createActiveAuthenticator(service, user) };
  }

  async function enterPassword(person: BrowserUser, user: string): Promise<void> {
    await person.visit('login');
    await fillSignIn(person, user);
  }

  async function fillSignIn(person: BrowserUser, user: string): Promise<void> {
    await person.type('username', user);
    await person.type('password', PASSWORD);
    await person.press('submit');
  }

  /** Continues where a discarded tab does: with the same history entry and `sessionStorage`, and nothing in memory. */
  const discard = ({ page }: BrowserUser): Promise<unknown> => page.reload();

  async function arrives(person: BrowserUser): Promise<void> {
    await person.sees(/Trust this device|Your account/);
    if (await person.page.getByText(EN['device.rememberTitle']).isVisible()) await person.press('not-now');
    await person.sees(EN['account.title']);
    assert.deepEqual(Object.keys(await readStorage(person)), []);
  }

  it('asks for the authenticator code again after a reload, and after Back and Forward', async (t) => {
    const ada = await opened(t);
    const { user, secretCode } = await addTotpUser();
    await ada.visit('login');
    const entries = await countEntries(ada);
    await fillSignIn(ada, user);
    await ada.sees(EN['totp.title']);
    await ada.page.waitForFunction(() => sessionStorage.getItem('poolgate-step') !== null);
    assert.equal(await countEntries(ada), entries + 1, 'one step');
    assert.deepEqual(JSON.parse((await readStorage(ada))['poolgate-step'] ?? ''), { step: 'totp', username: user });
    await ada.page.goBack();
    await ada.page.locator('input[name=password]').waitFor();
    assert.equal(await ada.page.locator('input[name=username]').inputValue(), user);
    await ada.page.goForward();
    await ada.sees(EN['totp.title']);
    await discard(ada);
    await ada.sees(EN['totp.title']);
    await ada.press('recovery');
    await ada.sees(EN['recovery.title']);
    await discard(ada);
    await ada.sees(EN['recovery.title']);
    await ada.page.goBack();
    await ada.sees(EN['totp.title']);
    await ada.type('code', computeNextTotpCode(service, secretCode));
    if (await ada.page.locator('[data-name=submit]:visible').count()) await ada.press('submit').catch(() => undefined);
    await arrives(ada);
  });

  it('returns to the first form after a reload, and not to a step that was answered', async (t) => {
    const ada = await opened(t);
    const { user } = await addTotpUser();
    await enterPassword(ada, user);
    await ada.sees(EN['totp.title']);
    await discard(ada);
    await ada.sees(EN['totp.title']);
    await ada.page.goBack();
    await ada.page.locator('input[name=password]').waitFor();
    await discard(ada);
    await ada.page.locator('input[name=password]').waitFor();
    assert.deepEqual(await readStorage(ada), {});
  });

  it('sends one code by email, whatever the browser does meanwhile', async (t) => {
    const ada = await opened(t);
    const user = createName();
    await addUser(service, user);
    const before = countMails(user);
    await ada.visit('login');
    await ada.type('username', user);
    await ada.press('code');
    await ada.sees(EN['sentCode.emailTitle']);
    const code = await ada.code(user);
    await discard(ada);
    await ada.sees(EN['sentCode.emailTitle']);
    await ada.page.goBack();
    await ada.page.locator('input[name=password]').waitFor();
    await ada.press('code');
    await ada.sees(EN['sentCode.emailTitle']);
    assert.equal(countMails(user), before + 1);
    await ada.type('code', code);
    if (await ada.page.locator('[data-name=submit]:visible').count()) await ada.press('submit').catch(() => undefined);
    await arrives(ada);
  });

  it('offers a passkey after a password until there is one, and not again after declining', async (t) => {
    const ada = await opened(t);
    await ada.addAuthenticator();
    const [first, second] = [createName(), createName()];
    for (const user of [first, second]) await addUser(service, user);
    const signOut = async (): Promise<void> => {
      await ada.press('sign-out');
      await ada.sees(/^Sign in to/);
    };
    await enterPassword(ada, first);
    await ada.sees(EN['passkeyOffer.title']);
    await ada.press('not-now');
    await ada.sees(EN['account.title']);
    await signOut();
    await enterPassword(ada, first);
    await ada.sees(EN['account.title']);
    await signOut();
    await enterPassword(ada, second);
    await ada.sees(EN['passkeyOffer.title']);
    await ada.press('add-passkey');
    await ada.sees(EN['account.title']);
    const passkeys = await ada.page.evaluate(async () => (await (await fetch('/cognito/passkey')).json()).passkeys);
    assert.equal((passkeys as readonly unknown[]).length, 1);
  });

  it('shows the same authenticator key again after a reload', async (t) => {
    const forced = await startPageService({ mfaSetup: 'ON', mfaTypes: ['SOFTWARE_TOKEN_MFA'] });
    t.after(() => forced.close());
    const ada = await openBrowserUser(browser, forced, PHONE);
    t.after(() => ada.close());
    const user = createName();
    await addUser(forced, user);
    await enterPassword(ada, user);
    await ada.sees(EN['setUp.title']);
    const readKey = () => ada.page.locator('[data-part=key] code').first().innerText();
    const key = await readKey();
    await discard(ada);
    await ada.sees(EN['setUp.title']);
    assert.equal(await readKey(), key);
    await ada.type('code', computeNextTotpCode(forced, key.replaceAll(/\s/g, '')));
    await ada.press('submit');
    await ada.sees(/Trust this device|Your account/);
  });

  it('starts over with the username if the step has expired', async (t) => {
    const ada = await opened(t);
    const { user } = await addTotpUser();
    await enterPassword(ada, user);
    await ada.sees(EN['totp.title']);
    service.clock.advance(4 * 60_000);
    await discard(ada);
    await ada.page.locator('input[name=password]').waitFor();
    assert.equal(await ada.page.locator('input[name=username]').inputValue(), user);
    assert.deepEqual(await readStorage(ada), {});
  });

  it('confirms a sign-up at its own address, in this tab and in another one of the same browser', async (t) => {
    const ada = await opened(t);
    const user = createName();
    await ada.visit('register');
    await ada.type('email', user);
    await ada.type('password', PASSWORD);
    await ada.press('submit');
    await ada.sees(EN['verify.title']);
    assert.match(ada.page.url(), /\/cognito\/verify$/);
    await discard(ada);
    await ada.page.getByText(user).waitFor();
    const other = await ada.page.context().newPage();
    await other.goto(`${service.baseUrl}/cognito/verify`);
    await other.getByText(user).waitFor();
    await other.close();
    await ada.type('code', await ada.code(user));
    await ada.press('submit').catch(() => undefined);
    await arrives(ada);
    assert.equal(countMails(user), 1);
  });

  it('resets a password at its own address', async (t) => {
    const ada = await opened(t);
    const user = createName();
    await addUser(service, user);
    await ada.visit('forgot');
    await ada.type('username', user);
    await ada.press('submit');
    await ada.sees(EN['reset.title']);
    assert.match(ada.page.url(), /\/cognito\/reset$/);
    await discard(ada);
    await ada.page.getByText(user).waitFor();
    const code = await ada.code(user);
    await ada.type('code', code);
    await ada.type('password', 'Another-Horse2!');
    await ada.press('submit');
    await arrives(ada);
  });
});

describe('login CSRF', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    service = await startPageService();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  it('is impossible with a link: the page does not show a step that another browser started, whatever the address says', async (t) => {
    const [attacker, victim] = ['mallory@example.com', 'victim@example.com'];
    await inviteUser(service, victim).catch(() => undefined);
    await addUser(service, attacker);
    const start = await service.post('/login/passkey/challenge/EMAIL_OTP', { username: attacker });
    const { Session: session } = start.body as { readonly Session: string };
    const person = await openBrowserUser(browser, service);
    t.after(() => person.close());
    const query = new URLSearchParams({ session, step: 'sentCode', username: attacker, challenge_name: 'EMAIL_OTP' });
    await person.visit(`login?${query}#${query}`);
    await person.page.locator('input[name=password]').waitFor();
    assert.equal(await person.page.locator('input[name=code]').count(), 0);
    assert.equal(await person.page.locator('input[name=username]').inputValue(), '');
  });

  it('is impossible with a resumed step: a tab shows only the step that it showed before, of the same username', async (t) => {
    const [attacker, owner] = ['eve@example.com', 'owner@example.com'];
    await addUser(service, attacker);
    await addUser(service, owner);
    const person = await openBrowserUser(browser, service);
    t.after(() => person.close());
    const begin = async (page: playwright.Page, user: string) => {
      await page.goto(`${service.baseUrl}/cognito/login`);
      await page.locator('input[name=username]').fill(user);
      await page.locator('[data-name=code]').click();
      await page.locator('input[name=code]').waitFor();
    };
    await begin(person.page, owner);
    // Another user of the same browser signs in in another tab, which replaces the cookie.
    const other = await person.page.context().newPage();
    await begin(other, attacker);
    await person.page.reload();
    await person.page.locator('input[name=password]').waitFor();
    assert.equal(await person.page.locator('input[name=username]').inputValue(), owner);
    const third = await person.page.context().newPage();
    await third.goto(`${service.baseUrl}/cognito/login`);
    await third.locator('input[name=password]').waitFor();
    assert.equal(await third.locator('input[name=code]').count(), 0, 'a new tab resumes nothing');
  });
});
