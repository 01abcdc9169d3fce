import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exportJWK, generateKeyPair } from 'jose';
import * as openid from 'openid-client';
import {
  CALLBACK,
  type ClientMembers,
  callAsAdmin,
  createOAuthClient,
  createResourceServer,
  type OAuthClient,
  openSignedInBrowser,
  postForm,
  readLocation,
  toBasicHeader,
} from '../support/oauth/oauth-client.ts';
import { addPoolUser, atPool, createPoolWithDomain } from '../support/oauth/second-pool.ts';
import { sendRequest } from '../support/requests/exchange.ts';
import { PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
const BYE = 'https://app.test/bye';
const ENDPOINTS = {
  oidc_issuer: 'https://login.corp.example',
  authorize_scopes: 'openid email',
  authorize_url: 'https://login.corp.example/authorize',
  token_url: 'https://login.corp.example/token',
  attributes_url: 'https://login.corp.example/userinfo',
  jwks_uri: 'https://login.corp.example/keys',
};
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

/** Fetches for a client without a DNS server that knows the domain. */
const createFetch =
  ({ url }: TestService): openid.CustomFetch =>
  async (target, { method, headers, body }) => {
    const { host, pathname, search } = new URL(target);
    const sent = { headers: { ...headers, host }, ...(body && { body: String(body) }) };
    const answer = await sendRequest(url, method, `${pathname}${search}`, sent);
    return new Response(answer.text, { status: answer.status, headers: answer.headers as Record<string, string> });
  };

/** Where clients find a pool: the served one, or another one by its ID or its domain. */
const POOLS = ['served', 'path', 'host'] as const;
/** A client's `PreventUserExistenceErrors`, with the error for an unknown user. */
const EXISTENCE = { ENABLED: 'NotAuthorizedException', LEGACY: 'UserNotFoundException' } as const;
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

describe('unmodified clients, at every pool and with either setting for unknown users', () => {
  let service: TestService;
  let otherPool = '';
  before(async () => {
    service = await startTestService({ issuer: 'base-url' });
    service.clock.advance(Date.now() - service.clock.now());
    otherPool = await createPoolWithDomain(service, 'acme');
    await addPoolUser(service, ADA);
    await addPoolUser({ ...service, userPoolId: otherPool }, ADA);
    for (const userPoolId of [service.userPoolId, otherPool]) await createResourceServer({ ...service, userPoolId });
  });
  after(() => service.close());

  for (const place of POOLS)
    for (const [existence, unknownUser] of Object.entries(EXISTENCE))
      describe(`${place === 'served' ? 'the served pool' : `another pool by its ${place}`}, ${existence}`, () => {
        let pool: TestService;
        let issuer = '';
        before(() => {
          pool = place === 'served' ? service : atPool(service, otherPool, 'acme', place);
          issuer = `${service.baseUrl}/${pool.userPoolId}`;
          // The client signs with the machine's clock.
          service.clock.advance(Math.max(0, Date.now() - service.clock.now()));
        });

        const createClient = (members: ClientMembers = {}) =>
          createOAuthClient(pool, { PreventUserExistenceErrors: existence, ...members });

        async function extend({ id }: OAuthClient, extensions: object): Promise<void> {
          const path = `/admin/clients/${id}?user_pool_id=${pool.userPoolId}`;
          const { status, text } = await service.ask('PATCH', path, { headers: service.asAdmin, body: { extensions } });
          assert.equal(status, 200, text);
        }

        async function discover({ id, secret }: OAuthClient, auth?: openid.ClientAuth): Promise<openid.Configuration> {
          const url = new URL(`${pool.baseUrl}/${pool.userPoolId}/.well-known/openid-configuration`);
          const proof = auth ?? (secret === undefined ? openid.None() : openid.ClientSecretBasic(secret));
          // On replicas, each change of a client advances the service's clock.
          const skew = Math.round((service.clock.now() - Date.now()) / 1000);
          const config = await openid.discovery(url, id, { [openid.clockSkew]: skew }, proof, {
            [openid.customFetch]: createFetch(service),
            execute: [openid.allowInsecureRequests, openid.enableNonRepudiationChecks],
          });
          const metadata = config.serverMetadata();
          const endpoints = place === 'path' ? issuer : pool.baseUrl;
          assert.deepEqual([metadata.issuer, metadata.token_endpoint], [issuer, `${endpoints}/oauth2/token`]);
          return config;
        }

        async function visit(browser: CookieBrowser, url: URL): Promise<URL> {
          const target = `${url.pathname}${url.search}`;
          const answer = await browser.get(target, { ...browser.cookieHeader, ...NAVIGATION });
          return new URL(readLocation(answer), pool.baseUrl);
        }

        async function createRequest() {
          const pkceCodeVerifier = openid.randomPKCECodeVerifier();
          const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
          const parameters = {
            redirect_uri: CALLBACK,
            scope: 'openid email profile',
            code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
            code_challenge_method: 'S256',
            state: expectedState,
            nonce: expectedNonce,
          };
          return { parameters, checks: { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true } };
        }

        it('openid-client: code grant with PKCE, refresh, userInfo, revocation, logout', async () => {
          const client = await createClient();
          const config = await discover(client);
          const { parameters, checks } = await createRequest();
          const url = openid.buildAuthorizationUrl(config, parameters);
          const browser = await openSignedInBrowser(pool, ADA);
          const tokens = await openid.authorizationCodeGrant(config, await visit(browser, url), checks);
          const claims = tokens.claims() ?? assert.fail('an ID token is expected');
          assert.deepEqual([claims.iss, claims.aud, claims.email], [issuer, client.id, ADA]);
          assert.equal((await openid.fetchUserInfo(config, tokens.access_token, claims.sub)).email, ADA);
          const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
          assert.equal(refreshed.claims()?.sub, claims.sub);
          await openid.tokenRevocation(config, tokens.refresh_token ?? '');
          await assert.rejects(openid.refreshTokenGrant(config, tokens.refresh_token ?? ''), {
            error: 'invalid_grant',
          });
          const end = openid.buildEndSessionUrl(config, {
            post_logout_redirect_uri: BYE,
            id_token_hint: tokens.id_token ?? '',
            state: 'done',
          });
          assert.equal((await visit(browser, end)).href, `${BYE}?state=done`);
          const again = await visit(browser, new URL(`${url.href}&prompt=none`));
          assert.equal(again.searchParams.get('error'), 'login_required');
        });

        it('openid-client: pushed request of a client with a key, and introspection', async () => {
          const client = await createClient({ GenerateSecret: true });
          const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
          const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
          await extend(client, { jwks: { keys: [jwk] } });
          const config = await discover(client, openid.PrivateKeyJwt({ key: privateKey, kid: 'one' }));
          const { parameters, checks } = await createRequest();
          const url = await openid.buildAuthorizationUrlWithPAR(config, parameters);
          assert.match(url.searchParams.get('request_uri') ?? '', /^urn:/);
          const browser = await openSignedInBrowser(pool, ADA);
          const tokens = await openid.authorizationCodeGrant(config, await visit(browser, url), checks);
          const told = await openid.tokenIntrospection(config, tokens.access_token);
          assert.deepEqual([told.active, told.client_id, told.iss], [true, client.id, issuer]);
        });

        it('openid-client: tokens of a machine', async () => {
          const members = { GenerateSecret: true, AllowedOAuthFlows: ['client_credentials'] };
          const config = await discover(await createClient({ ...members, AllowedOAuthScopes: ['things/read'] }));
          const { access_token, scope } = await openid.clientCredentialsGrant(config, { scope: 'things/read' });
          const told = await openid.tokenIntrospection(config, access_token);
          assert.deepEqual([told.active, told.scope, scope ?? told.scope], [true, 'things/read', 'things/read']);
        });

        it('openid-client: sign-in of a device', async () => {
          const client = await createClient();
          await extend(client, { device_grant: true });
          const config = await discover(client);
          const device = await openid.initiateDeviceAuthorization(config, { scope: 'openid email' });
          // A user can enter only a few codes per minute.
          const user = `${place}-${existence.toLowerCase()}@example.test`;
          await addPoolUser(pool, user);
          const browser = await openSignedInBrowser(pool, user);
          const page = new URL(device.verification_uri_complete ?? '');
          const shown = await browser.get(`${page.pathname}${page.search}`, { ...browser.cookieHeader, ...NAVIGATION });
          assert.equal(shown.status, 200, shown.text);
          const fields = { csrf_token: browser.csrfToken, user_code: device.user_code, choice: 'continue' };
          const body = new URLSearchParams(fields).toString();
          const headers = { ...browser.pageHeaders, 'content-type': 'application/x-www-form-urlencoded' };
          const allowed = await pool.ask('POST', page.pathname, { body, headers });
          assert.equal(allowed.status, 200, allowed.text);
          const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 });
          assert.equal(tokens.claims()?.iss, issuer);
          const spent = { grant_type: DEVICE_GRANT, client_id: client.id, device_code: device.device_code };
          assert.equal((await postForm(service, '/oauth2/token', spent)).body.error, 'expired_token');
        });

        it('the Cognito-compatible API reports unknown users as the client is configured', async () => {
          const { id: ClientId } = await createClient({
            ExplicitAuthFlows: ['ALLOW_USER_PASSWORD_AUTH', 'ALLOW_USER_SRP_AUTH', 'ALLOW_REFRESH_TOKEN_AUTH'],
          });
          const logIn = (USERNAME: string, more: Readonly<Record<string, string>>, AuthFlow: string) =>
            service.call('InitiateAuth', { ClientId, AuthFlow, AuthParameters: { USERNAME, ...more } });
          const known = await logIn(ADA, { PASSWORD }, 'USER_PASSWORD_AUTH');
          assert.equal(known.status, 200, known.text);
          const stranger = `nobody-${place}@example.test`;
          const refused = await logIn(stranger, { PASSWORD }, 'USER_PASSWORD_AUTH');
          assert.match(refused.text, new RegExp(unknownUser));
          const srp = await logIn(stranger, { SRP_A: 'ab'.repeat(384) }, 'USER_SRP_AUTH');
          assert.match(srp.text, existence === 'ENABLED' ? /PASSWORD_VERIFIER/ : /UserNotFoundException/);
          const forgot = await service.call('ForgotPassword', { ClientId, Username: stranger });
          assert.match(forgot.text, existence === 'ENABLED' ? /CodeDeliveryDetails/ : /UserNotFoundException/);
        });
      });
});

describe('the pages of another pool', () => {
  const CUSTOM = { Schema: [{ Name: 'role', AttributeDataType: 'String', Mutable: true }] };
  const LOCAL_ROUTES = [
    '/cognito/login',
    '/cognito/login/srp',
    '/cognito/register',
    '/cognito/register/start',
    '/cognito/password/forgot',
    '/cognito/password/reset',
  ];
  const FEDERATED = {
    AllowedOAuthFlowsUserPoolClient: true,
    AllowedOAuthFlows: ['code'],
    AllowedOAuthScopes: ['openid'],
    SupportedIdentityProviders: ['Corp'],
    CallbackURLs: [CALLBACK],
  };
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const openPool = async (domain: string) =>
    atPool(service, await createPoolWithDomain(service, domain, CUSTOM), domain, 'path');

  it('write only the attributes that all of its app clients may write', async () => {
    const pool = await openPool('attributes');
    const narrow = await createOAuthClient(pool, { WriteAttributes: ['email', 'name'] });
    await addPoolUser(pool, ADA);
    const browser = new CookieBrowser(pool);
    await browser.logIn(ADA);
    const patch = (attributes: object) => browser.ask('PATCH', '/user/profile', { attributes });
    const stranger = new CookieBrowser(pool);
    await stranger.session();
    const register = (attributes: object) =>
      stranger.post('/register', { email: 'eve@example.test', password: PASSWORD, attributes });
    for (const write of [patch, register]) {
      const { status, text } = await write({ 'custom:role': 'admin' });
      assert.deepEqual([status, /attributes.*not_allowed/.test(text)], [422, true], text);
    }
    assert.equal((await patch({ name: 'Ada' })).status, 200);
    const { id: ClientId } = narrow;
    await callAsAdmin(service, 'DeleteUserPoolClient', { UserPoolId: pool.userPoolId, ClientId });
    await createOAuthClient(pool);
    const changed = await patch({ 'custom:role': 'reader' });
    assert.equal(changed.status, 200, changed.text);
  });

  it('set passwords as the pool accepts them', async () => {
    const pool = await openPool('passwords');
    await createOAuthClient(pool);
    const email = 'newcomer@example.test';
    const next = 'Another-Horse2!';
    const browser = new CookieBrowser(pool);
    await browser.session();
    const post = async (path: string, body: object) => {
      const answer = await browser.post(path, body);
      assert.equal(answer.status, 200, answer.text);
    };
    const { capabilities } = (await pool.get('/cognito/login/parameters')).body;
    assert.ok(Array.isArray(capabilities) && !capabilities.includes('verifier_passwords'));
    assert.equal((await browser.post('/register/start', {})).status, 403);
    const readCode = () => service.outbox?.list(email)[0]?.code ?? '';
    await post('/register', { email, password: PASSWORD });
    await post('/register/verify', { email, code: readCode() });
    await post('/password/forgot', { email });
    await post('/password/reset', { email, code: readCode(), password: next });
    await browser.logIn(email, {}, next);
    await post('/user/changepassword', { password: next, new_password: PASSWORD });
  });

  it('are closed until an app client sends users to them', async () => {
    const pool = await openPool('machines');
    const { userPoolId: UserPoolId } = pool;
    const Scopes = [{ ScopeName: 'read', ScopeDescription: 'Reads' }];
    await callAsAdmin(service, 'CreateResourceServer', { UserPoolId, Identifier: 'things', Name: 'Things', Scopes });
    const machine = await createOAuthClient(pool, {
      GenerateSecret: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['things/read'],
    });
    const post = async (path: string) => (await new CookieBrowser(pool, '').post(path, {})).status;
    const show = async (path: string) => (await pool.get(path)).status;
    for (const place of [pool, atPool(service, UserPoolId, 'machines', 'host')]) {
      for (const path of LOCAL_ROUTES)
        assert.equal((await new CookieBrowser(place, '').post(path, {})).status, 404, path);
      for (const path of ['/cognito/login', '/cognito/register', '/cognito/login/parameters'])
        assert.equal((await place.get(path)).status, 404, path);
      // Pages that links in messages open need its CSRF token.
      assert.equal((await place.get('/cognito/session')).body.user, null);
    }
    for (const place of [pool, atPool(service, UserPoolId, 'machines', 'host')]) {
      const { status, headers } = await place.ask('OPTIONS', '/oauth2/token');
      assert.deepEqual([status, headers['access-control-allow-origin']], [204, '*']);
    }
    const body = 'grant_type=client_credentials';
    const headers = { ...toBasicHeader(machine), 'content-type': 'application/x-www-form-urlencoded' };
    const tokens = await pool.ask('POST', '/oauth2/token', { body, headers });
    assert.equal(tokens.status, 200, tokens.text);
    assert.equal(await show(`/${UserPoolId}/.well-known/openid-configuration`), 200);

    const { id: ClientId } = await createOAuthClient(pool);
    assert.equal(await show('/cognito/login'), 200);
    assert.equal(await post('/cognito/register'), 403, 'without a CSRF token');
    const ProviderDetails = { client_id: 'poolgate', client_secret: 'secret', ...ENDPOINTS };
    const provider = { UserPoolId, ProviderName: 'Corp', ProviderType: 'OIDC', ProviderDetails };
    await callAsAdmin(service, 'CreateIdentityProvider', provider);
    await callAsAdmin(service, 'UpdateUserPoolClient', { UserPoolId, ClientId, ...FEDERATED });
    assert.deepEqual([await show('/cognito/login'), await show('/cognito/session')], [200, 200]);
    for (const path of LOCAL_ROUTES) assert.equal(await post(path), 404, path);
  });
});
