import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'oauth4webapi';
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import * as openid from 'openid-client';
import {
  CALLBACK,
  callAsAdmin,
  createOAuthClient,
  createResourceServer,
  type OAuthClient,
  openSignedInBrowser,
  readLocation,
} from '../support/oauth/oauth-client.ts';
import { addUser, startTestService, type TestService } from '../support/services/test-service.ts';
import type { CookieBrowser } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
const BYE = 'https://app.test/bye';
/** What a browser sends with a navigation. */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

for (const signingAlgorithm of ['RS256', 'ES256'] as const)
  describe(`unmodified clients complete login, refresh, userInfo and logout with tokens signed with ${signingAlgorithm}`, () => {
    let service: TestService;
    let issuer: URL;
    let publicClient: OAuthClient;
    let confidential: OAuthClient;
    before(async () => {
      service = await startTestService({ issuer: 'base-url', signingAlgorithm });
      // The clients use the machine's clock.
      service.clock.advance(Date.now() - service.clock.now());
      await addUser(service, ADA);
      await createResourceServer(service);
      publicClient = await createOAuthClient(service);
      confidential = await createOAuthClient(service, { GenerateSecret: true });
      issuer = new URL(`${service.baseUrl}/${service.userPoolId}`);
    });
    after(() => service.close());

    /** The browser follows a client's link, and is redirected back. */
    async function visit(browser: CookieBrowser, url: URL | string): Promise<URL> {
      const { pathname, search } = new URL(url);
      return new URL(
        readLocation(await browser.get(`${pathname}${search}`, { ...browser.cookieHeader, ...NAVIGATION })),
      );
    }

    /** Expects that no user is signed in after a logout that led back to the client. */
    async function assertLoggedOut(browser: CookieBrowser, url: URL | string): Promise<URL> {
      const back = await visit(browser, url);
      const again = new URLSearchParams({
        prompt: 'none',
        response_type: 'code',
        scope: 'openid',
        client_id: confidential.id,
        redirect_uri: CALLBACK,
      });
      const asked = await visit(browser, `${service.baseUrl}/oauth2/authorize?${again}`);
      assert.equal(asked.searchParams.get('error'), 'login_required');
      return back;
    }

    it('openid-client: code grant with PKCE, state and nonce, refresh, userInfo, revocation, logout', async () => {
      // Without the second one, the library does not check the signature of an ID token from the token endpoint.
      const options = { execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks] };
      const config = await openid.discovery(issuer, publicClient.id, undefined, openid.None(), options);
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'openid email profile',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
        acr_values: 'urn:cognito:loa:1',
        max_age: '60',
      });
      const browser = await openSignedInBrowser(service, ADA);
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, maxAge: 60, idTokenExpected: true };
      const tokens = await openid.authorizationCodeGrant(config, await visit(browser, url), checks);
      const claims = tokens.claims() ?? assert.fail('an ID token is expected');
      const { sub, email, at_hash } = claims;
      assert.deepEqual([email, typeof at_hash], [ADA, 'string']);
      assert.deepEqual([claims.acr, claims.amr], ['urn:cognito:loa:1', ['pwd']]);
      assert.equal((await openid.fetchUserInfo(config, tokens.access_token, sub)).email, ADA);
      const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      const after = refreshed.claims() ?? assert.fail('a refresh gives an ID token');
      assert.deepEqual([after.sub, after.acr, after.auth_time], [sub, claims.acr, claims.auth_time]);
      await openid.tokenRevocation(config, tokens.refresh_token ?? '');
      await assert.rejects(openid.refreshTokenGrant(config, tokens.refresh_token ?? ''), { error: 'invalid_grant' });
      const end = openid.buildEndSessionUrl(config, {
        post_logout_redirect_uri: BYE,
        id_token_hint: tokens.id_token ?? '',
        state: 'done',
      });
      assert.equal((await assertLoggedOut(browser, end)).href, `${BYE}?state=done`);
    });

    it('openid-client: a machine with HTTP Basic and with the secret in the body', async () => {
      const machine = await createOAuthClient(service, {
        GenerateSecret: true,
        AllowedOAuthFlows: ['client_credentials'],
        AllowedOAuthScopes: ['things/read'],
      });
      const { secret = '' } = machine;
      for (const authentication of [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]) {
        const options = { execute: [openid.allowInsecureRequests] };
        const config = await openid.discovery(issuer, machine.id, undefined, authentication, options);
        const tokens = await openid.clientCredentialsGrant(config, { scope: 'things/read' });
        assert.deepEqual([tokens.token_type, tokens.scope, tokens.refresh_token], ['bearer', 'things/read', undefined]);
      }
    });

    it('oauth4webapi: a confidential client that checks the issuer in the response', async () => {
      const insecure = { [oauth.allowInsecureRequests]: true };
      const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
      const as = await oauth.processDiscoveryResponse(issuer, found);
      assert.equal(as.authorization_response_iss_parameter_supported, true);
      const client = { client_id: confidential.id };
      const authentication = oauth.ClientSecretBasic(confidential.secret ?? '');
      const verifier = oauth.generateRandomCodeVerifier();
      const url = new URL(as.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        client_id: confidential.id,
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid phone',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        max_age: '60',
        nonce: 'n1',
        state: 's1',
      }).toString();
      const parameters = oauth.validateAuthResponse(
        as,
        client,
        await visit(await openSignedInBrowser(service, ADA), url),
        's1',
      );
      const answer = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        parameters,
        CALLBACK,
        verifier,
        insecure,
      );
      const checks = { expectedNonce: 'n1', maxAge: 60, requireIdToken: true };
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, checks);
      const claims = oauth.getValidatedIdTokenClaims(tokens);
      assert.equal(claims?.email, undefined, 'the scope phone tells no address');
      const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
      assert.equal((await oauth.processUserInfoResponse(as, client, claims?.sub ?? '', info)).email, undefined);
      const refresh = await oauth.refreshTokenGrantRequest(
        as,
        client,
        authentication,
        tokens.refresh_token ?? '',
        insecure,
      );
      assert.ok((await oauth.processRefreshTokenResponse(as, client, refresh)).access_token);
      const other = new URL(url);
      other.searchParams.set('state', 's2');
      const mixed = await visit(await openSignedInBrowser(service, ADA), other);
      mixed.searchParams.set('iss', 'https://evil.test');
      assert.throws(() => oauth.validateAuthResponse(as, client, mixed, 's2'), /"iss"/, 'mix-up');
    });

    it('oidc-client-ts: a single-page application', async () => {
      const stateStore = new WebStorageStateStore({ store: new InMemoryWebStorage() });
      const spa = new OidcClient({
        authority: issuer.href,
        client_id: publicClient.id,
        redirect_uri: CALLBACK,
        post_logout_redirect_uri: BYE,
        scope: 'openid email',
        loadUserInfo: true,
        stateStore,
      });
      const browser = await openSignedInBrowser(service, ADA);
      const request = await spa.createSigninRequest({ state: { page: '/cart' } });
      const back = await visit(browser, request.url);
      const user = await spa.processSigninResponse(back.href);
      assert.deepEqual([user.profile.email, user.userState], [ADA, { page: '/cart' }]);
      const state = { refresh_token: user.refresh_token, profile: user.profile, scope: 'openid email' };
      const refreshed = await spa.useRefreshToken({
        state: { ...state, id_token: user.id_token, session_state: null, data: undefined } as never,
      });
      assert.ok(refreshed.access_token && refreshed.access_token !== user.access_token);
      const out = await spa.createSignoutRequest({ id_token_hint: user.id_token ?? '', state: 'x' });
      const returned = await assertLoggedOut(browser, out.url);
      await spa.processSignoutResponse(returned.href);
      // As with `revokeTokensOnSignout`.
      await spa.revokeToken(refreshed.access_token, 'access_token');
      await spa.revokeToken(user.refresh_token ?? '', 'refresh_token');
      const gone = spa.useRefreshToken({
        state: { ...state, id_token: user.id_token, session_state: null, data: undefined } as never,
      });
      await assert.rejects(gone, { error: 'invalid_grant' });
    });

    it('a client of another pool has no endpoints here', async () => {
      const { Id } = (await callAsAdmin(service, 'CreateUserPool', { PoolName: 'other' })).UserPool as { Id: string };
      const made = await callAsAdmin(service, 'CreateUserPoolClient', {
        UserPoolId: Id,
        ClientName: 'theirs',
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ['code'],
        AllowedOAuthScopes: ['openid'],
        SupportedIdentityProviders: ['COGNITO'],
        CallbackURLs: [CALLBACK],
      });
      const { ClientId } = made.UserPoolClient as { ClientId: string };
      const query = new URLSearchParams({ client_id: ClientId, redirect_uri: CALLBACK, response_type: 'code' });
      const browser = await openSignedInBrowser(service, ADA);
      assert.equal((await browser.get(`/oauth2/authorize?${query}`)).status, 400);
    });
  });
