import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { addUser, TEST_CALL } from '@poolgate/pool/testing';
import { decodeJwt } from 'jose/jwt/decode';
import { PageBrowser } from '../testing/page-browser.ts';
import { type PoolService, type PoolServiceResponse, startPoolService } from '../testing/pool-service.ts';

const ADA = 'ada@example.test';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const PATH = '/oauth2/device';

type Texts = Readonly<Record<string, string>>;

describe('the sign-in of a device', () => {
  let service: PoolService;
  let tv: string;
  let other: string;
  let browser: PageBrowser;

  before(async () => {
    service = await startPoolService();
    await addUser(service, ADA);
    [tv, other] = [await makeClient('The <TV>'), await makeClient('Other')];
  });
  beforeEach(async () => {
    const pages = new PageBrowser(service);
    await pages.logIn(ADA);
    browser = pages.copy('');
    service.clock.advance(60_000);
  });
  after(() => service.close());

  async function makeClient(ClientName: string, deviceGrant = true): Promise<string> {
    const { UserPoolClient } = await service.operations.createUserPoolClient(
      {
        ...{ UserPoolId: service.userPoolId, ClientName, SupportedIdentityProviders: ['COGNITO'] },
        AllowedOAuthScopes: ['openid', 'email'],
      },
      TEST_CALL,
    );
    const ids = { UserPoolId: service.userPoolId, ClientId: UserPoolClient?.ClientId ?? '' };
    await service.embedded.extensions.client_extensions?.update({ ...ids, Change: { deviceGrant } }, TEST_CALL);
    return ids.ClientId;
  }

  const form = (path: string, fields: Texts): Promise<PoolServiceResponse> =>
    service.ask('POST', path, { body: new URLSearchParams(fields).toString(), headers: {} });
  async function start(client_id = tv, more: Texts = {}): Promise<{ device_code: string; user_code: string }> {
    const { status, body, text } = await form('/oauth2/device_authorization', { client_id, ...more });
    assert.equal(status, 200, text);
    return body as { device_code: string; user_code: string };
  }
  const poll = (device_code: string, client_id = tv) =>
    form('/oauth2/token', { grant_type: GRANT, client_id, device_code });
  async function assertPoll(device_code: string, error: string, client_id = tv): Promise<void> {
    const { status, body } = await poll(device_code, client_id);
    assert.deepEqual([status, body.error], [400, error]);
  }
  const show = (user_code: string, from = browser) => from.get(`${PATH}?${new URLSearchParams({ user_code })}`);
  const post = (fields: Texts, headers: Texts = {}): Promise<PoolServiceResponse> => {
    const sent = { csrf_token: browser.csrfToken, ...fields };
    const body = new URLSearchParams(sent).toString();
    return service.ask('POST', PATH, {
      body,
      headers: { ...browser.cookieHeader, origin: service.baseUrl, ...headers },
    });
  };
  const allow = (user_code: string) => post({ user_code, choice: 'continue' });

  it('names the application, the address and the code, and gives tokens once its user has agreed', async () => {
    const { body } = await form('/oauth2/device_authorization', { client_id: tv, scope: 'openid email' });
    const { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval } = body;
    assert.match(String(user_code), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    assert.deepEqual(
      [verification_uri, verification_uri_complete, expires_in, interval],
      [`${service.baseUrl}${PATH}`, `${service.baseUrl}${PATH}?user_code=${user_code}`, 600, 5],
    );
    await assertPoll(String(device_code), 'authorization_pending');
    const { status, text, headers } = await show(String(user_code).toLowerCase().replace('-', ' '));
    assert.equal(status, 200, text);
    for (const shown of ['The &lt;TV&gt;', '127.0.0.1', String(user_code), ADA]) assert.ok(text.includes(shown), shown);
    assert.match(String(headers['content-security-policy']), /form-action 'self'; frame-ancestors 'none'/);
    await assertPoll(String(device_code), 'authorization_pending');
    assert.equal((await allow(String(user_code))).status, 200);
    const { body: tokens, text: answer } = await poll(String(device_code));
    assert.deepEqual(
      [tokens.token_type, typeof tokens.id_token, typeof tokens.refresh_token],
      ['Bearer', 'string', 'string'],
      answer,
    );
    await assertPoll(String(device_code), 'expired_token');
    assert.equal((await allow(String(user_code))).status, 400, 'the code of the user works once, too');
  });

  it('binds the access token to the resource that the device names', async () => {
    const { device_code, user_code } = await start();
    await allow(user_code);
    const resource = 'https://api.example.test/';
    const { body, text } = await form('/oauth2/token', { grant_type: GRANT, client_id: tv, device_code, resource });
    assert.equal(decodeJwt(String(body.access_token)).aud, resource, text);
  });

  it('gives tokens to one of several parallel polls', async () => {
    const { device_code, user_code } = await start();
    await allow(user_code);
    const answers = await Promise.all(Array.from({ length: 5 }, () => poll(device_code)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it('is refused if its user declines, and for a device of another client', async () => {
    const { device_code, user_code } = await start();
    assert.equal((await post({ user_code, choice: 'deny' })).status, 200);
    await assertPoll(device_code, 'expired_token', other);
    await assertPoll(device_code, 'access_denied');
    await assertPoll(device_code, 'expired_token');
    await assertPoll('x'.repeat(43), 'expired_token');
  });

  it('ends after ten minutes', async () => {
    const { device_code, user_code } = await start();
    service.clock.advance(600_000);
    await assertPoll(device_code, 'expired_token');
    assert.equal((await show(user_code)).status, 400);
  });

  it('requires a new login if the last one is older than the client accepts', async () => {
    const strict = await makeClient('Strict');
    const SSOSession = { MaxValidityMinutes: 15 };
    const ids = { UserPoolId: service.userPoolId, ClientId: strict };
    await service.operations.setUserPoolClientSessionConfiguration({ ...ids, SSOSession }, TEST_CALL);
    service.clock.advance(900_000);
    const { device_code, user_code } = await start(strict);
    for (const [answer, status] of [
      [await show(user_code), 302],
      [await allow(user_code), 303],
    ] as const) {
      assert.equal(answer.status, status, answer.text);
      const login = new URL(String(answer.headers.location), service.baseUrl);
      assert.deepEqual(
        [login.pathname, login.searchParams.get('prompt'), login.searchParams.get('return_to')],
        ['/cognito/login', 'login', `${PATH}?user_code=${user_code}`],
      );
    }
    await assertPoll(device_code, 'authorization_pending', strict);
    const pages = new PageBrowser(service);
    await pages.logIn(ADA);
    browser = pages.copy('');
    assert.equal((await allow(user_code)).status, 200);
    assert.equal((await poll(device_code, strict)).status, 200);
  });

  it('tells a device that polls too often to slow down', async () => {
    const { device_code } = await start();
    const errors: unknown[] = [];
    for (let polls = 0; polls < 14; polls += 1) errors.push((await poll(device_code)).body.error);
    assert.deepEqual([errors[0], errors.at(-1)], ['authorization_pending', 'slow_down']);
    service.clock.advance(60_000);
    await assertPoll(device_code, 'authorization_pending');
  });

  it('lets only signed-in users enter codes, and only a few a minute', async () => {
    const { user_code } = await start();
    const { status, headers } = await show(user_code, new PageBrowser(service, ''));
    assert.equal(status, 302);
    const login = new URL(String(headers.location), service.baseUrl);
    assert.deepEqual(
      [login.pathname, login.searchParams.get('return_to')],
      ['/cognito/login', `${PATH}?user_code=${user_code}`],
    );
    const statuses: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) statuses.push((await show('BBBB-BBBB')).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429]);
    assert.equal((await show(user_code)).status, 429, 'a right one is not told then, either');
  });

  it('ignores everything that another site sends, and any address alone', async () => {
    const { device_code, user_code } = await start();
    const choice = { user_code, choice: 'continue' };
    assert.equal((await post(choice, { origin: 'https://evil.test' })).status, 403);
    assert.equal((await post({ ...choice, csrf_token: 'x' })).status, 400);
    await browser.get(`${PATH}?${new URLSearchParams(choice)}`);
    await assertPoll(device_code, 'authorization_pending');
  });

  it('is available for clients that allow it, with their scopes', async () => {
    const without = await makeClient('No devices', false);
    for (const [error, fields] of [
      ['unauthorized_client', { client_id: without }],
      ['invalid_scope', { client_id: tv, scope: 'profile' }],
      ['invalid_client', { client_id: 'nobody' }],
      ['invalid_request', {}],
    ] as const) {
      const { status, body } = await form('/oauth2/device_authorization', fields);
      assert.deepEqual([status, body.error], [400, error]);
    }
  });

  it('has pages in the language of the browser, with a label for the code', async () => {
    const { text } = await browser.get(PATH, { 'accept-language': 'de' });
    assert.match(text, /<h1>Gerät verbinden<\/h1>/);
    assert.match(text, /<label>Code <input name="user_code" required/);
  });
});
