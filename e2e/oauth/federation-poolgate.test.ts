import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { createFederatedClient, returnFromProvider } from '../support/federation/mock-provider.ts';
import { createPoolgateProvider } from '../support/federation/poolgate-provider.ts';
import {
  CALLBACK,
  createAuthorizeQuery,
  createPkce,
  type OAuthClient,
  openSignedInBrowser,
  postForm,
  readCallbackParameters,
  readLocation,
} from '../support/oauth/oauth-client.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
const LOWEST = 'urn:cognito:loa:1';

describe('a sign-in at another Poolgate', () => {
  let service: TestService;
  let corp: TestService;
  let client: OAuthClient;
  const { verifier, challenge } = createPkce();
  before(async () => {
    service = await startTestService({ issuer: 'base-url' });
    corp = await startTestService({ issuer: 'base-url' });
    // ID tokens of providers are checked against the machine's clock.
    for (const { clock } of [service, corp]) clock.advance(Date.now() - clock.now());
    await addUser(corp, ADA);
    await createPoolgateProvider(service, corp, 'Corp', { AcrMapping: { Level1: LOWEST } });
    client = await createFederatedClient(service, 'Corp');
  });
  after(async () => {
    await service.close();
    await corp.close();
  });

  /** Starts at the application, and returns where the service redirects the browser. */
  async function begin(browser: CookieBrowser, more: Readonly<Record<string, string>> = {}): Promise<URL> {
    return new URL(
      readLocation(await browser.get(`/oauth2/authorize?${createAuthorizeQuery(client, challenge, more)}`)),
    );
  }

  const askProvider = async (browser: CookieBrowser, { pathname, search }: URL) =>
    readLocation(await browser.open(`${pathname}${search}`));

  async function finish(browser: CookieBrowser, back: string): Promise<Record<string, unknown>> {
    const next = readLocation(await returnFromProvider(browser, new URL(back)));
    assert.match(next, /^\/oauth2\/authorize\/continue\?/);
    const code = readCallbackParameters(await browser.get(next)).get('code') ?? '';
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    const answer = await postForm(service, '/oauth2/token', { client_id: client.id, ...fields });
    assert.equal(answer.status, 200, answer.text);
    return decodeTokenPart(String(answer.body.id_token), 1) as Record<string, unknown>;
  }

  it('uses the session there, copies the claims, and reaches the level in its token', async () => {
    const there = await openSignedInBrowser(corp, ADA);
    const here = new CookieBrowser(service, '');
    const asked = await begin(here, { acr_values: LOWEST });
    assert.ok(asked.href.startsWith(`${corp.baseUrl}/oauth2/authorize?`), asked.href);
    assert.equal(asked.searchParams.get('acr_values'), LOWEST);
    const token = await finish(here, await askProvider(there, asked));
    assert.deepEqual([token.email, token.email_verified, token.acr, token.amr], [ADA, true, LOWEST, ['fed', 'pwd']]);
    assert.match(String(token['cognito:username']), /^corp_[0-9a-f-]{36}$/);
    const again = new CookieBrowser(service, '');
    const later = await finish(again, await askProvider(there, await begin(again)));
    assert.deepEqual([later.sub, later.acr], [token.sub, undefined]);
  });
});
