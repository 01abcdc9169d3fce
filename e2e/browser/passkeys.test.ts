import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import {
  createAuthenticatorHost,
  launchBrowser,
  type OpenPage,
  openPage,
  type VirtualAuthenticator,
  type VirtualAuthenticatorOptions,
} from '../support/browser/launch-browser.ts';
import { LOGIN_PAGE, type PageResponse, PasskeyPage } from '../support/browser/passkey-page.ts';
import { startWebSite, type WebSite } from '../support/browser/web-site.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

describe('passkeys in a real browser', () => {
  let site: WebSite;
  let otherSite: WebSite;
  let service: TestService;
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let open: OpenPage;
  let page: PasskeyPage;
  let attach: (options?: VirtualAuthenticatorOptions) => Promise<VirtualAuthenticator>;
  let username: string;
  let access: string;
  let users = 0;

  before(async () => {
    site = await startWebSite({ '/': LOGIN_PAGE });
    otherSite = await startWebSite({ '/': LOGIN_PAGE });
    service = await startTestService({
      ...{ rpId: 'localhost', origins: [site.origin] },
      corsOrigins: [site.origin, otherSite.origin],
    });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
    await site?.close();
    await otherSite?.close();
  });

  beforeEach(async () => {
    username = `user${users++}@example.com`;
    await addUser(service, username);
    await visit(site);
    access = await page.passwordLogin(username, PASSWORD);
  });
  afterEach(async () => {
    assert.deepEqual(open.errors, []);
    await open.close();
  });

  async function visit({ origin }: WebSite): Promise<void> {
    open = await openPage(browser, origin);
    page = new PasskeyPage(open.page, service.url);
    attach = await createAuthenticatorHost(open.page);
  }

  async function listed(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { status, body } = await page.ask('GET', '/passkey', undefined, access);
    assert.equal(status, 200, JSON.stringify(body));
    return body.passkeys as readonly Readonly<Record<string, unknown>>[];
  }

  async function loggedInAs(user: string, { status, body }: PageResponse): Promise<void> {
    assert.equal(status, 200, JSON.stringify(body));
    const profile = await page.ask('GET', '/user/profile', undefined, String(body.access_token));
    assert.equal((profile.body.user as { readonly email: string }).email, user);
  }

  const refusal = ({ status, body }: PageResponse) => [status, body.code];

  it('registers, lists, and logs in with user verification', async () => {
    const device = await attach();
    const { status, body } = await page.register(access);
    assert.deepEqual([status, body.status, body.is_webauthn_enabled], [200, 'success', true]);
    const [held] = await device.credentials();
    assert.deepEqual([held?.isResidentCredential, held?.rpId], [true, 'localhost']);
    const [shown, ...more] = await listed();
    assert.deepEqual([shown?.attachment, shown?.relying_party_id, more], ['platform', 'localhost', []]);
    await loggedInAs(username, await page.logIn(username));
  });

  it('logs in with autofill and without a username, and blocks no page', async () => {
    const { options } = await page.asked('');
    assert.equal(options.allowCredentials, undefined);
    assert.deepEqual(await page.getThenAbort(options, '/login/parameters'), { status: 200, error: 'AbortError' });
    await attach();
    await page.register(access);
    await loggedInAs(username, await page.logIn('', 'conditional'));
  });

  it('removes a passkey here and, once it is signalled as unknown, on the device', async () => {
    const device = await attach();
    await page.register(access);
    const [shown] = await listed();
    const credential_id = String(shown?.credential_id);
    const removed = await page.ask('DELETE', '/passkey/delete', { credential_id }, access);
    assert.deepEqual([removed.status, removed.body.is_webauthn_enabled], [200, false]);
    assert.deepEqual(await listed(), []);

    // A login without a name gets 404 for what the device still has, and the page signals that.
    const asked = await page.asked('');
    const { credential } = await page.get(asked.options);
    assert.deepEqual(refusal(await page.answer(asked, credential)), [404, 'passkey_not_found']);
    await page.signalUnknown({ rpId: asked.options.rpId, credentialId: (credential as { readonly id: string }).id });
    assert.deepEqual(await device.credentials(), []);
    assert.equal((await page.get((await page.asked('')).options)).error, 'NotAllowedError');
  });

  it('creates no second passkey on one authenticator, but one on each of two', async () => {
    const first = await attach();
    await page.register(access);
    const { body: options } = await page.ask('POST', '/passkey/start', {}, access);
    assert.equal((await page.create(options)).error, 'InvalidStateError');
    await first.setPresence(false);
    const second = await attach({ transport: 'usb' });
    service.clock.advance(1000);
    assert.equal((await page.register(access)).status, 200);
    const kinds = (await listed()).map(({ attachment }) => attachment);
    assert.deepEqual(kinds, ['platform', 'cross-platform']);
    await loggedInAs(username, await page.logIn(username));
    await second.remove();
    await first.setPresence(true);
    await loggedInAs(username, await page.logIn(username));
  });

  it('a page on another origin registers nothing, and logs in no one with a passkey of its own', async () => {
    const allowed = open;
    await attach();
    await page.register(access);
    await visit(otherSite);
    await attach();
    assert.deepEqual(refusal(await page.register(access)), [400, 'invalid_credential']);
    for (const [name, wanted] of [
      ['', [404, 'passkey_not_found']],
      [username, [401, 'invalid_credentials']],
    ] as const) {
      const asked = await page.asked(name);
      const { credential } = await page.get({ ...asked.options, allowCredentials: [] });
      assert.ok(credential);
      assert.deepEqual(refusal(await page.answer(asked, credential)), wanted);
    }
    await allowed.close();
  });

  it('a passkey of the service does not work on a page of another origin of the same host', async () => {
    const device = await attach();
    await page.register(access);
    await open.page.goto(otherSite.origin);
    for (const name of ['', username]) {
      const answer = await page.logIn(name);
      assert.deepEqual(refusal(answer), [401, 'invalid_credentials']);
    }
    assert.equal((await device.credentials()).length, 1);
  });

  it('the browser creates and returns nothing for another relying party', async () => {
    const device = await attach();
    await page.register(access);
    const { options } = await page.asked(username);
    for (const rpId of ['example.com', 'evil.localhost']) {
      assert.equal((await page.get({ ...options, rpId })).error, 'SecurityError');
    }
    const { body: creation } = await page.ask('POST', '/passkey/start', {}, access);
    const made = await page.create({ ...creation, rp: { id: 'example.com', name: 'example.com' } });
    assert.equal(made.error, 'SecurityError');
    assert.equal((await device.credentials()).length, 1);
  });

  it('a user who refuses verification returns nothing; a page that requires none gets a first factor', async () => {
    const device = await attach();
    await page.register(access);
    await device.setUserVerified(false);
    const { options } = await page.asked(username);
    assert.equal((await page.get(options)).error, 'NotAllowedError');
    const asked = await page.asked(username);
    const { credential } = await page.get({ ...asked.options, userVerification: 'discouraged' });
    await loggedInAs(username, await page.answer(asked, credential));
  });
});
