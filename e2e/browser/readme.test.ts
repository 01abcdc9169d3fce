import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { authenticatorsOf, launchBrowser, openPage } from '../support/browser.ts';
import { startClientService } from '../support/client-service.ts';
import { LOGIN_PAGE } from '../support/passkey-page.ts';
import { startWebSite } from '../support/web-site.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

it('the README registers a passkey and logs in with it as it says', async (t) => {
  const site = await startWebSite({ '/': LOGIN_PAGE });
  t.after(() => site.close());
  const { origin } = site;
  const service = await startClientService({ rpId: 'localhost', origins: [origin], corsOrigins: [origin] });
  t.after(() => service.close());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page, errors } = await openPage(browser, origin);
  const device = await (await authenticatorsOf(page))();
  const [, code = ''] = /\n## Passkeys\n.*?```js\n(.*?)```/s.exec(README) ?? [];
  const printed = page.waitForEvent('console');
  await page.addScriptTag({ type: 'module', content: code.replaceAll('http://localhost:3000', service.url) });
  assert.equal((await printed).text(), 'success');
  assert.equal((await device.credentials()).length, 1);
  assert.deepEqual(errors, []);
});
