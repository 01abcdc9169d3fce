import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import {
  assertUsable,
  assertUsableAt,
  createKeyboardUser,
  listAxeViolations,
} from '../support/browser/accessibility-checks.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser } from '../support/browser/page-person.ts';
import { startPageService } from '../support/browser/page-service.ts';
import {
  CALLBACK,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  type OAuthClient,
  postForm,
} from '../support/oauth/oauth-client.ts';
import { enableConfirmLinks, findConfirmToken } from '../support/routes/confirm-link.ts';
import { findLastNotMeToken, logInForTokens } from '../support/routes/route-account.ts';
import { addUser, PASSWORD, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const NEXT_PASSWORD = 'Another-Horse2!';

describe('the pages next to the forms', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let client: OAuthClient;
  let ada: BrowserUser;
  before(async () => {
    service = await startPageService();
    client = await createOAuthClient(service, { CallbackURLs: [callback()] });
    await addUser(service, ADA);
    browser = await launchBrowser();
    ada = createKeyboardUser(await openBrowserUser(browser, service, { reducedMotion: 'reduce' }));
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  /** An address without a page, because the application is not part of this test. */
  const callback = () => `${service.baseUrl}/callback`;

  /** Activates the button with this text using Tab and Enter. */
  async function useButton(name: string): Promise<void> {
    const button = ada.page.getByRole('button', { name });
    for (let turn = 0; turn < 20; turn++) {
      await ada.page.keyboard.press('Tab');
      if (await button.evaluate((element) => element === document.activeElement)) break;
    }
    await ada.page.keyboard.press('Enter');
  }

  /** With the code that a device shows, in the browser of a signed-in user. */
  async function connectDevice(): Promise<void> {
    const { page } = ada;
    const allowed = { body: { extensions: { device_grant: true } }, headers: service.asAdmin };
    assert.equal((await service.ask('PATCH', `/admin/clients/${client.id}`, allowed)).status, 200);
    const { body } = await postForm(service, '/oauth2/device_authorization', { client_id: client.id });
    const entry = `${service.baseUrl}/oauth2/device`;
    await assertUsableAt(page, entry);
    await page.goto(entry);
    await page.getByLabel('Code').focus();
    await page.keyboard.type(String(body.user_code));
    await page.keyboard.press('Enter');
    await ada.sees(/wants to sign in as you on a device/);
    await assertUsable(page, 'the question of a device');
    await useButton('Allow');
    await ada.sees('Your device is signed in');
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const asked = { grant_type, client_id: client.id, device_code: String(body.device_code) };
    assert.equal((await postForm(service, '/oauth2/token', asked)).status, 200);
  }

  it('axe finds nothing on the pages for developers, light and dark', async () => {
    for (const path of ['/docs/api', '/dev/mail', '/errors/not_found']) {
      await ada.page.goto(service.baseUrl + path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await ada.page.emulateMedia({ colorScheme });
        assert.deepEqual(await listAxeViolations(ada.page), [], `${path} ${colorScheme}`);
      }
    }
  });

  it('errors and broken addresses are accessible in every language', async () => {
    for (const path of ['/cognito/none', '/cognito/user/profile', `/logout?logout_uri=${CALLBACK}`]) {
      await assertUsableAt(ada.page, service.baseUrl + path);
    }
  });

  it('the prompts of an application and of a sign-out work with the keyboard alone, and are accessible in every language', async () => {
    const { page } = ada;
    const asked = { prompt: 'consent', redirect_uri: callback() };
    await page.goto(
      `${service.baseUrl}/oauth2/authorize?${createAuthorizeQuery(client, createPkce().challenge, asked)}`,
    );
    await ada.type('username', ADA);
    await ada.type('password', PASSWORD);
    await page.keyboard.press('Enter');
    await ada.sees(/wants access to your account/);
    await assertUsableAt(page, page.url());
    await useButton('Allow');
    await page.waitForURL(`${callback()}?**`);
    await connectDevice();
    const logout = `${service.baseUrl}/logout`;
    await assertUsableAt(page, logout);
    await useButton('Sign out');
    await ada.sees('You’re signed out');
    await assertUsableAt(page, logout);
  });

  it('the links of mails work with the keyboard alone, and each of their pages is accessible', async () => {
    const { page } = ada;
    const open = async (path: string): Promise<void> => {
      // Otherwise only the fragment would change, and no page would open.
      await page.goto('about:blank');
      await page.goto(service.baseUrl + path);
      await page.locator('h1').waitFor();
    };
    await open('/cognito/not-me');
    await assertUsable(page, 'a link that is not whole');
    const thief = await logInForTokens(service, ADA);
    const change = { password: PASSWORD, new_password: NEXT_PASSWORD };
    assert.equal((await service.post('/user/changepassword', change, thief.headers)).status, 200);
    const notMe = `/cognito/not-me#${findLastNotMeToken(service, ADA)}`;
    await open(notMe);
    await assertUsable(page, 'not me');
    await ada.press('submit');
    await ada.sees('All devices are signed out');
    await assertUsable(page, 'everybody is signed out');
    await open(notMe);
    await ada.press('submit');
    await ada.sees('That didn’t work');
    await assertUsable(page, 'a link that was used');
    await enableConfirmLinks(service);
    assert.equal((await service.post('/register', { email: 'new@example.com', password: PASSWORD })).status, 200);
    await open(`/confirmUser#${findConfirmToken(service, 'new@example.com')}`);
    await assertUsable(page, 'confirm by a link');
    await ada.press('submit');
    await ada.sees('Enter your password');
    await assertUsable(page, 'the password of a link');
    await ada.type('password', PASSWORD);
    await page.keyboard.press('Enter');
    await ada.sees('Your email address is confirmed');
    await assertUsable(page, 'confirmed by a link');
    assert.deepEqual(ada.faults, []);
  });
});
