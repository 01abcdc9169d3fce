import '../testing/happy-dom.ts';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LoginParameters } from '@poolgate/client';
import { escapeHtml } from '@poolgate/provider';
import { createEnglishTranslation } from '../testing/english.ts';
import { openPage, visitedUrls } from '../testing/happy-dom.ts';
import { allLanguages, languageFor, loadTranslation } from '../translations/language-catalogue.ts';
import { readChosenLanguage, saveChosenLanguage } from './chosen-language.ts';
import { DeferredPress } from './deferred-press.ts';
import { parseMailLink, watchMailLink } from './mail-link-address.ts';
import { addFooter } from './page-footer.ts';
import { type PageSettings, SETTINGS_META_NAME } from './page-table.ts';
import { createPageShells } from './shell.ts';

const SETTINGS: PageSettings = {
  page: 'login',
  appName: 'Acme',
  logoUrl: '/logo.svg',
  workerUrl: '/worker.js',
  prefix: '/cognito',
  signInFlow: 'password',
  isDevelopment: false,
};

describe('the address of a page behind a link', () => {
  it('returns the token in its fragment if it is complete', () => {
    for (const [page, address, given] of [
      ['not-me', '#abc-DEF_123', { token: 'abc-DEF_123' }],
      ['not-me', '', {}],
      ['not-me', '#abc%20def', {}],
      ['not-me', '#abc=', {}],
      ['not-me', '?token=abc', {}],
      ['confirm', '#abc', { link: { token: 'abc' } }],
      ['confirm', '?user_name=ada&confirmation_code=123', { link: { username: 'ada', code: '123' } }],
      ['confirm', '?user_name=ada&confirmation_code=123#abc', { link: { token: 'abc' } }],
      ['confirm', '?user_name=ada', {}],
      ['confirm', '?confirmation_code=123', {}],
      ['login', '#abc', {}],
    ] as const) {
      openPage(`/cognito/${page}${address}`);
      assert.deepEqual(parseMailLink(page), given, `${page}${address}`);
    }
  });

  it('forgets the link only after it was used', (context) => {
    for (const event of ['poolgate-reported', 'poolgate-verified']) {
      openPage('/cognito/not-me#abc');
      const replaced: unknown[][] = [];
      context.mock.method(history, 'replaceState', (...given: unknown[]) => void replaced.push(given));
      const element = document.createElement('div');
      watchMailLink(element);
      element.dispatchEvent(new Event('poolgate-navigate'));
      assert.deepEqual(replaced, []);
      element.dispatchEvent(new Event(event));
      assert.deepEqual(replaced, [[null, '', '/cognito/not-me']]);
      context.mock.restoreAll();
    }
  });
});

describe('the chosen language', () => {
  it('comes from the address, and is stored for the pages after it', (context) => {
    context.after(() => sessionStorage.clear());
    sessionStorage.clear();
    openPage('/cognito/login');
    assert.equal(readChosenLanguage(), undefined);
    openPage('/cognito/login?lang=de');
    assert.equal(readChosenLanguage(), 'de');
    openPage('/cognito/register');
    assert.equal(readChosenLanguage(), 'de');
    saveChosenLanguage('fr');
    assert.equal(readChosenLanguage(), 'fr');
  });

  it('is requested again in a browser that stores nothing', (context) => {
    const refuse = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    context.mock.getter(globalThis, 'sessionStorage', refuse);
    openPage('/cognito/login?lang=de');
    assert.equal(readChosenLanguage(), 'de');
    openPage('/cognito/login');
    assert.equal(readChosenLanguage(), undefined);
  });

  it('is the closest available one, for each preferred one in turn', () => {
    for (const [wanted, tag] of [
      [['DE-at'], 'de'],
      [['xx', 'ja-JP'], 'ja'],
      [['pt-BR', 'xx'], 'en'],
      [[], 'en'],
      [['english'], 'en'],
    ] as const) {
      assert.equal(languageFor(wanted).tag, tag, `${wanted}`);
    }
  });

  it("is English if its file cannot be loaded, always with the integrator's texts", async () => {
    const [, german] = allLanguages();
    assert.ok(german);
    const failing = { ...german, load: () => Promise.reject(new TypeError('not there')) };
    const translation = await loadTranslation(failing, { 'common.continue': 'Go on' });
    assert.deepEqual([translation.language, translation.text('common.continue')], ['en', 'Go on']);
    const partial = { ...german, load: async () => ({ messages: { 'common.copy': 'Kopieren' } }) };
    const mixed = await loadTranslation(partial, { 'common.continue': 'Go on' });
    assert.deepEqual(
      [mixed.language, mixed.text('common.copy'), mixed.text('common.continue'), mixed.text('common.cancel')],
      ['de', 'Kopieren', 'Go on', createEnglishTranslation().text('common.cancel')],
    );
  });
});

describe('the footer of a page', () => {
  const footer = (isDevelopment: boolean) => {
    const body = document.createElement('div');
    const chosen: string[] = [];
    addFooter(body, {
      settings: { ...SETTINGS, isDevelopment },
      languages: allLanguages(),
      translation: createEnglishTranslation(),
      choose: (tag) => void chosen.push(tag),
    });
    return { body, chosen };
  };

  it('opens the same page in the chosen language, and keeps the rest of the address', () => {
    openPage('/cognito/login?return_to=%2Fapp&lang=ja');
    const { body, chosen } = footer(false);
    const select = body.querySelector('select') ?? assert.fail();
    assert.equal(select.value, 'en');
    assert.deepEqual(
      [...select.options].map(({ value }) => value),
      allLanguages().map(({ tag }) => tag),
    );
    select.value = 'de';
    select.dispatchEvent(new Event('change'));
    const [url = ''] = visitedUrls;
    assert.deepEqual(Object.fromEntries(new URL(url).searchParams), { return_to: '/app', lang: 'de' });
    assert.deepEqual([chosen, visitedUrls.length], [['de'], 1]);
  });

  it('links to the development mails only in development', () => {
    assert.ok(footer(true).body.querySelector('a[href="/dev/mail"]'));
    assert.equal(footer(false).body.querySelector('a'), null);
  });
});

describe('a click before the script of a page is loaded', () => {
  function drawn() {
    const form = document.createElement('div');
    form.innerHTML =
      '<form><input name="a"><button id="send" data-name="send">Send</button></form><button id="passkey" data-name="passkey" type="button">Passkey</button>';
    document.body.append(form);
    const seen: string[] = [];
    const presses = new DeferredPress(form);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      seen.push('submit');
    });
    form.addEventListener('click', (event) => void seen.push((event.target as HTMLElement).id));
    const press = (id: string) => form.querySelector<HTMLElement>(`#${id}`)?.click();
    const held = () => [...form.querySelectorAll('[data-held]')].map(({ id }) => id);
    return { form, seen, presses, press, held };
  }

  it('is stored and shown, and only the last click is done once the page can', (context) => {
    for (const [ids, done] of [
      [['passkey'], ['passkey']],
      [['send'], ['submit']],
      [['passkey', 'send'], ['submit']],
      [['send', 'passkey', 'passkey'], ['passkey']],
      [[], []],
    ] as const) {
      const { form, seen, presses, press, held } = drawn();
      context.after(() => form.remove());
      for (const id of ids) press(id);
      assert.deepEqual(
        seen.filter((id) => id !== 'send'),
        [],
      );
      assert.deepEqual(held(), ids.slice(-1));
      seen.length = 0;
      presses.release();
      assert.deepEqual([seen.filter((id) => id !== 'send'), held()], [done, []]);
      press('passkey');
      assert.equal(seen.at(-1), 'passkey');
    }
  });

  it('is done in the form that the element rendered instead of the first', (context) => {
    for (const id of ['send', 'passkey']) {
      const { form, seen, presses, press, held } = drawn();
      context.after(() => form.remove());
      press(id);
      seen.length = 0;
      form.innerHTML =
        '<form><button id="send-2" data-name="send">Send</button></form><button id="passkey-2" data-name="passkey" type="button">Passkey</button>';
      presses.release();
      assert.deepEqual([seen, held()], [id === 'send' ? ['send-2', 'submit'] : ['passkey-2'], []]);
    }
  });
});

describe('the markup of a page', () => {
  const files = { scriptUrl: '/page.js', styleUrls: ['/page.css'], preloadUrls: (tag: string) => [`/${tag}.js`] };
  const parameters = {
    first_factors: ['PASSWORD'],
    capabilities: [],
    password_policy: null,
  } as unknown as LoginParameters;

  it('contains its settings as text that no name of the operator can break out of', async () => {
    const hostile = `"><script>alert(1)</script>'&`;
    const [english] = await createPageShells({ ...SETTINGS, appName: hostile, logoUrl: hostile }, files, escapeHtml);
    const html = english?.html({ parameters, hasSession: false }) ?? '';
    assert.doesNotMatch(html, /<script>alert/);
    const page = new DOMParser().parseFromString(html, 'text/html');
    assert.equal(page.querySelectorAll('script').length, 1);
    const { content } = page.querySelector<HTMLMetaElement>(`meta[name=${SETTINGS_META_NAME}]`) ?? assert.fail();
    assert.deepEqual(JSON.parse(content), {
      ...SETTINGS,
      appName: hostile,
      logoUrl: hostile,
      parameters,
      hasSession: false,
    });
    assert.ok(page.title.endsWith(hostile));
  });

  it('has a sign-in form only for a browser without a session', async () => {
    for (const [page, known, isDrawn] of [
      ['login', { parameters, hasSession: false }, true],
      ['login', { parameters, hasSession: true }, false],
      ['login', { parameters }, false],
      ['login', { hasSession: false }, false],
      ['account', { parameters, hasSession: false }, false],
    ] as const) {
      const [english] = await createPageShells({ ...SETTINGS, page }, files, escapeHtml);
      assert.equal(
        english?.html(known).includes('<poolgate-sign-in data-drawn'),
        isDrawn,
        JSON.stringify([page, known]),
      );
    }
  });

  it('cannot send a password in an address while there is no script', async () => {
    const [english] = await createPageShells(SETTINGS, files, escapeHtml);
    const page = new DOMParser().parseFromString(english?.html({ parameters, hasSession: false }) ?? '', 'text/html');
    const forms = [...page.querySelectorAll('form')].map((form) => [
      form.getAttribute('method'),
      form.getAttribute('action'),
    ]);
    assert.deepEqual(forms, [['dialog', null]]);
    assert.ok(page.querySelector('input[name=password]'));
  });

  it('is rendered in every language, with its direction and the file of that language', async () => {
    const shells = await createPageShells(SETTINGS, files, escapeHtml);
    assert.deepEqual(
      shells.map(({ language }) => language),
      allLanguages().map(({ tag }) => tag),
    );
    for (const { language, html } of shells) {
      const { direction } = languageFor([language]);
      assert.ok(html({}).includes(`<html lang="${language}" dir="${direction}">`), language);
      assert.ok(html({}).includes(`<link rel="modulepreload" href="/${language}.js">`), language);
    }
  });

  it('changes with the parameters of the service', async () => {
    const [english] = await createPageShells(SETTINGS, files, escapeHtml);
    const withCodes = { ...parameters, first_factors: ['PASSWORD', 'EMAIL_OTP'] } as LoginParameters;
    const offersCode = (given: LoginParameters) =>
      english?.html({ parameters: given, hasSession: false }).includes('data-name="code"');
    assert.deepEqual([offersCode(parameters), offersCode(withCodes), offersCode(parameters)], [false, true, false]);
  });
});
