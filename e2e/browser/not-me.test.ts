import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { lastNotMeToken, loginOf } from '../support/route-account.ts';
import { addUser, assertProblem, PASSWORD, startTestService, type TestService } from '../support/test-service.ts';

const NEXT = 'Another-Horse2!';

describe('the page behind the link of a mail to the owner', () => {
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

  /** A user whose password was changed, and the page of the mail that told of it. */
  async function openLink(email: string, profile: playwright.BrowserContextOptions = {}) {
    await addUser(service, email);
    const thief = await loginOf(service, email);
    await service.post('/user/changepassword', { password: PASSWORD, new_password: NEXT }, thief.headers);
    const url = `${service.url}/cognito/not-me#${lastNotMeToken(service, email)}`;
    return { ...(await open(url, profile)), thief, url };
  }

  async function open(url: string, profile: playwright.BrowserContextOptions = {}) {
    const context = await browser.newContext(profile);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (line) => {
      // A refused request is told on the console too; what the policy stops is told as such.
      if (/Content Security Policy|Refused to/i.test(line.text())) faults.push(line.text());
    });
    await page.goto(url);
    return { page, faults, close: () => context.close() };
  }

  const status = (page: playwright.Page, text: RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

  it('is used by keyboard, tells the screen reader, and leaves no token in the address', async () => {
    const { page, faults, thief, close } = await openLink('keys@example.com');
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Was this not you?');
    assert.equal((await service.get('/user/profile', thief.headers)).status, 200);
    await page.keyboard.press('Tab');
    assert.equal(await page.locator(':focus').innerText(), 'This was not me');
    await page.keyboard.press('Enter');
    await status(page, /signed out/);
    assert.equal(await page.getByRole('button').count(), 0);
    assert.equal(await page.locator(':focus').getAttribute('role'), 'status');
    assert.equal(new URL(page.url()).hash, '');
    assertProblem(await service.get('/user/profile', thief.headers), 401, 'unauthenticated');
    assert.deepEqual(faults, []);
    await close();
  });

  it('says that a link was used, or is not whole', async () => {
    const { page, url, close } = await openLink('twice@example.com');
    await page.getByRole('button').click();
    await status(page, /signed out/);
    const again = await open(url);
    await again.page.getByRole('button').click();
    await status(again.page, /used before/);
    await again.close();
    const cut = await open(`${service.url}/cognito/not-me`);
    await status(cut.page, /not complete/);
    assert.equal(await cut.page.getByRole('button').count(), 0);
    await cut.close();
    await close();
  });

  it('can be tried again where the service could not be reached', async () => {
    const { page, close } = await openLink('offline@example.com');
    await page.context().setOffline(true);
    await page.getByRole('button').click();
    await status(page, /did not work/);
    await page.context().setOffline(false);
    await page.getByRole('button').click();
    await status(page, /signed out/);
    await close();
  });

  it('speaks German, and fits a phone in the dark', async () => {
    const phone = { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 320, height: 640 } } as const;
    const { page, faults, close } = await openLink('phone@example.com', phone);
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    const [scrollWidth, background] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      getComputedStyle(document.body).backgroundColor,
    ]);
    assert.equal(scrollWidth, 320);
    assert.equal(background, 'rgb(20, 23, 28)');
    const button = page.getByRole('button', { name: 'Das war ich nicht' });
    assert.ok(((await button.boundingBox())?.height ?? 0) >= 44);
    await button.click();
    await status(page, /abgemeldet/);
    assert.deepEqual(faults, []);
    await close();
  });
});
