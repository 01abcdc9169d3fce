import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser, openPage } from '../support/browser/launch-browser.ts';
import { startTestService, type TestService } from '../support/services/test-service.ts';

const createLogo = (color: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 32"><rect width="96" height="32" rx="8" fill="${color}"/></svg>`;

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

  it('include those of errors and of refused applications, with the logo and one more image source in the policy', async (t) => {
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
});
