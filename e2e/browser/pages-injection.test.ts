import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser, signInAndTrust } from '../support/browser/page-person.ts';
import { startPageService } from '../support/browser/page-service.ts';
import { PAGE_PATHS } from '../support/browser/shown-pages.ts';
import { createOAuthClient } from '../support/oauth/oauth-client.ts';
import { PASSWORD, type TestService } from '../support/services/test-service.ts';

/** Short enough for every name: markup in text, out of an attribute, and of a template. */
const ATTACK = '"><img src=x onerror=ran()><script>ran()</script>{{ran()}}';
const WITHOUT_SPACES = ATTACK.replaceAll(' ', '/');
const EMAIL = 'mallory@example.com';
const NEWER = 'newer@example.com';

describe('user input is shown as text and never runs', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let mallory: BrowserUser;
  let ran = 0;
  before(async () => {
    service = await startPageService({ appName: ATTACK });
    browser = await launchBrowser();
    mallory = await openBrowserUser(browser, service, { userAgent: ATTACK });
    await mallory.page.exposeFunction('ran', () => {
      ran += 1;
    });
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  /** The page shows it as text, creates no element from it, and the policy blocks nothing. */
  async function isText(where: string, text?: string): Promise<void> {
    if (text !== undefined) await mallory.page.getByText(text).first().waitFor();
    assert.equal(await mallory.page.locator('img[src="x"], svg[onload]').count(), 0, where);
    assert.deepEqual([ran, ...mallory.faults], [0], where);
  }

  const asAdmin = async (operation: string, input: object) => {
    const answer = await service.call(operation, { UserPoolId: service.userPoolId, ...input }, service.asAdmin);
    assert.equal(answer.status, 200, answer.text);
  };

  it('the test would notice an injection', async () => {
    const other = await browser.newPage();
    let seen = 0;
    await other.exposeFunction('ran', () => {
      seen += 1;
    });
    await other.setContent(ATTACK);
    await other.waitForFunction(() => document.querySelector('img')?.complete);
    assert.ok(seen > 0);
    await other.close();
  });

  it('names of the service, in addresses and forms', async () => {
    const written = encodeURIComponent(ATTACK);
    for (const path of [...PAGE_PATHS, 'not-me', 'none']) {
      await mallory.visit(`${path}?lang=${written}&login_hint=${written}&token=${written}&return_to=javascript:ran()`);
      await mallory.page.locator('h1').waitFor();
      await isText(path);
    }
    await mallory.visit(`login?login_hint=${written}`);
    await mallory.sees(`Sign in to ${ATTACK}`);
    assert.equal(await mallory.page.locator('input[name=username]').inputValue(), ATTACK);
    assert.ok((await mallory.page.title()).includes(ATTACK));
    await mallory.type('username', WITHOUT_SPACES);
    await mallory.press('code');
    await mallory.sees('Check your email');
    await isText('the name at a step', WITHOUT_SPACES);
  });

  it("the user's own data, devices, passkeys, authenticator apps, groups and sessions", async () => {
    await mallory.visit('register');
    await mallory.type('name', ATTACK);
    await mallory.type('email', EMAIL);
    await mallory.type('password', PASSWORD);
    await mallory.press('submit');
    await mallory.sees('Confirm your email address');
    await mallory.type('code', await mallory.code(EMAIL));
    await mallory.press('submit');
    await mallory.sees('Your account');
    await asAdmin('CreateGroup', { GroupName: WITHOUT_SPACES, Description: ATTACK });
    await asAdmin('AdminAddUserToGroup', { GroupName: WITHOUT_SPACES, Username: EMAIL });
    await mallory.press('sign-out');
    await mallory.sees(/^Sign in to/);
    await signInAndTrust(mallory, EMAIL, PASSWORD);
    await mallory.page.locator('poolgate-profile').getByText(ATTACK).waitFor();
    await mallory.press('rename', 'poolgate-devices');
    await mallory.type('name', ATTACK, 'poolgate-devices');
    await mallory.press('submit', 'poolgate-devices');
    await mallory.page.locator('poolgate-devices').getByText(ATTACK).waitFor();
    await mallory.press('forget', 'poolgate-devices');
    await mallory.addAuthenticator();
    await mallory.press('add', 'poolgate-passkeys');
    await mallory.press('rename', 'poolgate-passkeys');
    await mallory.type('name', ATTACK, 'poolgate-passkeys');
    await mallory.press('submit', 'poolgate-passkeys');
    await mallory.page.locator('poolgate-passkeys').getByText(ATTACK).waitFor();
    await mallory.press('remove', 'poolgate-passkeys');
    await mallory.press('set-up', 'poolgate-mfa');
    await mallory.page.locator('[data-part=qr]').waitFor();
    await mallory.press('edit-email', 'poolgate-profile');
    await mallory.type('email', NEWER, 'poolgate-profile');
    await mallory.press('submit', 'poolgate-profile');
    await mallory.page.getByText(`Enter the code we sent to ${NEWER}`).waitFor();
    await isText('account', ATTACK);
  });

  it('mails about it, the list of mails, and the docs', async () => {
    for (const path of [
      '/dev/mail',
      `/dev/mail?to=${EMAIL}`,
      '/docs/api',
      `/confirmUser?user_name=${encodeURIComponent(ATTACK)}`,
    ]) {
      await mallory.page.goto(service.baseUrl + path);
      await mallory.page.locator('body').waitFor();
      await isText(path);
    }
  });

  it('what administrators read is JSON that no browser interprets as anything else', async () => {
    for (const path of ['/admin/audit', '/admin/users', `/admin/users/${EMAIL}`, '/admin/groups']) {
      const { status, headers, text } = await service.get(path, service.asAdmin);
      assert.equal(status, 200, text);
      assert.match(String(headers['content-type']), /^application\/json/);
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  it('an app client cannot have a name with markup', async () => {
    await assert.rejects(createOAuthClient(service, { ClientName: ATTACK }), /InvalidParameterException/);
  });
});
