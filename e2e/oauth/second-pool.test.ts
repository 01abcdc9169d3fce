import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as openid from 'openid-client';
import {
  CALLBACK,
  createOAuthClient,
  type OAuthClient,
  openSignedInBrowser,
  readLocation,
} from '../support/oauth/oauth-client.ts';
import { addPoolUser, atPool, createPoolWithDomain, type PoolPlace } from '../support/oauth/second-pool.ts';
import { sendRequest } from '../support/requests/exchange.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';
import type { CookieBrowser } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
const BYE = 'https://app.test/bye';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

/** What a client fetches by, without a DNS server that knows the domain. */
const createFetch =
  ({ url }: TestService): openid.CustomFetch =>
  async (target, { method, headers, body }) => {
    const { host, pathname, search } = new URL(target);
    const sent = { headers: { ...headers, host }, ...(body && { body: String(body) }) };
    const answer = await sendRequest(url, method, `${pathname}${search}`, sent);
    return new Response(answer.text, { status: answer.status, headers: answer.headers as Record<string, string> });
  };

for (const place of ['path', 'host'] as const satisfies readonly PoolPlace[])
  describe(`unmodified clients sign in to another pool by its ${place === 'path' ? 'id' : 'domain'}`, () => {
    let service: TestService;
    let pool: TestService;
    let client: OAuthClient;
    before(async () => {
      service = await startTestService({ issuer: 'base-url' });
      service.clock.advance(Date.now() - service.clock.now());
      const id = await createPoolWithDomain(service, 'acme');
      pool = atPool(service, id, 'acme', place);
      await addPoolUser(pool, ADA);
      client = await createOAuthClient(pool);
    });
    after(() => service.close());

    async function visit(browser: CookieBrowser, url: URL): Promise<URL> {
      const target = `${url.pathname}${url.search}`;
      return new URL(readLocation(await browser.get(target, { ...browser.cookieHeader, ...NAVIGATION })), pool.baseUrl);
    }

    it('openid-client: code grant with PKCE, refresh, userInfo, revocation, logout', async () => {
      const issuer = `${service.baseUrl}/${pool.userPoolId}`;
      const options = {
        [openid.customFetch]: createFetch(service),
        execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
      };
      const documentUrl = new URL(`${pool.baseUrl}/${pool.userPoolId}/.well-known/openid-configuration`);
      const config = await openid.discovery(documentUrl, client.id, undefined, openid.None(), options);
      const metadata = config.serverMetadata();
      assert.equal(metadata.issuer, issuer);
      const endpointBase = place === 'path' ? issuer : pool.baseUrl;
      assert.equal(metadata.token_endpoint, `${endpointBase}/oauth2/token`);
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'openid email profile',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
      });
      const browser = await openSignedInBrowser(pool, ADA);
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(config, await visit(browser, url), checks);
      const claims = tokens.claims() ?? assert.fail('an ID token is expected');
      assert.deepEqual([claims.iss, claims.aud, claims.email], [issuer, client.id, ADA]);
      assert.equal((await openid.fetchUserInfo(config, tokens.access_token, claims.sub)).email, ADA);
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      assert.equal(refreshed.claims()?.sub, claims.sub);
      await openid.tokenRevocation(config, tokens.refresh_token ?? '');
      await assert.rejects(openid.refreshTokenGrant(config, tokens.refresh_token ?? ''), { error: 'invalid_grant' });
      const end = openid.buildEndSessionUrl(config, {
        post_logout_redirect_uri: BYE,
        id_token_hint: tokens.id_token ?? '',
        state: 'done',
      });
      assert.equal((await visit(browser, end)).href, `${BYE}?state=done`);
      const again = await visit(browser, new URL(`${url.href}&prompt=none`));
      assert.equal(again.searchParams.get('error'), 'login_required');
    });
  });
