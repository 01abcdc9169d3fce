import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type * as playwright from 'playwright-core';
import { TestClock } from '../../../packages/pool/src/testing/test-environment.ts';
import { launchBrowser, openPage } from '../browser/launch-browser.ts';
import { computeTotpCode, computeWrongTotpCode, createActiveAuthenticator } from '../routes/route-mfa.ts';
import { addUser, PASSWORD, startTestService } from '../services/test-service.ts';
import { findFreePort } from '../services/wait-for-port.ts';
import type { ExampleProgram } from './example-program.ts';

const PATIENCE_MS = 60_000;
const STEP_MS = 30_000;
const USER = 'example@example.com';

/** An example with a login page. */
export interface LoginExample {
  /** Starts its site in front of the service at this address. */
  start(serviceUrl: string): Promise<ExampleProgram>;
  /** Waits for what a logged-in user sees. */
  waitForLogin(page: playwright.Page, user: string): playwright.Locator;
  /** Waits for what appears immediately after a logout. */
  waitForLogout(page: playwright.Page): playwright.Locator;
}

/** Logs in with a worker and a second factor, with an error at each; changes the profile, and logs out. */
export async function useLoginExample(t: TestContext, example: LoginExample): Promise<void> {
  const port = await findFreePort();
  const site = await example.start(`http://localhost:${port}`);
  t.after(() => site.close());
  const service = await startTestService({ port, baseUrl: site.url }, new TestClock(Date.now()));
  t.after(() => service.close());
  await addUser(service, USER);
  const secret = await createActiveAuthenticator(service, USER);
  service.clock.advance(STEP_MS);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page, errors } = await openPage(browser, site.url);
  page.setDefaultTimeout(PATIENCE_MS);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const shown = (text: string | RegExp) => page.locator('output').filter({ hasText: text }).waitFor();
  const press = (name: string) => page.getByRole('button', { name }).click();
  const logIn = async (password: string) => {
    await page.getByLabel('E-mail').fill(USER);
    await page.getByLabel('Password').fill(password);
    await press('Log in');
  };
  const code = page.getByLabel('Code of your authenticator app');

  await logIn('Wrong-Horse1!');
  await shown(/incorrect|wrong/i);
  await logIn(PASSWORD);
  await code.fill(computeWrongTotpCode(service, secret));
  await press('Go on');
  await shown(/code/i);
  await code.fill(computeTotpCode(service, secret));
  await press('Go on');
  await example.waitForLogin(page, USER).waitFor();
  assert.equal(page.workers().length, 1);
  assert.deepEqual(await page.evaluate(() => [document.cookie, { ...localStorage, ...sessionStorage }]), ['', {}]);

  await page.getByLabel('Name').fill('Ada');
  await press('Save');
  await shown('The name was saved.');
  await page.reload();
  await example.waitForLogin(page, USER).waitFor();
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>('input[name=name]')?.value === 'Ada');
  await press('Log out');
  await example.waitForLogout(page).waitFor();
  await page.reload();
  await page.getByLabel('Password').waitFor();

  assert.ok(!sent.some((each) => each.includes(PASSWORD)), 'the password left the page');
  // The wrong password and the wrong code, and no violation of the content security policy.
  assert.deepEqual(
    complaints.map((text) => /status of (?<status>\d+)/.exec(text)?.groups?.status ?? text),
    ['401', '400'],
  );
  assert.deepEqual(errors, []);
}
