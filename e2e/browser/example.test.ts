import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEMO_USER } from 'poolgate';
import { createAuthenticatorHost, launchBrowser, openPage } from '../support/browser/launch-browser.ts';
import { startClientService } from '../support/clients/client-service.ts';

const PROGRAM = fileURLToPath(new URL('../../examples/passkeys/serve.ts', import.meta.url));

it('the example page adds a passkey, logs in with it by button and by autofill, and removes it', async (t) => {
  const program = spawn(process.execPath, [PROGRAM], { env: { PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => program.kill());
  const [origin] = (await once(createInterface(program.stdout), 'line')) as [string];
  const service = await startClientService({ rpId: 'localhost', origins: [origin], corsOrigins: [origin] });
  t.after(() => service.close());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const address = `${origin}/?service=${encodeURIComponent(service.url)}`;
  const { page, errors } = await openPage(browser, 'about:blank');
  const device = await (await createAuthenticatorHost(page))();
  const answered = () => page.waitForResponse((answer) => answer.url().endsWith('/login/challenge'));
  const shown = (text: string | RegExp) =>
    page.locator('output').filter({ hasText: text }).waitFor({ timeout: 60_000 });
  const LOGGED_IN = `${DEMO_USER.email} is logged in.`;

  await page.goto(address);
  await page.getByLabel('Password').fill('Wrong-Horse1!');
  await page.getByText('Log in with the password').click();
  await shown(/incorrect|wrong/i);
  await page.getByLabel('Password').fill(DEMO_USER.password);
  await page.getByText('Log in with the password').click();
  await shown(LOGGED_IN);
  await page.getByText('Add a passkey').click();
  await shown('The passkey was added.');
  assert.equal((await device.credentials()).length, 1);

  // Autofill starts with the page, and the virtual authenticator responds at once.
  const [byAutofill] = await Promise.all([answered(), page.goto(address)]);
  assert.equal(byAutofill.status(), 200);
  await shown(LOGGED_IN);
  // The page sends more requests before it shows this. The test must not send any meanwhile.
  await page.locator('output').evaluate((output) => output.replaceChildren());
  const [byButton] = await Promise.all([answered(), page.getByText('Log in with a passkey').click()]);
  assert.equal(byButton.status(), 200);
  await shown(LOGGED_IN);
  await page.getByText('Remove').click();
  await shown('The passkey was removed.');
  assert.deepEqual(await device.credentials(), []);
  assert.deepEqual(errors, []);
});
