import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { Application, createDeviceSecret, openBrowserOnDevice } from '../support/oauth/managed-login.ts';
import {
  assertOAuthError,
  callAsAdmin,
  createAuthorizeQuery,
  createOAuthClient,
  type OAuthClient,
  postForm,
  readCallbackParameters,
  readLocation,
  requestCode,
  toRootBrowser,
} from '../support/oauth/oauth-client.ts';
import { startPasskeyService } from '../support/routes/route-passkeys.ts';
import { addUser, type TestService } from '../support/services/test-service.ts';
import { CookieBrowser } from '../support/web/cookie-browser.ts';

describe('what an application gets from a login at the pages of the service', () => {
  let service: TestService;
  let client: OAuthClient;
  let application: Application;
  let implicit: OAuthClient;
  let people = 0;
  before(async () => {
    service = await startPasskeyService();
    client = await createOAuthClient(service);
    application = new Application(service, client);
    implicit = await createOAuthClient(service, { AllowedOAuthFlows: ['implicit'] });
  });
  after(() => service.close());

  async function somebody(): Promise<string> {
    people += 1;
    const email = `user${people}@example.test`;
    await addUser(service, email);
    return email;
  }

  const exchange = (code: string) => application.exchange(code);

  const refresh = (token: unknown) =>
    postForm(service, '/oauth2/token', {
      grant_type: 'refresh_token',
      client_id: client.id,
      refresh_token: String(token),
    });

  const userInfo = async (token: unknown) =>
    (await service.get('/oauth2/userInfo', { authorization: `Bearer ${token}` })).status;

  it("forgetting a device ends the applications' tokens of its login", async () => {
    const { root, device } = await openBrowserOnDevice(service, await somebody());
    const tokens = async () =>
      (await exchange(await requestCode(root, createAuthorizeQuery(client, application.challenge)))).body;
    const first = await tokens();
    const kept = await refresh(first.refresh_token);
    assert.equal(kept.status, 200, `without the device's key, which no application has: ${kept.text}`);
    const other = (await tokens()).access_token;
    const without = { response_type: 'token', code_challenge: undefined, code_challenge_method: undefined };
    const answer = await root.get(`/oauth2/authorize?${createAuthorizeQuery(implicit, '', without)}`);
    const inFragment = readCallbackParameters(answer).get('access_token');
    const access = [first.access_token, other, inFragment];
    assert.deepEqual(await Promise.all(access.map(userInfo)), [200, 200, 200]);

    const elsewhere = { authorization: `Bearer ${device.access}` };
    const forgotten = await service.ask('DELETE', `/device/${device.key}`, { headers: elsewhere });
    assert.equal(forgotten.status, 200, forgotten.text);
    assert.deepEqual(await Promise.all(access.map(userInfo)), [401, 401, 401]);
    assertOAuthError(await refresh(kept.body.refresh_token), 400, 'invalid_grant');
    assert.match(
      readLocation(await root.get(`/oauth2/authorize?${createAuthorizeQuery(client, application.challenge)}`)),
      /\/login\?/,
    );
    assert.equal((await service.get('/oauth2/userInfo', elsewhere)).status, 403, 'logins elsewhere live on');
  });

  it('many applications do not end a session; their oldest tokens end first', async () => {
    const { userPoolId: UserPoolId } = service;
    const bound = (MaxPerUser: number) =>
      callAsAdmin(service, 'SetUserPoolSessionConfiguration', {
        UserPoolId,
        UserSessionTracking: 'ENABLED',
        TokenSession: { MaxPerUser },
      });
    const pages = new CookieBrowser(service);
    await pages.logIn(await somebody());
    const root = toRootBrowser(service, pages);
    await bound(2);
    const given: unknown[] = [];
    for (let time = 0; time < 4; time += 1) {
      service.clock.advance(1_000);
      given.push(
        (await exchange(await requestCode(root, createAuthorizeQuery(client, application.challenge)))).body
          .access_token,
      );
    }
    assert.deepEqual(await Promise.all(given.map(userInfo)), [401, 401, 200, 200]);
    assert.equal((await pages.get('/user/profile')).status, 200);
    await bound(20);
  });

  it('an application cannot see the key of the device or replace its secret', async () => {
    const pages = new CookieBrowser(service);
    const email = await somebody();
    const given = await pages.logIn(email);
    const { device_key: key = '', device_group_key: groupKey = '' } = given.body.new_device_metadata as Record<
      string,
      string
    >;
    const query = createAuthorizeQuery(client, application.challenge, {
      scope: 'openid aws.cognito.signin.user.admin',
    });
    const tokens = await exchange(await requestCode(toRootBrowser(service, pages), query));
    const access = String(tokens.body.access_token);
    assert.equal(decodeTokenPart(access, 1).device_key, undefined);
    const confirm = await service.call('ConfirmDevice', {
      AccessToken: access,
      DeviceKey: key,
      DeviceSecretVerifierConfig: createDeviceSecret(key, groupKey).config,
    });
    assert.deepEqual([confirm.status, confirm.body.__type], [400, 'InvalidParameterException'], confirm.text);
    assert.match(confirm.text, /Invalid device key given/);
  });
});
