import '../testing/happy-dom.ts';
import '../forms.ts';
import '../account.ts';

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { LoginStep } from '@poolgate/client';
import {
  createRefusal,
  getEnglishText,
  mountElement,
  type PartialClient,
  SIGNED_IN_USER,
} from '../testing/mount-element.ts';
import { ACCOUNT_PARTS } from './account-parts.ts';

const DONE: LoginStep = { kind: 'done', username: 'ada', user: SIGNED_IN_USER, rememberDevice: null };
const USER = { username: 'ada', email: 'ada@example.com', attributes: {} };

/** An account whose sections show nothing except what a test gives. */
function openAccount(context: TestContext, given: PartialClient = {}, prevents: readonly 'signed-out'[] = []) {
  const none = async () => ({ items: [] });
  const client = {
    applications: { list: async () => [] },
    mfa: { factors: () => Promise.reject(createRefusal({ code: 'feature_disabled', status: 403 })) },
    passkeys: { list: async () => [] },
    devices: { list: none, current: async () => null },
    sessions: { list: none },
    identities: { list: async () => ({ identities: [], providers: [] }) },
    ...given,
    profile: { show: async () => USER, events: async () => ({ items: [], nextCursor: null }), ...given.profile },
  } as unknown as PartialClient;
  return mountElement(context, 'poolgate-account', {}, { client, prevents });
}

describe('the account', () => {
  it('names its user, with the address if there is one, and keeps the name if it cannot be loaded', async (context) => {
    const answers = [async () => USER, async () => ({ ...USER, email: undefined })];
    const show = () => (answers[0] ?? (() => Promise.reject(createRefusal({ code: 'network_error' }))))();
    const page = await openAccount(context, { profile: { show } } as unknown as PartialClient);
    const name = () => page.text('[data-part=account-head] bdi');
    assert.equal(name(), 'ada@example.com');
    for (const expected of ['ada', 'ada']) {
      answers.shift();
      page.element
        .querySelector('poolgate-profile')
        ?.dispatchEvent(new CustomEvent('poolgate-account-changed', { bubbles: true }));
      await page.type({});
      assert.equal(name(), expected);
    }
  });

  it('links to each of its sections', async (context) => {
    const page = await openAccount(context);
    const links = [...page.element.querySelectorAll('[data-part=nav-link]')].map((link) => link.getAttribute('href'));
    assert.equal(links.length, ACCOUNT_PARTS.length);
    for (const href of links) assert.ok(page.element.querySelector(`${href} [data-part=section-title]`), `${href}`);
  });

  it('marks the section that the user chose', async (context) => {
    const page = await openAccount(context);
    const marked = () => page.text('[data-part=nav-link][aria-current]');
    assert.equal(marked(), getEnglishText('security.title'));
    page.element.querySelector<HTMLElement>('[data-part=nav-link][href="#passkeys"]')?.click();
    await page.type({});
    assert.equal(marked(), getEnglishText('passkeys.title'));
  });

  it('shows only the picture that this origin serves', async (context) => {
    for (const [attributes, shown] of [
      [{ name: 'Ada King Lovelace' }, 'AL'],
      [{ name: 'Ada', picture: 'https://evil.example/track.png' }, 'A'],
      [{ picture: 'javascript:alert(1)' }, 'A'],
      [{ picture: '//evil.example/a.png' }, 'A'],
      [{ picture: '/pictures/ada.png' }, 'https://auth.example.com/pictures/ada.png'],
    ] as const) {
      const show = async () => ({ ...USER, attributes });
      const page = await openAccount(context, { profile: { show } } as unknown as PartialClient);
      const avatar = page.element.querySelector('[data-part=avatar]');
      assert.equal(avatar?.getAttribute('src') ?? avatar?.textContent, shown);
    }
  });

  it('links back to the application if there is one', async (context) => {
    const page = await openAccount(context);
    assert.ok(!page.actions.includes('back'));
    Object.assign(page.element, { backUrl: 'https://app.example.com/' });
    await page.type({});
    assert.equal(page.element.querySelector('[data-name=back]')?.getAttribute('href'), 'https://app.example.com/');
  });

  it('ends only if another tab has signed out or signed another user in', async (context) => {
    for (const [user, told] of [
      [null, [['signed-out', { isEnded: true }]]],
      [{ sub: 'other' }, [['signed-out', { isEnded: true }]]],
      [{ sub: 'ada-sub' }, []],
    ] as const) {
      const listeners: (() => void)[] = [];
      const page = await openAccount(context, {
        mode: 'session',
        session: async () => ({ user }),
        profile: { show: async () => ({ ...USER, sub: 'ada-sub' }) },
        onChange: (listener: () => void) => {
          listeners.push(listener);
          return () => {};
        },
      } as unknown as PartialClient);
      for (const listener of listeners) listener();
      await page.type({});
      assert.deepEqual(page.events, told);
    }
  });

  it('shows that the account is deleted, although its session ended as well', async (context) => {
    const { promise, resolve } = Promise.withResolvers<{ readonly user: null }>();
    const listeners: (() => void)[] = [];
    const page = await openAccount(context, {
      mode: 'session',
      session: () => promise,
      onChange: (listener: () => void) => {
        listeners.push(listener);
        return () => {};
      },
    } as unknown as PartialClient);
    for (const listener of listeners) listener();
    const deleted = new CustomEvent('poolgate-deleted', { bubbles: true, detail: {} });
    page.element.querySelector('poolgate-delete-account')?.dispatchEvent(deleted);
    resolve({ user: null });
    await page.type({});
    assert.equal(page.text('[data-part=title]'), getEnglishText('delete.done'));
    assert.ok(!page.events.some(([name]) => name === 'signed-out'));
  });

  it('reports a sign-out once the service has ended the sign-in', async (context) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const page = await openAccount(context, { logOut: () => promise });
    await page.press('sign-out');
    assert.deepEqual(page.events, []);
    resolve();
    await page.type({});
    assert.deepEqual(page.events, [['signed-out', { isEnded: false }]]);
    const refused = await openAccount(context, {
      logOut: () => Promise.reject(createRefusal({ code: 'network_error' })),
    });
    await refused.press('sign-out');
    assert.deepEqual([refused.alert, refused.events], [getEnglishText('error.network'), []]);
  });

  it('says that it is deleted instead of its sections', async (context) => {
    const page = await openAccount(context);
    page.element
      .querySelector('poolgate-delete-account')
      ?.dispatchEvent(new CustomEvent('poolgate-deleted', { bubbles: true, detail: {} }));
    await page.type({});
    assert.deepEqual([page.title, page.focused], [getEnglishText('delete.done'), 'title']);
    assert.equal(page.element.querySelector('poolgate-profile'), null);
  });

  it('says how long it can be kept instead of its sections', async (context) => {
    const page = await openAccount(context);
    const detail = { deletionAt: '2026-12-12T12:00:00.000Z' };
    page.element
      .querySelector('poolgate-delete-account')
      ?.dispatchEvent(new CustomEvent('poolgate-deleted', { bubbles: true, detail }));
    await page.type({});
    assert.equal(page.title, getEnglishText('delete.graceDone'));
    assert.match(String(page.text('[data-part=subtitle]')), /Dec 12, 2026/);
  });
});

describe('a change that requires a recent sign-in', () => {
  async function askedAgain(context: TestContext) {
    const logins: unknown[] = [];
    const withPassword = async (given: unknown) => {
      logins.push(given);
      return DONE;
    };
    const page = await openAccount(context, { login: { withPassword } });
    let retries = 0;
    const ask = new CustomEvent('poolgate-step-up', {
      bubbles: true,
      cancelable: true,
      detail: { retry: () => void retries++ },
    });
    page.element.querySelector('poolgate-mfa')?.dispatchEvent(ask);
    await page.type({});
    const dialog = page.element.querySelector('dialog') ?? assert.fail('nothing is asked');
    return { page, logins, dialog, isTaken: ask.defaultPrevented, retries: () => retries };
  }

  it('is made once the user has signed in again, and no other element is notified of that sign-in', async (context) => {
    const { page, logins, dialog, isTaken, retries } = await askedAgain(context);
    assert.deepEqual([isTaken, dialog.open, retries()], [true, true, 0]);
    const field = dialog.querySelector<HTMLInputElement>('input[name=password]') ?? assert.fail();
    field.value = 'pw';
    dialog.querySelector<HTMLElement>('[data-name=submit]')?.click();
    await page.type({});
    assert.deepEqual(logins, [{ username: 'ada@example.com', password: 'pw', staySignedIn: false }]);
    assert.deepEqual([retries(), page.element.querySelector('dialog'), dialog.open], [1, null, false]);
    assert.deepEqual(
      page.events.filter(([name]) => name === 'signed-in'),
      [],
    );
  });

  it('is not made if the user gives up', async (context) => {
    for (const leave of ['button', 'Escape']) {
      const { page, dialog, retries } = await askedAgain(context);
      if (leave === 'button') await page.press('cancel-step-up');
      else dialog.close();
      await page.type({});
      assert.deepEqual([retries(), page.element.querySelector('dialog')], [0, null], leave);
    }
  });
});
