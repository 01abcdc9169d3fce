import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
};

describe('the page of the API reference', () => {
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

  async function open(profile: playwright.BrowserContextOptions = {}) {
    const context = await browser.newContext(profile);
    const page = await context.newPage();
    const requests: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (line) => faults.push(line.text()));
    await page.goto(`${service.url}/docs/api`);
    return { page, requests, faults, close: () => context.close() };
  }

  it('lists every operation of the document once, and loads no other file', async () => {
    const document = JSON.parse((await service.get('/openapi.json')).text) as Document;
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    const { page, requests, faults, close } = await open();
    const shown = await page.locator('details').evaluateAll((all) => all.map(({ id }) => id));
    assert.ok(ids.length > 80);
    assert.deepEqual(shown.toSorted(), ids.toSorted());
    assert.deepEqual(requests, ['/docs/api']);
    assert.deepEqual(faults, []);
    const { headers } = await service.get('/docs/api');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-[^']+'; base-uri/);
    await close();
  });

  it('opens with the keyboard: body, example, responses, and errors that link to their pages', async () => {
    const { page, close } = await open();
    const login = page.locator('details#login');
    await login.locator('summary').focus();
    await page.keyboard.press('Enter');
    const words = await login.innerText();
    for (const word of [
      'Anybody may call it',
      '/api/cognito/login',
      'password',
      'required',
      'curl -s -X POST',
      'access_token',
      'or',
    ]) {
      assert.ok(words.includes(word), word);
    }
    assert.ok(words.includes(`curl -s -X POST http://localhost:${new URL(service.url).port}/login `));
    const links = await page
      .locator('details a')
      .evaluateAll((all) => [...new Set(all.map((each) => (each as HTMLAnchorElement).href))]);
    assert.ok(links.length > 20);
    for (const link of links) assert.equal((await service.get(new URL(link).pathname)).status, 200, link);
    await close();
  });

  it('fits a phone, also in the dark theme', async () => {
    const { page, close } = await open({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' });
    for (const id of ['login', 'register', 'adminAudit']) await page.locator(`details#${id} summary`).click();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await close();
  });
});
