import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { LoginStep } from '@poolgate/client';
import { hashPassword, toHex } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import type * as playwright from 'playwright-core';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { buildClientFile } from '../../tools/client-bundle.ts';
import { openClientPage, type PageRequestLog, serveClientPage } from '../support/browser/client-page.ts';
import { createAuthenticatorHost, launchBrowser } from '../support/browser/launch-browser.ts';
import { computeTotpCode, createActiveAuthenticator } from '../support/routes/route-mfa.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

declare global {
  /** Set by a test: the offered and the requested passkey. */
  var offer: Promise<LoginStep | null>;
  var pressed: Promise<LoginStep>;
}

const STRICT = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'; ";

describe('the client in a page of the service', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let context: playwright.BrowserContext;
  let sent: readonly PageRequestLog[];
  let page: playwright.Page;
  /** Passkeys need a host name in the address. */
  let origin: string;
  let username: string;
  let canonical: string;
  let users = 0;
  const errors: Error[] = [];

  before(async () => {
    const port = await findFreePort();
    origin = `http://localhost:${port}`;
    service = await startTestService({ port, rpId: 'localhost', origins: [origin] }, new TestClock(Date.now()));
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.close();
  });
  beforeEach(async () => {
    username = `page${users++}@example.com`;
    canonical = await addUser(service, username);
    await open();
  });
  afterEach(async () => {
    await context.close();
    assert.deepEqual(errors.splice(0), []);
  });

  async function open(contentSecurityPolicy?: string): Promise<void> {
    await context?.close();
    context = await browser.newContext();
    sent = await serveClientPage(context, origin, contentSecurityPolicy);
    context.on('weberror', (error) => errors.push(error.error()));
    page = await openClientPage(context, origin);
  }

  const logIn = (on = page): Promise<string> =>
    on.evaluate(
      async (login) => {
        step = await client.login.withPassword(login);
        return step.kind === 'refused' ? step.error.code : step.kind;
      },
      { username, password: PASSWORD },
    );

  /** The secrets that must never leave the page, if they exist. */
  async function secrets(): Promise<readonly string[]> {
    const identity = { poolName: service.poolName, userIdForSrp: canonical };
    const inputs = await page.evaluate(() => workerInputs);
    const drawn = inputs.flatMap(({ input }) => [input?.aHex, input?.password]).filter((text) => text !== undefined);
    return [PASSWORD, toHex(hashPassword(engine, identity, PASSWORD)), ...drawn.map(String)];
  }

  it('logs in with a worker; no secret leaves the page, and no token reaches it', async () => {
    assert.equal(await logIn(), 'done');
    assert.equal(page.workers().length, 1);
    const shown = await page.evaluate(async () => {
      const { user } = await client.session();
      return { email: user?.email, cookie: document.cookie, kept: { ...localStorage, ...sessionStorage } };
    });
    assert.deepEqual(shown, { email: username, cookie: '', kept: {} });
    const known = await secrets();
    assert.ok(known.length > 3, 'the secrets of the login were seen');
    const log = JSON.stringify(sent);
    for (const secret of known) assert.ok(!log.includes(secret), 'a secret left the page');
  });

  it('logs in where workers are forbidden', async () => {
    await open(`${STRICT} worker-src 'none'`);
    assert.equal(await logIn(), 'done');
    assert.equal(page.workers().length, 0);
  });

  it('logs in with a worker where a policy must allow scripts', async () => {
    await open(`${STRICT} worker-src 'self'; trusted-types poolgate-client`);
    assert.equal(await logIn(), 'done');
    assert.equal(page.workers().length, 1);
  });

  it('logs in where the policy of the worker is not allowed', async () => {
    await open(`${STRICT} worker-src 'self'; trusted-types 'none'`);
    assert.equal(await logIn(), 'done');
    assert.equal(page.workers().length, 0);
  });

  it('logs in with a worker at the integrator’s address, and without one if no file is there', async () => {
    const place = '/assets/worker.js';
    const script = await buildClientFile('srp-worker.js');
    await context.route(`${origin}${place}`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    for (const [workerUrl, workers] of [
      [place, [`${origin}${place}`]],
      ['/assets/missing.js', []],
    ] as const) {
      await page.evaluate((workerUrl) => {
        globalThis.client = sdk.createClient({ mode: 'session', workerUrl });
      }, workerUrl);
      assert.equal(await logIn(), 'done');
      assert.deepEqual(
        page.workers().map((worker) => worker.url()),
        workers,
      );
      await page.reload();
      await page.waitForFunction(() => document.title === 'ready');
    }
  });

  it('shows the login in every tab, and a tab with an old CSRF token continues', async () => {
    const other = await openClientPage(context, origin);
    const before = await other.evaluate(async () => (await client.session()).user);
    assert.equal(before, null);
    assert.equal(await logIn(), 'done');
    const updated = await other.evaluate(
      async () => (await client.profile.update({ name: 'Ada' })).user.attributes.name,
    );
    assert.equal(updated, 'Ada');
    await other.evaluate(() => client.logOut());
    const refused = await page.evaluate(() => client.profile.show().catch((error) => error.code));
    assert.equal(refused, 'unauthenticated');
  });

  it('remembers a device in the browser, and no script can read its secret', async () => {
    assert.equal(await logIn(), 'done');
    await page.evaluate(async () => {
      if (step.kind === 'done') await step.rememberDevice?.('Laptop');
    });
    await createActiveAuthenticator(service, username);
    service.clock.advance(30_000);
    await page.reload();
    await page.waitForFunction(() => document.title === 'ready');
    assert.equal(await logIn(), 'done');
    const rows = await page.evaluate(async () => {
      const { promise, resolve } = Promise.withResolvers<IDBDatabase>();
      const opening = indexedDB.open('poolgate');
      opening.onsuccess = () => resolve(opening.result);
      const all = Promise.withResolvers<{ key: CryptoKey; sealed: ArrayBuffer }[]>();
      const request = (await promise).transaction('devices').objectStore('devices').getAll();
      request.onsuccess = () => all.resolve(request.result);
      return Promise.all(
        (await all.promise).map(async (row) => ({
          exported: await crypto.subtle.exportKey('raw', row.key).catch((error: Error) => error.name),
          members: Object.keys(row),
        })),
      );
    });
    assert.deepEqual(rows, [
      { exported: 'InvalidAccessError', members: ['deviceKey', 'deviceGroupKey', 'key', 'iv', 'sealed'] },
    ]);
    const log = JSON.stringify(sent);
    for (const secret of await secrets()) assert.ok(!log.includes(secret), 'a secret left the page');
  });

  it('forgets a device that the service has forgotten, and continues the login without it', async () => {
    assert.equal(await logIn(), 'done');
    const key = await page.evaluate(async () => {
      if (step.kind === 'done') await step.rememberDevice?.('Laptop');
      return (await client.devices.list()).items[0]?.device_key ?? '';
    });
    const secret = await createActiveAuthenticator(service, username);
    service.clock.advance(30_000);
    const user = { UserPoolId: service.userPoolId, Username: username, DeviceKey: key };
    assert.equal((await service.call('AdminForgetDevice', user, service.asAdmin)).status, 200);
    assert.equal(await logIn(), 'totp');
    const done = await page.evaluate(
      async (code) => {
        if (step.kind === 'totp') step = await step.submit(code);
        return step.kind === 'done' && step.rememberDevice !== null;
      },
      computeTotpCode(service, secret),
    );
    assert.equal(done, true);
  });

  describe('with an authenticator', () => {
    beforeEach(async () => {
      assert.equal(await logIn(), 'done');
    });

    const createPasskey = () => page.evaluate(async () => (await client.passkeys.create({ name: 'Key' })).kind);

    it('creates one passkey, names it, logs in with it, and removes it from the device too', async () => {
      const device = await (await createAuthenticatorHost(page))();
      assert.equal(await createPasskey(), 'created');
      assert.equal(await createPasskey(), 'alreadyRegistered');
      const names = await page.evaluate(async () => (await client.passkeys.list()).map(({ name }) => name));
      assert.deepEqual(names, ['Key']);
      const kind = await page.evaluate(async (username) => {
        await client.logOut();
        return (await client.login.withPasskey({ username })).kind;
      }, username);
      assert.equal(kind, 'done');
      await page.evaluate(async () => {
        const [passkey] = await client.passkeys.list();
        await client.passkeys.remove(passkey?.credential_id ?? '');
      });
      assert.deepEqual(await device.credentials(), []);
    });

    it('reports that the user declined, and asks again', async () => {
      const device = await (await createAuthenticatorHost(page))();
      assert.equal(await createPasskey(), 'created');
      await device.setUserVerified(false);
      const failure = await page.evaluate(async (username) => {
        await client.logOut();
        step = await client.login.withPasskey({ username });
        return step.kind === 'passkey' && step.failure;
      }, username);
      assert.equal(failure, 'cancelled');
      await device.setUserVerified(true);
      const kind = await page.evaluate(async () => (step.kind === 'passkey' ? (await step.use()).kind : ''));
      assert.equal(kind, 'done');
    });

    it('reports that the user let the time run out', async () => {
      const device = await (await createAuthenticatorHost(page))();
      assert.equal(await createPasskey(), 'created');
      await device.setPresence(false);
      const failure = await page.evaluate(async (username) => {
        await client.logOut();
        const hurried: typeof fetch = async (input, init) => {
          const answer = await fetch(input, init);
          return new Response((await answer.text()).replace(/(?<name>\\"timeout\\":)\d+/, '$<name>50'), answer);
        };
        step = await sdk.createClient({ mode: 'session', fetch: hurried }).login.withPasskey({ username });
        return step.kind === 'passkey' && step.failure;
      }, username);
      assert.equal(failure, 'timedOut');
    });

    it('reports that the browser has no passkeys', async () => {
      const kind = await page.evaluate(async () => {
        Reflect.deleteProperty(globalThis, 'PublicKeyCredential');
        return (await client.passkeys.create()).kind;
      });
      assert.equal(kind, 'notSupported');
    });

    it('logs in with autofill and without a username; a button or removing the field ends the offer', async () => {
      const device = await (await createAuthenticatorHost(page))();
      assert.equal(await createPasskey(), 'created');
      await device.setPresence(false);
      const ended = await page.evaluate(async () => {
        await client.logOut();
        const abort = new AbortController();
        const offer = client.login.autofill({ signal: abort.signal });
        await client.session();
        abort.abort();
        return offer;
      });
      assert.equal(ended, null);
      await device.setPresence(true);
      const kind = await page.evaluate(async () => (await client.login.autofill())?.kind);
      assert.equal(kind, 'done');
      await device.setPresence(false);
      await page.evaluate(async () => {
        await client.logOut();
        const get = navigator.credentials.get.bind(navigator.credentials);
        navigator.credentials.get = (options) => {
          document.title = String(options?.mediation ?? 'button');
          return get(options);
        };
        globalThis.offer = client.login.autofill();
      });
      await page.waitForFunction(() => document.title === 'conditional');
      await page.evaluate(() => {
        globalThis.pressed = client.login.withPasskey();
      });
      assert.equal(await page.evaluate(() => offer), null);
      await page.waitForFunction(() => document.title === 'button');
    });

    it('removes a passkey that the service does not know from the list of the browser', async () => {
      const device = await (await createAuthenticatorHost(page))();
      assert.equal(await createPasskey(), 'created');
      const code = await page.evaluate(async () => {
        const [passkey] = await client.passkeys.list();
        await fetch('/cognito/user/passkey', {
          method: 'DELETE',
          headers: { 'content-type': 'application/json', 'x-csrf-token': await csrfToken() },
          body: JSON.stringify({ credential_id: passkey?.credential_id }),
        });
        await client.logOut();
        const refused = await client.login.withPasskey();
        return refused.kind === 'refused' ? refused.error.code : refused.kind;

        async function csrfToken(): Promise<string> {
          return (await (await fetch('/cognito/session')).json()).csrf_token;
        }
      });
      assert.equal(code, 'passkey_not_found');
      assert.deepEqual(await device.credentials(), []);
    });
  });

  it('proves the user again, and only then changes what requires it', async () => {
    assert.equal(await logIn(), 'done');
    service.clock.advance(20 * 60_000);
    const refused = await page.evaluate(() => client.mfa.activate().catch((error) => error.code));
    assert.equal(refused, 'reauthentication_required');
    const skew = service.clock.now() - Date.now();
    const proven = await page.evaluate(
      async ([password, skew]) => {
        const late = sdk.createClient({ mode: 'session', now: () => Date.now() + Number(skew) });
        step = await late.reauthenticate.withPassword(String(password));
        return [step.kind, typeof (await late.mfa.activate()).secretCode];
      },
      [PASSWORD, skew],
    );
    assert.deepEqual(proven, ['done', 'string']);
  });
});
