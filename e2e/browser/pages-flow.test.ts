import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { type ClientService, startClientService } from '../support/client-service.ts';
import { openPerson, type Person } from '../support/page-person.ts';
import { readQr } from '../support/read-qr.ts';

const EMAIL = 'ada@example.com';
const NEW_EMAIL = 'countess@example.com';
const PASSWORD = 'Correct-Horse1!';
const NEXT_PASSWORD = 'Another-Horse2!';

describe('the life of an account on the pages of the service', () => {
  let service: ClientService;
  let browser: playwright.Browser;
  let ada: Person;
  before(async () => {
    service = await startClientService({ limitReads: 0, limitLoginSteps: 0 });
    browser = await launchBrowser();
    ada = await openPerson(browser, service);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const notice = (person: Person, text: string | RegExp) =>
    person.page.getByRole('status').filter({ hasText: text }).first().waitFor();

  async function signIn(person: Person, email: string, password: string): Promise<void> {
    await person.visit('login');
    await person.type('username', email);
    await person.type('password', password);
    await person.press('submit');
  }

  async function signOut(person: Person): Promise<void> {
    await person.press('sign-out');
    await person.sees(/^Sign in to/);
  }

  let secretCode = '';
  let recoveryCodes: readonly string[] = [];

  it('begins with a sign-up, a code, a sign-in and a trusted device', async () => {
    await ada.visit('register');
    await ada.type('name', 'Ada <img src=x onerror=alert(1)>');
    await ada.type('email', EMAIL);
    await ada.type('password', PASSWORD);
    await ada.press('submit');
    await ada.sees('Confirm your e-mail address');
    await ada.type('code', await ada.code(EMAIL));
    await ada.press('submit');
    await notice(ada, 'Your address is confirmed');
    assert.equal(await ada.page.locator('input[name=username]').inputValue(), EMAIL);
    await ada.type('password', PASSWORD);
    await ada.press('submit');
    await ada.sees('Do you trust this device?');
    await ada.press('remember');
    await ada.sees('Your account');
    await ada.page.locator('poolgate-devices').getByText('This device').waitFor();
    await ada.page.locator('poolgate-devices').getByText('Trusted', { exact: true }).waitFor();
  });

  it('gets an authenticator by the QR code on the screen, and recovery codes', async () => {
    await ada.press('set-up', 'poolgate-mfa');
    await ada.page.locator('[data-part=qr]').waitFor();
    const uri = new URL(await readQr(ada.page, '[data-part=qr]'));
    assert.equal(uri.protocol, 'otpauth:');
    secretCode = uri.searchParams.get('secret') ?? '';
    await ada.type('code', '000000', 'poolgate-mfa');
    await ada.press('submit', 'poolgate-mfa');
    await ada.page.getByText('That is not the code').waitFor();
    const field = ada.page.locator('poolgate-mfa input[name=code]');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await ada.type('code', service.nextCode(secretCode), 'poolgate-mfa');
    await ada.press('submit', 'poolgate-mfa');
    recoveryCodes = await ada.page.locator('[data-part=codes] li').allInnerTexts();
    while (recoveryCodes.length === 0) recoveryCodes = await ada.page.locator('[data-part=codes] li').allInnerTexts();
    assert.equal(recoveryCodes.length, 10);
    await ada.press('kept');
    await ada.page.getByText('You have 10 recovery codes left.').waitFor();
  });

  it('signs in without a second step where the device is trusted', async () => {
    await signOut(ada);
    await signIn(ada, EMAIL, PASSWORD);
    await ada.sees('Your account');
  });

  it('forgets the device, and asks for the code of the authenticator from then on', async () => {
    await ada.press('forget', 'poolgate-devices');
    await ada.press('submit', 'poolgate-devices');
    await notice(ada, 'The device is forgotten.');
    await signOut(ada);
    await signIn(ada, EMAIL, PASSWORD);
    await ada.sees('Enter the code of your app');
    assert.equal(await ada.page.locator(':focus').getAttribute('autocomplete'), 'one-time-code');
    await ada.type('code', service.nextCode(secretCode));
    await ada.press('submit');
    await ada.sees('Do you trust this device?');
    await ada.press('not-now');
    await ada.sees('Your account');
  });

  it('takes a recovery code in place of the authenticator', async () => {
    await signOut(ada);
    await signIn(ada, EMAIL, PASSWORD);
    await ada.sees('Enter the code of your app');
    await ada.press('recovery');
    await ada.sees('Enter a recovery code');
    await ada.type('code', recoveryCodes[0] ?? '');
    await ada.press('submit');
    await ada.sees('Do you trust this device?');
    await ada.press('not-now');
    await ada.page.getByText('You have 9 recovery codes left.').waitFor();
  });

  it('adds a passkey and gives it a name', async () => {
    await ada.addAuthenticator();
    await ada.press('add', 'poolgate-passkeys');
    await notice(ada, 'The passkey is added.');
    await ada.press('rename', 'poolgate-passkeys');
    await ada.type('name', '<b>Laptop</b>', 'poolgate-passkeys');
    await ada.press('submit', 'poolgate-passkeys');
    await ada.page.locator('poolgate-passkeys').getByText('<b>Laptop</b>').waitFor();
  });

  it('signs in by the autofill of the first field, with nothing typed', async () => {
    await ada.press('sign-out');
    await ada.sees('Do you trust this device?');
    await ada.press('not-now');
    await ada.sees('Your account');
  });

  it('shows sessions, and ends one of them where it is', async () => {
    const thief = await openPerson(browser, service);
    await signIn(thief, EMAIL, PASSWORD);
    await thief.type('code', service.nextCode(secretCode));
    await thief.press('submit');
    await thief.press('not-now');
    await thief.sees('Your account');
    await ada.page.reload();
    await ada.page.locator('poolgate-sessions').getByText('This session').waitFor();
    await ada.press('end', 'poolgate-sessions');
    await notice(ada, 'Signed out there.');
    await thief.page.reload();
    await thief.page.waitForURL(/\/login/);
    await thief.close();
  });

  it('asks who it is where the sign-in was long ago, then does what was asked for', async () => {
    const old = await openPerson(browser, service);
    await signIn(old, EMAIL, PASSWORD);
    await old.type('code', service.nextCode(secretCode));
    await old.press('submit');
    await old.press('not-now');
    await old.sees('Your account');
    service.pass(16 * 60_000);
    await old.press('recovery', 'poolgate-mfa');
    await old.sees('Confirm that it is you');
    await old.type('password', PASSWORD, 'dialog');
    await old.press('submit', 'dialog');
    await old.type('code', service.nextCode(secretCode), 'dialog');
    await old.press('submit', 'dialog');
    await old.page.locator('[data-part=codes] li').first().waitFor();
    assert.deepEqual(old.faults, []);
    await old.close();
  });

  it('changes the e-mail address once the new one is proven', async () => {
    // The new recovery codes ended every other session: the passkey opens another one.
    await ada.page.reload();
    await ada.sees('Do you trust this device?');
    await ada.press('not-now');
    await ada.sees('Your account');
    await ada.press('edit-email', 'poolgate-profile');
    await ada.type('email', NEW_EMAIL, 'poolgate-profile');
    await ada.press('submit', 'poolgate-profile');
    await ada.page.getByText(`Type the code that we sent to ${NEW_EMAIL}`).waitFor();
    await ada.type('code', await ada.code(NEW_EMAIL), 'poolgate-profile');
    await ada.press('submit', 'poolgate-profile');
    await notice(ada, 'Your e-mail address is confirmed.');
    await ada.page.locator('poolgate-profile').getByText(NEW_EMAIL).waitFor();
  });

  it('sets a forgotten password by a code', async () => {
    const elsewhere = await openPerson(browser, service);
    await elsewhere.visit('login');
    await elsewhere.press('forgotPassword');
    await elsewhere.sees('Forgot your password?');
    await elsewhere.type('username', NEW_EMAIL);
    await elsewhere.press('submit');
    await elsewhere.sees('Set a new password');
    await elsewhere.type('code', await elsewhere.code(NEW_EMAIL));
    await elsewhere.type('password', 'short');
    await elsewhere.press('submit');
    await elsewhere.page.getByText('This password does not meet the rules below.').waitFor();
    assert.equal(await elsewhere.page.locator(':focus').getAttribute('name'), 'password');
    await elsewhere.type('password', NEXT_PASSWORD);
    await elsewhere.press('submit');
    await notice(elsewhere, 'Your password is changed');
    await elsewhere.type('password', PASSWORD);
    await elsewhere.press('submit');
    await elsewhere.page.getByRole('alert').filter({ hasText: 'is not right' }).waitFor();
    await elsewhere.type('password', NEXT_PASSWORD);
    await elsewhere.press('submit');
    await elsewhere.sees('Enter the code of your app');
    await elsewhere.type('code', service.nextCode(secretCode));
    await elsewhere.press('submit');
    await elsewhere.press('not-now');
    await elsewhere.sees('Your account');
    assert.deepEqual(elsewhere.faults, []);
    await elsewhere.close();
  });

  it('ends with the account, and no script that was typed ever ran', async () => {
    const last = await openPerson(browser, service);
    await signIn(last, NEW_EMAIL, NEXT_PASSWORD);
    await last.type('code', service.nextCode(secretCode));
    await last.press('submit');
    await last.press('not-now');
    await last.sees('Your account');
    await last.press('delete', 'poolgate-delete-account');
    await last.type('word', 'delete', 'poolgate-delete-account');
    await last.press('submit', 'poolgate-delete-account');
    await last.page.getByText('Type DELETE exactly.').waitFor();
    await last.type('word', 'DELETE', 'poolgate-delete-account');
    await last.press('submit', 'poolgate-delete-account');
    await last.sees('Your account is deleted');
    await signIn(last, NEW_EMAIL, NEXT_PASSWORD);
    await last.page.getByRole('alert').filter({ hasText: 'is not right' }).waitFor();
    assert.deepEqual([...ada.faults, ...last.faults], []);
  });
});
