import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { openPerson, type Person } from '../support/page-person.ts';
import { nextCode, startPageService } from '../support/page-service.ts';
import { wrongCode } from '../support/route-mfa.ts';
import type { TestService } from '../support/test-service.ts';
import { faultsOf, isUsable, LANGUAGES, withoutMouse } from '../support/usable-page.ts';

const FORMS = ['login', 'register', 'verify', 'forgot', 'reset'] as const;
const DEMO = { email: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };
const GRACE = { email: 'grace@example.com', password: 'Correct-Horse1!' };
const NEXT_PASSWORD = 'Another-Horse2!';
const SCHEMES = ['light', 'dark'] as const;
/** Longer than a sign-in is recent. */
const LONG_AGO_MS = 16 * 60_000;

describe('the pages for those who see little, hear them, or use the keyboard alone', () => {
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

  const open = (profile: playwright.BrowserContextOptions = {}): Promise<Person> =>
    openPerson(browser, service, { reducedMotion: 'reduce', ...profile });

  async function visit(person: Person, path: string): Promise<void> {
    await person.visit(path);
    await person.page.locator('h1').waitFor();
  }

  async function signIn(person: Person): Promise<void> {
    await visit(person, 'login');
    await person.type('username', DEMO.email);
    await person.type('password', DEMO.password);
    await person.press('submit');
  }

  it('axe sees what is wrong with a page', async () => {
    const person = await open();
    await visit(person, 'login');
    await person.page.evaluate(() => document.querySelector('label')?.remove());
    assert.match((await faultsOf(person.page)).join(), /^label: /);
    await person.close();
  });

  // A refused form shows all that the empty one does.
  it('every form is usable, its faults shown', async () => {
    const person = await open();
    for (const form of FORMS) {
      await visit(person, form);
      await person.press('submit');
      await person.page.locator('[data-part=error]').first().waitFor();
      await isUsable(person.page, form);
    }
    await person.close();
  });

  it('axe finds nothing on a form that came in its language', async () => {
    const person = await open();
    for (const language of LANGUAGES) {
      await visit(person, `login?lang=${language}`);
      assert.equal(await person.page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
      assert.deepEqual(await faultsOf(person.page), [], language);
    }
    await person.close();
  });

  it('axe finds nothing on an account that came in its language, light and dark', async () => {
    const person = await open();
    await signIn(person);
    await person.press('remember');
    for (const language of LANGUAGES) {
      await person.visit(`account?lang=${language}`);
      await person.page.locator('poolgate-devices [data-name=forget]').first().waitFor();
      assert.equal(await person.page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
      for (const colorScheme of SCHEMES) {
        await person.page.emulateMedia({ colorScheme });
        assert.deepEqual(await faultsOf(person.page), [], `account, ${language}, ${colorScheme}`);
      }
    }
    await person.close();
  });

  it('axe finds nothing on the pages beside the forms', async () => {
    const person = await open();
    for (const path of [
      '/cognito/none',
      '/cognito/not-me',
      '/confirmUser',
      '/docs',
      '/dev/mail',
      '/errors/not_found',
    ]) {
      for (const colorScheme of SCHEMES) {
        await person.page.emulateMedia({ colorScheme });
        await person.page.goto(service.baseUrl + path);
        assert.deepEqual(await faultsOf(person.page), [], `${path} ${colorScheme}`);
      }
    }
    await person.close();
  });

  /** Somebody without a mouse. */
  let grace: Person;
  let recoveryCodes: readonly string[] = [];
  let secretCode = '';
  const enter = () => grace.page.keyboard.press('Enter');
  const look = (about: string) => isUsable(grace.page, about);
  const told = (text: string) => grace.page.getByRole('status').filter({ hasText: text }).first().waitFor();
  const focused = (attribute: string) => grace.page.locator(':focus').getAttribute(attribute);

  /** Sends a form with something wrong in it: the focus is where that is. */
  async function sendsWrong(field: string, text: string, within = 'main'): Promise<void> {
    await grace.type(field, text, within);
    await enter();
    await grace.page.locator(`${within} input[name="${field}"][aria-invalid=true]`).waitFor();
    assert.equal(await focused('name'), field);
  }

  it('a sign-up, its code, a sign-in and a trusted device need the keyboard alone, and every step is usable', async () => {
    grace = withoutMouse(await open());
    await visit(grace, 'login');
    await grace.press('signUp');
    await grace.sees(/^Create your account/);
    await grace.type('name', 'Grace');
    await grace.type('email', GRACE.email);
    await grace.type('password', GRACE.password);
    await enter();
    await grace.sees('Confirm your e-mail address');
    await sendsWrong('code', '000');
    await look('confirm a sign-up');
    await grace.type('code', await grace.code(GRACE.email));
    await enter();
    await told('Your address is confirmed');
    await look('sign in after a sign-up');
    await grace.type('password', GRACE.password);
    await enter();
    await grace.sees('Do you trust this device?');
    await look('trust a device');
    await grace.press('remember');
    await grace.sees('Your account');
    await grace.page.locator('poolgate-devices [data-name=forget]').waitFor();
  });

  it('every form of the account needs the keyboard alone, says what is wrong at its field, and is usable', async () => {
    await look('account');
    await grace.press('edit-email', 'poolgate-profile');
    await sendsWrong('email', 'nobody', 'poolgate-profile');
    await grace.type('current', GRACE.password, 'poolgate-change-password');
    await sendsWrong('newPassword', 'short', 'poolgate-change-password');
    await grace.press('set-up', 'poolgate-mfa');
    await grace.page.locator('[data-part=qr]').waitFor();
    secretCode = (await grace.page.locator('[data-part=key] code').innerText()).replaceAll(' ', '');
    await sendsWrong('code', wrongCode(service, secretCode), 'poolgate-mfa');
    await grace.press('rename', 'poolgate-devices');
    await sendsWrong('name', ' ', 'poolgate-devices');
    await grace.press('end-all', 'poolgate-sessions');
    assert.equal(await focused('data-part'), 'question');
    await grace.press('delete', 'poolgate-delete-account');
    await sendsWrong('word', 'delete', 'poolgate-delete-account');
    await look('every form of the account');
  });

  it('recovery codes, the code of an address and questions need the keyboard alone, and are usable', async () => {
    await grace.type('email', 'hopper@example.com', 'poolgate-profile');
    await enter();
    await grace.page.locator('poolgate-profile input[name=code]').waitFor();
    await sendsWrong('code', '000', 'poolgate-profile');
    await grace.type('code', nextCode(service, secretCode), 'poolgate-mfa');
    await enter();
    await grace.page.locator('[data-part=codes] li').first().waitFor();
    recoveryCodes = await grace.page.locator('[data-part=codes] li').allInnerTexts();
    await grace.press('cancel', 'poolgate-devices');
    assert.equal(await focused('data-part'), 'section-title');
    await grace.press('forget', 'poolgate-devices');
    assert.equal(await focused('data-part'), 'question');
    await look('recovery codes, the code of an address, a question');
    await grace.press('kept');
    await grace.page.getByText('You have 10 recovery codes left.').waitFor();
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

  it('whoever is asked again who they are needs the keyboard alone, and has the focus back afterwards', async () => {
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
    await grace.page.locator('dialog').getByRole('alert').filter({ hasText: 'is not right' }).waitFor();
    assert.equal(await focused('name'), 'password');
    await look('who are you?');
    // On a trusted device the password is enough.
    await grace.type('password', GRACE.password, 'dialog');
    await enter();
    await grace.page.locator('poolgate-mfa input[name=code]:focus').waitFor();
    await grace.press('cancel', 'poolgate-mfa');
  });

  it('a passkey that is not there, a forgotten password and a recovery code need the keyboard alone, and every step is usable', async () => {
    const account = grace;
    grace = withoutMouse(await open());
    await grace.addAuthenticator();
    await visit(grace, 'login');
    await grace.press('passkey');
    await grace.page.getByText('was not used').waitFor();
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
    await told('Your password is changed');
    await grace.type('password', NEXT_PASSWORD);
    await enter();
    await grace.sees('Enter the code of your app');
    await grace.press('recovery');
    await grace.sees('Enter a recovery code');
    await sendsWrong('code', 'AAAA-AAAA-AAAA');
    await look('a recovery code');
    await grace.type('code', recoveryCodes[0] ?? '');
    await enter();
    await grace.sees('Do you trust this device?');
    await grace.press('not-now');
    await grace.sees('Your account');
    await grace.press('add', 'poolgate-passkeys');
    await told('The passkey is added.');
    await grace.press('rename', 'poolgate-passkeys');
    await sendsWrong('name', ' ', 'poolgate-passkeys');
    await grace.press('cancel', 'poolgate-passkeys');
    await grace.press('remove', 'poolgate-passkeys');
    await look('a passkey that is to be removed');
    await enter();
    await grace.press('submit', 'poolgate-passkeys');
    await told('The passkey is removed.');
    assert.deepEqual(account.faults, []);
    await account.close();
  });

  it('the end of an account needs the keyboard alone, and is usable', async () => {
    await grace.press('delete', 'poolgate-delete-account');
    await grace.type('word', 'DELETE', 'poolgate-delete-account');
    await enter();
    await grace.sees('Your account is deleted');
    await look('a deleted account');
    assert.deepEqual(grace.faults, []);
    await grace.close();
  });

  it('a sign-in announces what is wrong, and tells that a password is visible', async () => {
    const person = await open();
    const { page } = person;
    await visit(person, 'login');
    const { keyboard } = page;
    const focused = (attribute: string) => page.locator(':focus').getAttribute(attribute);
    await page.locator('input[name=username]').focus();
    await keyboard.type(DEMO.email);
    await keyboard.press('Tab');
    assert.equal(await focused('data-name'), 'forgotPassword');
    await keyboard.press('Tab');
    await keyboard.type('wrong');
    await keyboard.press('Tab');
    assert.equal(await focused('aria-label'), 'Show password');
    await keyboard.press('Space');
    assert.equal(await focused('aria-pressed'), 'true');
    await page.getByRole('status').filter({ hasText: 'Your password is shown.' }).waitFor();
    assert.equal(await page.locator('input[name=password]').getAttribute('type'), 'text');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'is not right' }).waitFor();
    assert.equal(await focused('name'), 'password');
    assert.equal(await page.locator('input[name=password]').getAttribute('type'), 'password');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(DEMO.password);
    await keyboard.press('Enter');
    await person.sees('Do you trust this device?');
    await keyboard.press('Tab');
    assert.equal(await focused('data-name'), 'remember');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await person.sees('Your account');
    await person.close();
  });

  it('a refused form says what is wrong at the field, and puts the focus there', async () => {
    const person = await open();
    const { page } = person;
    await visit(person, 'register');
    await person.type('email', 'nobody');
    await person.type('password', 'x');
    await person.press('submit');
    const field = page.locator(':focus');
    assert.equal(await field.getAttribute('name'), 'email');
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    const [id = ''] = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
    assert.match(await page.locator(`[id="${id}"]`).innerText(), /such as ada@example\.com/);
    await person.close();
  });

  it('nothing is cut off at 320 pixels, or where everything is twice as large', async () => {
    for (const profile of [
      { viewport: { width: 320, height: 640 } },
      // 200 % of a window of 1280 pixels.
      { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
    ]) {
      const person = await open(profile);
      const width = () => person.page.evaluate(() => document.documentElement.scrollWidth);
      for (const form of FORMS)
        for (const language of ['de', 'fr', 'ar'] as const) {
          await visit(person, `${form}?lang=${language}`);
          assert.equal(await width(), profile.viewport.width, `${form} ${language}`);
        }
      await person.visit('login?lang=de');
      await signIn(person);
      await person.press('not-now');
      await person.page.locator('poolgate-sessions [data-part=item]').first().waitFor();
      assert.equal(await width(), profile.viewport.width, 'account');
      await person.close();
    }
  });

  it('what password managers look for is there, before and after a refused login', async () => {
    const person = await open();
    await visit(person, 'login');
    const seen = () =>
      person.page.evaluate(() =>
        [...(document.querySelector('form')?.elements ?? [])]
          .filter((each) => each instanceof HTMLInputElement && each.type !== 'checkbox')
          .map((each) => [each.getAttribute('name'), each.getAttribute('autocomplete'), each.getAttribute('type')]),
      );
    const expected = [
      ['username', 'username webauthn', 'text'],
      ['password', 'current-password', 'password'],
    ];
    assert.deepEqual(await seen(), expected);
    const form = await person.page.locator('form').elementHandle();
    await person.type('username', 'nobody@example.com');
    await person.type('password', 'Wrong-Horse1!');
    await person.press('submit');
    await person.page.getByRole('alert').filter({ hasText: 'is not right' }).waitFor();
    assert.deepEqual(await seen(), expected);
    assert.equal(await person.page.evaluate((before) => before === document.querySelector('form'), form), true);
    assert.equal(await person.page.locator('form button[type=submit]').count(), 1);
    await person.close();
  });
});
