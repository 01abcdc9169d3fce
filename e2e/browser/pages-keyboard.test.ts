import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { assertUsable, createKeyboardUser } from '../support/browser/accessibility-checks.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser, signInAndTrust } from '../support/browser/page-person.ts';
import { computeNextTotpCode, startPageService } from '../support/browser/page-service.ts';
import { computeWrongTotpCode } from '../support/routes/route-mfa.ts';
import type { TestService } from '../support/services/test-service.ts';

const GRACE = { email: 'grace@example.com', password: 'Correct-Horse1!' };
const NEXT_PASSWORD = 'Another-Horse2!';
/** A sign-in of this age is no longer recent. */
const LONG_AGO_MS = 16 * 60_000;

describe('the pages with the keyboard alone', () => {
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

  /** A user without a mouse. */
  let grace: BrowserUser;
  let recoveryCodes: readonly string[] = [];
  let secretCode = '';
  const enter = () => grace.page.keyboard.press('Enter');
  const look = (about: string) => assertUsable(grace.page, about);
  const told = (text: string) => grace.page.getByRole('status').filter({ hasText: text }).first().waitFor();
  const focused = (attribute: string) => grace.page.locator(':focus').getAttribute(attribute);

  /**
   * Fills in a field and sends its form until an element appears. On a busy machine, a section that renders again takes the focus between
   * the text and the key, and a person presses the key again.
   */
  async function sendUntil(seen: playwright.Locator, field: string, text: string, within: string): Promise<void> {
    for (let tries = 0; tries < 4; tries += 1) {
      await grace.type(field, text, within);
      await enter();
      const isSeen = await seen.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      if (isSeen) return;
    }
    await seen.waitFor();
  }

  /** Sends a form with an invalid field and expects the focus on it. */
  async function sendsWrong(field: string, text: string, within = 'main'): Promise<void> {
    await sendUntil(grace.page.locator(`${within} input[name="${field}"][aria-invalid=true]`), field, text, within);
    assert.equal(await focused('name'), field);
  }

  it('a sign-up, its code, a sign-in and a trusted device work with the keyboard alone, and every step is accessible', async () => {
    grace = createKeyboardUser(await openBrowserUser(browser, service, { reducedMotion: 'reduce' }));
    await grace.visit('login');
    await grace.press('signUp');
    await grace.sees(/^Create your/);
    await grace.type('name', 'Grace');
    await grace.type('email', GRACE.email);
    await grace.type('password', GRACE.password);
    await enter();
    await grace.sees('Confirm your email address');
    await sendsWrong('code', '000');
    await look('confirm a sign-up');
    await grace.type('code', await grace.code(GRACE.email));
    await grace.sees('Your account');
    await grace.press('sign-out');
    await grace.sees(/^Sign in to/);
    await signInAndTrust(grace, GRACE.email, GRACE.password);
    await grace.page.locator('poolgate-devices [data-name=forget]').waitFor();
  });

  it('every form of the account works with the keyboard alone, shows errors at the field, and is accessible', async () => {
    await look('account');
    await grace.press('edit-email', 'poolgate-profile');
    await sendsWrong('email', 'nobody', 'poolgate-profile');
    await grace.press('change', 'poolgate-change-password');
    await grace.type('current', GRACE.password, 'poolgate-change-password');
    await sendsWrong('newPassword', 'short', 'poolgate-change-password');
    await grace.press('set-up', 'poolgate-mfa');
    await grace.page.locator('[data-part=qr]').waitFor();
    secretCode = (await grace.page.locator('[data-part=key] code').innerText()).replaceAll(' ', '');
    await sendsWrong('code', computeWrongTotpCode(service, secretCode), 'poolgate-mfa');
    await grace.press('rename', 'poolgate-devices');
    await sendsWrong('name', ' ', 'poolgate-devices');
    await grace.press('end-all', 'poolgate-devices');
    assert.equal(await focused('data-part'), 'question');
    await grace.press('delete', 'poolgate-delete-account');
    await sendsWrong('word', 'delete', 'poolgate-delete-account');
    await look('every form of the account');
  });

  it('recovery codes, the code of an address and dialogs work with the keyboard alone, and are accessible', async () => {
    const code = grace.page.locator('poolgate-profile input[name=code]');
    await sendUntil(code, 'email', 'hopper@example.com', 'poolgate-profile');
    await sendsWrong('code', '000', 'poolgate-profile');
    await grace.type('code', computeNextTotpCode(service, secretCode), 'poolgate-mfa');
    await enter();
    await grace.page.locator('[data-part=codes] li').first().waitFor();
    recoveryCodes = await grace.page.locator('[data-part=codes] li').allInnerTexts();
    await grace.press('cancel', 'poolgate-devices');
    assert.equal(await focused('data-part'), 'section-title');
    await grace.press('forget', 'poolgate-devices');
    assert.equal(await focused('data-part'), 'question');
    await look('recovery codes, the code of an address, a question');
    await grace.press('kept');
    await grace.page.locator('poolgate-mfa').getByText('You have 10 recovery codes left.').waitFor();
    await grace.press('cancel', 'poolgate-devices');
    await grace.press('rename', 'poolgate-devices');
    await grace.type('name', 'Laptop', 'poolgate-devices');
    await enter();
    await grace.page.locator('poolgate-devices').getByText('Laptop', { exact: true }).waitFor();
    await grace.page.waitForFunction(() =>
      document.activeElement?.matches('poolgate-devices [data-part=section-title]'),
    );
    await grace.press('cancel', 'poolgate-delete-account');
  });

  it('a new sign-in of a signed-in user works with the keyboard alone, and returns the focus', async () => {
    service.clock.advance(LONG_AGO_MS);
    const isBack = () =>
      grace.page.waitForFunction(() => document.activeElement?.matches('poolgate-mfa [data-name=set-up]'));
    const asked = async () => {
      await grace.press('set-up', 'poolgate-mfa');
      await grace.page.locator('dialog input[name=password]:focus').waitFor();
    };
    await asked();
    await grace.page.keyboard.press('Escape');
    await isBack();
    await asked();
    await grace.press('cancel-step-up', 'dialog');
    await isBack();
    await asked();
    await grace.type('password', 'Wrong-Horse1!', 'dialog');
    await enter();
    await grace.page
      .locator('dialog')
      .getByRole('alert')
      .filter({ hasText: 'That password isn’t right. Check it and try again.' })
      .waitFor();
    assert.equal(await focused('name'), 'password');
    await look('who are you?');
    // On a trusted device, the password is enough.
    await grace.type('password', GRACE.password, 'dialog');
    await enter();
    await grace.page.locator('poolgate-mfa input[name=code]:focus').waitFor();
    await grace.press('cancel', 'poolgate-mfa');
  });

  it('a missing passkey, a forgotten password and a recovery code work with the keyboard alone, and every step is accessible', async () => {
    const account = grace;
    grace = createKeyboardUser(await openBrowserUser(browser, service, { reducedMotion: 'reduce' }));
    await grace.addAuthenticator();
    await grace.visit('login');
    await grace.press('passkey');
    await grace.page.getByText('was canceled').waitFor();
    await look('a passkey that is not there');
    await grace.press('other');
    await grace.press('forgotPassword');
    await grace.sees('Forgot your password?');
    await grace.type('username', GRACE.email);
    await enter();
    await grace.sees('Set a new password');
    await sendsWrong('code', '');
    await look('reset with a code');
    await grace.type('code', await grace.code(GRACE.email));
    await grace.type('password', NEXT_PASSWORD);
    await enter();
    await grace.sees('Enter your authentication code');
    await grace.press('recovery');
    await grace.sees('Enter a recovery code');
    await sendsWrong('code', 'AAAA-AAAA-AAAA');
    await look('a recovery code');
    await grace.type('code', recoveryCodes[0] ?? '');
    await enter();
    await grace.sees('Trust this device?');
    await look('trust a device');
    await grace.press('not-now');
    await grace.sees('Your account');
    await grace.press('add', 'poolgate-passkeys');
    await told('Passkey added.');
    await grace.press('rename', 'poolgate-passkeys');
    await sendsWrong('name', ' ', 'poolgate-passkeys');
    await grace.press('cancel', 'poolgate-passkeys');
    await grace.press('remove', 'poolgate-passkeys');
    await look('a passkey that is to be removed');
    await enter();
    await grace.press('submit', 'poolgate-passkeys');
    await told('Passkey removed.');
    assert.deepEqual(account.faults, []);
    await account.close();
  });

  it('the deletion of an account works with the keyboard alone, and is accessible', async () => {
    await grace.press('delete', 'poolgate-delete-account');
    await grace.type('word', 'DELETE', 'poolgate-delete-account');
    await enter();
    await grace.sees('Your account will be deleted');
    await look('a deleted account');
    assert.deepEqual(grace.faults, []);
    await grace.close();
  });
});
