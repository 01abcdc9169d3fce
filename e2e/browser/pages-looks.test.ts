import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { loadPage } from '../support/browser/page-load.ts';
import { openBrowserUser, waitForHydration } from '../support/browser/page-person.ts';
import { FORM_PATHS } from '../support/browser/shown-pages.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

describe('the look of the pages', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    service = await startTestService({ appName: 'Acme' });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function open(path: string, profile: playwright.BrowserContextOptions = {}) {
    const person = await openBrowserUser(browser, service, profile);
    await person.visit(path);
    await person.page.locator('input').first().waitFor();
    return person;
  }

  /** The computed style of the first matching element. */
  const readStyle = (page: playwright.Page, selector: string, property: string) =>
    page.evaluate(
      ([wanted, name]) => {
        const element = document.querySelector(wanted);
        return element === null ? '' : getComputedStyle(element).getPropertyValue(name);
      },
      [selector, property] as const,
    );

  it('nothing shifts while a form loads', async () => {
    for (const form of FORM_PATHS) {
      const { layoutShift } = await loadPage(browser, `${service.baseUrl}/cognito/${form}`, {
        usable: 'form input',
        complete: ':not([data-drawn]) > * form input',
      });
      assert.equal(layoutShift, 0, form);
    }
  });

  it('a phone does not zoom into a field, and every target is large enough for a finger', async () => {
    for (const form of FORM_PATHS) {
      const { page, close } = await open(form, { viewport: { width: 360, height: 740 } });
      const sizes = await page
        .locator('input:not([type=checkbox])')
        .evaluateAll((fields) => fields.map((field) => Number.parseFloat(getComputedStyle(field).fontSize)));
      assert.ok(sizes.length > 0 && Math.min(...sizes) >= 16, `${form}: ${sizes}`);
      const heights = await page
        .locator('input:not([type=checkbox]), [data-part=button]')
        .evaluateAll((targets) => targets.map((target) => target.getBoundingClientRect().height));
      assert.ok(Math.min(...heights) >= 44, `${form}: ${heights}`);
      await close();
    }
  });

  it('with forced colors, buttons keep a border, and errors are recognizable by shape', async () => {
    const { page, close } = await open('login', { forcedColors: 'active' });
    assert.equal(await readStyle(page, '[data-look=primary]', 'border-top-width'), '2px');
    await page.locator('[data-name=submit]').click();
    await page.locator('[data-part=error]').first().waitFor();
    assert.equal(await readStyle(page, '[aria-invalid=true]', 'border-top-width'), '2px');
    await page.locator('[name=stay]').check();
    const marks = await page
      .locator('[name=stay]')
      .evaluate((box) => [getComputedStyle(box, '::before').backgroundColor, getComputedStyle(box).backgroundColor]);
    assert.notEqual(marks[0], marks[1]);
    await close();
  });

  it('nothing moves with reduced motion, and otherwise it does', async () => {
    for (const [reducedMotion, seconds] of [
      ['reduce', '0s'],
      ['no-preference', '0.15s'],
    ] as const) {
      const { page, close } = await open('login', { reducedMotion });
      const durations = await readStyle(page, '[data-look=primary]', 'transition-duration');
      assert.equal(durations.split(',')[0], seconds);
      await close();
    }
  });

  it('Arabic is rendered right to left: logo, labels and the button in the field switch sides', async () => {
    const boxes = async (language: string) => {
      const { page, close } = await open(`login?lang=${language}`);
      const [card, logo, reveal] = await Promise.all(
        ['card', 'logo', 'reveal'].map((part) => page.locator(`[data-part=${part}]`).boundingBox()),
      );
      await close();
      assert.ok(card && logo && reveal);
      const middle = card.x + card.width / 2;
      return [logo.x < middle, reveal.x > middle];
    };
    assert.deepEqual(await boxes('en'), [true, true]);
    assert.deepEqual(await boxes('ar'), [false, false]);
  });

  it('an application sets its own logo, name, texts, colors and classes on an element', async () => {
    const { page, faults, close } = await open('login');
    await waitForHydration(page);
    await page.evaluate(() => {
      const element = document.createElement('poolgate-sign-in');
      element.appearance = {
        theme: 'light',
        variables: { 'color-accent': 'rgb(1 2 3)' },
        elements: { button: 'theirs' },
        layout: { appName: 'Globex', logoUrl: '/cognito/assets/theirs.svg' },
      };
      element.texts = { 'signIn.subtitle': 'Good to see you.' };
      document.querySelector('main')?.replaceChildren(element);
    });
    await page.getByText('Good to see you.').waitFor();
    await page.getByRole('heading', { name: 'Sign in to Globex' }).waitFor();
    assert.equal(await page.locator('[data-part=logo]').getAttribute('src'), '/cognito/assets/theirs.svg');
    assert.equal(await page.locator('[data-part=logo]').getAttribute('alt'), 'Globex');
    assert.equal(await readStyle(page, '[data-look=primary]', 'background-color'), 'rgb(1, 2, 3)');
    assert.equal(await page.locator('[data-name=submit]').getAttribute('class'), 'theirs');
    assert.deepEqual(faults, []);
    await close();
  });

  it('an element keeps its width in a grid or a flex container, and does not widen a narrow one', async () => {
    const { page, close } = await open('login');
    const measure = (style: Readonly<Record<string, string>>) =>
      page.evaluate((wanted) => {
        const parent = document.createElement('div');
        const main = document.querySelector('main');
        main?.replaceWith(parent);
        parent.append(...(main?.childNodes ?? []));
        Object.assign(parent.style, wanted);
        const width = document.querySelector('[data-part=card]')?.getBoundingClientRect().width;
        const again = document.createElement('main');
        parent.replaceWith(again);
        again.append(...parent.childNodes);
        return width;
      }, style);
    const usual = await measure({ display: 'block', width: '60rem' });
    for (const display of ['flex', 'grid', 'inline-grid'])
      for (const align of ['start', 'center']) {
        const style = { display, width: '60rem', alignItems: align, justifyItems: align, justifyContent: align };
        assert.equal(await measure(style), usual, `${display} ${align}`);
      }
    assert.equal(await measure({ display: 'flex', width: '18rem' }), 288);
    await close();
  });

  it('the step after a form takes the focus from it', async () => {
    const { page, press, type, sees, close } = await open('forgot');
    await type('username', 'ada@example.com');
    await press('submit');
    await sees('Set a new password');
    await page.locator('input[name=code]:focus').waitFor();
    await close();
  });
});
