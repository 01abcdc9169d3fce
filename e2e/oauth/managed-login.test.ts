import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeDeviceVerifier, secureRandom as random } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import { decoded } from '../../packages/pool/src/testing/tokens.ts';
import { CookieBrowser } from '../support/cookie-browser.ts';
import type { Exchange } from '../support/exchange.ts';
import {
  asAdmin,
  assertOAuthError,
  atRoot,
  authorizeQuery,
  CALLBACK,
  callbackParameters,
  codeFor,
  locationOf,
  makeClient,
  type OAuthClient,
  pkce,
  postForm,
} from '../support/oauth.ts';
import { answerBody, pendingChallengeOf } from '../support/pending.ts';
import {
  deviceClaim,
  newDevice,
  proveDevice,
  type RouteDevice,
  registration,
  startOn,
} from '../support/route-devices.ts';
import { activeAuthenticator, codeOf } from '../support/route-mfa.ts';
import { newAuthenticator, registered, startPasskeyService } from '../support/route-passkeys.ts';
import { addUser, PASSWORD, type TestService } from '../support/test-service.ts';

const MINUTE_MS = 60_000;

const secretOf = (deviceKey: string, deviceGroupKey: string) =>
  makeDeviceVerifier({ engine, device: { deviceGroupKey, deviceKey }, random });

describe('a login for an application, at the pages of the service', () => {
  let service: TestService;
  let client: OAuthClient;
  let implicit: OAuthClient;
  let people = 0;
  before(async () => {
    service = await startPasskeyService();
    client = await makeClient(service);
    implicit = await makeClient(service, { AllowedOAuthFlows: ['implicit'] });
  });
  after(() => service.close());

  const { verifier, challenge } = pkce();

  async function somebody(): Promise<string> {
    people += 1;
    const email = `user${people}@example.test`;
    await addUser(service, email);
    return email;
  }

  /** A browser that an application has sent to the pages, and how the application's request goes on. */
  async function sentBrowser(more: Readonly<Record<string, string>> = {}) {
    const pages = new CookieBrowser(service);
    const root = atRoot(service, pages);
    const location = locationOf(await root.get(`/oauth2/authorize?${authorizeQuery(client, challenge, more)}`));
    const returnTo = new URL(location, service.baseUrl).searchParams.get('return_to') ?? '';
    const goOn = () => {
      for (const [name, value] of pages.cookies) root.cookies.set(name, value);
      return root.get(returnTo);
    };
    await pages.session();
    return { pages, root, goOn };
  }

  /** The service as a page of this browser calls it. */
  const through = (pages: CookieBrowser): TestService => ({
    ...service,
    post: (path, body, headers) => pages.post(path, body, headers),
  });

  const exchange = (code: string) => {
    const fields = { grant_type: 'authorization_code', client_id: client.id, redirect_uri: CALLBACK };
    return postForm(service, '/oauth2/token', { ...fields, code, code_verifier: verifier });
  };

  const refresh = (token: unknown) =>
    postForm(service, '/oauth2/token', {
      grant_type: 'refresh_token',
      client_id: client.id,
      refresh_token: String(token),
    });

  const userInfo = async (token: unknown) =>
    (await service.get('/oauth2/userInfo', { authorization: `Bearer ${token}` })).status;

  /** A device that is remembered, and the browser that is signed in on it. */
  async function browserOnDevice(): Promise<{ readonly root: CookieBrowser; readonly device: RouteDevice }> {
    const email = await somebody();
    const pages = new CookieBrowser(service);
    const given = await pages.logIn(email);
    const { device_key: key = '', device_group_key: groupKey = '' } = given.body.new_device_metadata as Record<
      string,
      string
    >;
    const secret = secretOf(key, groupKey);
    const device = { ...(await newDevice(service, email)), key, groupKey, secret };
    assert.equal((await pages.post('/device', registration(device))).status, 200);
    assert.equal((await pages.ask('PUT', `/device/${key}`, { remembered_status: true })).status, 200);
    return { root: atRoot(service, pages), device };
  }

  type LogIn = (pages: CookieBrowser, halfway: () => Promise<void>) => Promise<Exchange>;

  async function byCode(pages: CookieBrowser, halfway: () => Promise<void>, email: string, secret: string) {
    const asked = pendingChallengeOf(await pages.post('/login', { username: email, password: PASSWORD }), email);
    assert.equal(asked.name, 'SOFTWARE_TOKEN_MFA');
    await halfway();
    return pages.post('/challenge', answerBody(asked, codeOf(service, secret)));
  }

  const FACTORS: Readonly<Record<string, () => Promise<LogIn>>> = {
    async 'a password'() {
      const username = await somebody();
      return (pages) => pages.post('/login', { username, password: PASSWORD });
    },
    async 'a password and an authenticator'() {
      const email = await somebody();
      const secret = await activeAuthenticator(service, email);
      service.clock.advance(MINUTE_MS);
      return (pages, halfway) => byCode(pages, halfway, email, secret);
    },
    async 'a temporary password'() {
      people += 1;
      const email = `user${people}@example.test`;
      const made = await service.post('/admin/users', { email, temp_password: 'Temporary-Horse1!' }, service.asAdmin);
      assert.equal(made.status, 201, made.text);
      return async (pages, halfway) => {
        const asked = pendingChallengeOf(
          await pages.post('/login', { username: email, password: 'Temporary-Horse1!' }),
          email,
        );
        assert.equal(asked.name, 'NEW_PASSWORD_REQUIRED');
        await halfway();
        return pages.post('/challenge', answerBody(asked, PASSWORD));
      };
    },
    async 'a code by e-mail'() {
      const email = await somebody();
      return async (pages, halfway) => {
        const asked = await pages.post('/login/passkey/challenge/email_otp', { username: email });
        await halfway();
        const code = service.outbox?.list(email)[0]?.code;
        return pages.post('/challenge', answerBody(pendingChallengeOf(asked, email), code));
      };
    },
    async 'a passkey'() {
      const [email, authenticator] = [await somebody(), newAuthenticator()];
      await registered(service, email, authenticator);
      return async (pages, halfway) => {
        const asked = await pages.post('/login/passkey/challenge/web_authn', { username: email });
        const pending = pendingChallengeOf(asked, email);
        await halfway();
        const options = JSON.parse(pending.parameters.CREDENTIAL_REQUEST_OPTIONS ?? '');
        return pages.post('/login/challenge', answerBody(pending, authenticator.assert(options)));
      };
    },
    async 'a remembered device, in place of the authenticator'() {
      const { device } = await browserOnDevice();
      await activeAuthenticator(service, device.username);
      service.clock.advance(MINUTE_MS);
      return async (pages, halfway) => {
        const asked = await startOn(through(pages), device);
        await halfway();
        return proveDevice(through(pages), asked, deviceClaim(service, asked));
      };
    },
  };

  for (const [name, prepare] of Object.entries(FACTORS)) {
    it(`${name}: gives a code once it is proven, and nothing before`, async () => {
      const logIn = await prepare();
      const { pages, goOn } = await sentBrowser();
      const done = await logIn(pages, async () => {
        assert.match(locationOf(await goOn()), /^\/cognito\/login\?/, 'halfway');
      });
      assert.equal(done.status, 200, done.text);
      const tokens = await exchange(callbackParameters(await goOn()).get('code') ?? '');
      assert.equal(tokens.status, 200, tokens.text);
      const { email, auth_time } = decoded(String(tokens.body.id_token), 1);
      assert.ok(email);
      assert.equal(auth_time, Math.floor(service.clock.now() / 1000));
    });
  }

  it('a device that is forgotten takes what applications have from it', async () => {
    const { root, device } = await browserOnDevice();
    const tokens = async () => (await exchange(await codeFor(root, authorizeQuery(client, challenge)))).body;
    const first = await tokens();
    const kept = await refresh(first.refresh_token);
    assert.equal(kept.status, 200, `without the device's key, which no application has: ${kept.text}`);
    const other = (await tokens()).access_token;
    const without = { response_type: 'token', code_challenge: undefined, code_challenge_method: undefined };
    const answer = await root.get(`/oauth2/authorize?${authorizeQuery(implicit, '', without)}`);
    const inFragment = callbackParameters(answer).get('access_token');
    const access = [first.access_token, other, inFragment];
    assert.deepEqual(await Promise.all(access.map(userInfo)), [200, 200, 200]);

    const elsewhere = { authorization: `Bearer ${device.access}` };
    const forgotten = await service.ask('DELETE', `/device/${device.key}`, { headers: elsewhere });
    assert.equal(forgotten.status, 200, forgotten.text);
    assert.deepEqual(await Promise.all(access.map(userInfo)), [401, 401, 401]);
    assertOAuthError(await refresh(kept.body.refresh_token), 400, 'invalid_grant');
    assert.match(locationOf(await root.get(`/oauth2/authorize?${authorizeQuery(client, challenge)}`)), /\/login\?/);
    assert.equal((await service.get('/oauth2/userInfo', elsewhere)).status, 403, 'logins elsewhere live on');
  });

  it('many applications of one session do not end it: what they were given first does', async () => {
    const { userPoolId: UserPoolId } = service;
    const bound = (MaxPerUser: number) =>
      asAdmin(service, 'SetUserPoolSessionConfiguration', {
        UserPoolId,
        UserSessionTracking: 'ENABLED',
        TokenSession: { MaxPerUser },
      });
    const pages = new CookieBrowser(service);
    await pages.logIn(await somebody());
    const root = atRoot(service, pages);
    await bound(2);
    const given: unknown[] = [];
    for (let time = 0; time < 4; time += 1) {
      service.clock.advance(1_000);
      given.push((await exchange(await codeFor(root, authorizeQuery(client, challenge)))).body.access_token);
    }
    assert.deepEqual(await Promise.all(given.map(userInfo)), [401, 401, 200, 200]);
    assert.equal((await pages.get('/user/profile')).status, 200);
    await bound(20);
  });

  it('an application has no say about the device: it is not told its key, and cannot put a secret of its own in its place', async () => {
    const pages = new CookieBrowser(service);
    const email = await somebody();
    const given = await pages.logIn(email);
    const { device_key: key = '', device_group_key: groupKey = '' } = given.body.new_device_metadata as Record<
      string,
      string
    >;
    const query = authorizeQuery(client, challenge, { scope: 'openid aws.cognito.signin.user.admin' });
    const tokens = await exchange(await codeFor(atRoot(service, pages), query));
    const access = String(tokens.body.access_token);
    assert.equal(decoded(access, 1).device_key, undefined);
    const confirm = await service.call('ConfirmDevice', {
      AccessToken: access,
      DeviceKey: key,
      DeviceSecretVerifierConfig: secretOf(key, groupKey).config,
    });
    assert.deepEqual([confirm.status, confirm.body.__type], [400, 'InvalidParameterException'], confirm.text);
    assert.match(confirm.text, /Invalid device key given/);
  });
});
