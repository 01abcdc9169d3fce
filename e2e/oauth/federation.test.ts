import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import {
  createFederatedClient,
  createProvider,
  type MockProvider,
  returnFromProvider,
  startMockProvider,
  visitProvider,
} from '../support/federation/mock-provider.ts';
import {
  CALLBACK,
  callAsAdmin,
  createAuthorizeQuery,
  createPkce,
  type OAuthClient,
  postForm,
  readCallbackParameters,
  readLocation,
} from '../support/oauth/oauth-client.ts';
import {
  addUser,
  assertProblem,
  PASSWORD,
  startTestService,
  type TestService,
} from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

const EVERYONE = 'alice@example.test';

describe('a sign-in at another identity provider', () => {
  let service: TestService;
  let provider: MockProvider;
  let client: OAuthClient;
  const { verifier, challenge } = createPkce();
  before(async () => {
    provider = await startMockProvider();
    service = await startTestService({ issuer: 'base-url' });
    await createProvider(service, provider, 'Corp', { IdpIdentifiers: ['corp.example'] });
    client = await createFederatedClient(service, 'COGNITO', 'Corp');
  });
  after(async () => {
    await service.close();
    await provider.close();
  });

  function authorize(browser: CookieBrowser, more: Readonly<Record<string, string>> = { identity_provider: 'Corp' }) {
    return browser.get(
      `/oauth2/authorize?${createAuthorizeQuery(client, challenge, { scope: 'openid email profile', ...more })}`,
    );
  }
  async function signIn(browser: CookieBrowser, claims: Record<string, unknown>) {
    provider.account.claims = claims;
    const back = await visitProvider(readLocation(await authorize(browser)));
    return returnFromProvider(browser, back);
  }
  async function finish(browser: CookieBrowser, claims: Record<string, unknown>) {
    const next = readLocation(await signIn(browser, claims));
    assert.match(next, /^\/oauth2\/authorize\/continue\?request=/);
    const code = readCallbackParameters(await browser.get(next)).get('code') ?? '';
    const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier };
    const answer = await postForm(service, '/oauth2/token', { client_id: client.id, ...fields });
    assert.equal(answer.status, 200, answer.text);
    return decodeTokenPart(String(answer.body.id_token), 1) as Record<string, unknown>;
  }
  const newBrowser = () => new CookieBrowser(service, '');
  async function getUser(Username: string) {
    return callAsAdmin(service, 'AdminGetUser', { UserPoolId: service.userPoolId, Username });
  }

  it('gives the application tokens of a user of the pool, with the group and identity of the provider', async () => {
    const claims = { sub: 'Alice-1', email: EVERYONE, email_verified: true, name: 'Alice' };
    const token = await finish(newBrowser(), claims);
    assert.equal(token['cognito:username'], 'corp_alice-1');
    assert.deepEqual(token['cognito:groups'], [`${service.userPoolId}_Corp`]);
    assert.deepEqual([token.email, token.email_verified], [EVERYONE, true]);
    const [identity] = token.identities as Record<string, unknown>[];
    const { dateCreated, ...facts } = identity ?? {};
    assert.equal(typeof dateCreated, 'string');
    const expected = { userId: 'Alice-1', providerName: 'Corp', providerType: 'OIDC', issuer: null, primary: 'true' };
    assert.deepEqual(facts, expected);
    const user = await getUser('corp_alice-1');
    assert.equal(user.UserStatus, 'EXTERNAL_PROVIDER');
    assert.notEqual(token.sub, 'corp_alice-1');
    const again = await finish(newBrowser(), { ...claims, name: 'Alice B.' });
    assert.deepEqual([again.sub, again.name], [token.sub, 'Alice B.'], 'later sign-ins update mapped attributes');
  });

  it('is single sign-on for the provider that started the session, and for no other way to sign in', async () => {
    const browser = newBrowser();
    await finish(browser, { sub: 'sso' });
    assert.ok(readCallbackParameters(await authorize(browser)).get('code'));
    assert.ok(readCallbackParameters(await authorize(browser, {})).get('code'));
    const localOnly = await createFederatedClient(service, 'COGNITO');
    const elsewhere = await browser.get(`/oauth2/authorize?${createAuthorizeQuery(localOnly, challenge)}`);
    assert.match(readLocation(elsewhere), /^\/cognito\/login\?/);
  });

  it('starts from the email domain of the provider, and without a page if the client has nothing else', async () => {
    const byDomain = readLocation(await authorize(newBrowser(), { idp_identifier: 'bob@corp.example' }));
    assert.ok(byDomain.startsWith(provider.issuer));
    const only = await createFederatedClient(service, 'Corp');
    const answer = await newBrowser().get(`/oauth2/authorize?${createAuthorizeQuery(only, challenge)}`);
    assert.ok(readLocation(answer).startsWith(provider.issuer));
    const query = new URL(readLocation(answer)).searchParams;
    assert.equal(query.get('redirect_uri'), `${service.baseUrl}/oauth2/idpresponse`);
    assert.equal(query.get('code_challenge_method'), 'S256');
    assert.ok(query.get('nonce') && query.get('state'));
    const unknown = readCallbackParameters(await authorize(newBrowser(), { identity_provider: 'Unknown' }));
    assert.equal(unknown.get('error'), 'invalid_request');
  });

  it('never signs in a local user with the same email address, verified or not', async () => {
    await addUser(service, EVERYONE);
    const local = await getUser(EVERYONE);
    const token = await finish(newBrowser(), { sub: 'same-mail', email: EVERYONE, email_verified: true });
    assert.notEqual(token['cognito:username'], local.Username);
    assert.equal((await getUser(EVERYONE)).Username, local.Username, 'the address still means the local user');
    const reset = await service.post('/password/forgot', { username: 'corp_same-mail' });
    assert.equal(reset.status, 200, 'as for a name that nobody has');
    const { body } = await service.call('InitiateAuth', {
      ClientId: service.clientId,
      AuthFlow: 'USER_AUTH',
      AuthParameters: { USERNAME: 'corp_same-mail', PREFERRED_CHALLENGE: 'EMAIL_OTP' },
    });
    const outbox = await service.get(`/dev/outbox?to=${EVERYONE}`);
    assert.ok(!outbox.text.includes('corp_same-mail'), JSON.stringify(body));
  });

  it("signs in the user that an administrator linked, and leaves that user's contacts unchanged", async () => {
    await addUser(service, 'linked@example.test');
    const UserPoolId = service.userPoolId;
    const SourceUser = {
      ProviderName: 'Corp',
      ProviderAttributeName: 'Cognito_Subject',
      ProviderAttributeValue: 'linked-subject',
    };
    const DestinationUser = { ProviderName: 'Cognito', ProviderAttributeValue: 'linked@example.test' };
    await callAsAdmin(service, 'AdminLinkProviderForUser', { UserPoolId, DestinationUser, SourceUser });
    const claims = { sub: 'linked-subject', email: 'attacker@example.test', email_verified: true, name: 'L.' };
    const token = await finish(newBrowser(), claims);
    const user = await getUser('linked@example.test');
    assert.equal(token['cognito:username'], user.Username);
    assert.deepEqual([token.email, token.name], ['linked@example.test', 'L.']);
  });

  it('refuses an account whose username differs from an existing one only in case', async () => {
    await finish(newBrowser(), { sub: 'case' });
    const parameters = readCallbackParameters(await signIn(newBrowser(), { sub: 'CASE' }));
    assert.equal(parameters.get('error'), 'invalid_request');
    assert.equal(parameters.get('error_description'), 'Already found an entry for username corp_case');
  });

  it('is single-use, only for the browser that started it, and expires after five minutes', async () => {
    const browser = newBrowser();
    provider.account.claims = { sub: 'once' };
    const back = await visitProvider(readLocation(await authorize(browser)));
    const stranger = await returnFromProvider(newBrowser(), back);
    assert.equal(stranger.status, 400, 'login CSRF');
    const cookies = new Map(browser.cookies);
    const next = readLocation(await returnFromProvider(browser, back));
    const replaying = newBrowser();
    for (const [name, value] of cookies) replaying.cookies.set(name, value);
    assert.equal((await returnFromProvider(replaying, back)).status, 400);
    assert.ok(readCallbackParameters(await browser.get(next)).get('code'), 'the first callback still counts');
    const late = newBrowser();
    const lateBack = await visitProvider(readLocation(await authorize(late)));
    service.clock.advance(5 * 60_000);
    assert.equal((await returnFromProvider(late, lateBack)).status, 400);
  });

  it('accepts a posted response through a single-use handle, and puts none of it into an address', async () => {
    const browser = newBrowser();
    provider.account.claims = { sub: 'posted' };
    const back = await visitProvider(readLocation(await authorize(browser)));
    const form = { ...Object.fromEntries(back.searchParams), user: JSON.stringify({ name: { firstName: 'Ann' } }) };
    const location = readLocation(await postForm(service, '/oauth2/idpresponse', form));
    assert.match(location, /^\/oauth2\/idpresponse\?handle=[\w-]{43}$/);
    assert.equal((await newBrowser().get(location)).status, 400, 'the handle alone signs nobody in');
    assert.equal((await browser.get(location)).status, 400, 'and it is used up');
    const forged = await postForm(service, '/oauth2/idpresponse', {
      state: `${'a'.repeat(32)}.9999999999999.${'b'.repeat(22)}`,
      code: 'x',
    });
    assert.equal(forged.status, 400);
    const again = await visitProvider(readLocation(await authorize(browser)));
    const fields = Object.fromEntries(again.searchParams);
    const next = readLocation(await browser.get(readLocation(await postForm(service, '/oauth2/idpresponse', fields))));
    assert.match(next, /continue/);
  });

  it('refuses ID tokens that the provider did not sign for this sign-in', async () => {
    const attacks: Readonly<Record<string, (payload: Record<string, unknown>) => void>> = {
      'another audience': (payload) => Object.assign(payload, { aud: 'another-client' }),
      'another nonce': (payload) => Object.assign(payload, { nonce: 'another' }),
      'no nonce': (payload) => Reflect.deleteProperty(payload, 'nonce'),
      'another issuer': (payload) => Object.assign(payload, { iss: 'https://evil.example' }),
      'an expired token': (payload) => Object.assign(payload, { exp: 1 }),
    };
    for (const [name, attack] of Object.entries(attacks)) {
      provider.account.changeIdToken = ({ payload }) => attack(payload);
      const parameters = readCallbackParameters(await signIn(newBrowser(), { sub: 'attacked' }));
      assert.equal(parameters.get('error'), 'server_error', name);
      assert.equal(parameters.get('error_description'), 'The answer of the identity provider is not valid.', name);
    }
    provider.account.changeIdToken = () => {};
    const response = await service.call(
      'AdminGetUser',
      { UserPoolId: service.userPoolId, Username: 'corp_attacked' },
      service.asAdmin,
    );
    assert.equal(response.body.__type, 'UserNotFoundException');
  });

  it('refuses a response of another issuer (mix-up), a swapped state and another code', async () => {
    const browser = newBrowser();
    provider.account.claims = { sub: 'mixed' };
    const back = await visitProvider(readLocation(await authorize(browser)));
    back.searchParams.set('iss', 'https://evil.example');
    assert.equal(readCallbackParameters(await returnFromProvider(browser, back)).get('error'), 'server_error');
    const [first, second] = [newBrowser(), newBrowser()];
    const mine = await visitProvider(readLocation(await authorize(first)));
    const other = await visitProvider(readLocation(await authorize(second)));
    mine.searchParams.set('state', other.searchParams.get('state') ?? '');
    assert.equal((await returnFromProvider(first, mine)).status, 400);
    const injected = await visitProvider(readLocation(await authorize(first)));
    injected.searchParams.set('code', other.searchParams.get('code') ?? '');
    const refused = readCallbackParameters(await returnFromProvider(first, injected));
    assert.equal(refused.get('error'), 'server_error');
  });

  it('reaches the level that the provider reports, which is requested by its own name', async () => {
    await createProvider(service, provider, 'Levels', { AcrMapping: { Level1: 'silver', Level4: 'gold' } });
    const { id } = await createFederatedClient(service, 'Levels');
    const ask = async (browser: CookieBrowser, acr_values: string) =>
      readLocation(
        await browser.get(
          `/oauth2/authorize?${createAuthorizeQuery({ id, secret: undefined }, challenge, { acr_values })}`,
        ),
      );
    const signInAs = async (browser: CookieBrowser, claims: Record<string, unknown>, acr_values: string) => {
      provider.account.claims = claims;
      const location = await ask(browser, acr_values);
      const next = readLocation(await returnFromProvider(browser, await visitProvider(location)));
      const asked = new URL(location).searchParams.get('acr_values');
      return { asked, parameters: readCallbackParameters(await browser.get(next)) };
    };
    const LOA = (level: number) => `urn:cognito:loa:${level}`;
    const strong = await signInAs(
      newBrowser(),
      { sub: 'gold', acr: 'gold', amr: ['pwd', 'face'] },
      `${LOA(4)} ${LOA(1)}`,
    );
    assert.equal(strong.asked, 'gold silver');
    const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code_verifier: verifier, client_id: id };
    const tokens = await postForm(service, '/oauth2/token', { ...fields, code: strong.parameters.get('code') ?? '' });
    const { acr, amr } = decodeTokenPart(String(tokens.body.id_token), 1);
    assert.deepEqual([acr, amr], [LOA(4), ['fed', 'pwd']]);
    // Every other level of the provider counts as the lowest one.
    const unmapped = { sub: 'bronze', acr: 'bronze' };
    const weak = await signInAs(newBrowser(), unmapped, LOA(4));
    assert.equal(weak.parameters.get('error'), 'unmet_authentication_requirements');
    assert.ok((await signInAs(newBrowser(), unmapped, `${LOA(4)} ${LOA(1)}`)).parameters.get('code'));
    // A session without the level returns to the provider.
    const browser = newBrowser();
    assert.ok((await signInAs(browser, unmapped, LOA(1))).parameters.get('code'));
    assert.match(await ask(browser, LOA(4)), new RegExp(`^${provider.issuer}.*acr_values=gold`));
  });

  it("signs no browser in to another user's account", async () => {
    provider.account.claims = { sub: 'mallory' };
    const [attacker, victim] = [newBrowser(), newBrowser()];
    const back = await visitProvider(readLocation(await authorize(attacker)));
    assert.equal((await returnFromProvider(victim, back)).status, 400, 'login CSRF');
    await authorize(victim);
    assert.equal((await returnFromProvider(victim, back)).status, 400, 'with a sign-in of its own');
  });

  it('ends with an error at the application if the provider is deleted meanwhile, or refuses', async () => {
    await createProvider(service, provider, 'Brief');
    const brief = await createFederatedClient(service, 'Brief');
    const browser = newBrowser();
    const answer = await browser.get(`/oauth2/authorize?${createAuthorizeQuery(brief, challenge)}`);
    const back = await visitProvider(readLocation(answer));
    await callAsAdmin(service, 'DeleteIdentityProvider', { UserPoolId: service.userPoolId, ProviderName: 'Brief' });
    const gone = await returnFromProvider(browser, back);
    assert.equal(gone.status, 400, 'the waiting request has no provider left');
    const declining = newBrowser();
    const declined = await visitProvider(readLocation(await authorize(declining)));
    const query = new URLSearchParams({ state: declined.searchParams.get('state') ?? '', error: 'access_denied' });
    const parameters = readCallbackParameters(await declining.get(`/oauth2/idpresponse?${query}`));
    assert.equal(parameters.get('error'), 'access_denied');
  });

  describe('on the pages of the service', () => {
    const USER = 'page-user@example.test';
    before(async () => {
      await addUser(service, USER);
      const body = { identity_providers: ['COGNITO', 'Corp'] };
      const path = `/admin/clients/${service.clientId}`;
      assert.equal((await service.ask('PATCH', path, { headers: service.asAdmin, body })).status, 200);
    });

    async function openPage(username = USER) {
      const page = newBrowser();
      await page.get('/cognito/session');
      const { status, text } = await page.post('/cognito/login', { username, password: PASSWORD });
      assert.equal(status, 200, text);
      return page;
    }
    async function startAt(page: CookieBrowser, path: string, sub: string) {
      const started = await page.post(`/cognito${path}`, { provider: 'Corp' });
      assert.equal(started.status, 200, started.text);
      provider.account.claims = { sub };
      provider.account.changeIdToken = ({ payload }) =>
        Object.assign(payload, { auth_time: Math.floor(service.clock.now() / 1000) });
      const location = String(started.body.location);
      assert.deepEqual(
        [...new URL(location).searchParams].filter(([name]) => /prompt|max_age/.test(name)),
        [
          ['prompt', 'login'],
          ['max_age', '0'],
        ],
      );
      return visitProvider(location);
    }
    async function listLogins() {
      const path = '/admin/audit?type=login.succeeded&limit=60';
      const { body } = await service.ask('GET', path, { headers: service.asAdmin });
      return (body.events as readonly { readonly id: string }[]).map(({ id }) => id);
    }
    const readResult = (location: string) => new URL(location).searchParams.get('provider_result');
    const list = async (page: CookieBrowser) =>
      (await page.get('/cognito/user/identities')).body as {
        readonly identities: readonly { readonly id: string; readonly primary: boolean }[];
        readonly providers: readonly unknown[];
      };

    it('a user connects an account, signs in with it, and disconnects it', async () => {
      const page = await openPage();
      const back = await startAt(page, '/user/identities/start', 'Mine');
      const stranger = await openPage(EVERYONE);
      for (const [name, value] of page.cookies) {
        if (name.includes('provider')) stranger.cookies.set(name, value);
      }
      assert.equal((await returnFromProvider(stranger, back)).status, 400, 'another session');
      const home = readLocation(await returnFromProvider(page, back));
      assert.equal(readResult(home), 'connected');
      assert.ok(home.startsWith(`${service.baseUrl}/cognito/account?`));
      const token = await finish(newBrowser(), { sub: 'Mine' });
      assert.equal(token.email, USER);
      const { identities, providers } = await list(page);
      assert.deepEqual(providers, [{ name: 'Corp', type: 'OIDC' }]);
      const exported = (await page.post('/cognito/user/export', {})).body;
      assert.deepEqual([exported.identities, exported.events_truncated], [identities, false]);
      const removed = await page.ask('DELETE', `/cognito/user/identities/${identities[0]?.id}`, {});
      assert.equal(removed.status, 200, removed.text);
      assert.deepEqual((await list(page)).identities, []);
      assert.ok((await page.get('/cognito/session')).body.user, 'the session goes on');
    });

    it('an account that signs in another user cannot be connected, and a recent login and a CSRF token are required', async () => {
      await finish(newBrowser(), { sub: 'theirs' });
      const page = await openPage();
      const back = await startAt(page, '/user/identities/start', 'theirs');
      assert.equal(readResult(readLocation(await returnFromProvider(page, back))), 'in_use');
      const unknown = await page.post('/cognito/user/identities/start', { provider: 'Unknown' });
      assertProblem(unknown, 404, 'identity_provider_not_found');
      const { cookieHeader } = page;
      const forged = await page.post('/cognito/user/identities/start', { provider: 'Corp' }, cookieHeader);
      assert.equal(forged.status, 403);
      service.clock.advance(16 * 60_000);
      const late = await page.post('/cognito/user/identities/start', { provider: 'Corp' });
      assertProblem(late, 403, 'reauthentication_required');
    });

    it('a user who signs in directly returns to a page of this service, never to an unknown address', async () => {
      provider.account.claims = { sub: 'returning' };
      const signInTo = async (target: string) => {
        const page = newBrowser();
        const query = new URLSearchParams({ provider: 'Corp', return_to: target });
        const started = await page.get(`/oauth2/authorize/provider?${query}`);
        return readLocation(await returnFromProvider(page, await visitProvider(readLocation(started))));
      };
      assert.equal(await signInTo('/cognito/forgot'), `${service.baseUrl}/cognito/forgot`);
      for (const target of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'javascript:alert(1)']) {
        assert.equal(await signInTo(target), '/cognito/account', target);
      }
    });

    it('a user of a provider signs in directly, confirms a recent sign-in there, and keeps the last way to sign in', async () => {
      const page = newBrowser();
      provider.account.claims = { sub: 'direct' };
      const started = await page.get('/oauth2/authorize/provider?provider=Corp');
      const home = readLocation(await returnFromProvider(page, await visitProvider(readLocation(started))));
      assert.equal(home, '/cognito/account');
      const { user } = (await page.get('/cognito/session')).body as { user: { username: string } };
      assert.equal(user.username, 'corp_direct');
      service.clock.advance(16 * 60_000);
      await page.get('/cognito/session');
      const [identity] = (await list(page)).identities;
      const remove = () => page.ask('DELETE', `/cognito/user/identities/${identity?.id}`, {});
      assertProblem(await remove(), 403, 'reauthentication_required');
      const other = await startAt(page, '/session/step-up/provider', 'someone-else');
      assert.equal(readResult(readLocation(await returnFromProvider(page, other))), 'failed');
      const created = await service.ask('GET', '/admin/users/corp_someone-else', { headers: service.asAdmin });
      assertProblem(created, 404, 'user_not_found');
      await page.get('/cognito/session');
      const back = await startAt(page, '/session/step-up/provider', 'direct');
      assert.equal((await returnFromProvider(page, back)).status, 302);
      await page.get('/cognito/session');
      assertProblem(await remove(), 409, 'last_way_in');
      const late = await startAt(page, '/session/step-up/provider', 'direct');
      const before = await listLogins();
      assert.equal((await page.post('/cognito/logout', {})).status, 200);
      assert.equal((await returnFromProvider(page, late)).status, 400, 'the session has ended');
      assert.deepEqual(await listLogins(), before, 'a refused step-up leaves no login');
      provider.account.changeIdToken = () => {};
    });
  });
});
