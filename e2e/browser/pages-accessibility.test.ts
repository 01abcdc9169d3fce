import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { assertUsable, listAxeViolations } from '../support/browser/accessibility-checks.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser, signInAndTrust, waitForHydration } from '../support/browser/page-person.ts';
import { startPageService } from '../support/browser/page-service.ts';
import { FORM_PATHS, LANGUAGES } from '../support/browser/shown-pages.ts';
import type { TestService } from '../support/services/test-service.ts';

const DEMO = { email: 'demo@poolgate.test', password: 'Demo-Passw0rd!' };
const SCHEMES = ['light', 'dark'] as const;

describe('the pages for people with low vision or a screen reader', () => {
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

  const open = (profile: playwright.BrowserContextOptions = {}): Promise<BrowserUser> =>
    openBrowserUser(browser, service, { reducedMotion: 'reduce', ...profile });

  async function visit(person: BrowserUser, path: string): Promise<void> {
    await person.visit(path);
    await person.page.locator('h1').waitFor();
  }

  async function signIn(person: BrowserUser): Promise<void> {
    await visit(person, 'login');
    await person.type('username', DEMO.email);
    await person.type('password', DEMO.password);
    await person.press('submit');
  }

  it('axe finds an error on a page', async () => {
    const person = await open();
    await visit(person, 'login');
    await waitForHydration(person.page);
    await person.page.evaluate(() => document.querySelector('label')?.remove());
    assert.match((await listAxeViolations(person.page)).join(), /^label: /);
    await person.close();
  });

  // A refused form shows everything that the empty one does.
  it('every form is accessible, including its errors', async () => {
    const person = await open();
    for (const form of FORM_PATHS) {
      await visit(person, form);
      await person.press('submit');
      await person.page.locator('[data-part=error]').first().waitFor();
      await assertUsable(person.page, form);
    }
    await person.close();
  });

  it('axe finds nothing on a form that was rendered in its language', async () => {
    const person = await open();
    for (const language of LANGUAGES) {
      await visit(person, `login?lang=${language}`);
      assert.equal(await person.page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
      assert.deepEqual(await listAxeViolations(person.page), [], language);
    }
    await person.close();
  });

  it('axe finds nothing on an account that was rendered in its language, light and dark', async () => {
    const person = await open();
    await signInAndTrust(person, DEMO.email, DEMO.password);
    for (const language of LANGUAGES) {
      await person.visit(`account?lang=${language}`);
      await person.page.locator('poolgate-devices [data-name=forget]').first().waitFor();
      assert.equal(await person.page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr');
      for (const colorScheme of SCHEMES) {
        await person.page.emulateMedia({ colorScheme });
        assert.deepEqual(await listAxeViolations(person.page), [], `account, ${language}, ${colorScheme}`);
      }
    }
    await person.close();
  });

  it('a sign-in announces errors, and that a password is visible', async () => {
    const person = await open();
    const { page } = person;
    await visit(person, 'login');
    await waitForHydration(page);
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
    await page.getByRole('alert').filter({ hasText: 'Incorrect email or password' }).waitFor();
    assert.equal(await focused('name'), 'password');
    assert.equal(await page.locator('input[name=password]').getAttribute('type'), 'password');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type(DEMO.password);
    await keyboard.press('Enter');
    await person.sees('Your account');
    await person.close();
  });

  it('a refused form shows the error at the field and focuses it', async () => {
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

  it('nothing is cut off at 320 pixels, or at twice the size', async () => {
    for (const profile of [
      { viewport: { width: 320, height: 640 } },
      // 200 % of a window of 1280 pixels.
      { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 },
    ]) {
      const person = await open(profile);
      const width = () => person.page.evaluate(() => document.documentElement.scrollWidth);
      for (const form of FORM_PATHS)
        for (const language of ['de', 'fr', 'ar'] as const) {
          await visit(person, `${form}?lang=${language}`);
          assert.equal(await width(), profile.viewport.width, `${form} ${language}`);
        }
      await person.visit('login?lang=de');
      await signIn(person);
      await person.page.locator('poolgate-devices [data-part=item]').first().waitFor();
      assert.equal(await width(), profile.viewport.width, 'account');
      await person.close();
    }
  });

  it('the fields for password managers are there before and after a refused login', async () => {
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
    await person.page.getByRole('alert').filter({ hasText: 'Incorrect email or password' }).waitFor();
    assert.deepEqual(await seen(), expected);
    assert.equal(await person.page.evaluate((before) => before === document.querySelector('form'), form), true);
    assert.equal(await person.page.locator('form button[type=submit]').count(), 1);
    await person.close();
  });
});
