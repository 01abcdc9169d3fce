import assert from 'node:assert/strict';
import { it } from 'node:test';
import { LOGIN_PAGE } from '../support/browser/passkey-page.ts';
import { openSite } from '../support/browser/passkey-site.ts';
import { readGuide } from '../support/guides/guide.ts';

it('the guide registers a passkey and signs in with it', async (t) => {
  const { service, page, errors, device } = await openSite(t, { '/': LOGIN_PAGE });
  const [code = ''] = readGuide('how-to/passkeys-only').code('Use passkeys in your own page', 'js');
  const printed = page.waitForEvent('console');
  await page.addScriptTag({ type: 'module', content: code.replaceAll('http://localhost:3000', service.url) });
  assert.equal((await printed).text(), 'success');
  assert.equal((await device.credentials()).length, 1);
  assert.deepEqual(errors, []);
});
