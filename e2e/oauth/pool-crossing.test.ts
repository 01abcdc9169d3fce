import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  assertOAuthError,
  CALLBACK,
  callAsAdmin,
  createAuthorizeQuery,
  createOAuthClient,
  createPkce,
  type OAuthClient,
  openSignedInBrowser,
  readCallbackParameters,
  readLocation,
  requestCode,
  toBasicHeader,
} from '../support/oauth/oauth-client.ts';
import { addPoolUser, atPool, createPoolWithDomain } from '../support/oauth/second-pool.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const ADA = 'ada@example.test';
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };

/** A pool, reached in one way, with an app client of each kind and a user with the same email address. */
interface Side {
  readonly name: string;
  readonly at: TestService;
  readonly app: OAuthClient;
  readonly confidential: OAuthClient;
}

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
  readonly refresh_token: string;
}

/** The form endpoints take a service by its URL. The prefix or host of a pool is part of its `post`. */
const post = (at: TestService, path: string, fields: Readonly<Record<string, string>>, headers = {}) =>
  at.ask('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

async function getTokens({ at, app }: Side): Promise<Tokens> {
  const { verifier, challenge } = createPkce();
  const code = await requestCode(await openSignedInBrowser(at, ADA), createAuthorizeQuery(app, challenge));
  const fields = { grant_type: 'authorization_code', client_id: app.id, redirect_uri: CALLBACK };
  const { status, body, text } = await post(at, '/oauth2/token', { ...fields, code, code_verifier: verifier });
  assert.equal(status, 200, text);
  return body as unknown as Tokens;
}

describe('a credential of one pool', () => {
  let service: TestService;
  let served: Side;
  let path: Side;
  let host: Side;
  /** Every pair of different pools, and both ways to reach the second one. */
  let pairs: readonly (readonly [from: Side, to: Side])[];
  before(async () => {
    service = await startTestService();
    await addUser(service, ADA);
    const createSide = async (name: string, at: TestService): Promise<Side> => {
      const app = await createOAuthClient(at);
      return { name, at, app, confidential: await createOAuthClient(at, { GenerateSecret: true }) };
    };
    const acme = await createPoolWithDomain(service, 'acme');
    const globex = await createPoolWithDomain(service, 'globex');
    served = await createSide('the served pool', service);
    path = await createSide('a pool by its id', atPool(service, acme, 'acme', 'path'));
    host = await createSide('a pool by its domain', atPool(service, globex, 'globex', 'host'));
    for (const { at } of [path, host]) await addPoolUser(at, ADA);
    const sides = [served, path, host];
    pairs = sides.flatMap((from) => sides.filter((to) => to !== from).map((to) => [from, to] as const));
  });
  after(() => service.close());

  const eachPair = async (check: (from: Side, to: Side, about: string) => Promise<void>) => {
    for (const [from, to] of pairs) await check(from, to, `${from.name} → ${to.name}`);
  };

  it('as a session cookie does not work at another pool', async () => {
    await eachPair(async (from, to, about) => {
      const browser = await openSignedInBrowser(from.at, ADA);
      const [id = ''] = [...browser.cookies.values()];
      const intruder = new CookieBrowser(to.at, '');
      for (const name of ['__Host-poolgate', `__Host-poolgate-${to.at.userPoolId}`]) intruder.cookies.set(name, id);
      const query = createAuthorizeQuery(to.app, createPkce().challenge, { prompt: 'none' });
      const answer = readCallbackParameters(await intruder.get(`/oauth2/authorize?${query}`));
      assert.equal(answer.get('error'), 'login_required', about);
      const session = await to.at.get('/cognito/session', intruder.cookieHeader);
      assert.deepEqual([session.status, session.body.user], [200, null], about);
      const again = await from.at.get('/cognito/session', browser.cookieHeader);
      assert.notEqual(again.body.user, null, `${about}: the session goes on at its own pool`);
    });
  });

  it('as a code gives no tokens at another pool', async () => {
    await eachPair(async (from, to, about) => {
      const { verifier, challenge } = createPkce();
      const code = await requestCode(
        await openSignedInBrowser(from.at, ADA),
        createAuthorizeQuery(from.app, challenge),
      );
      const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code, code_verifier: verifier };
      const stolen = await post(to.at, '/oauth2/token', { ...fields, client_id: to.app.id });
      assertOAuthError(stolen, 400, 'invalid_grant', about);
    });
  });

  it('as a token is refused by another pool: refresh, revocation, introspection and userInfo', async () => {
    await eachPair(async (from, to, about) => {
      const tokens = await getTokens(from);
      const { refresh_token, access_token } = tokens;
      const refresh = { grant_type: 'refresh_token', refresh_token, client_id: to.app.id };
      assertOAuthError(await post(to.at, '/oauth2/token', refresh), 400, 'invalid_grant', about);
      await post(to.at, '/oauth2/revoke', { token: refresh_token, client_id: to.app.id });
      const asked = await post(to.at, '/oauth2/introspect', { token: access_token }, toBasicHeader(to.confidential));
      assert.deepEqual(asked.body, { active: false }, about);
      const own = { grant_type: 'refresh_token', refresh_token, client_id: from.app.id };
      assert.equal(
        (await post(from.at, '/oauth2/token', own)).status,
        200,
        `${about}: it is still good at its own pool`,
      );
      // On the host of BASE_URL without a pool ID, the token itself names its pool.
      if (to === served) return;
      const info = await to.at.get('/oauth2/userInfo', { authorization: `Bearer ${access_token}` });
      assertOAuthError(info, 401, 'invalid_token', about);
    });
  });

  it('as a secret authenticates its client at no other pool', async () => {
    await eachPair(async (from, to, about) => {
      if (to === served) return;
      const refresh = { grant_type: 'refresh_token', refresh_token: 'x' };
      const answer = await post(to.at, '/oauth2/token', refresh, toBasicHeader(from.confidential));
      assertOAuthError(answer, 401, 'invalid_client', about);
      const query = createAuthorizeQuery(from.app, createPkce().challenge);
      assert.equal((await to.at.get(`/oauth2/authorize?${query}`)).status, 400, about);
    });
  });

  it('as an ID token is no hint for another pool, and signs no one out there', async () => {
    await eachPair(async (from, to, about) => {
      const { id_token } = await getTokens(from);
      const browser = await openSignedInBrowser(to.at, ADA);
      const more = { prompt: 'none', id_token_hint: id_token };
      const query = createAuthorizeQuery(to.app, createPkce().challenge, more);
      const answer = readCallbackParameters(await browser.get(`/oauth2/authorize?${query}`));
      assert.equal(answer.get('error'), 'login_required', about);
      const out = new URLSearchParams({ id_token_hint: id_token, post_logout_redirect_uri: 'https://app.test/bye' });
      await browser.get(`/logout?${out}`, { ...browser.cookieHeader, ...NAVIGATION });
      const session = await to.at.get('/cognito/session', browser.cookieHeader);
      assert.notEqual(session.body.user, null, about);
    });
  });

  it('as a pushed request is accepted at no other pool', async () => {
    await eachPair(async (from, to, about) => {
      const parameters = Object.fromEntries(
        new URLSearchParams(createAuthorizeQuery(from.app, createPkce().challenge)),
      );
      const pushed = await post(from.at, '/oauth2/par', parameters);
      assert.equal(pushed.status, 201, pushed.text);
      const request_uri = String(pushed.body.request_uri);
      const query = new URLSearchParams({ client_id: to.app.id, request_uri });
      assert.equal((await to.at.get(`/oauth2/authorize?${query}`)).status, 400, about);
      const own = new URLSearchParams({ client_id: from.app.id, request_uri });
      readLocation(await from.at.get(`/oauth2/authorize?${own}`));
    });
  });

  it('as a pending request continues at no other pool', async () => {
    await eachPair(async (from, to, about) => {
      const root = new CookieBrowser(from.at, '');
      const query = createAuthorizeQuery(from.app, createPkce().challenge);
      const started = readLocation(await root.get(`/oauth2/authorize?${query}`));
      const handle = new URL(started, 'http://x').searchParams.get('request') ?? '';
      const elsewhere = await openSignedInBrowser(to.at, ADA);
      for (const [name, value] of root.cookies) elsewhere.cookies.set(name, value);
      const answer = await elsewhere.get(`/oauth2/authorize/continue?request=${handle}`);
      assert.equal(answer.status, 400, `${about} ${answer.text}`);
    });
  });

  it('as a device code is unknown to another pool', async () => {
    const allowed = { body: { extensions: { device_grant: true } }, headers: service.asAdmin };
    const changed = await service.ask('PATCH', `/admin/clients/${served.app.id}`, allowed);
    assert.equal(changed.status, 200, changed.text);
    const { body } = await post(service, '/oauth2/device_authorization', { client_id: served.app.id });
    const { user_code, device_code } = body as Readonly<Record<string, string>>;
    assert.ok(user_code && device_code);
    const shows = async ({ at }: Side) =>
      (await (await openSignedInBrowser(at, ADA)).get(`/oauth2/device?user_code=${user_code}`)).status;
    assert.equal(await shows(served), 200);
    for (const side of [path, host]) {
      assert.equal(await shows(side), 400, side.name);
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
      const polled = await post(side.at, '/oauth2/token', { grant_type, device_code, client_id: side.app.id });
      assertOAuthError(polled, 400, 'expired_token', side.name);
    }
  });
});

describe('the host of a domain', () => {
  let service: TestService;
  let acme: TestService;
  const createPoolWithPages = async (domain: string) => {
    const id = await createPoolWithDomain(service, domain);
    await createOAuthClient(atPool(service, id, domain, 'path'));
    return id;
  };
  before(async () => {
    service = await startTestService();
    const id = await createPoolWithPages('acme');
    acme = atPool(service, id, 'acme', 'host');
  });
  after(() => service.close());

  it('serves only its pool, and none of the routes of the service', async () => {
    const other = await createPoolWithDomain(service, 'globex');
    const { host } = new URL(acme.baseUrl);
    const found = async (path: string) => (await service.get(path, { host })).status;
    assert.equal(await found('/cognito/login'), 200);
    assert.equal(await found('/healthz'), 200);
    assert.equal(await found(`/${acme.userPoolId}/.well-known/openid-configuration`), 200);
    for (const path of [
      `/${other}/.well-known/openid-configuration`,
      `/${service.userPoolId}/.well-known/jwks.json`,
      '/login/parameters',
      '/admin/users',
      '/openapi.json',
      '/dev/outbox',
      '/cognito/forward-auth',
    ])
      assert.equal(await found(path), 404, path);
    for (const id of [other, acme.userPoolId, service.userPoolId])
      assert.equal(await found(`/${id}/cognito/login`), 421);
    const api = await service.ask('POST', '/', {
      body: '{}',
      headers: { host, 'x-amz-target': 'AWSCognitoIdentityProviderService.ListUserPools' },
    });
    assert.equal(api.status, 404);
  });

  it('is the only name below BASE_URL that is served, until its pool loses the domain', async () => {
    const { host, port, hostname } = new URL(service.baseUrl);
    const ask = async (name: string) => (await service.get('/cognito/login', { host: name })).status;
    for (const name of [
      `x.acme.${host}`,
      `acme:${port}`,
      `acmex.${host}`,
      `evil.example:${port}`,
      `acme.${hostname}.evil`,
    ])
      assert.equal(await ask(name), 421, name);
    assert.equal(await ask(`acme.${host}`), 200);
    const gone = await createPoolWithPages('gone');
    assert.equal(await ask(`gone.${host}`), 200);
    await callAsAdmin(service, 'DeleteUserPoolDomain', { UserPoolId: gone, Domain: 'gone' });
    service.clock.advance(3_001);
    assert.equal(await ask(`gone.${host}`), 421);
    assert.equal((await service.get(`/${gone}/cognito/login`)).status, 404);
  });

  it('can be a full host name, which takes no prefix from another pool', async () => {
    const { host, hostname, port } = new URL(service.baseUrl);
    const custom = { CustomDomainConfig: { CertificateArn: 'arn:aws:acm:us-east-1:000000000000:certificate/none' } };
    const UserPoolId = await createPoolWithPages('initech');
    await callAsAdmin(service, 'CreateUserPoolDomain', { UserPoolId, Domain: 'auth.initech.test', ...custom });
    const readPool = async (name: string) => {
      const { text } = await service.get('/cognito/login', { host: name });
      return /us-east-1_\w+/.exec(text)?.[0];
    };
    assert.equal(await readPool(`auth.initech.test:${port}`), UserPoolId);
    const squatter = await createPoolWithDomain(service, 'squatter');
    const Domain = `acme.${hostname}`;
    const refused = await service.call(
      'CreateUserPoolDomain',
      { UserPoolId: squatter, Domain, ...custom },
      service.asAdmin,
    );
    assert.match(refused.text, /InvalidParameterException.*already used by this service/);
    assert.equal(await readPool(`acme.${host}`), acme.userPoolId);
  });

  it('has a separate app client for the pages, which the API does not know', async () => {
    const UserPoolId = acme.userPoolId;
    const ClientId = `managedlogin_${UserPoolId.replaceAll('-', '_')}`;
    await addPoolUser(acme, ADA);
    const AuthParameters = { USERNAME: ADA, PASSWORD };
    for (const [operation, input] of [
      ['InitiateAuth', { ClientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters }],
      ['SignUp', { ClientId, Username: 'eve@example.test', Password: PASSWORD }],
      ['ForgotPassword', { ClientId, Username: ADA }],
    ] as const) {
      const { status, text } = await service.call(operation, input);
      assert.deepEqual([status, /ResourceNotFoundException/.test(text)], [400, true], operation);
    }
    const listed = await callAsAdmin(service, 'ListUserPoolClients', { UserPoolId, MaxResults: 60 });
    const names = (listed.UserPoolClients as readonly { readonly ClientName: string }[]).map((one) => one.ClientName);
    assert.deepEqual(names, ['app']);
  });
});
