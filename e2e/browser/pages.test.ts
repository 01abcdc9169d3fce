import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type * as playwright from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser/launch-browser.ts';
import { PAGE_PATHS } from '../support/browser/shown-pages.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' };

/** The maximum total size of the sign-in page, compressed. */
const MOST_BYTES = 60_000;

describe('the pages of the service', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    service = await startTestService({ appName: 'Ada & <Co>' });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  /** Reads the complete response, because a service that stops waits for unread ones. */
  async function get(path: string, headers: Record<string, string> = {}, method = 'GET') {
    const answer = await fetch(`${service.url}/cognito/${path}`, { headers, method });
    const bytes = Buffer.from(await answer.arrayBuffer());
    return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString() };
  }

  const filesIn = (html: string): readonly string[] =>
    [...html.matchAll(/(?:src|href)="\/cognito\/(assets\/[^"]+)"/g)].map(([, path = '']) => path);

  it('are shells that run only scripts of this origin and cannot be framed', async () => {
    for (const name of PAGE_PATHS) {
      const answer = await get(name);
      const html = answer.text;
      assert.equal(answer.status, 200, name);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      const policy = answer.headers.get('content-security-policy') ?? '';
      for (const rule of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types lit-html poolgate-client',
      ])
        assert.ok(policy.includes(rule), `${name}: ${rule}`);
      assert.doesNotMatch(policy, /unsafe|nonce/);
      assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/i);
    }
  });

  it("write the operator's name of the service as text", async () => {
    const html = (await get('login')).text;
    assert.match(html, /<title>Sign in · Ada &amp; &lt;Co&gt;<\/title>/);
    assert.doesNotMatch(html, /<Co>/);
  });

  it('use the language of the browser, also right to left', async () => {
    const arabic = await get('login', { 'accept-language': 'ar-EG,en;q=0.5' });
    assert.equal(arabic.headers.get('content-language'), 'ar');
    assert.equal(arabic.headers.get('vary'), 'Accept-Encoding, Accept-Language, Cookie');
    assert.match(arabic.text, /<html lang="ar" dir="rtl">/);
    assert.match((await get('login', { 'accept-language': 'xx' })).text, /<html lang="en" dir="ltr">/);
  });

  it('are revalidated and not sent again', async () => {
    const first = await get('login');
    const etag = first.headers.get('etag') ?? '';
    assert.equal(first.headers.get('cache-control'), 'no-cache');
    const again = await get('login', { 'if-none-match': etag });
    assert.deepEqual([again.status, again.text], [304, '']);
    const policy = 'content-security-policy';
    assert.equal(again.headers.get(policy), first.headers.get(policy));
    assert.equal((await get('login', { 'if-none-match': etag, 'accept-language': 'de' })).status, 200);
  });

  it('are compressed as the browser supports, each encoding with its own tag', async () => {
    const answers = await Promise.all(
      ['identity', 'gzip', 'br;q=0, gzip', 'gzip, br'].map((coding) => get('login', { 'accept-encoding': coding })),
    );
    const codings = answers.map(({ headers }) => headers.get('content-encoding'));
    assert.deepEqual(codings, [null, 'gzip', 'gzip', 'br']);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    const tags = answers.map(({ headers }) => headers.get('etag') ?? '');
    assert.deepEqual([new Set(tags).size, tags[1]], [3, tags[2]]);
    const again = await get('login', { 'accept-encoding': 'gzip', 'if-none-match': tags[1] ?? '' });
    assert.deepEqual([again.status, again.text], [304, '']);
    assert.equal((await get('login', { 'accept-encoding': 'br', 'if-none-match': tags[1] ?? '' })).status, 200);
  });

  it('contain the parameters and whether a session cookie arrived, and nothing about its user', async () => {
    const settingsIn = (html: string) => {
      const content = /name="poolgate" content="([^"]*)"/.exec(html)?.[1] ?? '';
      return JSON.parse(content.replace(/&(quot|lt|gt|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '')) as {
        readonly parameters: unknown;
        readonly hasSession: unknown;
      };
    };
    const signedOut = await get('login');
    const signedIn = await get('login', { cookie: '__Host-poolgate=forged-value' });
    const parameters = JSON.parse((await get('login/parameters')).text) as unknown;
    assert.deepEqual(settingsIn(signedOut.text).parameters, parameters);
    assert.deepEqual(settingsIn(signedIn.text).parameters, parameters);
    assert.deepEqual([settingsIn(signedOut.text).hasSession, settingsIn(signedIn.text).hasSession], [false, true]);
    assert.notEqual(signedOut.headers.get('etag'), signedIn.headers.get('etag'));
    assert.doesNotMatch(signedIn.text, /forged-value/);
  });

  it('render the form without requesting the parameters, and before the session is answered', async () => {
    const { page, close } = await openPage(browser, 'about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.route('**/cognito/session', () => undefined);
    await page.goto(`${service.baseUrl}/cognito/login`);
    await page.waitForSelector('input[name=password]');
    assert.ok(!asked.includes('/cognito/login/parameters'), asked.join(' '));
    await close();
  });

  it('load files that are cached forever, compressed as the browser supports', async () => {
    for (const path of filesIn((await get('login')).text)) {
      const plain = await get(path, { 'accept-encoding': 'identity' });
      assert.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
      assert.equal(plain.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(plain.headers.get('content-encoding'), null);
      assert.equal((await get(path, { 'accept-encoding': 'br;q=0, gzip' })).headers.get('content-encoding'), 'gzip');
      assert.equal((await get(path, { 'accept-encoding': 'gzip, br' })).headers.get('content-encoding'), 'br');
    }
  });

  it('answer HEAD requests, as do the files that they load', async () => {
    const [file = ''] = filesIn((await get('login')).text);
    for (const path of [...PAGE_PATHS, file]) {
      const [whole, head] = [await get(path), await get(path, {}, 'HEAD')];
      assert.deepEqual([head.status, head.text], [200, ''], path);
      const headers = (answer: typeof whole) =>
        [...answer.headers].filter(
          ([name]) => !/^(?:date|x-request-id|content-length|connection|keep-alive)$/.test(name),
        );
      assert.deepEqual(headers(head), headers(whole), path);
    }
  });

  it('have no other files', async () => {
    for (const path of ['assets/none.js', 'assets/%2e%2e%2fpackage.json', 'assets/..%2fmanifest.json', 'assets/'])
      assert.equal((await get(path)).status, 404, path);
    assert.equal((await get('register', {}, 'DELETE')).status, 405);
  });

  it(`weigh less than ${MOST_BYTES / 1000} kB compressed for the sign-in, including texts and worker`, async () => {
    const html = (await get('login', { 'accept-language': 'ar' })).text;
    const settings = JSON.parse(
      (/name="poolgate" content="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    ) as { readonly workerUrl: string };
    const files = new Set([...filesIn(html), settings.workerUrl.replace('/cognito/', '')]);
    const sizes = await Promise.all([...files].map(async (path) => gzipSync((await get(path)).bytes).length));
    const bytes = sizes.reduce((sum, size) => sum + size, gzipSync(html).length);
    assert.ok(files.size >= 6, [...files].join(' '));
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
  });

  it("have elements that follow the application's settings from their first rendering on", async () => {
    const { page, close } = await openPage(browser, `${service.url}/cognito/login`);
    await page.waitForSelector('poolgate-sign-in input');
    await page.evaluate(() => {
      const made = document.createElement('poolgate-sign-in');
      made.id = 'made';
      made.appearance = { theme: 'dark', variables: { radius: '3px' }, layout: { frame: 'plain' } };
      document.body.append(made);
    });
    await page.waitForSelector('#made input');
    const drawn = await page.evaluate(() => {
      const { dataset, style } = document.querySelector<HTMLElement>('#made') ?? document.body;
      return { ...dataset, radius: style.getPropertyValue('--pg-radius') };
    });
    assert.deepEqual(drawn, { poolgate: '', theme: 'dark', layout: 'plain', radius: '3px' });
    await close();
  });

  it('explain what they need without scripts', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/cognito/login`);
    await page.getByText('benötigt JavaScript').waitFor();
    await context.close();
  });
});

describe('the pages under another prefix', () => {
  it('are there, with all that they load', async () => {
    const service = await startTestService({ webPrefix: '/auth' });
    const answer = await fetch(`${service.url}/auth/login`);
    const html = await answer.text();
    assert.match(html, /src="\/auth\/assets\/page-/);
    const elsewhere = await fetch(`${service.url}/cognito/login`);
    assert.deepEqual([elsewhere.status, (await elsewhere.text()).includes('page-')], [404, false]);
    assert.equal(service.signInUrl, `${service.baseUrl}/auth/login`);
    await service.close();
  });
});

describe('a sign-in page that cannot work at its address', () => {
  const lines: string[] = [];
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    const logStream = { write: (line: string) => void lines.push(line) };
    // A name that means this machine for the browser, and another one for the service.
    const baseUrl = 'https://login.localhost';
    service = await startTestService({ baseUrl, development: true, logStream, logLevel: 'warn' });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function signIn(origin: string, prepare: (page: playwright.Page) => Promise<unknown> = async () => undefined) {
    const { page, close } = await openPage(browser, 'about:blank');
    await prepare(page);
    await page.goto(`${origin}/cognito/login`);
    await page.locator('input[name=username]').fill('ada@example.test');
    await page.locator('input[name=password]').fill('Correct-Horse1!');
    await page.locator('button[type=submit]').click();
    return { page, close };
  }

  const logged = (): readonly string[] => lines.map((line) => (JSON.parse(line) as { readonly msg: string }).msg);

  it('names that address and BASE_URL, on the page and in the log', async () => {
    const opened = `http://login.localhost:${new URL(service.url).port}`;
    const { page, close } = await signIn(opened);
    const told = `You opened this page at ${opened}, but the BASE_URL of this service is https://login.localhost.`;
    await page.getByText(told).waitFor();
    const line = `The service was opened at ${opened}, but BASE_URL is https://login.localhost.`;
    assert.equal(logged().filter((msg) => msg.startsWith(line)).length, 1, logged().join('\n'));
    assert.doesNotMatch(logged().join(), /POOLGATE_CORS_ORIGINS/);
    await close();
  });

  it('reports that its cookies do not arrive, on the page and in the log', async () => {
    const { page, close } = await signIn(`http://localhost:${new URL(service.url).port}`, (opened) =>
      opened.route('**/cognito/**', async (route) => {
        const answer = await route.fetch();
        const { 'set-cookie': _, ...headers } = answer.headers();
        await opened.context().clearCookies();
        await route.fulfill({ response: answer, headers });
      }),
    );
    await page.getByText('Your browser did not send this site’s cookies.').waitFor();
    assert.equal(logged().filter((msg) => /sent a form without its cookies/.test(msg)).length, 1);
    await close();
  });
});
