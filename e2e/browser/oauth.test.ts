import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { escapeHtml } from '@poolgate/provider';
import type * as playwright from 'playwright-core';
import { decodeTokenPart } from '../../packages/pool/src/testing/test-tokens.ts';
import { createAuthenticatorHost, launchBrowser } from '../support/browser/launch-browser.ts';
import { createOAuthClient, createPkce, type OAuthClient, postForm } from '../support/oauth/oauth-client.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.test';
const BOB = 'bob@example.test';

/** An application on a separate port: a page at every address, which shows the form that was posted to it. */
async function startApplication(): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(async (request, answer) => {
    const form = new URLSearchParams(await text(request));
    const { origin } = request.headers;
    const shown = JSON.stringify({ ...Object.fromEntries(form), ...(request.method === 'POST' && { origin }) });
    answer.writeHead(200, { 'content-type': 'text/html' }).end(`<p>app<pre>${escapeHtml(shown)}</pre>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return { server, origin: `http://127.0.0.1:${address.port}` };
}

describe('an application in a real browser', () => {
  let service: TestService;
  let application: Awaited<ReturnType<typeof startApplication>>;
  let browser: playwright.Browser;
  let client: OAuthClient;
  before(async () => {
    service = await startTestService({ issuer: 'base-url' });
    service.clock.advance(Date.now() - service.clock.now());
    application = await startApplication();
    // Without a port, because a native application gets one from its system.
    const registered = ['http://127.0.0.1/callback', 'http://127.0.0.1/bye'];
    client = await createOAuthClient(service, { CallbackURLs: registered, LogoutURLs: registered });
    for (const name of [ADA, BOB]) await addUser(service, name);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    application.server.closeAllConnections();
    application.server.close();
    await service.close();
  });

  const { verifier, challenge } = createPkce();
  const callback = () => `${application.origin}/callback`;
  const link = (more: Readonly<Record<string, string>> = {}) => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: callback(),
      scope: 'openid email',
      state: 's',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    });
    return `${service.baseUrl}/oauth2/authorize?${query}`;
  };

  async function fetchEmail(page: playwright.Page): Promise<unknown> {
    await page.waitForURL(`${application.origin}/callback?**`);
    const code = new URL(page.url()).searchParams.get('code') ?? '';
    const fields = { grant_type: 'authorization_code', client_id: client.id, redirect_uri: callback() };
    const answer = await postForm(service, '/oauth2/token', { ...fields, code, code_verifier: verifier });
    assert.equal(answer.status, 200, answer.text);
    return decodeTokenPart(String(answer.body.id_token), 1).email;
  }

  async function signIn(page: playwright.Page, username: string | undefined): Promise<void> {
    if (username !== undefined) await page.locator('input[name=username]').fill(username);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.locator('button[type=submit]').first().click();
  }

  it('posts an answer automatically, with its button without scripts, and accepts a request that another site posts', async () => {
    const state = `"'></form><script>document.title='broken'</script>`;
    const readPosted = async (page: playwright.Page) => {
      await page.waitForURL(callback());
      return JSON.parse((await page.locator('pre').textContent()) ?? '') as Record<string, string>;
    };
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext();
      const signedIn = await context.newPage();
      await signedIn.goto(link());
      await signedIn.waitForURL('**/cognito/login?**');
      await signIn(signedIn, ADA);
      assert.equal(await fetchEmail(signedIn), ADA);
      const storageState = await context.storageState();
      await context.close();
      const other = await browser.newContext({ javaScriptEnabled, storageState });
      const page = await other.newPage();
      const violations: string[] = [];
      page.on('console', (message) => violations.push(message.text()));
      // From another site with a form, so the browser sends none of the service's cookies.
      await page.goto(application.origin);
      const posted = new URL(link({ response_mode: 'form_post', state, prompt: 'none' }));
      const fields = [...posted.searchParams].map(
        ([name, value]) => `<input name="${name}" value="${escapeHtml(value)}">`,
      );
      const action = `${posted.origin}${posted.pathname}`;
      await page.setContent(`<form method="post" action="${action}">${fields.join('')}<button>Go</button></form>`);
      await page.getByRole('button', { name: 'Go' }).click();
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
      const answer = await readPosted(page);
      assert.deepEqual([answer.state, answer.error, typeof answer.code], [state, undefined, 'string']);
      assert.equal(answer.origin, service.baseUrl, 'the application can check where the form comes from');
      assert.deepEqual(violations, []);
      await other.close();
    }
  });

  it('signs in at the page once, again where required, and signs out', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(link({ login_hint: ADA }));
    await page.waitForURL('**/cognito/login?**');
    await page.waitForFunction(
      (name) => (document.querySelector('input[name=username]') as HTMLInputElement | null)?.value === name,
      ADA,
    );
    await signIn(page, undefined);
    assert.equal(await fetchEmail(page), ADA);

    await page.goto(link());
    assert.equal(await fetchEmail(page), ADA, 'without another sign-in');

    service.clock.advance(2_000);
    await page.goto(link({ prompt: 'login' }));
    await page.waitForURL('**/cognito/login?**');
    await signIn(page, BOB);
    assert.equal(await fetchEmail(page), BOB);

    await page.goto(link({ prompt: 'consent' }));
    await page.getByRole('button', { name: 'Allow' }).click();
    assert.equal(await fetchEmail(page), BOB);

    const bye = `${application.origin}/bye`;
    await page.goto(`${service.baseUrl}/logout?${new URLSearchParams({ client_id: client.id, logout_uri: bye })}`);
    await page.waitForURL(bye);
    await page.goto(link({ prompt: 'none' }));
    await page.waitForURL(`${application.origin}/callback?**`);
    assert.equal(new URL(page.url()).searchParams.get('error'), 'login_required');
    await context.close();
  });

  it('adds a passkey on the way to the application, after the required sign-in', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await (await createAuthenticatorHost(page))();
    await page.goto(link().replace('/oauth2/authorize?', '/passkeys/add?'));
    await page.waitForURL('**/cognito/login?**');
    await signIn(page, ADA);
    // A browser that supports passkeys offers one after a sign-in with a password.
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.waitForURL('**/cognito/account?**');
    await page.locator('poolgate-passkeys [data-name=add]').click();
    assert.equal(await fetchEmail(page), ADA);
    await context.close();
  });

  it('clickjacking: no page with a sign-in or a prompt is shown in a frame', async () => {
    const page = await browser.newPage();
    await page.goto(application.origin);
    for (const url of [link(), link({ prompt: 'consent' }), `${service.baseUrl}/logout`]) {
      const isShown = await page.evaluate(async (address) => {
        const frame = document.createElement('iframe');
        frame.src = address;
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        document.body.append(frame);
        await loaded;
        return frame.contentDocument !== null;
      }, url);
      // A browser that refuses to frame a page shows an error page with a separate origin.
      const texts = await Promise.all(
        page
          .frames()
          .slice(1)
          .map((frame) => frame.locator('body').innerText()),
      );
      assert.equal(isShown, false, url);
      assert.doesNotMatch(texts.join('\n'), /Sign in|Sign out|wants access to your account/, url);
    }
    await page.close();
  });
});
