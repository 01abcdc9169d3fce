import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, it } from 'node:test';
import { TestClock } from '../../packages/pool/src/testing/context.ts';
import { launchBrowser, openPage } from '../support/browser.ts';
import { startProgram } from '../support/example-program.ts';
import { freePort } from '../support/free-port.ts';
import { builtExample, type InstalledExample, PREPARATION } from '../support/installed-example.ts';
import { activeAuthenticator, codeOf, wrongCode } from '../support/route-mfa.ts';
import { addUser, PASSWORD, startTestService } from '../support/test-service.ts';

const USER = 'react@example.com';

let example: InstalledExample;
before(async () => {
  example = await builtExample('react', ['vite/bin/vite.js', 'build', '--logLevel', 'error']);
}, PREPARATION);

it('the example in React, bundled by Vite, logs in by a worker and a second factor, changes the profile, and logs out', async (t) => {
  const [port, own] = [await freePort(), await freePort()];
  const words = [join(example.folder, 'node_modules/vite/bin/vite.js'), 'preview', '--port', String(own)];
  const env = { POOLGATE_URL: `http://localhost:${port}` };
  const site = await startProgram(words, env, example.folder);
  t.after(() => site.close());
  const service = await startTestService({ port, baseUrl: site.url }, new TestClock(Date.now()));
  t.after(() => service.close());
  await addUser(service, USER);
  const secret = await activeAuthenticator(service, USER);
  service.clock.advance(30_000);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page, errors } = await openPage(browser, site.url);
  page.setDefaultTimeout(60_000);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const shown = (text: string | RegExp) => page.locator('output').filter({ hasText: text }).waitFor();
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
  const account = page.getByRole('heading', { name: `${USER} is logged in` });
  await account.waitFor();
  assert.equal(page.workers().length, 1);
  assert.deepEqual(await page.evaluate(() => [document.cookie, { ...localStorage, ...sessionStorage }]), ['', {}]);

  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Save' }).click();
  await shown('The name was saved.');
  await page.reload();
  await account.waitFor();
  await page.locator('input[name=name][value=Ada]').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Password').waitFor();
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
