import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { createKeyboardUser } from '../support/browser/accessibility-checks.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser, waitFor, waitForHydration } from '../support/browser/page-person.ts';
import { computeNextTotpCode, startTriggeredPageService } from '../support/browser/page-service.ts';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { createActiveAuthenticator, logInForAccessToken } from '../support/routes/route-mfa.ts';
import { addUser, inviteUser, PASSWORD, type TestService } from '../support/services/test-service.ts';
import { formatTriggerArn } from '../support/triggers/triggered-service.ts';

const NEXT_PASSWORD = 'Another-Horse2!';
const PRE_SIGN_UP = formatTriggerArn('pre-sign-up');
/** A trigger confirms addresses of this domain. */
const KNOWN_DOMAIN = '@known.example';
const MINUTE_MS = 60_000;

describe('what people do on the pages', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let ada: BrowserUser;
  let email: string;
  let users = 0;
  before(async () => {
    service = await startTriggeredPageService(
      { PreSignUp: PRE_SIGN_UP },
      {
        mfaTypes: ['SOFTWARE_TOKEN_MFA', 'SMS_MFA'],
        triggers: {
          [PRE_SIGN_UP]: async (event: never) => {
            const { request, response } = event as {
              request: { userAttributes: { email: string } };
              response: { autoConfirmUser: boolean; autoVerifyEmail: boolean };
            };
            const isKnown = request.userAttributes.email.endsWith(KNOWN_DOMAIN);
            Object.assign(response, { autoConfirmUser: isKnown, autoVerifyEmail: isKnown });
            return event;
          },
        },
      },
    );
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });
  beforeEach(async () => {
    email = `person${users++}@example.com`;
    ada = await openBrowserUser(browser, service);
  });
  afterEach(async () => {
    await ada.close();
    assert.deepEqual(ada.faults, []);
  });

  async function signIn(name = email, password = PASSWORD): Promise<void> {
    await ada.visit('login');
    await ada.type('username', name);
    await ada.type('password', password);
    await ada.press('submit');
  }

  async function arrives(): Promise<void> {
    await ada.sees(/Trust this device|Your account/);
    if (await ada.page.getByText('Trust this device?').isVisible()) await ada.press('not-now');
    await ada.sees('Your account');
  }

  /** Amazon Cognito has no sessions for reset codes, so a new password does not sign in there. */
  async function arrivesAfterReset(): Promise<void> {
    if (ON_COGNITO) {
      await notice('Your password has been changed');
      await ada.type('password', NEXT_PASSWORD);
      await ada.press('submit');
    }
    await arrives();
  }

  async function signUp(address = email): Promise<void> {
    await ada.visit('register');
    await ada.type('email', address);
    await ada.type('password', PASSWORD);
    await ada.press('submit');
    await ada.sees('Confirm your email address');
  }

  const alert = (text: string | RegExp) => ada.page.getByRole('alert').filter({ hasText: text }).waitFor();
  const notice = (text: string) => ada.page.getByRole('status').filter({ hasText: text }).first().waitFor();
  const asAdmin = async (operation: string, input: object = {}) => {
    const who = { UserPoolId: service.userPoolId, Username: email };
    const answer = await service.call(operation, { ...who, ...input }, service.asAdmin);
    assert.equal(answer.status, 200, answer.text);
  };

  /** The codes that were sent to an address, once there are this many. */
  const codes = (to: string, count: number): Promise<readonly string[]> =>
    waitFor(() => {
      const sent = (service.outbox?.list(to) ?? []).flatMap(({ code }) => code ?? []);
      return sent.length >= count ? sent : undefined;
    }, `fewer than ${count} codes for ${to}`);

  it('stay signed in after a reload, and signed out after a sign-out', async () => {
    await addUser(service, email);
    await ada.visit('account');
    await ada.sees(/^Sign in to/);
    await signIn();
    await arrives();
    await ada.page.reload();
    await ada.sees('Your account');
    await ada.visit('login');
    await ada.sees('Your account');
    await ada.press('sign-out');
    await ada.sees(/^Sign in to/);
    await ada.page.reload();
    await ada.sees(/^Sign in to/);
    await ada.visit('account');
    await ada.sees(/^Sign in to/);
    await signIn();
    await arrives();
  });

  it('get the same message for an unknown name and a wrong password, and can retry', async () => {
    await addUser(service, email);
    for (const [name, password] of [
      ['nobody@example.com', PASSWORD],
      [email, 'Wrong-Horse1!'],
    ] as const) {
      await signIn(name, password);
      await alert('Incorrect email or password.');
      assert.equal(await ada.page.locator(':focus').getAttribute('name'), 'password');
      assert.equal(await ada.page.locator('input[name=username]').inputValue(), name);
    }
  });

  it('type spaces around their name, and capitals in it', async () => {
    await addUser(service, email);
    await signIn(`  ${email.toUpperCase()} `);
    await arrives();
  });

  it('leave before confirming: the sign-in sends a code, asks for it, and continues', async () => {
    await signUp();
    const [first = ''] = await codes(email, 1);
    await signIn();
    await ada.sees('Confirm your email address');
    const sent = await codes(email, 2);
    const newest = sent.find((code) => code !== first) ?? '';
    await ada.type('code', newest === '000000' ? '000001' : '000000');
    await ada.press('submit');
    await ada.page.getByText('That code isn’t right').waitFor();
    assert.equal(await ada.page.locator(':focus').getAttribute('name'), 'code');
    await ada.type('code', ` ${newest.slice(0, 3)} ${newest.slice(3)} `);
    await ada.press('submit');
    await arrives();
  });

  it('continue without a code if a trigger confirmed them', async () => {
    const known = `known${users}${KNOWN_DOMAIN}`;
    await signUp(known);
    await ada.press('signIn');
    await ada.sees(/^Sign in to/);
    await signIn(known);
    await arrives();
  });

  it('sign up with capitals in the address, and sign in without', async () => {
    const written = email.replace('person', 'Person');
    await signUp(written);
    const [code = ''] = await codes(written, 1);
    await ada.type('code', code);
    await ada.press('submit');
    await arrives();
    await ada.press('sign-out');
    await ada.sees(/^Sign in to/);
    await signIn();
    await arrives();
  });

  it('sign up with a taken address, and get the same response', async () => {
    await addUser(service, email);
    await signUp();
    await signIn(email, NEXT_PASSWORD);
    await alert('Incorrect email or password');
  });

  it('request another code, which invalidates the one before', async () => {
    await ada.page.clock.install();
    await signUp();
    const [first = ''] = await codes(email, 1);
    assert.equal(await ada.page.locator('[data-name=resend]').count(), 0);
    await ada.page.clock.fastForward(MINUTE_MS);
    await ada.press('resend');
    await notice('sent a new code');
    const second = (await codes(email, 2)).find((code) => code !== first) ?? '';
    await ada.type('code', first);
    await ada.press('submit');
    await ada.page.locator('input[name=code][aria-invalid=true]').waitFor();
    await ada.type('code', second);
    await ada.press('submit');
    await arrives();
    await ada.visit('forgot');
    await ada.type('username', email);
    await ada.press('submit');
    await ada.sees('Set a new password');
    await codes(email, 3);
    await ada.page.clock.fastForward(MINUTE_MS);
    await ada.press('resend');
    await notice('sent a new code');
    const [newest = ''] = await codes(email, 4);
    await ada.type('code', newest);
    await ada.type('password', NEXT_PASSWORD);
    await ada.press('submit');
    await arrivesAfterReset();
  });

  it('set a new password if an administrator requires one', async () => {
    await addUser(service, email);
    await asAdmin('AdminResetUserPassword');
    const before = (await codes(email, 1)).length;
    await signIn();
    await ada.sees('Forgot your password?');
    assert.equal(await ada.page.locator('input[name=username]').inputValue(), email);
    await ada.press('submit');
    await ada.sees('Set a new password');
    const [newest = ''] = await codes(email, before + 1);
    await ada.type('code', newest);
    await ada.type('password', NEXT_PASSWORD);
    await ada.press('submit');
    await arrivesAfterReset();
  });

  it('set a password with their code, after a reload and after another person requested another code', async () => {
    await addUser(service, email);
    await ada.visit('forgot');
    await ada.type('username', email);
    await ada.press('submit');
    await ada.sees('Set a new password');
    const [own = ''] = await codes(email, 1);
    assert.equal((await service.post('/password/forgot', { email })).status, 200);
    const sent = await codes(email, 2);
    await ada.visit('reset');
    await ada.type('code', ON_COGNITO ? (sent.find((code) => code !== own) ?? '') : own);
    await ada.type('password', NEXT_PASSWORD);
    await ada.press('submit');
    await arrivesAfterReset();
  });

  it('get the other ways to sign in while their password is locked, as unknown names do', async () => {
    await addUser(service, email);
    const nobody = `nobody-${email}`;
    const seen = [];
    for (const username of [nobody, email]) {
      for (let times = 0; times < 5; times += 1) {
        await service.post('/login', { username, password: 'Wrong-Horse1!' });
      }
      await signIn(username);
      await ada.sees('Password sign-in is paused');
      const text = await ada.page.locator('poolgate-sign-in').innerText();
      seen.push(text.replaceAll(username, '').replace(/\d+ seconds?/, ''));
    }
    assert.equal(seen[0], seen[1]);
    await ada.press('EMAIL_OTP');
    const [code = ''] = await codes(email, 1);
    await ada.type('code', code);
    await ada.press('submit');
    await arrives();
    await ada.press('sign-out');
    await ada.sees(/^Sign in to/);
    await signIn();
    await ada.sees('Password sign-in is paused');
    await ada.press('restart');
    await ada.sees(/^Sign in to/);
  });

  it('request a code for an unknown name, and get the same response', async () => {
    await ada.visit('forgot');
    await ada.type('username', 'nobody@example.com');
    await ada.press('submit');
    await ada.sees('Set a new password');
    await ada.type('code', '123456');
    await ada.type('password', NEXT_PASSWORD);
    await ada.press('submit');
    await ada.page.locator('input[name=code][aria-invalid=true]').waitFor();
  });

  it('return from a step to the first form, and start over as another user', async () => {
    await addUser(service, email);
    await createActiveAuthenticator(service, email);
    await signIn();
    await ada.sees('Enter your authentication code');
    assert.equal(await ada.page.locator('input').count(), 1);
    await ada.press('not-you');
    await ada.sees(/^Sign in to/);
    email = `person${users++}@example.com`;
    await inviteUser(service, email);
    await signIn();
    await ada.sees('Choose a new password');
    await ada.press('not-you');
    await ada.sees(/^Sign in to/);
    await addUser(service, 'third@example.com');
    await signIn('third@example.com');
    await arrives();
  });

  it('sign in with a password, and with a code that is sent to their phone', async () => {
    await addUser(service, email);
    const phone = `+1555010${String(1000 + users).slice(1)}`;
    const UserAttributes = [
      { Name: 'phone_number', Value: phone },
      { Name: 'phone_number_verified', Value: 'true' },
    ];
    await asAdmin('AdminUpdateUserAttributes', { UserAttributes });
    await asAdmin('AdminSetUserMFAPreference', { SMSMfaSettings: { Enabled: true, PreferredMfa: true } });
    await signIn();
    await ada.sees('Check your phone');
    const [code = ''] = await codes(phone, 1);
    await ada.type('code', code === '000000' ? '000001' : '000000');
    await ada.press('submit');
    await ada.page.getByText('That code isn’t right').waitFor();
    await ada.type('code', code);
    await ada.press('submit');
    await arrives();
  });

  it('have an unverified address, and verify it on the account or leave it', async () => {
    const username = await addUser(service, email);
    await asAdmin('AdminUpdateUserAttributes', { UserAttributes: [{ Name: 'email_verified', Value: 'false' }] });
    await signIn(username);
    await arrives();
    await ada.press('verify-email', 'poolgate-profile');
    const [code = ''] = await codes(email, 1);
    await ada.type('code', code, 'poolgate-profile');
    await ada.press('submit', 'poolgate-profile');
    await notice('Your email address is confirmed.');
    await ada.page.locator('[data-name=verify-email]').waitFor({ state: 'detached' });
  });

  it('change name, device trust, second step and password on their account, and sign out everywhere', async () => {
    ada = createKeyboardUser(ada);
    await addUser(service, email);
    const secretCode = await createActiveAuthenticator(service, email);
    await signIn();
    await ada.sees('Enter your authentication code');
    await ada.type('code', computeNextTotpCode(service, secretCode));
    await ada.press('submit');
    await ada.sees('Trust this device?');
    await ada.press('remember');
    await ada.sees('Your account');
    await ada.press('edit-name', 'poolgate-profile');
    await ada.type('name', 'Ada Lovelace', 'poolgate-profile');
    await ada.press('submit', 'poolgate-profile');
    await ada.page.locator('poolgate-profile').getByText('Ada Lovelace').waitFor();
    await ada.press('trust', 'poolgate-devices');
    await ada.page.locator('poolgate-devices').getByRole('status').filter({ hasText: 'Saved.' }).waitFor();
    await ada.press('disable', 'poolgate-mfa');
    await notice('Two-step verification is off.');
    await ada.page.locator('poolgate-mfa').getByText('Off', { exact: true }).first().waitFor();
    await ada.press('change', 'poolgate-change-password');
    await ada.type('current', PASSWORD, 'poolgate-change-password');
    await ada.type('newPassword', NEXT_PASSWORD, 'poolgate-change-password');
    await ada.press('submit', 'poolgate-change-password');
    // With Cognito as the provider, a new password also ends this session.
    if (!ON_COGNITO) {
      await notice('Your password has been changed.');
      await ada.press('end-all', 'poolgate-devices');
      await ada.press('submit', 'poolgate-devices');
    }
    await ada.sees(/^Sign in to/);
    await signIn();
    await alert('Incorrect email or password');
    await ada.type('password', NEXT_PASSWORD);
    await ada.press('submit');
    await ada.sees(/Your account|Trust this device\?/);
  });

  it('are redirected to the sign-in from an account whose session has ended', async () => {
    await addUser(service, email);
    await signIn();
    await arrives();
    // A part that loads later would navigate by itself.
    await ada.page.waitForLoadState('networkidle');
    await asAdmin('AdminUserGlobalSignOut');
    await ada.press('edit-name', 'poolgate-profile');
    await ada.type('name', 'Ada', 'poolgate-profile');
    await ada.press('submit', 'poolgate-profile');
    await ada.sees(/^Sign in to/);
    assert.ok(await logInForAccessToken(service, email));
  });

  it('read the texts of the application in the language that it chose', async () => {
    await ada.visit('login');
    await waitForHydration(ada.page);
    await ada.page.locator('poolgate-sign-in').evaluate((element) =>
      Object.assign(element, {
        language: 'ja',
        appearance: {
          layout: { appName: 'スタッフ', logoUrl: document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href },
        },
        texts: { 'common.username': 'スタッフ番号', 'error.invalid_credentials': 'もう一度どうぞ' },
      }),
    );
    await ada.page.getByLabel('スタッフ番号').fill('nobody@example.com');
    await ada.type('password', 'Wrong-Horse1!');
    await ada.press('submit');
    await alert('もう一度どうぞ');
    assert.equal(await ada.page.locator('poolgate-sign-in').getAttribute('lang'), 'ja');
    await ada.page.getByRole('img', { name: 'スタッフ' }).waitFor();
  });

  it('find fields that browsers and password managers recognize, on every form', async () => {
    const fields = () =>
      ada.page.evaluate(() =>
        [...document.querySelectorAll('main form input:not([type=checkbox])')].map(
          (field) => `${field.getAttribute('name')}: ${field.getAttribute('autocomplete')}`,
        ),
      );
    for (const [path, expected] of [
      ['login', ['username: username webauthn', 'password: current-password']],
      ['register', ['name: name', 'email: username', 'password: new-password']],
      ['verify', ['email: username', 'code: one-time-code']],
      ['forgot', ['username: username']],
      ['reset', ['username: username', 'code: one-time-code', 'password: new-password']],
    ] as const) {
      await ada.visit(path);
      await ada.page.locator('main form input').first().waitFor();
      assert.deepEqual(await fields(), expected, path);
      assert.equal(await ada.page.locator('main form').count(), 1, path);
      assert.equal(await ada.page.locator('main form button[type=submit]').count(), 1, path);
    }
  });
});
