import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { STORE_LOCATIONS } from '@poolgate/store/testing';
import { build } from 'esbuild';
import type * as playwright from 'playwright-core';
import type { StartOptions } from 'poolgate';
import { TestClock } from '../../packages/pool/src/testing/test-environment.ts';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { startWebSite } from '../support/browser/web-site.ts';
import { createPoolgateProvider } from '../support/federation/poolgate-provider.ts';
import { fillPlaceholders, readGuide } from '../support/guides/guide.ts';
import { createPrintedClient } from '../support/guides/printed-client.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.test';
const ISSUER = 'http://localhost:3000/us-east-1_AbCdEfGhI';

/** The functions that a script of the guide exports in the page. */
interface Application {
  signIn(): Promise<void>;
  signOut(): Promise<void>;
}
interface SinglePage extends Application {
  start(): Promise<{ profile: Record<string, string>; access_token: string } | null>;
  renew(): Promise<{ access_token: string }>;
}

interface AmplifySession {
  readonly tokens?: {
    readonly accessToken: object;
    readonly idToken: { readonly payload: Readonly<Record<string, unknown>> };
  };
}

interface AmplifyPage extends Application {
  readonly signedIn: Promise<void>;
  session(): Promise<AmplifySession>;
  renew(): Promise<AmplifySession>;
  profile(): Promise<Readonly<Record<string, string>>>;
  signInAt(provider: string): Promise<void>;
}

declare global {
  /** Set by the bundle in the page. */
  var application: SinglePage | AmplifyPage;
}

/** The output of the application's bundler. */
async function bundled(contents: string): Promise<string> {
  const resolveDir = fileURLToPath(new URL('..', import.meta.url));
  const stdin = { contents, resolveDir, loader: 'ts' } as const;
  const { outputFiles } = await build({
    ...{ stdin, bundle: true, write: false, format: 'iife', platform: 'browser', globalName: 'application' },
  });
  return outputFiles[0]?.text ?? '';
}

interface Opened {
  readonly service: TestService;
  readonly clientId: string;
  readonly page: playwright.Page;
  readonly origin: string;
}

/** Opens the page of an application in a browser, with a service that has it as a client. */
async function openApplication(
  t: TestContext,
  options: StartOptions,
  command: readonly string[],
  script: (service: TestService, clientId: string) => string,
): Promise<Opened> {
  const files = {
    '/': { type: 'text/html', text: '<!doctype html><title>App</title><script src="/app.js"></script>' },
    '/app.js': { type: 'text/javascript', text: '' },
  } as const;
  const site: Record<string, { type: 'text/html' | 'text/javascript'; text: string }> = { ...files };
  const { origin, close } = await startWebSite(site);
  t.after(close);
  const place = await STORE_LOCATIONS['SQLite file']?.();
  const databaseUrl = place?.url ?? '';
  const service = await startTestService({ ...options, databaseUrl }, new TestClock(Date.now()));
  t.after(async () => {
    await service.close();
    await place?.remove();
  });
  if (options.tls === 'dev') trust(service);
  const client = await createPrintedClient(service, databaseUrl, command, origin);
  site['/app.js'] = { type: 'text/javascript', text: await bundled(script(service, client.id)) };
  await addUser(service, ADA);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const page = await (await browser.newContext({ ignoreHTTPSErrors: options.tls === 'dev' })).newPage();
  await page.goto(origin);
  return { service, clientId: client.id, page, origin };
}

/** Makes this process trust the authority of a service, as its user's system would. */
function trust({ dataDir }: TestService): void {
  const authority = readFileSync(join(dataDir, 'tls', 'authority.pem'), 'utf8');
  setDefaultCACertificates([...getCACertificates('default'), authority]);
}

/** Follows the application to the pages of the service, and signs in. */
async function signIn(opened: Opened): Promise<void> {
  await opened.page.evaluate(() => void application.signIn());
  await fillIn(opened, '**');
}

/** Fills in the sign-in page of a service, which leads back to the application. */
async function fillIn({ page, origin }: Opened, baseUrl: string): Promise<void> {
  await page.waitForURL(`${baseUrl}/cognito/login?**`);
  await page.locator('input[name=username]').fill(ADA);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').first().click();
  await page.waitForURL(`${origin}/**`);
}

/** Whether a response follows a redirect. */
function cameBy(answer: playwright.Response, path: string): boolean {
  const before = answer.request().redirectedFrom();
  return before !== null && new URL(before.url()).pathname === path;
}

/** Signs out, and checks that the service has no session: the next sign-in shows the form. */
async function signOut({ page, origin }: Opened): Promise<void> {
  const back = page.waitForResponse((answer) => answer.url().startsWith(`${origin}/`) && cameBy(answer, '/logout'));
  await page.evaluate(() => {
    document.title = 'Leaving';
    void application.signOut();
  });
  await back;
  // The response arrives before its document.
  await page.waitForFunction(() => document.title === 'App' && document.readyState === 'complete');
  await page.evaluate(() => void application.signIn());
  await page.waitForURL('**/cognito/login?**');
}

function userInfo({ service, page }: Opened, token: string): Promise<Record<string, string>> {
  return page.evaluate(
    async ([url, bearer]) => (await fetch(url ?? '', { headers: { authorization: `Bearer ${bearer}` } })).json(),
    [`${service.baseUrl}/oauth2/userInfo`, token],
  );
}

const guide = readGuide('how-to/sign-in-for-applications');

/** The page of the guide with Amplify, over HTTPS of development. @param more code after the guide's */
function openAmplify(t: TestContext, more = ''): Promise<Opened> {
  const [code = ''] = guide.code('Amplify', 'ts');
  const options = { tls: 'dev', issuer: 'base-url' } as const;
  return openApplication(t, options, guide.command('Amplify'), ({ baseUrl, userPoolId }, id) => {
    const { host } = new URL(baseUrl);
    const printed = { 'localhost:3000': host, 'us-east-1_AbCdEfGhI': userPoolId, YOUR_CLIENT_ID: id };
    return `${fillPlaceholders(code, printed)}${more}`;
  });
}

describe('applications of the guide that run in a browser', () => {
  it('a single-page application with oidc-client-ts: login, userInfo, refresh, logout', async (t) => {
    const spa = readGuide('how-to/single-page-app');
    const [code = ''] = spa.code('OpenID Connect', 'ts');
    const command = spa.command('OpenID Connect');
    const opened = await openApplication(t, { issuer: 'base-url' }, command, ({ baseUrl, userPoolId }, id) =>
      fillPlaceholders(code, { [ISSUER]: `${baseUrl}/${userPoolId}`, YOUR_CLIENT_ID: id }),
    );
    const { page, origin } = opened;
    assert.equal(await page.evaluate(() => (application as SinglePage).start()), null);
    await signIn(opened);
    const user = await page.evaluate(() => (application as SinglePage).start());
    assert.equal(user?.profile.email, ADA);
    assert.equal(page.url(), `${origin}/`, 'the code is no longer in the address');
    const renewed = await page.evaluate(() => (application as SinglePage).renew());
    assert.ok(renewed.access_token && renewed.access_token !== user?.access_token);
    assert.equal((await userInfo(opened, renewed.access_token)).email, ADA);
    await signOut(opened);
  });

  it('Amplify: signInWithRedirect over HTTPS of development, its user functions, refresh, logout', async (t) => {
    const opened = await openAmplify(t);
    const { page } = opened;
    await signIn(opened);
    const { access, email } = await page.evaluate(async () => {
      const { signedIn, session } = application as AmplifyPage;
      await signedIn;
      const { tokens } = await session();
      return { access: String(tokens?.accessToken), email: tokens?.idToken.payload.email };
    });
    assert.equal(email, ADA);
    assert.equal((await page.evaluate(() => (application as AmplifyPage).profile())).email, ADA);
    assert.equal((await userInfo(opened, access)).email, ADA);
    const renewed = await page.evaluate(async () =>
      String((await (application as AmplifyPage).renew()).tokens?.accessToken),
    );
    assert.notEqual(renewed, access);
    assert.equal((await userInfo(opened, renewed)).email, ADA);
    await signOut(opened);
    assert.equal((await userInfo(opened, renewed)).error, 'invalid_token', 'Amplify revokes what it has');
  });

  it('Amplify: signInWithRedirect with an identity provider, which is another Poolgate', async (t) => {
    const corp = await startTestService({ issuer: 'base-url' }, new TestClock(Date.now()));
    t.after(() => corp.close());
    await addUser(corp, ADA);
    const signInAt = 'export const signInAt = (custom) => signInWithRedirect({ provider: { custom } });';
    const opened = await openAmplify(t, signInAt);
    const { service, clientId, page } = opened;
    await createPoolgateProvider(service, corp, 'Corp');
    const body = { identity_providers: ['COGNITO', 'Corp'] };
    const offered = await service.ask('PATCH', `/admin/clients/${clientId}`, { headers: service.asAdmin, body });
    assert.equal(offered.status, 200, offered.text);
    await page.evaluate(() => void (application as AmplifyPage).signInAt('Corp'));
    await fillIn(opened, corp.baseUrl);
    const payload = await page.evaluate(async () => {
      const { signedIn, session } = application as AmplifyPage;
      await signedIn;
      return (await session()).tokens?.idToken.payload;
    });
    assert.deepEqual([payload?.email, payload?.email_verified], [ADA, true]);
    assert.deepEqual(payload?.['cognito:groups'], [`${service.userPoolId}_Corp`]);
    assert.match(String(payload?.['cognito:username']), /^corp_[0-9a-f-]{36}$/);
    assert.equal((await page.evaluate(() => (application as AmplifyPage).profile())).email, ADA);
    await signOut(opened);
  });
});
