import assert from 'node:assert/strict';
import { it } from 'node:test';
import { authenticatorsOf, launchBrowser, openPage } from '../support/browser.ts';
import { openTestContext } from '../support/context.ts';
import { gatewayOver } from '../support/gateway.ts';
import { LOGIN_PAGE, PasskeyPage } from '../support/passkey-page.ts';
import { WEB_AUTHN } from '../support/passkeys.ts';
import { addUser, openTestPoolOn, PASSWORD } from '../support/pool.ts';
import { startWebSite } from '../support/web-site.ts';

const ADA = 'ada@example.com';

it('A65: where verification is required a page that asks the browser for none neither registers nor logs in', async (t) => {
  const site = await startWebSite({ '/': LOGIN_PAGE });
  t.after(() => site.close());
  const opened = await openTestContext('sqlite::memory:');
  t.after(() => opened.close());
  const webAuthn = { ...WEB_AUTHN, origins: [site.origin], userVerification: 'required' } as const;
  const pool = await openTestPoolOn(opened, { pool: { webAuthn } });
  await addUser(pool, ADA);
  const gateway = await gatewayOver(opened, pool, { corsOrigins: [site.origin] });
  t.after(() => gateway.close());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page: tab, errors } = await openPage(browser, site.origin);
  const page = new PasskeyPage(tab, await gateway.listen('127.0.0.1', 0));
  const device = await (await authenticatorsOf(tab))();
  const access = await page.passwordLogin(ADA, PASSWORD);

  const { body: creation } = await page.ask('POST', '/passkey/start', {}, access);
  const selection = creation.authenticatorSelection as Readonly<Record<string, unknown>>;
  assert.equal(selection.userVerification, 'required');
  assert.equal((await page.register(access)).status, 200);
  await device.setUserVerified(false);
  for (const name of [ADA, '']) {
    const { options } = await page.asked(name);
    assert.equal(options.userVerification, 'required');
    assert.equal((await page.get(options)).error, 'NotAllowedError');
    const asked = await page.asked(name);
    const { credential } = await page.get({ ...asked.options, userVerification: 'discouraged' });
    assert.ok(credential);
    const { status, body } = await page.answer(asked, credential);
    assert.deepEqual([status, body.code], [401, 'invalid_credentials']);
  }
  await device.setUserVerified(true);
  assert.equal((await page.logIn(ADA)).status, 200);
  assert.deepEqual(errors, []);
});
