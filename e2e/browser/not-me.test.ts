import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { findLastNotMeToken, logInForTokens } from '../support/routes/route-account.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';

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

  /** A user after a password change, and the page in the email that reported it. */
  async function openLink(email: string, profile: playwright.BrowserContextOptions = {}) {
    await addUser(service, email);
    const thief = await logInForTokens(service, email);
    await service.post('/user/changepassword', { password: PASSWORD, new_password: NEXT }, thief.headers);
    const url = `${service.url}/cognito/not-me#${findLastNotMeToken(service, email)}`;
    return { ...(await open(url, profile)), thief, url };
  }

  async function open(url: string, profile: playwright.BrowserContextOptions = {}) {
    const context = await browser.newContext(profile);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (line) => {
      // A failed request also appears in the console. A request that the policy blocks appears as blocked.
      if (/Content Security Policy|Refused to/i.test(line.text())) faults.push(line.text());
    });
    await page.goto(url);
    return { page, faults, close: () => context.close() };
  }

  const title = (page: playwright.Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const notMe = (page: playwright.Page) => page.getByRole('button', { name: 'This wasn’t me' });

  it('has no effect when opened, works with a keyboard and a screen reader, and removes the token from the address', async () => {
    const { page, faults, thief, close } = await openLink('keys@example.com');
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    await title(page, 'Wasn’t this you?');
    assert.equal((await service.get('/user/profile', thief.headers)).status, 200);
    await page.keyboard.press('Tab');
    assert.equal((await page.locator(':focus').innerText()).trim(), 'This wasn’t me');
    await page.keyboard.press('Enter');
    await title(page, 'All devices are signed out');
    assert.equal(await notMe(page).count(), 0);
    // A screen reader reads the focused element.
    assert.equal(await page.locator(':focus').innerText(), 'All devices are signed out');
    assert.equal(new URL(page.url()).hash, '');
    assertProblem(await service.get('/user/profile', thief.headers), 401, 'unauthenticated');
    await page.getByRole('link', { name: 'Set a new password' }).click();
    await page.waitForURL(/\/cognito\/forgot$/);
    assert.deepEqual(faults, []);
    await close();
  });

  it('reports a used or incomplete link', async () => {
    const { page, url, close } = await openLink('twice@example.com');
    await notMe(page).click();
    await title(page, 'All devices are signed out');
    const again = await open(url);
    await notMe(again.page).click();
    await again.page.getByText('already used').waitFor();
    await again.close();
    for (const cut of ['', '#', '#<img src=x onerror=alert(1)>']) {
      const opened = await open(`${service.url}/cognito/not-me${cut}`);
      await opened.page.getByText('incomplete').waitFor();
      assert.equal(await opened.page.getByRole('button').count(), 0);
      assert.deepEqual(opened.faults, []);
      await opened.close();
    }
    await close();
  });

  it('can be retried if the service was unreachable', async () => {
    const { page, close } = await openLink('offline@example.com');
    await notMe(page).waitFor();
    await page.context().setOffline(true);
    await notMe(page).click();
    await page.getByRole('alert').filter({ hasText: 'Can’t reach the service' }).waitFor();
    await page.context().setOffline(false);
    await notMe(page).click();
    await title(page, 'All devices are signed out');
    await close();
  });

  it('is available in German, fits a phone in the dark theme, and explains what it needs without scripts', async () => {
    const phone = { locale: 'de-DE', colorScheme: 'dark', viewport: { width: 320, height: 640 } } as const;
    const { page, faults, url, close } = await openLink('phone@example.com', phone);
    assert.equal(await page.locator('html').getAttribute('lang'), 'de');
    const button = page.getByRole('button', { name: 'Das war ich nicht' });
    assert.ok(((await button.boundingBox())?.height ?? 0) >= 44);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await button.click();
    await title(page, 'Alle Geräte sind abgemeldet');
    assert.deepEqual(faults, []);
    await close();
    const without = await open(url, { ...phone, javaScriptEnabled: false });
    await without.page.getByText('benötigt JavaScript').waitFor();
    await without.close();
  });
});
