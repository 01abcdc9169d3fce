import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { enableConfirmLinks, findConfirmToken } from '../support/routes/confirm-link.ts';
import { assertCannotLogIn, findLastCode, logInForTokens } from '../support/routes/route-account.ts';
import { PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const CHOSEN_PASSWORD = 'Chosen-Horse3!';

describe('the page behind the link in the mail of a sign-up', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    service = await startTestService();
    await enableConfirmLinks(service);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const register = async (email: string) => {
    assert.equal((await service.post('/register', { email, password: PASSWORD })).status, 200);
    return findConfirmToken(service, email);
  };

  async function open(path: string, profile: playwright.BrowserContextOptions = {}) {
    const context = await browser.newContext(profile);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (line) => {
      if (/Content Security Policy|Refused to/i.test(line.text())) faults.push(line.text());
    });
    await page.goto(`${service.url}/confirmUser${path}`);
    return { page, faults, close: () => context.close() };
  }

  const title = (page: playwright.Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const button = (page: playwright.Page) => page.getByRole('button', { name: 'Confirm my address' });

  it('confirms only with its button, works with a keyboard, and removes the token from the address', async () => {
    const email = 'keys@example.com';
    const token = await register(email);
    const { page, faults, close } = await open(`#${token}`);
    await button(page).waitFor();
    await assertCannotLogIn(service, email, PASSWORD);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await title(page, 'Enter your password');
    await page.keyboard.type('Wrong-Horse2!');
    await page.keyboard.press('Enter');
    await page.getByText('That password isn’t right. Check it and try again').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await title(page, 'Your email address is confirmed');
    assert.equal(new URL(page.url()).hash, '');
    await logInForTokens(service, email);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(/\/cognito\/login$/);
    assert.deepEqual(faults, []);
    await close();
    const again = await open(`#${token}`);
    await button(again.page).click();
    await again.page.getByText('already used').waitFor();
    await again.close();
  });

  it('accepts the address of Cognito’s page in templates and triggers, and a new password', async () => {
    const email = 'cognito+1@example.com';
    await register(email);
    const query = new URLSearchParams({
      client_id: service.clientId,
      user_name: email,
      confirmation_code: findLastCode(service, email),
    });
    const { page, faults, close } = await open(`?${query}`);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    await button(page).click();
    await page.getByRole('button', { name: 'I didn’t sign up' }).click();
    await page.getByLabel('Password', { exact: true }).fill(CHOSEN_PASSWORD);
    await page.getByRole('button', { name: 'Set new password' }).click();
    await title(page, 'Your email address is confirmed');
    assert.equal(new URL(page.url()).search, '');
    assert.ok(sent.some((body) => body.includes('password_verifier')));
    assert.doesNotMatch(sent.join(), new RegExp(CHOSEN_PASSWORD));
    await assertCannotLogIn(service, email, PASSWORD);
    await logInForTokens(service, email, CHOSEN_PASSWORD);
    assert.deepEqual(faults, []);
    await close();
  });

  it('signs in without a password in the browser that registered, which also shows that the account is unconfirmed', async () => {
    const email = 'here@example.com';
    const { page, faults, close } = await open('');
    await page.goto(`${service.url}/cognito/register`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await title(page, 'Confirm your email address');
    await page.goto(`${service.url}/cognito/login`);
    await page.locator('input[name=username]').fill(email);
    await page.locator('input[name=password]').fill(PASSWORD);
    // The page requests a new email, which invalidates the link of the first one.
    const sent = page.waitForResponse(/\/register\/resend-code$/);
    await page.locator('button[data-name=submit]').click();
    await title(page, 'Confirm your email address');
    await sent;
    await page.goto(`${service.url}/confirmUser#${findConfirmToken(service, email)}`);
    await button(page).click();
    await title(page, 'Your account');
    await logInForTokens(service, email);
    assert.deepEqual(faults, []);
    await close();
  });

  it('reports that the link or the code was used elsewhere while the password was typed', async () => {
    const email = 'elsewhere@example.com';
    const token = await register(email);
    const { page, faults, close } = await open(`#${token}`);
    await button(page).click();
    await title(page, 'Enter your password');
    const other = await page.context().newPage();
    await other.goto(`${service.url}/cognito/verify`);
    await other.locator('input[name=email]').fill(email);
    await other.locator('input[name=code]').fill(findLastCode(service, email));
    await other.locator('button[data-name=submit]').click();
    await title(other, 'Enter your password');
    const claim = { token, password: PASSWORD };
    assert.equal((await service.post('/register/verify-link', claim)).status, 200);
    for (const each of [page, other]) {
      await each.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await each.locator('button[data-name=submit]').click();
    }
    await page.getByText('already used').waitFor();
    await other.getByText('That code isn’t right').waitFor();
    await other.locator('input[name=code]').waitFor();
    assert.deepEqual(faults, []);
    await close();
  });

  it('reports an incomplete link, runs no script from its address, and is available in German', async () => {
    const attacks = [
      '',
      '#<img src=x onerror=alert(1)>',
      '?user_name=<script>alert(1)</script>',
      '#javascript:alert(1)',
    ];
    for (const path of attacks) {
      const { page, faults, close } = await open(path, { locale: 'de-DE' });
      page.on('dialog', () => assert.fail(path));
      await page.getByText('unvollständig').waitFor();
      assert.equal(await page.getByRole('button').count(), 0);
      assert.deepEqual(faults, []);
      await close();
    }
  });
});
