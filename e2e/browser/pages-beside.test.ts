import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/browser.ts';
import { openPerson, type Person } from '../support/browser/page-person.ts';
import { startPageService } from '../support/browser/page-service.ts';
import { faultsOf, isUsable, isUsableAt, withoutMouse } from '../support/browser/usable-page.ts';
import { authorizeQuery, CALLBACK, makeClient, type OAuthClient, pkce } from '../support/oauth/oauth.ts';
import { lastConfirmToken, sendLinks } from '../support/routes/confirm-link.ts';
import { lastNotMeToken, loginOf } from '../support/routes/route-account.ts';
import { addUser, PASSWORD, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';
const NEXT_PASSWORD = 'Another-Horse2!';

describe('the pages beside the forms, for everybody', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let client: OAuthClient;
  let ada: Person;
  before(async () => {
    service = await startPageService();
    client = await makeClient(service, { CallbackURLs: [callback()] });
    await addUser(service, ADA);
    browser = await launchBrowser();
    ada = withoutMouse(await openPerson(browser, service, { reducedMotion: 'reduce' }));
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  /** Where nothing is: the application is none of this test. */
  const callback = () => `${service.baseUrl}/callback`;

  /** The button with this text, reached by Tab and used by Enter. */
  async function useButton(name: string): Promise<void> {
    const button = ada.page.getByRole('button', { name });
    for (let turn = 0; turn < 20; turn++) {
      await ada.page.keyboard.press('Tab');
      if (await button.evaluate((element) => element === document.activeElement)) break;
    }
    await ada.page.keyboard.press('Enter');
  }

  it('axe finds nothing on what is for developers, light and dark', async () => {
    for (const path of ['/docs', '/dev/mail', '/errors/not_found']) {
      await ada.page.goto(service.baseUrl + path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await ada.page.emulateMedia({ colorScheme });
        assert.deepEqual(await faultsOf(ada.page), [], `${path} ${colorScheme}`);
      }
    }
  });

  it('errors, and addresses that do not work, are usable in every language', async () => {
    for (const path of ['/cognito/none', '/cognito/user/profile', `/logout?logout_uri=${CALLBACK}`]) {
      await isUsableAt(ada.page, service.baseUrl + path);
    }
  });

  it('the questions of an application and of a sign-out need the keyboard alone, and are usable in every language', async () => {
    const { page } = ada;
    const asked = { prompt: 'consent', redirect_uri: callback() };
    await page.goto(`${service.baseUrl}/oauth2/authorize?${authorizeQuery(client, pkce().challenge, asked)}`);
    await ada.type('username', ADA);
    await ada.type('password', PASSWORD);
    await page.keyboard.press('Enter');
    await ada.sees('Do you trust this device?');
    await ada.press('not-now');
    await ada.sees(/asks for access/);
    await isUsableAt(page, page.url());
    await useButton('Allow');
    await page.waitForURL(`${callback()}?**`);
    const logout = `${service.baseUrl}/logout`;
    await isUsableAt(page, logout);
    await useButton('Sign out');
    await ada.sees('You are signed out');
    await isUsableAt(page, logout);
  });

  it('the links of mails need the keyboard alone, and each of their pages is usable', async () => {
    const { page } = ada;
    const open = async (path: string): Promise<void> => {
      // Else only the fragment would change, and no page be opened.
      await page.goto('about:blank');
      await page.goto(service.baseUrl + path);
      await page.locator('h1').waitFor();
    };
    await open('/cognito/not-me');
    await isUsable(page, 'a link that is not whole');
    const thief = await loginOf(service, ADA);
    const change = { password: PASSWORD, new_password: NEXT_PASSWORD };
    assert.equal((await service.post('/user/changepassword', change, thief.headers)).status, 200);
    const notMe = `/cognito/not-me#${lastNotMeToken(service, ADA)}`;
    await open(notMe);
    await isUsable(page, 'not me');
    await ada.press('submit');
    await ada.sees('Everybody is signed out');
    await isUsable(page, 'everybody is signed out');
    await open(notMe);
    await ada.press('submit');
    await ada.sees('That did not work');
    await isUsable(page, 'a link that was used');
    await sendLinks(service);
    assert.equal((await service.post('/register', { email: 'new@example.com', password: PASSWORD })).status, 200);
    await open(`/confirmUser#${lastConfirmToken(service, 'new@example.com')}`);
    await isUsable(page, 'confirm by a link');
    await ada.press('submit');
    await ada.sees('Enter your password');
    await isUsable(page, 'the password of a link');
    await ada.type('password', PASSWORD);
    await page.keyboard.press('Enter');
    await ada.sees('Your address is confirmed');
    await isUsable(page, 'confirmed by a link');
    assert.deepEqual(ada.faults, []);
  });
});
