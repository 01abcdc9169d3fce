import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { openBrowserUser } from '../support/browser/page-person.ts';
import { startPageService } from '../support/browser/page-service.ts';
import { createAuthorizeQuery, createOAuthClient, createPkce } from '../support/oauth/oauth-client.ts';
import { addPoolUser, atPool, createPoolWithDomain, type PoolPlace } from '../support/oauth/second-pool.ts';
import { PASSWORD, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.com';

describe('the hosted pages of another pool', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    service = await startPageService();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  for (const place of ['path', 'host'] as const satisfies readonly PoolPlace[])
    it(`sign its users in for an application, with the ${place} of the pool`, async () => {
      const domain = `acme-${place}`;
      const pool = atPool(service, await createPoolWithDomain(service, domain), domain, place);
      await addPoolUser(pool, ADA);
      const callback = `${service.baseUrl}/callback`;
      const client = await createOAuthClient(pool, { CallbackURLs: [callback] });
      const ada = await openBrowserUser(browser, pool, { reducedMotion: 'reduce' });
      const query = createAuthorizeQuery(client, createPkce().challenge, { redirect_uri: callback });
      // On the host of BASE_URL, the client alone selects the pool.
      await ada.page.goto(`${pool.baseUrl}/oauth2/authorize?${query}`);
      const prefix = place === 'path' ? `/${pool.userPoolId}/cognito` : '/cognito';
      assert.equal(new URL(ada.page.url()).pathname, `${prefix}/login`);
      const signUp = ada.page.locator(`a[href*="${prefix}/register"]`);
      assert.equal(await signUp.count(), 1);
      await ada.type('username', ADA);
      await ada.type('password', PASSWORD);
      await ada.page.keyboard.press('Enter');
      await ada.page.waitForURL(`${callback}?**`);
      assert.ok(new URL(ada.page.url()).searchParams.get('code'));
      await ada.page.goto(`${pool.baseUrl}${prefix}/account`);
      await ada.sees('Your account');
      await ada.page.goto(`${service.baseUrl}/cognito/account`);
      await ada.page.waitForURL('**/cognito/login**');
    });

  it('sign users up and reset passwords in a pool that accepts no verifiers', async () => {
    const pool = atPool(service, await createPoolWithDomain(service, 'globex'), 'globex', 'host');
    await createOAuthClient(pool);
    const [email, next] = ['newcomer@example.com', 'Another-Horse2!'];
    const user = await openBrowserUser(browser, pool, { reducedMotion: 'reduce' });
    await user.visit('register');
    await user.type('email', email);
    await user.type('password', PASSWORD);
    await user.press('submit');
    await user.sees('Confirm your email address');
    await user.type('code', await user.code(email));
    await user.press('submit');
    await user.sees('Your account');
    await user.press('sign-out');
    await user.sees(/^Sign in/);
    await user.visit('forgot');
    await user.type('username', email);
    await user.press('submit');
    await user.sees('Set a new password');
    await user.type('code', await user.code(email));
    await user.type('password', next);
    await user.press('submit');
    await user.sees('Your account');
  });
});
