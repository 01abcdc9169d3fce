import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { listAxeViolations } from '../support/browser/accessibility-checks.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

const PHONE = { viewport: { width: 360, height: 740 } };

describe('the documentation in a browser', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    service = await startTestService();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function open(path: string, profile: playwright.BrowserContextOptions = {}) {
    const context = await browser.newContext(profile);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (line) => faults.push(line.text()));
    await page.goto(service.url + path);
    return { page, faults, close: () => context.close() };
  }

  it('is searched by keyboard alone, under the policy of the service', async () => {
    const { page, faults, close } = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('behind PgBouncer');
    await page.getByRole('option').first().waitFor();
    assert.match((await page.getByRole('status').textContent()) ?? '', /^\d results?$/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/how-to/postgresql#behind-pgbouncer');
    assert.equal(await page.getByRole('heading', { level: 2, name: 'Behind PgBouncer' }).count(), 1);
    assert.deepEqual(faults, []);
    await close();
  });

  it('says so when a search finds nothing, and closes with Escape', async () => {
    const { page, close } = await open('/docs');
    const search = page.getByRole('combobox', { name: 'Search the documentation' });
    await search.fill('xylophone');
    await page.getByText('No results for “xylophone”').waitFor();
    await search.fill('passkey');
    await page.getByRole('option').first().waitFor();
    assert.equal(await search.getAttribute('aria-expanded'), 'true');
    await page.keyboard.press('Escape');
    assert.equal(await search.getAttribute('aria-expanded'), 'false');
    await close();
  });

  it('opens its navigation on a phone, and never scrolls sideways', async () => {
    const { page, faults, close } = await open('/docs/reference/configuration', PHONE);
    const link = page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Protect an API' });
    assert.equal(await link.isVisible(), false);
    await page.getByRole('button', { name: 'Menu' }).click();
    await link.click();
    await page.waitForURL('**/docs/how-to/protect-an-api');
    for (const path of ['/docs', '/docs/reference/configuration', '/docs/how-to/protect-an-api', '/docs/contents']) {
      await page.goto(service.url + path);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, path);
    }
    assert.deepEqual(faults, []);
    await close();
  });

  it('axe finds nothing, light and dark, wide and on a phone', async () => {
    for (const profile of [{}, PHONE]) {
      const { page, close } = await open('/docs', profile);
      for (const path of ['/docs', '/docs/reference/oauth', '/docs/how-to/protect-an-api']) {
        await page.goto(service.url + path);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await listAxeViolations(page), [], `${path} ${colorScheme}`);
        }
      }
      await close();
    }
  });

  it('works without scripts, apart from the search', async () => {
    const { page, close } = await open('/docs/guides/local-cognito', { javaScriptEnabled: false });
    assert.equal(new URL(page.url()).pathname, '/docs/how-to/local-cognito');
    assert.equal(await page.getByRole('combobox').isVisible(), false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(new URL(page.url()).hash, '#content');
    await close();
  });
});
