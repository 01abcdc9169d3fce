import '../testing/happy-dom.ts';
import '../forms.ts';

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createRefusal,
  getEnglishText,
  MountedElement,
  mountElement,
  waitUntilSettled,
} from '../testing/mount-element.ts';
import { messages as DE } from '../translations/de.ts';
import { EN } from '../translations/en.ts';
import { useHydration } from './poolgate-element.ts';

/** Waits until a file is loaded. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 500 && !isSo(); turn++) await waitUntilSettled();
  assert.ok(isSo());
}

describe('the language of an element', () => {
  it('is its own, otherwise that of the surrounding markup, otherwise that of the browser', async (context) => {
    const own = await mountElement(context, 'poolgate-sign-in', { language: 'de-AT' });
    await until(() => own.title !== undefined);
    assert.deepEqual([own.title, own.element.lang, own.element.dir], [DE['signIn.title'], 'de', 'ltr']);
    const browser = await mountElement(context, 'poolgate-sign-in');
    assert.deepEqual([browser.title, browser.element.lang], [EN['signIn.title'], 'en']);
    const section = document.createElement('section');
    section.lang = 'de';
    document.body.append(section);
    context.after(() => section.remove());
    const around = await mountElement(context, 'poolgate-sign-in', {}, { into: section });
    await until(() => around.title !== undefined);
    assert.deepEqual([around.title, around.element.lang], [DE['signIn.title'], 'de']);
  });

  it('changes while a form is filled in, and keeps the typed text', async (context) => {
    const page = await mountElement(context, 'poolgate-sign-in');
    await page.type({ username: 'ada', password: 'pw' });
    page.element.language = 'ar';
    await until(() => page.element.lang === 'ar');
    assert.equal(page.element.dir, 'rtl');
    assert.deepEqual([page.field('username').value, page.field('password').value], ['ada', 'pw']);
  });

  it("prefers the integrator's texts, which are never markup", async (context) => {
    const texts = { 'signIn.title': '<b>Welcome</b> to {app}', 'signIn.titleTo': 'Enter {app}' };
    const plain = await mountElement(context, 'poolgate-sign-in', { texts });
    assert.equal(plain.title, '<b>Welcome</b> to {app}');
    assert.equal(plain.element.querySelector('b'), null);
    const named = await mountElement(context, 'poolgate-sign-in', {
      texts,
      appearance: { layout: { appName: '<i>A</i>' } },
    });
    assert.equal(named.title, 'Enter <i>A</i>');
    assert.equal(named.element.querySelector('i'), null);
  });
});

describe('the look of an element', () => {
  it('follows its appearance, and resets what an earlier one set', async (context) => {
    const page = await mountElement(context, 'poolgate-sign-in', {
      appearance: {
        theme: 'dark',
        variables: { 'color-accent': '#0a7', radius: '4px' },
        elements: { button: 'btn', input: 'form-control' },
        layout: { frame: 'plain' },
      },
    });
    const { element } = page;
    const look = () => [
      element.dataset.theme,
      element.dataset.layout,
      element.style.getPropertyValue('--pg-color-accent'),
      element.style.getPropertyValue('--pg-radius'),
      element.querySelector('[data-part=button]')?.getAttribute('class'),
      page.field('username').getAttribute('class'),
    ];
    assert.deepEqual(look(), ['dark', 'plain', '#0a7', '4px', 'btn', 'form-control']);
    element.appearance = { variables: { radius: '0' }, elements: { input: 'field' } };
    await waitUntilSettled();
    assert.deepEqual(look(), ['auto', 'card', '', '0', null, 'field']);
    element.appearance = {};
    await waitUntilSettled();
    assert.deepEqual(look(), ['auto', 'card', '', '', null, null]);
  });

  it('keeps the classes that the integrator set on their own markup', async (context) => {
    const page = await mountElement(context, 'poolgate-sign-in');
    page.field('username').className = 'mine';
    page.element.requestUpdate();
    await waitUntilSettled();
    assert.equal(page.field('username').className, 'mine');
  });

  it('shows the logo with the name of the application, and links to its terms', async (context) => {
    const layout = { appName: 'Acme', logoUrl: '/logo.png', termsUrl: '/terms', privacyUrl: '/privacy' };
    const page = await mountElement(context, 'poolgate-sign-up', { appearance: { layout } });
    const logo = page.element.querySelector('img[data-part=logo]');
    assert.deepEqual([logo?.getAttribute('src'), logo?.getAttribute('alt')], ['/logo.png', 'Acme']);
    assert.ok(page.title?.includes('Acme'));
    for (const href of ['/terms', '/privacy']) assert.ok(page.element.querySelector(`a[href="${href}"]`), href);
    for (const shown of ['termsUrl', 'privacyUrl'] as const) {
      const one = { [shown]: '/only' };
      const { element } = await mountElement(context, 'poolgate-sign-up', { appearance: { layout: one } });
      assert.equal(element.querySelectorAll('a[href="/only"]').length, 1, shown);
    }
    const plain = await mountElement(context, 'poolgate-sign-up');
    assert.equal(plain.element.querySelector('img, a[href="/terms"]'), null);
  });
});

describe('a nested element', () => {
  it('uses the client, the texts, the links and the look of the outer one', async (context) => {
    const links = { signIn: '/in', signUp: '/up', forgotPassword: '/forgot', account: '/me' };
    const texts = { 'verify.title': 'Prove it' };
    const calls: unknown[] = [];
    const registration = { email: 'ada@example.com', verify: async (...given: unknown[]) => void calls.push(given) };
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const client = { signUp: { register: async () => registration as never } };
    const page = await mountElement(
      context,
      'poolgate-sign-up',
      { links, texts, appearance: { theme: 'dark' } },
      { client },
    );
    await page.submit({ email: 'ada@example.com', password: 'Correct-horse-1' });
    const inner = page.element.querySelector('poolgate-verify') ?? assert.fail();
    assert.deepEqual([inner.links, inner.client, inner.dataset.theme], [links, page.element.client, 'dark']);
    assert.equal(page.title, 'Prove it');
    assert.equal(inner.querySelector('a[data-name=signIn]')?.getAttribute('href'), '/in');
  });

  it('has unique IDs for the labels of its fields', async (context) => {
    const pages = [await mountElement(context, 'poolgate-sign-in'), await mountElement(context, 'poolgate-sign-in')];
    const ids = pages.flatMap(({ element }) => [...element.querySelectorAll('[id]')].map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length);
    for (const page of pages) {
      for (const name of ['username', 'password']) {
        const { id } = page.field(name);
        assert.ok(page.element.querySelector(`label[for="${id}"]`), id);
      }
    }
  });
});

describe('an error of the service', () => {
  it('appears at every field that it concerns, and focuses the first of these', async (context) => {
    const fieldErrors = [
      { field: 'password', code: 'too_short', message: 'raw' },
      { field: 'email', code: 'format', message: 'raw' },
      { field: 'email', code: 'taken', message: 'raw' },
      { field: 'unknown', code: 'format', message: 'raw' },
    ];
    const register = () => Promise.reject(createRefusal({ code: 'validation_failed', status: 422, fieldErrors }));
    const page = await mountElement(context, 'poolgate-sign-up', {}, { client: { signUp: { register } } });
    await page.submit({ email: 'ada@example.com', password: 'Correct-horse-1' });
    assert.deepEqual(Object.keys(page.errors), ['email', 'password']);
    assert.equal(page.errors.email, getEnglishText('field.format'));
    assert.deepEqual([page.alert, page.focused], ['', 'email']);
  });

  it('shows the request ID only if the operator has to help', async (context) => {
    for (const [status, isNamed] of [
      [500, true],
      [400, false],
    ] as const) {
      const forgot = () => Promise.reject(createRefusal({ code: 'internal_error', status, requestId: 'req-1' }));
      const page = await mountElement(context, 'poolgate-forgot-password', {}, { client: { password: { forgot } } });
      await page.submit({ username: 'ada' });
      assert.equal(page.text('[data-part=reference]')?.includes('req-1') ?? false, isNamed, String(status));
    }
  });

  it('disappears on the next attempt', async (context) => {
    const answers = [createRefusal({ code: 'network_error' }), undefined];
    const { promise, resolve } = Promise.withResolvers<void>();
    const forgot = async () => {
      const error = answers.shift();
      if (error !== undefined) throw error;
      await promise;
      return { session: '', destination: null } as never;
    };
    const page = await mountElement(context, 'poolgate-forgot-password', {}, { client: { password: { forgot } } });
    await page.submit({ username: 'ada' });
    assert.equal(page.alert, getEnglishText('error.network'));
    await page.press('submit');
    assert.deepEqual([page.alert, page.text('[role=status][data-part=live]')], ['', '']);
    context.mock.timers.enable({ apis: ['setTimeout'] });
    resolve();
    await waitUntilSettled();
  });

  it('shows nothing if the user gave up', async (context) => {
    const forgot = () => Promise.reject(createRefusal({ code: 'aborted' }));
    const page = await mountElement(context, 'poolgate-forgot-password', {}, { client: { password: { forgot } } });
    await page.submit({ username: 'ada' });
    assert.deepEqual([page.alert, page.errors], ['', {}]);
  });
});

describe('a server-rendered form', () => {
  it('is adopted if it matches, and otherwise keeps the typed text', async (context) => {
    for (const adopts of [true, false]) {
      const element = document.createElement('poolgate-sign-in');
      element.dataset.drawn = '';
      element.innerHTML = '<form><input name="username"><input type="checkbox" name="stay"></form>';
      const typed = element.querySelector('input') ?? assert.fail();
      typed.value = 'ada';
      const adopted: unknown[] = [];
      useHydration((_drawn, root) => {
        if (!adopts) throw new Error('another form');
        adopted.push(root);
      });
      context.after(() => element.remove());
      Object.assign(element, {
        client: {
          parameters: () => new Promise(() => {}),
          login: { prepare: async () => {}, autofill: async () => null },
        },
      });
      document.body.append(element);
      typed.focus();
      await waitUntilSettled();
      const page = new MountedElement(element);
      assert.equal(page.focused, 'username');
      assert.deepEqual(adopted, adopts ? [element] : []);
      assert.equal(page.field('username').value, 'ada');
      assert.equal(page.field('username') === typed, adopts);
      assert.equal(element.dataset.drawn, undefined);
    }
  });
});
