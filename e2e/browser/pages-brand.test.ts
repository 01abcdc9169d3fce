import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { listAxeViolations } from '../support/browser/accessibility-checks.ts';
import { launchBrowser, openPage } from '../support/browser/launch-browser.ts';
import { callAsAdmin, createOAuthClient, createPkce } from '../support/oauth/oauth-client.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

const createLogo = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32"><rect width="96" height="32" rx="8" fill="${color}"/></svg>`;

/** A PNG of one pixel, larger than other request bodies may be. */
const PNG = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  Buffer.alloc(90_000),
]).toString('base64');

/** Brands in different styles, each for an app client. */
const TASTES = {
  bank: {
    logo: 'light.svg',
    accent: { light: '#00395d', dark: '#8ec9ff' },
    colors: { page: { light: '#eef1f4', dark: '#0a1118' }, border: { light: '#c8d0d8', dark: '#2b3947' } },
    radius: 0,
    heading: 'Online banking',
  },
  market: {
    logo: 'light.svg',
    logo_dark: 'dark.svg',
    accent: { light: '#b3261e', dark: '#ffb4ab' },
    colors: {
      page: { light: '#fff4e6', dark: '#1f1410' },
      surface: { light: '#fffdf9', dark: '#2a1d17' },
      text: { light: '#3b1f14', dark: '#ffede3' },
      muted: { light: '#6d5146', dark: '#d9c2b8' },
    },
    radius: 22,
    heading: 'Good to see you at the market',
  },
  arcade: {
    logo: 'dark.svg',
    theme: 'dark',
    accent: { dark: '#39ff88' },
    colors: { page: { dark: '#05060a' }, surface: { dark: '#0d1018' }, muted: { dark: '#a9b3c9' } },
    radius: 6,
    heading: 'Player one, ready?',
  },
} as const;

describe('the pages of a brand', () => {
  let service: TestService;
  let browser: playwright.Browser;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'poolgate-brand-'));
    await writeFile(join(folder, 'light.svg'), createLogo('#0a6b47'));
    await writeFile(join(folder, 'dark.svg'), createLogo('#67d7a7'));
    const brand = {
      logo: 'light.svg',
      logo_dark: 'dark.svg',
      favicon: 'light.svg',
      accent: { light: '#0a6b47', dark: '#67d7a7' },
      radius: 2,
      links: { terms: 'https://example.com/terms', privacy: 'https://example.com/privacy' },
    };
    await writeFile(join(folder, 'brand.json'), JSON.stringify(brand));
    service = await startTestService({ brandFile: join(folder, 'brand.json'), appName: 'Acme' });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('include errors and refused applications, with the logo and one more image source in the policy', async (t) => {
    const { page, close } = await openPage(browser, `${service.url}/cognito/login`);
    t.after(close);
    const faults: string[] = [];
    page.on('console', (line) => faults.push(line.text()));
    for (const path of ['nowhere', 'cognito/assets/none.js', 'oauth2/authorize?client_id=none']) {
      const answer = await page.goto(`${service.url}/${path}`);
      const policy = answer?.headers()['content-security-policy'] ?? '';
      assert.match(
        policy,
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; base-uri 'none'; form-action [^;]+; frame-ancestors 'none'$/,
        path,
      );
      const link = await page.evaluate(() => {
        const made = document.querySelector('main')?.appendChild(document.createElement('a'));
        const logo = getComputedStyle(document.querySelector('main') ?? document.body, '::before').backgroundImage;
        return `${made && getComputedStyle(made).color} ${logo}`;
      });
      assert.match(link, /^rgb\(10, 107, 71\) url\(".*\/cognito\/assets\/logo-\w+\.svg"\)$/, path);
    }
    assert.deepEqual(
      faults.filter((text) => /Content Security Policy|Refused/.test(text)),
      [],
    );
  });

  it('load the stylesheet and the logo of the brand from the service', async () => {
    const html = await (await fetch(`${service.url}/cognito/login`)).text();
    const [style = ''] = /\/cognito\/assets\/brand-\w+\.css/.exec(html) ?? [];
    const css = await (await fetch(`${service.url}${style}`)).text();
    assert.match(css, /--pg-color-accent:light-dark\(#0a6b47,#67d7a7\)/);
    const [logo = ''] = /\/cognito\/assets\/logo-\w+\.svg/.exec(html) ?? [];
    assert.equal(await (await fetch(`${service.url}${logo}`)).text(), createLogo('#0a6b47'));
  });

  /** A brand file names app clients by ID, so they must exist before the service with the file starts. */
  async function startWithTastes(): Promise<{ readonly styled: TestService; readonly headings: Map<string, string> }> {
    const brandFile = join(folder, 'tastes.json');
    const stored = { dataDir: join(folder, 'data'), databaseUrl: `sqlite:${join(folder, 'pool.db')}` };
    const earlier = await startTestService(stored);
    const clients = new Map<string, (typeof TASTES)[keyof typeof TASTES]>();
    for (const taste of Object.values(TASTES)) clients.set((await createOAuthClient(earlier)).id, taste);
    await earlier.close();
    await writeFile(brandFile, JSON.stringify({ clients: Object.fromEntries(clients) }));
    const styled = await startTestService({ ...stored, brandFile, appName: 'Acme' });
    return { styled, headings: new Map([...clients].map(([id, { heading }]) => [id, heading])) };
  }

  /** The address at which an application starts a sign-in. */
  function formatAuthorizeUrl(clientId: string): string {
    const query = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'https://app.test/callback',
      scope: 'openid',
      code_challenge: createPkce().challenge,
      code_challenge_method: 'S256',
    };
    return `${service.url}/oauth2/authorize?${new URLSearchParams(query)}`;
  }

  /** The look of the sign-in page for an application. */
  async function look(page: playwright.Page, clientId: string) {
    await page.goto(formatAuthorizeUrl(clientId));
    await page.locator('[data-name=submit]').first().waitFor();
    return page.evaluate(() => {
      const button = document.querySelector('[data-name=submit]') ?? document.body;
      const logo = document.querySelector<HTMLImageElement>('[data-part=logo]');
      return {
        accent: getComputedStyle(button).backgroundColor,
        logo: logo?.src.replace(/^.*\/assets\//, ''),
        isLoaded: (logo?.naturalWidth ?? 0) > 0,
      };
    });
  }

  it('use the brand of the app client that sends the user, set with Cognito’s operations', async (t) => {
    const { userPoolId: UserPoolId } = service;
    const { id: ClientId } = await createOAuthClient(service);
    const { page, close } = await openPage(browser, `${service.url}/cognito/login`);
    t.after(close);
    await page.emulateMedia({ colorScheme: 'light' });
    const own = await look(page, ClientId);
    assert.deepEqual([own.accent, own.isLoaded], ['rgb(10, 107, 71)', true], 'the brand of the service');
    assert.match(own.logo ?? '', /^logo-[0-9A-F]{10}\.svg$/);

    const css = '.submitButton-customizable {background-color: #7a1f5c; color: white}';
    await callAsAdmin(service, 'SetUICustomization', { UserPoolId, CSS: css });
    const all = await look(page, ClientId);
    assert.deepEqual([all.accent, all.isLoaded], ['rgb(122, 31, 92)', true]);
    assert.match(all.logo ?? '', /^logo-[0-9A-F]{10}\.[\w-]+\.ALL\.svg$/, 'the pool, with the logo of the service');

    const color = { defaults: { backgroundColor: '1f3a93ff' } };
    const Settings = { components: { primaryButton: { lightMode: color } } };
    const Assets = [{ Category: 'FORM_LOGO', ColorMode: 'LIGHT', Extension: 'PNG', Bytes: PNG }];
    const made = await callAsAdmin(service, 'CreateManagedLoginBranding', { UserPoolId, ClientId, Settings, Assets });
    const client = await look(page, ClientId);
    assert.deepEqual([client.accent, client.isLoaded], ['rgb(31, 58, 147)', true]);
    assert.match(client.logo ?? '', new RegExp(`^logo-[0-9A-F]{10}\\.${UserPoolId}\\.${ClientId}\\.png$`));
    assert.equal(new URL(page.url()).pathname, '/cognito/login');
    const refused = await (
      await fetch(`${service.url}/oauth2/authorize?client_id=${ClientId}&response_type=code`)
    ).text();
    assert.ok(refused.includes(client.logo ?? ''), 'refusals have the brand of the client, too');
    const unknown = await (await fetch(`${service.url}/oauth2/authorize?client_id=nobody&response_type=code`)).text();
    assert.ok(
      !unknown.includes(client.logo ?? '') && unknown.includes('#7a1f5c'),
      'an unknown client has that of the pool',
    );

    const { ManagedLoginBrandingId } = made.ManagedLoginBranding as { readonly ManagedLoginBrandingId: string };
    await callAsAdmin(service, 'DeleteManagedLoginBranding', { UserPoolId, ManagedLoginBrandingId });
    await callAsAdmin(service, 'SetUICustomization', { UserPoolId });
    assert.deepEqual(await look(page, ClientId), own);
  });

  it('load an SVG as a document without scripts, and nothing from other hosts', async () => {
    const html = await (await fetch(`${service.url}/cognito/login`)).text();
    const [logo = ''] = /\/cognito\/assets\/logo-[\w.-]+\.svg/.exec(html) ?? [];
    const { headers } = await fetch(`${service.url}${logo}`);
    assert.equal(headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    assert.match(headers.get('cache-control') ?? '', /immutable/);
    const large = 'x'.repeat(70_000);
    for (const more of [{}, { authorization: 'Bearer pg_unknown_secret' }]) {
      const answer = await service.call('SetUICustomization', { UserPoolId: service.userPoolId, CSS: large }, more);
      assert.equal(answer.status, 413, 'a stranger cannot send as much as an administrator');
    }
  });

  it('are accessible in both themes, in any style', async (t) => {
    const { styled, headings } = await startWithTastes();
    t.after(() => styled.close());
    const { page, close } = await openPage(browser, `${styled.url}/cognito/login`);
    t.after(close);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const [id, heading] of headings) {
      const shown = await page.goto(`${styled.url}/cognito/login?client_id=${id}`);
      assert.equal(shown?.status(), 200);
      assert.equal(await page.locator('[data-part=title]').first().innerText(), heading);
      for (const path of [
        `cognito/login?client_id=${id}`,
        `cognito/register?client_id=${id}`,
        `nowhere?client_id=${id}`,
      ]) {
        await page.goto(`${styled.url}/${path}`);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await listAxeViolations(page), [], `${path}, ${colorScheme}`);
        }
      }
    }
  });
});
