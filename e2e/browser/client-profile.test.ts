import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import type * as playwright from 'playwright-core';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { openClientPage, serveClientPage } from '../support/browser/client-page.ts';
import { launchBrowser, launchProfile } from '../support/browser/launch-browser.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

describe('the client after the browser is closed and reopened', () => {
  let service: TestService;
  let users = 0;
  before(async () => {
    service = await startTestService({}, new TestClock(Date.now()));
  });
  after(() => service?.close());

  /** A browser profile that can be closed and opened again. */
  async function profile(t: TestContext): Promise<() => Promise<playwright.Page>> {
    const folder = await mkdtemp(join(tmpdir(), 'poolgate-profile-'));
    let context: playwright.BrowserContext | undefined;
    t.after(async () => {
      await context?.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    const origin = service.url.replace('127.0.0.1', 'localhost');
    return async () => {
      await context?.close();
      context = await launchProfile(folder);
      await serveClientPage(context, origin);
      return openClientPage(context, origin);
    };
  }

  async function logIn(page: playwright.Page, username: string, staySignedIn: boolean): Promise<string> {
    return page.evaluate(
      async (login) => {
        step = await client.login.withPassword(login);
        if (step.kind === 'done') await step.rememberDevice?.('Laptop');
        return step.kind;
      },
      { username, password: PASSWORD, staySignedIn },
    );
  }

  const email = (page: playwright.Page) => page.evaluate(async () => (await client.session()).user?.email);
  const logInForDevice = (page: playwright.Page, username: string) =>
    page.evaluate(
      async (login) => {
        const seen: string[] = [];
        const step = await client.login.withPassword({ ...login, onDevice: ({ deviceKey }) => seen.push(deviceKey) });
        return [step.kind, seen.length];
      },
      { username, password: PASSWORD },
    );

  for (const staySignedIn of [false, true]) {
    it(`the session is ${staySignedIn ? 'there' : 'gone'}, and the secret of the device is there`, async (t) => {
      const username = `profile${users++}@example.com`;
      await addUser(service, username);
      const open = await profile(t);
      const first = await open();
      assert.equal(await logIn(first, username, staySignedIn), 'done');
      assert.equal(await email(first), username);
      const second = await open();
      assert.equal(await email(second), staySignedIn ? username : undefined);
      assert.deepEqual(await logInForDevice(second, username), ['done', 1]);
    });
  }
});

describe('the client in two tabs', () => {
  it('one of two tabs refreshes the tokens, which both store in one place', async (t) => {
    const service = await startTestService({}, new TestClock(Date.now()));
    t.after(() => service.close());
    await addUser(service, 'tabs@example.com');
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const context = await browser.newContext();
    const sent = await serveClientPage(context, service.url);
    const tabs = [await openClientPage(context, service.url), await openClientPage(context, service.url)];
    await Promise.all(
      tabs.map((tab) =>
        tab.evaluate(() => {
          const storage = {
            read: () => JSON.parse(localStorage.getItem('tokens') ?? 'null'),
            write: (tokens: unknown) => localStorage.setItem('tokens', JSON.stringify(tokens)),
          };
          let aheadMs = 0;
          globalThis.tokensClient = sdk.createClient({ mode: 'tokens', storage, now: () => Date.now() + aheadMs });
          globalThis.addEventListener('late', () => {
            aheadMs = 59.5 * 60_000;
          });
        }),
      ),
    );
    const [first] = tabs;
    assert.ok(first);
    const before = await first.evaluate(async (password) => {
      await tokensClient.login.withPassword({ username: 'tabs@example.com', password });
      return (await tokensClient.tokens())?.accessToken;
    }, PASSWORD);
    const after = await Promise.all(
      tabs.map((tab) =>
        tab.evaluate(async () => {
          globalThis.dispatchEvent(new Event('late'));
          const all = await Promise.all([tokensClient.tokens(), tokensClient.tokens()]);
          return all.map((tokens) => tokens?.accessToken);
        }),
      ),
    );
    const tokens = new Set(after.flat());
    assert.equal(tokens.size, 1);
    assert.ok(!tokens.has(before));
    assert.equal(sent.filter(({ path }) => path.endsWith('/token/refresh')).length, 1);
  });
});
