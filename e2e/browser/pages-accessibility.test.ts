import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { openPerson, type Person } from '../support/page-person.ts';
import { nextCode, startPageService } from '../support/page-service.ts';
import type { TestService } from '../support/test-service.ts';
import { faultsOf, isUsable, LANGUAGES, tabTo } from '../support/usable-page.ts';

const FORMS = ['login', 'register', 'verify', 'forgot', 'reset'] as const;
const DEMO = { email: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };
const GRACE = { email: 'grace@example.com', password: 'Correct-Horse1!' };
const SCHEMES = ['light', 'dark'] as const;

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

  it('axe finds nothing on the account, nor on what opens there', async () => {
    for (const colorScheme of SCHEMES) {
      const person = await open({ colorScheme });
      await signIn(person);
      await person.sees('Do you trust this device?');
      assert.deepEqual(await faultsOf(person.page), [], 'trust');
      await person.press('remember');
      await person.page.locator('poolgate-devices [data-name=forget]').first().waitFor();
      assert.deepEqual(await faultsOf(person.page), [], 'account');
      for (const [opens, within] of [
        ['edit-email', 'poolgate-profile'],
        ['set-up', 'poolgate-mfa'],
        ['rename', 'poolgate-devices'],
        ['end-all', 'poolgate-sessions'],
        ['delete', 'poolgate-delete-account'],
      ] as const) {
        await person.press(opens, within);
        await person.page.locator(`${within} [data-name=cancel]`).waitFor();
      }
      assert.deepEqual(await faultsOf(person.page), [], 'account with its forms');
      for (const language of LANGUAGES) {
        await person.visit(`account?lang=${language}`);
        await person.page.locator('poolgate-devices [data-name=forget]').first().waitFor();
        assert.equal(await person.page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
        assert.deepEqual(await faultsOf(person.page), [], `account, ${language}`);
      }
      await person.close();
    }
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
      for (const colorScheme of ['light', 'dark'] as const) {
        await person.page.emulateMedia({ colorScheme });
        await person.page.goto(service.baseUrl + path);
        assert.deepEqual(await faultsOf(person.page), [], `${path} ${colorScheme}`);
      }
    }
    await person.close();
  });

  /** Somebody without a mouse. */
  let grace: Person;
  /** Types into the field of this name, where the focus gets by Tab. */
  async function typeAt(name: string, text: string, within = ''): Promise<void> {
    await tabTo(grace.page, `${within} input[name="${name}"]`);
    await grace.page.keyboard.press('ControlOrMeta+A');
    await grace.page.keyboard.type(text);
  }
  /** Uses the button or link of this name. */
  async function use(name: string, within = ''): Promise<void> {
    await tabTo(grace.page, `${within} [data-name="${name}"]`);
    await grace.page.keyboard.press('Enter');
  }
  const enter = () => grace.page.keyboard.press('Enter');
  const look = (about: string) => isUsable(grace.page, about);
  const told = (text: string) => grace.page.getByRole('status').filter({ hasText: text }).first().waitFor();

  it('a sign-up, its code, a sign-in and a trusted device need the keyboard alone, and every step is usable', async () => {
    grace = await open();
    await visit(grace, 'login');
    await use('signUp');
    await grace.sees(/^Create your account/);
    await typeAt('name', 'Grace');
    await typeAt('email', GRACE.email);
    await typeAt('password', GRACE.password);
    await enter();
    await grace.sees('Confirm your e-mail address');
    await typeAt('code', '000');
    await enter();
    await grace.page.locator('[data-part=error]').waitFor();
    await look('confirm a sign-up');
    await typeAt('code', await grace.code(GRACE.email));
    await enter();
    await told('Your address is confirmed');
    await look('sign in after a sign-up');
    await typeAt('password', GRACE.password);
    await enter();
    await grace.sees('Do you trust this device?');
    await look('trust a device');
    await use('remember');
    await grace.sees('Your account');
    await grace.page.locator('poolgate-devices [data-name=forget]').waitFor();
  });

  it('an account, an authenticator and recovery codes need the keyboard alone, and every step is usable', async () => {
    await look('account');
    await use('set-up', 'poolgate-mfa');
    await grace.page.locator('[data-part=qr]').waitFor();
    await look('set up an authenticator');
    const secretCode = (await grace.page.locator('[data-part=key] code').innerText()).replaceAll(' ', '');
    await typeAt('code', nextCode(service, secretCode), 'poolgate-mfa');
    await enter();
    await grace.page.locator('[data-part=codes] li').first().waitFor();
    await look('recovery codes');
    await use('kept');
    await grace.page.getByText('You have 10 recovery codes left.').waitFor();
    await use('rename', 'poolgate-devices');
    await typeAt('name', 'Laptop', 'poolgate-devices');
    await enter();
    await grace.page.locator('poolgate-devices').getByText('Laptop', { exact: true }).waitFor();
    await use('delete', 'poolgate-delete-account');
    await typeAt('word', 'DELETE', 'poolgate-delete-account');
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
