import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type * as playwright from 'playwright-core';
import { launchBrowser } from '../support/browser/launch-browser.ts';
import { type BrowserUser, openBrowserUser } from '../support/browser/page-person.ts';
import { LANGUAGES } from '../support/browser/shown-pages.ts';
import { addUser, PASSWORD, startTestService, type TestService } from '../support/services/test-service.ts';

const ADA = 'ada@example.test';

const TAKEN_OVER = 'poolgate-sign-in:not([data-drawn]) input[name=password]';

/** The interval between opening a page and its scripts, which the test releases. */
async function holdBack(page: playwright.Page, files: RegExp) {
  const waiting: (() => Promise<void>)[] = [];
  let isOpen = false;
  await page.route(files, async (route) => {
    if (isOpen) await route.continue();
    else waiting.push(() => route.continue());
  });
  return async () => {
    isOpen = true;
    await Promise.all(waiting.map((go) => go()));
  };
}

const ALL_SCRIPTS = /assets\/.*\.js$/;
const ALL_BUT_THE_FIRST = /assets\/(?!page-).*\.js$/;

/** The markup of the sign-in with sorted attributes, without Lit's markers and element numbers. */
const drawnForm = (page: playwright.Page, selector: string): Promise<string> =>
  page.evaluate((wanted) => {
    const copy = document.querySelector(wanted)?.cloneNode(true) as HTMLElement;
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
    const comments: Node[] = [];
    while (walker.nextNode()) comments.push(walker.currentNode);
    for (const comment of comments) comment.parentNode?.removeChild(comment);
    copy.normalize();
    for (const element of copy.querySelectorAll('*')) {
      const attributes = [...element.attributes].toSorted((one, other) => one.name.localeCompare(other.name));
      for (const { name } of attributes) element.removeAttribute(name);
      for (const { name, value } of attributes) element.setAttribute(name, value);
    }
    return copy.innerHTML.replaceAll(/poolgate-\d+-/g, '').replaceAll(/\s+/g, ' ');
  }, selector);

describe('the server-rendered sign-in', () => {
  let service: TestService;
  let browser: playwright.Browser;
  before(async () => {
    service = await startTestService({ appName: 'Ada & <Co>' });
    service.clock.advance(Date.now() - service.clock.now());
    await addUser(service, ADA);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function arrive(path = 'login', held = ALL_SCRIPTS, profile: playwright.BrowserContextOptions = {}) {
    const person = await openBrowserUser(browser, service, profile);
    const letThrough = await holdBack(person.page, held);
    await person.page.goto(`${service.baseUrl}/cognito/${path}`, { waitUntil: 'commit' });
    await person.page.locator('input[name=password]').waitFor();
    return { person, page: person.page, letThrough };
  }

  async function leave({ faults, close }: BrowserUser): Promise<void> {
    assert.deepEqual(faults, []);
    await close();
  }

  it('keeps its fields, their text and the focus when the scripts load', async () => {
    const { person, page, letThrough } = await arrive();
    await page.locator('input[name=username]').fill('somebody@example.test');
    await page.locator('input[name=stay]').check();
    await page.locator('input[name=password]').pressSequentially('half');
    await page.evaluate(() => {
      for (const input of document.querySelectorAll('input')) input.dataset.before = 'yes';
    });
    await letThrough();
    await page.waitForSelector(TAKEN_OVER);
    await page.keyboard.type(' typed');
    const after = await page.evaluate(() =>
      [...document.querySelectorAll('input')].map(({ name, value, checked, dataset }) => [
        ...[name, dataset.before, name === 'stay' ? checked : value],
      ]),
    );
    assert.deepEqual(after, [
      ['username', 'yes', 'somebody@example.test'],
      ['password', 'yes', 'half typed'],
      ['stay', 'yes', true],
    ]);
    await leave(person);
  });

  it('matches what its element would render, in every language', async () => {
    for (const language of LANGUAGES) {
      const { person, page, letThrough } = await arrive('login', ALL_SCRIPTS, { locale: language });
      await page.waitForSelector('poolgate-sign-in[data-drawn] [data-name=passkey]');
      const before = await drawnForm(page, 'poolgate-sign-in');
      await letThrough();
      await page.waitForSelector(TAKEN_OVER);
      assert.equal(await drawnForm(page, 'poolgate-sign-in'), before, language);
      await page.evaluate(() => {
        const { appearance, links } = document.querySelector('poolgate-sign-in') ?? { appearance: {}, links: {} };
        const made = Object.assign(document.createElement('poolgate-sign-in'), { appearance, links, id: 'made' });
        document.getElementById('main')?.append(made);
      });
      await page.waitForSelector('#made [data-name=passkey]');
      assert.equal(before, await drawnForm(page, '#made'), language);
      await leave(person);
    }
  });

  it('sends nothing before its scripts listen', async () => {
    const { person, page } = await arrive();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.locator('input[name=username]').fill(ADA);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('[data-name=submit]').click();
    assert.equal(new URL(page.url()).search, '');
    assert.equal(await page.locator('input[name=password]').inputValue(), PASSWORD);
    assert.deepEqual(sent, []);
    await leave(person);
  });

  it('remembers a click on its button, shows that, and signs in as soon as possible', async () => {
    const { person, page, letThrough } = await arrive('login', ALL_BUT_THE_FIRST);
    await page.locator('[data-drawn=listening]').waitFor();
    await page.locator('input[name=username]').fill(ADA);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.locator('[data-name=submit][data-held]').waitFor();
    await letThrough();
    await person.sees('Your account');
    await leave(person);
  });

  it('continues to where an application sends its users, and knows the name that it passed', async () => {
    const { person, page, letThrough } = await arrive(`login?login_hint=${ADA}&return_to=/oauth2/x`);
    await letThrough();
    await page.waitForSelector(TAKEN_OVER);
    assert.equal(await page.locator('input[name=username]').inputValue(), ADA);
    for (const name of ['signUp', 'forgotPassword'])
      assert.match(
        (await page.locator(`a[data-name=${name}]`).getAttribute('href')) ?? '',
        /\?return_to=%2Foauth2%2Fx$/,
      );
    await leave(person);
  });

  it('uses the chosen language, also on the pages that follow', async () => {
    const person = await openBrowserUser(browser, service, { locale: 'de-DE' });
    await person.visit('login');
    await person.sees('Bei Ada & <Co> anmelden');
    await person.page.locator('footer select').selectOption('ja');
    await person.page.waitForURL('**/login?lang=ja');
    const shell = await fetch(`${service.url}/cognito/login?lang=ja`, { headers: { 'accept-language': 'de' } });
    assert.match(await shell.text(), /<poolgate-sign-in data-drawn lang="ja"/);
    await person.press('forgotPassword');
    await person.page.waitForURL('**/forgot?lang=ja');
    await person.visit('login');
    await person.page.waitForSelector('poolgate-sign-in[lang=ja] input');
    await leave(person);
  });

  it('keeps the typed text if the browser has no passkeys', async () => {
    const { person, page, letThrough } = await arrive();
    await page.evaluate(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'));
    await page.locator('input[name=username]').fill(ADA);
    await letThrough();
    await page.waitForSelector(TAKEN_OVER);
    assert.equal(await page.locator('input[name=username]').inputValue(), ADA);
    assert.equal(await page.locator('[data-name=passkey]').count(), 0);
    await leave(person);
  });

  it('is not shown before it is known whether the user is signed in', async () => {
    const answer = await fetch(`${service.url}/cognito/login`, { headers: { cookie: '__Host-poolgate=forged-value' } });
    assert.doesNotMatch(await answer.text(), /data-drawn/);
  });

  it('explains what it needs if its scripts cannot be loaded', async () => {
    const person = await openBrowserUser(browser, service);
    await person.page.route(ALL_BUT_THE_FIRST, (route) => route.abort());
    await person.visit('login');
    await person.page.getByText('“Sign in” requires JavaScript').waitFor();
    await person.close();
  });
});
