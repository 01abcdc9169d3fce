import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { listAxeViolations } from '../support/browser/accessibility-checks.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { loadModule, runShell } from '../support/guides/guide.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

const PHONE = { viewport: { width: 360, height: 740 } };

describe('the documentation in a browser', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    // The API of the guide uses the clock of the machine.
    service = await startTestService({}, new TestClock(Date.now()));
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

  it('is searchable with the keyboard alone, under the policy of the service', async () => {
    const { page, faults, close } = await open('/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('machine to machine');
    await page.getByRole('option').first().waitFor();
    assert.match((await page.getByRole('status').textContent()) ?? '', /^\d results?$/);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/how-to/machine-to-machine');
    await page.getByRole('heading', { level: 1, name: 'Machine to machine' }).waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  it('reports a search without results, and closes with Escape', async () => {
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

  it('has no axe violations, light and dark, wide and on a phone', async () => {
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
    await page.waitForURL('**#content');
    await close();
  });

  it('opens the new page of a section that has moved, with and without scripts', async () => {
    const old = '/docs/reference/oauth#clients-with-keys';
    const { page, faults, close } = await open(old);
    await page.waitForURL('**/docs/reference/oauth-clients#clients-with-keys');
    assert.deepEqual(faults, []);
    await close();
    const plain = await open(old, { javaScriptEnabled: false });
    await plain.page.locator('li:target').getByRole('link', { name: 'Clients with keys' }).click();
    await plain.page.waitForURL('**/docs/reference/oauth-clients#clients-with-keys');
    await plain.close();
  });

  /** The code of a section, as a reader of the rendered page copies it. */
  const readCode = (page: playwright.Page, section: string): Promise<readonly string[]> =>
    page.locator(`article h2#${section} ~ pre`).evaluateAll((all, id) => {
      const isBelow = (node: Element | null): boolean =>
        node !== null && (node.tagName === 'H2' ? node.id === id : isBelow(node.previousElementSibling));
      return all.filter(isBelow).map(({ textContent }) => textContent ?? '');
    }, section);

  it('leads from the README to a protected API route that runs as printed', async (t) => {
    const { page, close } = await open('/docs');
    await page.locator('article').getByRole('link', { name: 'Protect an API', exact: true }).click();
    await page.waitForURL('**/docs/how-to/protect-an-api');
    const apiPort = await findFreePort();
    const place = (code: string): string =>
      code.replaceAll('http://localhost:3000', service.url).replaceAll('4000', String(apiPort));
    const [, token = '', calls = ''] = await readCode(page, 'before-you-start');
    const [program = ''] = await readCode(page, 'express');
    const { server } = await loadModule<{ server: Server }>(place(program));
    t.after(() => server.close());
    const printed = await runShell(place(`${token}\n${calls}`), {});
    assert.deepEqual(printed.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 401']);
    assert.match(printed, /^\{"sub":"[\da-f-]{36}"\}/m);
    await close();
  });
});
