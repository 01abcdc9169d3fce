import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import type * as playwright from 'playwright-core';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { buildClientFile } from '../../tools/client-bundle.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import '../support/browser/client-page.ts';
import { openBrowserUser } from '../support/browser/page-person.ts';
import { startWebSite, type WebFile, type WebSite } from '../support/browser/web-site.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

const USER = 'ada@example.com';

/** An application with the client, on a separate site. */
async function applicationFiles(): Promise<Readonly<Record<string, WebFile>>> {
  const script = async (text: string | Promise<string>): Promise<WebFile> => ({
    type: 'text/javascript',
    text: await text,
  });
  const page =
    '<!doctype html><title>Application</title><h1>Application</h1><script type="module" src="/page.js"></script>';
  return {
    '/': { type: 'text/html', text: page },
    '/page.js': await script("import * as sdk from './index.js'; globalThis.sdk = sdk; document.title = 'ready';"),
    '/index.js': await script(buildClientFile('index.js')),
    '/srp-worker.js': await script(buildClientFile('srp-worker.js')),
  };
}

/** Blocks third-party cookies in a tab, as browsers do by default or by a setting, without exceptions. */
async function blockThirdPartyCookies(page: playwright.Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
}

/** A site with a cookie for all sites. It shows which cookies arrived. */
async function lenientSite(t: TestContext): Promise<string> {
  const server = createServer(({ headers }, response) => {
    response.writeHead(200, {
      'set-cookie': 'lenient=1; Secure; SameSite=None',
      'access-control-allow-origin': headers.origin ?? '*',
      'access-control-allow-credentials': 'true',
    });
    response.end(headers.cookie ?? 'none');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.after(() => server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

describe('a browser that blocks third-party cookies', () => {
  let service: TestService;
  let browser: playwright.Browser;
  /** Of the service, and of an application on another site. */
  let own: string;
  let elsewhere: string;
  let site: WebSite;
  before(async () => {
    const port = await findFreePort();
    own = `http://localhost:${port}`;
    site = await startWebSite(await applicationFiles());
    elsewhere = site.origin.replace('localhost', '127.0.0.1');
    const options = { port, baseUrl: own, corsOrigins: [elsewhere], returnOrigins: [elsewhere] };
    service = await startTestService(options, new TestClock(Date.now()));
    await addUser(service, USER);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await site?.close();
  });

  /** A page of the application elsewhere, with the client. */
  async function application(t: TestContext, blocks = true): Promise<playwright.Page> {
    const context = await browser.newContext();
    t.after(() => context.close());
    const page = await context.newPage();
    if (blocks) await blockThirdPartyCookies(page);
    await page.goto(elsewhere);
    await page.waitForFunction(() => document.title === 'ready');
    return page;
  }

  it('does not send a cookie for all sites from another site', async (t) => {
    const url = await lenientSite(t);
    for (const blocks of [false, true]) {
      const page = await application(t, blocks);
      const asked = () => page.evaluate(async (url) => (await fetch(url, { credentials: 'include' })).text(), url);
      await asked();
      assert.equal(await asked(), blocks ? 'none' : 'lenient=1');
    }
  });

  it('signs in on the pages of the service, stays signed in there, and returns to the application', async (t) => {
    const person = await openBrowserUser(browser, { baseUrl: own, outbox: service.outbox });
    t.after(() => person.close());
    const { page } = person;
    await page.context().route(`${elsewhere}/**`, (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<!doctype html><title>Application</title><h1>Application</h1>',
      }),
    );
    await blockThirdPartyCookies(page);
    await person.visit(`login?return_to=${encodeURIComponent(`${elsewhere}/`)}`);
    await person.type('username', USER);
    await person.type('password', PASSWORD);
    await person.press('submit');
    await person.sees('Application');
    assert.equal(page.url(), `${elsewhere}/`);
    await person.visit('account');
    await person.sees('Your account');
  });

  it('gives an application on another site tokens without any cookie, by default', async (t) => {
    const page = await application(t);
    const found = await page.evaluate(
      async ([baseUrl = '', username = '', password = '']) => {
        const elsewhere = sdk.createClient({ baseUrl });
        const step = await elsewhere.login.withPassword({ username, password });
        const why = step.kind === 'refused' ? step.error.code : '';
        const profile = step.kind === 'done' ? await elsewhere.profile.show() : null;
        return { mode: elsewhere.mode, kind: step.kind, why, email: profile?.email };
      },
      [own, USER, PASSWORD],
    );
    assert.deepEqual(found, { mode: 'tokens', kind: 'done', why: '', email: USER });
    assert.deepEqual(await page.context().cookies(), []);
  });

  it('gives an application on another site no session, and an error, whoever is signed in at the service', async (t) => {
    const page = await application(t);
    const told = await page.evaluate(
      async ([baseUrl = '', username = '', password = '']) => {
        const elsewhere = sdk.createClient({ baseUrl, mode: 'session' });
        const step = await elsewhere.login.withPassword({ username, password });
        const asked = await elsewhere.session().then(
          () => 'answered',
          (error) => error.code,
        );
        return ['error' in step ? step.error?.code : step.kind, asked];
      },
      [own, USER, PASSWORD],
    );
    assert.deepEqual(told, ['network_error', 'network_error']);
  });

  it('shows the pages of the service in no frame of an application', async (t) => {
    const page = await application(t);
    await page.evaluate((url) => {
      const frame = document.createElement('iframe');
      frame.src = url;
      document.body.append(frame);
      return new Promise((loaded) => frame.addEventListener('load', loaded, { once: true }));
    }, `${own}/cognito/login`);
    const [frame] = page.frames().slice(1);
    assert.equal(await frame?.locator('input').count(), 0);
  });
});
