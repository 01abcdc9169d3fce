import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { LOGIN_PAGE } from '../support/browser/passkey-page.ts';
import { openSite } from '../support/browser/passkey-site.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

it('the README registers a passkey and logs in with it as it says', async (t) => {
  const { service, page, errors, device } = await openSite(t, { '/': LOGIN_PAGE });
  const [, code = ''] = /\n## Passkeys\n.*?```js\n(.*?)```/s.exec(README) ?? [];
  const printed = page.waitForEvent('console');
  await page.addScriptTag({ type: 'module', content: code.replaceAll('http://localhost:3000', service.url) });
  assert.equal((await printed).text(), 'success');
  assert.equal((await device.credentials()).length, 1);
  assert.deepEqual(errors, []);
});
