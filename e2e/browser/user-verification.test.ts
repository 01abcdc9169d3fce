import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DEMO_USER } from 'poolgate';
import { LOGIN_PAGE, PasskeyPage } from '../support/browser/passkey-page.ts';
import { openSite } from '../support/browser/passkey-site.ts';

it('if the service requires verification, a page that does not ask the browser for it neither registers nor logs in', async (t) => {
  const {
    service,
    page: tab,
    errors,
    device,
  } = await openSite(t, { '/': LOGIN_PAGE }, { userVerification: 'required' });
  const page = new PasskeyPage(tab, service.url);
  const access = await page.passwordLogin(DEMO_USER.email, DEMO_USER.password);

  const { body: creation } = await page.ask('POST', '/passkey/start', {}, access);
  const selection = creation.authenticatorSelection as Readonly<Record<string, unknown>>;
  assert.equal(selection.userVerification, 'required');
  assert.equal((await page.register(access)).status, 200);
  await device.setUserVerified(false);
  for (const name of [DEMO_USER.email, '']) {
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
  assert.equal((await page.logIn(DEMO_USER.email)).status, 200);
  assert.deepEqual(errors, []);
});
