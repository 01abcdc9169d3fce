import type { TestContext } from 'node:test';
import type { StartOptions } from 'poolgate';
import { startClientService } from '../clients/client-service.ts';
import { createAuthenticatorHost, launchBrowser, openPage } from './launch-browser.ts';
import { startWebSite, type WebFile } from './web-site.ts';

/**
 * Opens the page of a web site in a browser with an authenticator, with a service whose passkeys belong to that site. Everything ends with
 * the test.
 */
export async function openSite(t: TestContext, files: Readonly<Record<string, WebFile>>, options: StartOptions = {}) {
  const site = await startWebSite(files);
  t.after(() => site.close());
  const { origin } = site;
  const place = { rpId: 'localhost', origins: [origin], corsOrigins: [origin] };
  const service = await startClientService({ ...place, ...options });
  t.after(() => service.close());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const { page, errors } = await openPage(browser, origin);
  return { service, page, errors, device: await (await createAuthenticatorHost(page))() };
}
