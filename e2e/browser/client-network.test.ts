import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { hashPassword, toHex } from '@poolgate/srp';
import { openSslEngine as engine } from '@poolgate/srp/openssl';
import type * as playwright from 'playwright-core';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { openClientPage, serveClientPage } from '../support/browser/client-page.ts';
import { createAuthenticatorHost, launchBrowser } from '../support/browser/launch-browser.ts';
import { type LoggedExchange, logNetwork } from '../support/browser/network-log.ts';
import { ON_COGNITO } from '../support/provider/tested-provider.ts';
import { computeTotpCode } from '../support/routes/route-mfa.ts';
import { inviteUser, startTestService, type TestService } from '../support/services/test-service.ts';
import { findFreePort } from '../support/services/wait-for-port.ts';

declare global {
  /** How far the clock of the page's client is ahead, in milliseconds. */
  var aheadMs: number;
  /** The output of the page's workers. */
  var workerOutputs: unknown[];
}

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';
const PASSWORDS = {
  first: 'Correct-Horse1!',
  changed: 'Another-Horse2!',
  reset: 'Further-Horse3!',
  temporary: 'Interim-Horse4!',
  own: 'Lasting-Horse5!',
} as const;

/** Requests that contain a password when Cognito is the provider, which has no other way. */
const WITH_PASSWORDS = ON_COGNITO
  ? [
      'POST /cognito/login/auth-challenge',
      'POST /cognito/password/reset',
      'POST /cognito/register',
      'POST /cognito/user/changepassword',
    ]
  : [];

interface Setting {
  readonly service: TestService;
  readonly page: playwright.Page;
  readonly log: readonly LoggedExchange[];
}

async function setting(t: TestContext): Promise<Setting> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const service = await startTestService({ port, rpId: 'localhost', origins: [origin] }, new TestClock(Date.now()));
  t.after(() => service.close());
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const context = await browser.newContext();
  await serveClientPage(context, origin);
  const log = logNetwork(context);
  const page = await openClientPage(context, origin);
  page.setDefaultTimeout(60_000);
  await page.evaluate(() => {
    globalThis.aheadMs = 0;
    globalThis.workerOutputs = [];
    globalThis.client = sdk.createClient({ mode: 'session', now: () => Date.now() + aheadMs });
    const { onmessage } = Object.getOwnPropertyDescriptors(Worker.prototype);
    Object.defineProperty(Worker.prototype, 'onmessage', {
      ...onmessage,
      set(this: Worker, heard: (event: MessageEvent) => void) {
        onmessage?.set?.call(this, (event: MessageEvent) => {
          workerOutputs.push(event.data);
          heard.call(this, event);
        });
      },
    });
  });
  return { service, page, log };
}

const codeTo = ({ service }: Setting, address: string): string => service.outbox?.list(address)[0]?.code ?? '';

async function pass({ service, page }: Setting, ms: number): Promise<void> {
  service.clock.advance(ms);
  await page.evaluate((aheadMs) => {
    globalThis.aheadMs = aheadMs;
  }, service.clock.now() - Date.now());
}

/** Routes at which a password login ends. */
const logIn = ({ page }: Setting, username: string, password: string): Promise<string> =>
  page.evaluate(
    async (login) => {
      step = await client.login.withPassword(login);
      return step.kind === 'refused' ? step.error.code : step.kind;
    },
    { username, password },
  );

const isIn = ({ page }: Setting): Promise<boolean> => page.evaluate(async () => (await client.session()).user !== null);

/** A provider that cannot distinguish logins also ends this one when a password or a factor changes. */
async function logOut(run: Setting): Promise<void> {
  if (await isIn(run)) await run.page.evaluate(() => client.logOut());
}

async function signUp(run: Setting): Promise<void> {
  await run.page.evaluate(
    async ([email = '', password = '']) => {
      globalThis.begun = await client.signUp.register({ email, password });
    },
    [ADA, PASSWORDS.first],
  );
  await run.page.evaluate((code) => begun.verify(code), codeTo(run, ADA));
}

declare global {
  /** A registration that waits for its code. */
  var begun: import('@poolgate/client').Registration;
  /** An authenticator that waits for its first code. */
  var enrolled: import('@poolgate/client').NewAuthenticator;
}

async function rememberDevice(run: Setting): Promise<void> {
  await run.page.evaluate(async () => {
    if (step.kind === 'done') await step.rememberDevice?.('Laptop');
  });
  await logOut(run);
}

/** @returns the secret */
async function enrolAuthenticator(run: Setting): Promise<string> {
  const secret = await run.page.evaluate(async () => {
    globalThis.enrolled = await client.mfa.activate();
    return enrolled.secretCode;
  });
  await run.page.evaluate((code) => enrolled.verify(code).then(() => undefined), computeTotpCode(run.service, secret));
  return secret;
}

async function usePasskey(run: Setting): Promise<void> {
  await (await createAuthenticatorHost(run.page))();
  assert.equal(await run.page.evaluate(async () => (await client.passkeys.create({ name: 'Key' })).kind), 'created');
  await logOut(run);
  const byPasskey = run.page.evaluate(async (username) => (await client.login.withPasskey({ username })).kind, ADA);
  assert.equal(await byPasskey, 'done');
}

async function changePassword(run: Setting): Promise<void> {
  const change = { current: PASSWORDS.first, next: PASSWORDS.changed };
  await run.page.evaluate((change) => client.password.change(change).then(() => undefined), change);
  if (!(await isIn(run))) assert.equal(await logIn(run, ADA, PASSWORDS.changed), 'done');
}

async function stepUp(run: Setting): Promise<void> {
  await pass(run, 20 * 60_000);
  const kind = await run.page.evaluate(async (password) => {
    step = await client.reauthenticate.withPassword(password);
    return step.kind;
  }, PASSWORDS.changed);
  assert.equal(kind, 'done');
}

async function resetPassword(run: Setting): Promise<void> {
  await run.page.evaluate((email) => client.password.forgot({ email }), ADA);
  const reset = { email: ADA, code: codeTo(run, ADA), password: PASSWORDS.reset };
  await run.page.evaluate((reset) => client.password.reset(reset), reset);
}

/** A reset makes the service forget devices, so it requires the authenticator app. */
async function logInWithCode(run: Setting, password: string, secret: string): Promise<void> {
  assert.equal(await logIn(run, ADA, password), 'totp');
  const kind = await run.page.evaluate(
    async (code) => (step.kind === 'totp' ? (await step.submit(code)).kind : ''),
    computeTotpCode(run.service, secret),
  );
  assert.equal(kind, 'done');
}

async function replaceTemporaryPassword(run: Setting): Promise<void> {
  await inviteUser(run.service, GRACE, PASSWORDS.temporary);
  assert.equal(await logIn(run, GRACE, PASSWORDS.temporary), 'newPassword');
  const kind = await run.page.evaluate(async (password) => {
    if (step.kind === 'newPassword') step = await step.submit(password);
    return step.kind;
  }, PASSWORDS.own);
  assert.equal(kind, 'done');
}

/** Anyone with one of these can log in: password hashes, values of `a`, and secrets of devices. */
async function derivedSecrets({ service, page }: Setting, usernames: readonly string[]): Promise<readonly string[]> {
  const hashes = usernames.flatMap((userIdForSrp) =>
    Object.values(PASSWORDS).map((password) =>
      toHex(hashPassword(engine, { poolName: service.poolName, userIdForSrp }, password)),
    ),
  );
  const seen = JSON.stringify(await page.evaluate(() => [workerInputs, workerOutputs]));
  const drawn = [...seen.matchAll(/"(?:aHex|devicePassword)":"(?<value>[^"]+)"/g)].map(
    ({ groups }) => groups?.value ?? '',
  );
  assert.ok(drawn.length > 5 && seen.includes('"devicePassword"'), 'the secrets that came about were seen');
  return [...hashes, ...drawn];
}

const listEncodings = (secret: string): readonly string[] => {
  const bytes = /^[0-9a-f]+$/.test(secret) ? [Buffer.from(secret.padStart(64, '0'), 'hex').toString('base64')] : [];
  return [secret, secret.toUpperCase(), encodeURIComponent(secret), ...bytes];
};

it('no request in the life of an account contains a password, its hash, a private value or the secret of a device', async (t) => {
  const run = await setting(t);
  await signUp(run);
  assert.equal(await logIn(run, ADA, PASSWORDS.first), 'done');
  await rememberDevice(run);
  assert.equal(await logIn(run, ADA, PASSWORDS.first), 'done');
  await usePasskey(run);
  await changePassword(run);
  await stepUp(run);
  const enrolment = run.log.length;
  const secret = await enrolAuthenticator(run);
  await logOut(run);
  await resetPassword(run);
  await pass(run, 60_000);
  await logInWithCode(run, PASSWORDS.reset, secret);
  const ada = await run.page.evaluate(async () => (await client.session()).user?.username ?? '');
  await logOut(run);
  await replaceTemporaryPassword(run);
  const grace = await run.page.evaluate(async () => (await client.session()).user?.username ?? '');

  const answers = await Promise.all(run.log.map(({ response }) => response));
  const texts = run.log.map(({ request }, index) => `${request} ${answers[index]}`);
  assert.ok(run.log.some(({ path }) => path.endsWith('/login/srp')) && run.log.length > 30, String(run.log.length));
  for (const known of await derivedSecrets(run, [ada, grace])) {
    const at = texts.findIndex((text) => listEncodings(known).some((form) => text.includes(form)));
    assert.equal(at, -1, `a secret is in ${run.log[at]?.method} ${run.log[at]?.path}`);
  }
  const withSecret = texts.flatMap((text, index) => (text.includes(secret) ? [index] : []));
  assert.deepEqual(
    withSecret,
    [enrolment],
    'the secret of the authenticator is in the answer that makes it, and nowhere else',
  );
  assert.ok(!run.log[enrolment]?.request.includes(secret));
  const withPasswords = run.log.filter((_, index) =>
    Object.values(PASSWORDS).some((password) => listEncodings(password).some((form) => texts[index]?.includes(form))),
  );
  const places = new Set(withPasswords.map(({ method, path }) => `${method} ${path}`));
  assert.deepEqual([...places].sort(), WITH_PASSWORDS);
  const answered = withPasswords.filter(({ path }) => path.endsWith('/login/auth-challenge'));
  assert.ok(answered.every(({ request }) => request.includes('NEW_PASSWORD_REQUIRED')));
  assert.ok(!JSON.stringify(await run.page.evaluate(() => ({ ...localStorage, ...sessionStorage }))).includes(secret));
});
