import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { startPageService } from '../support/browser/page-service.ts';
import { startApplication, startApplicationProxy } from '../support/proxies/application-proxies.ts';
import { BEHIND_PROXY } from '../support/requests/exchange.ts';
import { addUser, PASSWORD } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

test('a browser signs in to an application on another host in two tabs opened at the same time', async (context) => {
  const own = await findFreePort();
  const origin = `http://app.localhost:${own}`;
  const service = await startPageService({ ...BEHIND_PROXY, returnOrigins: [origin] });
  context.after(() => service.close());
  await addUser(service, 'ada@example.com');
  const application = await startApplication();
  const ports = { own, service: Number(new URL(service.url).port), application: application.port };
  const proxy = await startApplicationProxy('like-traefik', ports);
  const browser = await launchBrowser();
  context.after(async () => {
    await browser.close();
    await proxy.stop();
    application.server.close();
  });
  const profile = await browser.newContext();
  const [first, second] = [await profile.newPage(), await profile.newPage()];
  await Promise.all([first.goto(`${origin}/one?q=1`), second.goto(`${origin}/two`)]);
  await first.locator('input[name=username]').fill('ada@example.com');
  await first.locator('input[name=password]').fill(PASSWORD);
  await first.locator('button[type=submit]').first().click();
  await first.waitForURL(`${origin}/one?q=1`);
  assert.equal(application.seen?.headers['x-poolgate-email'], encodeURIComponent('ada@example.com'));
  await profile.clearCookies({ domain: 'app.localhost' });
  // If two begin at once, one cookie replaces the other. The refused tab restarts by itself, and may interrupt its load.
  await Promise.all([first, second].map((page, tab) => page.goto(`${origin}/again-${tab}`).catch(() => {})));
  await Promise.all([first, second].map((page, tab) => page.waitForURL(`${origin}/again-${tab}`)));
  assert.deepEqual(
    application.uris.filter((uri) => uri.includes('ticket=')),
    [],
  );
});
