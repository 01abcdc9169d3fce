import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { openBrowserUser } from '../support/browser/page-person.ts';
import { buildExample, type InstalledExample, PREPARATION } from '../support/guides/installed-example.ts';
import { addUser, PASSWORD, startTestService } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

const USER = 'notes@example.com';
const MARKUP = '<img src=x onerror=alert(1)>';

let example: InstalledExample;
before(async () => {
  example = await buildExample('nextjs', ['next/dist/bin/next', 'build']);
}, PREPARATION);

it('the Next.js example reads the session on its server, keeps notes of the signed-in user, and notices the sign-out', async (t) => {
  const [port, own] = [await findFreePort(), await findFreePort()];
  const [url, app] = [`http://localhost:${port}`, `http://localhost:${own}`];
  const service = await startTestService({ port, baseUrl: url, returnOrigins: [app] }, new TestClock(Date.now()));
  t.after(() => service.close());
  await addUser(service, USER);
  const words = ['next/dist/bin/next', 'start', '--port', String(own)];
  const site = await example.start(words, { POOLGATE_URL: url, APP_URL: app });
  t.after(() => site.close());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const ada = await openBrowserUser(browser, { baseUrl: url, outbox: service.outbox });
  const { page } = ada;
  page.setDefaultTimeout(60_000);
  const whoAmI = () => page.evaluate(async () => (await fetch('/me')).status);
  const note = page.getByRole('listitem').filter({ hasText: MARKUP });

  await page.goto(app);
  assert.equal(await whoAmI(), 401);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await ada.type('username', USER);
  await ada.type('password', PASSWORD);
  await ada.press('submit');
  await ada.sees(`Notes of ${USER}`);
  assert.equal(page.url(), `${app}/`);
  assert.equal(await whoAmI(), 200);
  assert.deepEqual(await page.evaluate(() => [document.cookie, { ...localStorage, ...sessionStorage }]), ['', {}]);

  const written = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByLabel('Note').fill(MARKUP);
  await page.getByRole('button', { name: 'Add' }).click();
  await note.waitFor();
  // The same request with the cookie, as the page of another site would send it.
  const { headers, body } = await written.then(async (request) => ({
    headers: await request.allHeaders(),
    body: request.postData(),
  }));
  const kept = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^:|content-length|origin|referer/.test(name)),
  );
  const forged = await fetch(app, { method: 'POST', headers: { ...kept, origin: 'https://evil.example' }, body });
  assert.ok(forged.status >= 400, String(forged.status));
  await page.reload();
  assert.equal(await note.count(), 1);

  await page.getByRole('link', { name: 'Account and sign-out' }).click();
  await ada.sees('Your account');
  await ada.press('sign-out');
  await ada.sees(/^Sign in to/);
  await page.goto(app);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  assert.equal(await whoAmI(), 401);
  assert.deepEqual(ada.faults, []);
});
