import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { createKeyboardUser } from '../support/browser/accessibility-checks.ts';
import { launchBrowser, type VirtualAuthenticator } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser, signInAndTrust } from '../support/browser/page-person.ts';
import { computeNextTotpCode, startPageService } from '../support/browser/page-service.ts';
import { readQr } from '../support/browser/read-qr.ts';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { computeWrongTotpCode } from '../support/routes/route-mfa.ts';
import { addUser, type TestService } from '../support/services/test-service.ts';

const EMAIL = 'ada@example.com';
const NEW_EMAIL = 'countess@example.com';
const PASSWORD = 'Correct-Horse1!';
const NEXT_PASSWORD = 'Another-Horse2!';
const NOT_OFFERED = 'This service doesn’t support that.';

describe('the life of an account on the pages of the service', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let ada: BrowserUser;
  let phone: BrowserUser;
  before(async () => {
    service = await startPageService();
    browser = await launchBrowser();
    // A user's complete life, with only the keyboard.
    ada = createKeyboardUser(await openBrowserUser(browser, service));
    phone = await openBrowserUser(browser, service, { viewport: { width: 390, height: 844 }, hasTouch: true });
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const notice = (person: BrowserUser, text: string | RegExp) =>
    person.page.getByRole('status').filter({ hasText: text }).first().waitFor();

  async function signIn(person: BrowserUser, email: string, password: string): Promise<void> {
    await person.visit('login');
    await person.type('username', email);
    await person.type('password', password);
    await person.press('submit');
  }

  async function signOut(person: BrowserUser): Promise<void> {
    await person.press('sign-out');
    await person.sees(/^Sign in to/);
  }

  /** Completes the second step with the authenticator, and declines to trust the device. */
  async function proveByApp(person: BrowserUser): Promise<void> {
    await person.sees('Enter your authentication code');
    await person.type('code', computeNextTotpCode(service, secretCode));
    await person.press('submit');
    await declineTrust(person);
  }

  const declined = new Set<BrowserUser>();

  /** A browser in which the user has declined before does not ask again. */
  async function declineTrust(person: BrowserUser): Promise<void> {
    if (!declined.has(person)) {
      await person.sees('Trust this device?');
      await person.press('not-now');
      declined.add(person);
    }
    await person.sees('Your account');
  }

  /** Signs out, and in again with the browser's passkey. If nothing has to be typed, no form appears in between. */
  async function reenterByPasskey(person: BrowserUser): Promise<void> {
    const left = person.page.waitForEvent('load');
    await person.press('sign-out');
    await left;
    if (ON_COGNITO) {
      // Cognito supports no passkey without a name, so the page asks for one.
      await person.sees(/^Sign in to/);
      await person.press('passkey');
      await person.page.getByText('Email or username is required.').waitFor();
      await person.type('username', EMAIL);
      await person.press('passkey');
    }
    await person.sees('Your account');
  }

  let passkeys: VirtualAuthenticator;
  let secretCode = '';
  let recoveryCodes: readonly string[] = [];

  it('starts with a sign-up and its code, which signs in, and trusts a device', async () => {
    await ada.visit('register');
    await ada.type('name', 'Ada <img src=x onerror=alert(1)>');
    await ada.type('email', EMAIL);
    if (!ON_COGNITO) {
      await ada.type('password', 'Password1!');
      await ada.press('submit');
      await ada.page.getByText('Too many people use this password.').waitFor();
      assert.equal(service.outbox?.list(EMAIL).length, 0);
    }
    await ada.type('password', PASSWORD);
    await ada.press('submit');
    await ada.sees('Confirm your email address');
    await ada.page.getByText(EMAIL).waitFor();
    await ada.type('code', await ada.code(EMAIL));
    await ada.press('submit');
    await ada.sees('Your account');
    await signOut(ada);
    const sent: string[] = [];
    ada.page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
    await signIn(ada, EMAIL, PASSWORD);
    await ada.sees('Your account');
    assert.ok(sent.some((request) => request.includes('srp_a')));
    assert.ok(!sent.join().includes(PASSWORD), 'the password stays in the browser');
    await signOut(ada);
    await signInAndTrust(ada, EMAIL, PASSWORD);
    await ada.page.locator('poolgate-devices').getByText('This device').first().waitFor();
    if (!ON_COGNITO) await ada.page.locator('poolgate-devices').getByText('Trusted', { exact: true }).waitFor();
  });

  it('adds an authenticator app with the QR code on the screen, and recovery codes if available', async () => {
    await ada.press('set-up', 'poolgate-mfa');
    await ada.page.locator('[data-part=qr]').waitFor();
    const uri = new URL(await readQr(ada.page, '[data-part=qr]'));
    assert.equal(uri.protocol, 'otpauth:');
    secretCode = uri.searchParams.get('secret') ?? '';
    await ada.type('code', computeWrongTotpCode(service, secretCode), 'poolgate-mfa');
    await ada.press('submit', 'poolgate-mfa');
    await ada.page.getByText('That code isn’t right').waitFor();
    const field = ada.page.locator('poolgate-mfa input[name=code]');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await ada.type('code', computeNextTotpCode(service, secretCode), 'poolgate-mfa');
    await ada.press('submit', 'poolgate-mfa');
    if (ON_COGNITO) {
      await ada.page.locator('poolgate-mfa').getByText(NOT_OFFERED).waitFor();
      return;
    }
    await ada.page.locator('[data-part=codes] li').first().waitFor();
    recoveryCodes = await ada.page.locator('[data-part=codes] li').allInnerTexts();
    assert.equal(recoveryCodes.length, 10);
    await ada.press('kept');
    await ada.page.locator('poolgate-mfa').getByText('You have 10 recovery codes left.').waitFor();
  });

  it('signs in without a second step on the trusted device', async () => {
    await signOut(ada);
    await signIn(ada, EMAIL, PASSWORD);
    await ada.sees('Your account');
  });

  it('asks for the authenticator code on any other device', async () => {
    await signIn(phone, EMAIL, PASSWORD);
    await phone.sees('Enter your authentication code');
    assert.equal(await phone.page.locator(':focus').getAttribute('autocomplete'), 'one-time-code');
    await phone.type('code', computeWrongTotpCode(service, secretCode));
    await phone.press('submit');
    await phone.page.getByText('That code isn’t right').waitFor();
    await proveByApp(phone);
    await signOut(phone);
  });

  it('accepts a recovery code instead of the authenticator code', async () => {
    await signIn(phone, EMAIL, PASSWORD);
    await phone.sees('Enter your authentication code');
    await phone.press('recovery');
    await phone.sees('Enter a recovery code');
    await phone.type('code', recoveryCodes[0] ?? '');
    await phone.press('submit');
    await phone.page.locator('poolgate-mfa').getByText('You have 9 recovery codes left.').waitFor();
    await signOut(phone);
  });

  it('adds a passkey and names it', async () => {
    passkeys = await ada.addAuthenticator();
    await ada.press('add', 'poolgate-passkeys');
    await notice(ada, 'Passkey added.');
    await ada.press('rename', 'poolgate-passkeys');
    await ada.type('name', '<b>Laptop</b>', 'poolgate-passkeys');
    await ada.press('submit', 'poolgate-passkeys');
    await ada.page.locator('poolgate-passkeys').getByText('<b>Laptop</b>').waitFor();
  });

  it('signs in with the passkey: with autofill in the first field, or after a name if the pool requires one', async () => {
    await reenterByPasskey(ada);
  });

  it('lists sessions and ends one of them', async () => {
    await signIn(phone, EMAIL, PASSWORD);
    await proveByApp(phone);
    await ada.page.reload();
    await ada.page.locator('poolgate-devices').getByText('This device').first().waitFor();
    await ada.press('end', 'poolgate-devices');
    await notice(ada, 'Session signed out.');
    await phone.page.reload();
    await phone.page.waitForURL(/\/login/);
  });

  it('forgets the device, and then requires a second step there too', async () => {
    await ada.press('forget', 'poolgate-devices');
    await ada.press('submit', 'poolgate-devices');
    await notice(ada, 'Device forgotten.');
    // The authenticator does not respond, so that no passkey signs in before a name is typed.
    await passkeys.setPresence(false);
    await signOut(ada);
    await signIn(ada, EMAIL, PASSWORD);
    await proveByApp(ada);
    await passkeys.setPresence(true);
  });

  it('asks for a new sign-in if the last one was long ago, then continues', async () => {
    const old = createKeyboardUser(await openBrowserUser(browser, service));
    await signIn(old, EMAIL, PASSWORD);
    await proveByApp(old);
    service.clock.advance(16 * 60_000);
    await old.press('set-up', 'poolgate-mfa');
    await old.sees('Verify it’s you');
    await old.type('password', PASSWORD, 'dialog');
    await old.press('submit', 'dialog');
    await old.type('code', computeNextTotpCode(service, secretCode), 'dialog');
    await old.press('submit', 'dialog');
    await old.page.locator('[data-part=qr]').waitFor();
    await old.press('cancel', 'poolgate-mfa');
    await old.page.locator('poolgate-mfa [data-name=set-up]').waitFor();
    assert.deepEqual(old.faults, []);
    await old.close();
  });

  it('changes the email address once the new one is verified', async () => {
    await reenterByPasskey(ada);
    await ada.press('edit-email', 'poolgate-profile');
    await ada.type('email', NEW_EMAIL, 'poolgate-profile');
    await ada.press('submit', 'poolgate-profile');
    await ada.page.getByText(`Enter the code we sent to ${NEW_EMAIL}`).waitFor();
    await ada.type('code', await ada.code(NEW_EMAIL), 'poolgate-profile');
    await ada.press('submit', 'poolgate-profile');
    await notice(ada, 'Your email address is confirmed.');
    await ada.page.locator('poolgate-profile').getByText(NEW_EMAIL).waitFor();
  });

  it('resets a forgotten password with a code', async () => {
    const elsewhere = createKeyboardUser(await openBrowserUser(browser, service));
    await elsewhere.visit('login');
    await elsewhere.press('forgotPassword');
    await elsewhere.sees('Forgot your password?');
    await elsewhere.type('username', NEW_EMAIL);
    await elsewhere.press('submit');
    await elsewhere.sees('Set a new password');
    await elsewhere.type('code', await elsewhere.code(NEW_EMAIL));
    await elsewhere.type('password', 'short');
    await elsewhere.press('submit');
    await elsewhere.page.getByText('This password doesn’t meet the requirements below.').waitFor();
    assert.equal(await elsewhere.page.locator(':focus').getAttribute('name'), 'password');
    await elsewhere.type('password', NEXT_PASSWORD);
    await elsewhere.press('submit');
    if (ON_COGNITO) await notice(elsewhere, 'Your password has been changed');
    else {
      await proveByApp(elsewhere);
      await signOut(elsewhere);
      await elsewhere.type('username', NEW_EMAIL);
    }
    await elsewhere.type('password', PASSWORD);
    await elsewhere.press('submit');
    await elsewhere.page.getByRole('alert').filter({ hasText: 'Incorrect email or password' }).waitFor();
    await elsewhere.type('password', NEXT_PASSWORD);
    await elsewhere.press('submit');
    await proveByApp(elsewhere);
    assert.deepEqual(elsewhere.faults, []);
    await elsewhere.close();
  });

  it('ends with the deletion of the account unless the user keeps it, and no typed script ever ran', async () => {
    await signIn(phone, NEW_EMAIL, NEXT_PASSWORD);
    await proveByApp(phone);
    await phone.press('delete', 'poolgate-delete-account');
    await phone.type('word', 'delete', 'poolgate-delete-account');
    await phone.press('submit', 'poolgate-delete-account');
    await phone.page.getByText('Enter DELETE exactly as shown.').waitFor();
    await phone.type('word', 'DELETE', 'poolgate-delete-account');
    await phone.press('submit', 'poolgate-delete-account');
    await phone.sees(ON_COGNITO ? 'Your account has been deleted' : 'Your account will be deleted');
    await signIn(phone, NEW_EMAIL, NEXT_PASSWORD);
    if (ON_COGNITO) {
      await phone.page.getByRole('alert').filter({ hasText: 'Incorrect email or password' }).waitFor();
    } else {
      await phone.sees('Enter your authentication code');
      await phone.type('code', computeNextTotpCode(service, secretCode));
      await phone.press('submit');
      await phone.sees('Keep your account?');
      await phone.page.reload();
      await phone.sees('Keep your account?');
      await phone.press('keep');
      await declineTrust(phone);
    }
    assert.deepEqual([...ada.faults, ...phone.faults], []);
  });

  it('says that there is no list of sessions if the pool behind the service keeps none', async () => {
    const bob = await openBrowserUser(browser, service);
    const { userPoolId: UserPoolId } = service;
    const input = { UserPoolId, UserSessionTracking: 'DISABLED', TokenSession: { MaxPerUser: 100 } };
    const set = await service.call('SetUserPoolSessionConfiguration', input, service.asAdmin);
    assert.equal(set.status, 200, set.text);
    await addUser(service, 'bob@example.com');
    await signIn(bob, 'bob@example.com', PASSWORD);
    if (!ON_COGNITO) await bob.page.locator('poolgate-devices').getByText('This device').first().waitFor();
    await bob.page.locator('poolgate-devices [data-name=end-all]').waitFor();
    const missing = ON_COGNITO ? ['poolgate-applications', 'poolgate-identities'] : [];
    for (const element of missing) await bob.page.locator(element).getByText(NOT_OFFERED).waitFor();
    await bob.page.locator('poolgate-mfa [data-name=set-up]').waitFor();
    await bob.page.locator('poolgate-passkeys [data-name=add]').waitFor();
    assert.equal(await bob.page.getByText(NOT_OFFERED).count(), missing.length);
    await bob.visit(`not-me#${'A'.repeat(43)}`);
    await bob.press('submit');
    await bob.page.getByText(ON_COGNITO ? 'This feature is turned off.' : 'already used').waitFor();
    assert.deepEqual(bob.faults, []);
  });
});
