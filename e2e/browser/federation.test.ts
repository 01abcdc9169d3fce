import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser/launch-browser.ts';
import {
  createFederatedClient,
  createProvider,
  type MockProvider,
  startMockProvider,
} from '../support/federation/mock-provider.ts';
import { CALLBACK, createAuthorizeQuery, createPkce, type OAuthClient } from '../support/oauth/oauth-client.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

describe('the sign-in page of an application with identity providers', () => {
  let service: TestService;
  let provider: MockProvider;
  let browser: playwright.Browser;
  let client: OAuthClient;
  before(async () => {
    provider = await startMockProvider();
    service = await startTestService();
    await createProvider(service, provider, 'Corp');
    client = await createFederatedClient(service, 'COGNITO', 'Corp');
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
    await provider.close();
  });

  it('has a button for each provider, which signs the user in to the application', async () => {
    const { page, close } = await openPage(browser, `${service.url}/cognito/login`);
    const { challenge } = createPkce();
    await page.goto(`${service.baseUrl}/oauth2/authorize?${createAuthorizeQuery(client, challenge)}`);
    const button = page.getByRole('link', { name: 'Continue with Corp' });
    // The application does not exist, so only the request to it is visible.
    const returning = page.waitForRequest((request) => request.url().startsWith(`${CALLBACK}?`));
    await button.click();
    assert.ok(new URL((await returning).url()).searchParams.get('code'));
    await close();
  });

  it('reports that the user declined at the provider, and has no buttons without an application', async () => {
    const { page, close } = await openPage(browser, `${service.url}/cognito/login`);
    assert.equal(await page.locator('[data-part=providers]').count(), 0);
    const { challenge } = createPkce();
    await page.goto(`${service.baseUrl}/oauth2/authorize?${createAuthorizeQuery(client, challenge)}`);
    const address = await page.getByRole('link', { name: 'Continue with Corp' }).getAttribute('href');
    const started = await page.context().request.get(`${service.baseUrl}${address}`, { maxRedirects: 0 });
    const state = new URL(started.headers().location ?? '').searchParams.get('state') ?? '';
    await page.goto(`${service.baseUrl}/oauth2/idpresponse?${new URLSearchParams({ state, error: 'access_denied' })}`);
    await page.getByText('You didn’t finish signing in there.').waitFor();
    await page.getByRole('link', { name: 'Continue with Corp' }).waitFor();
    await close();
  });

  it('has a button on the directly opened page if the client of the pages offers the provider', async () => {
    const body = { identity_providers: ['COGNITO', 'Corp'] };
    const path = `/admin/clients/${service.clientId}`;
    assert.equal((await service.ask('PATCH', path, { headers: service.asAdmin, body })).status, 200);
    service.clock.advance(60_000);
    const { page, close } = await openPage(browser, `${service.url}/cognito/login`);
    await page.goto(`${service.baseUrl}/cognito/login`);
    provider.account.claims = { sub: 'direct' };
    await page.getByRole('link', { name: 'Continue with Corp' }).click();
    await page.waitForURL(`${service.baseUrl}/cognito/account*`);
    await page.locator('poolgate-identities [data-part=item]').waitFor();
    await close();
  });
});
