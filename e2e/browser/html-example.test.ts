import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { TestClock } from '../../packages/pool/src/testing/context.ts';
import { bundleClient } from '../../tools/client-bundle.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { startExample } from '../support/example-program.ts';
import { freePort } from '../support/free-port.ts';
import { activeAuthenticator, codeOf, wrongCode } from '../support/route-mfa.ts';
import { addUser, PASSWORD, startTestService } from '../support/test-service.ts';

const USER = 'html@example.com';

it('the example page in plain HTML logs in by a worker and a second factor, changes the profile, and logs out', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-html-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await bundleClient(folder);
  const port = await freePort();
  const site = await startExample('html/serve.ts', { CLIENT: folder, POOLGATE_URL: `http://localhost:${port}` });
  t.after(() => site.close());
  const service = await startTestService({ port, baseUrl: site.url }, new TestClock(Date.now()));
  t.after(() => service.close());
  await addUser(service, USER);
  const secret = await activeAuthenticator(service, USER);
  service.clock.advance(30_000);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page, errors } = await openPage(browser, site.url);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const shown = (text: string | RegExp) =>
    page.locator('output').filter({ hasText: text }).waitFor({ timeout: 60_000 });
  const logIn = async (password: string) => {
    await page.getByLabel('E-mail').fill(USER);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  const code = page.getByLabel('Code of your authenticator app');

  await logIn('Wrong-Horse1!');
  await shown(/incorrect|wrong/i);
  await logIn(PASSWORD);
  await code.fill(wrongCode(service, secret));
  await page.getByRole('button', { name: 'Go on' }).click();
  await shown(/code/i);
  await code.fill(codeOf(service, secret));
  await page.getByRole('button', { name: 'Go on' }).click();
  await shown(`${USER} is logged in.`);
  assert.equal(page.workers().length, 1);
  assert.deepEqual(await page.evaluate(() => [document.cookie, { ...localStorage, ...sessionStorage }]), ['', {}]);

  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Save' }).click();
  await shown('The name was saved.');
  await page.reload();
  await shown(`${USER} is logged in.`);
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ada');
  await page.getByRole('button', { name: 'Log out' }).click();
  await shown('You are logged out.');
  await page.reload();
  await page.getByLabel('Password').waitFor();

  assert.ok(!sent.some((each) => each.includes(PASSWORD)), 'the password left the page');
  // The wrong password and the wrong code, and nothing of the content security policy.
  assert.deepEqual(
    complaints.map((text) => /status of (?<status>\d+)/.exec(text)?.groups?.status ?? text),
    ['401', '400'],
  );
  assert.deepEqual(errors, []);
});
