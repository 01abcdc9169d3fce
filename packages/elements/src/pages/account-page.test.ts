import '../testing/happy-dom.ts';

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openPage, visitedUrls } from '../testing/happy-dom.ts';
import { waitUntilSettled } from '../testing/mount-element.ts';
import { NOTHING_SAVED } from '../testing/nothing-saved.ts';
import { type PageSettings, SETTINGS_META_NAME } from './page-table.ts';

const SETTINGS: PageSettings = {
  page: 'account',
  appName: 'Acme',
  logoUrl: '/logo.svg',
  workerUrl: '/worker.js',
  prefix: '/cognito',
  signInFlow: 'password',
  isDevelopment: false,
};

// A page reads its settings and its query when its script is loaded.
openPage('/cognito/account?login_hint=eve');
const meta = document.createElement('meta');
meta.name = SETTINGS_META_NAME;
meta.content = JSON.stringify(SETTINGS);
document.head.append(meta);
const { showPage } = await import('./show-page.ts');

const BACK = 'https://app.example.com/welcome';

/** Opens the account for a browser with or without a session, whose user has the listed passkeys. */
async function openAccount(context: TestContext, query: string, { isSignedIn = true, passkeys = [] as object[] } = {}) {
  openPage(`/cognito/account${query}`);
  document.body.innerHTML = '<main id="main"></main>';
  context.after(() => document.body.replaceChildren());
  context.mock.method(globalThis, 'fetch', async (input: unknown) => {
    const url = new URL(String(input), 'https://auth.example.com');
    const user = isSignedIn ? { sub: '1', username: 'ada' } : null;
    if (url.pathname === '/cognito/session')
      return Response.json({ user, proofs: [], csrf_token: 'x', return_to: url.searchParams.get('return_to') && BACK });
    if (url.pathname === '/cognito/passkey') return Response.json({ passkeys });
    return Response.json({ code: 'unavailable' }, { status: 503 });
  });
  await showPage({ drawn: null, chosen: 'de', choose: () => {}, savedStep: NOTHING_SAVED });
  const element = document.querySelector<HTMLElement>('#main > *');
  assert.ok(element === null || customElements.get(element.localName), 'an element that nothing defines yet is empty');
  await waitUntilSettled();
  return element;
}

test('a signed-out user is redirected to the sign-in, then to the account and back to the application', async (context) => {
  const element = await openAccount(context, '?return_to=%2Fapp', { isSignedIn: false });
  const [url = ''] = visitedUrls;
  const { pathname, searchParams } = new URL(url, 'https://auth.example.com');
  assert.deepEqual([element, visitedUrls.length, pathname], [null, 1, '/cognito/login']);
  assert.deepEqual(Object.fromEntries(searchParams), {
    return_to: '/cognito/account?return_to=%2Fapp',
    lang: 'de',
  });
});

test('a name in an address reaches no page but the sign-in', async (context) => {
  const element = await openAccount(context, '');
  assert.notEqual((element as { readonly username?: unknown } | null)?.username, 'eve');
});

test('the account uses the chosen language, and a sign-out leads to the sign-in', async (context) => {
  const element = await openAccount(context, '');
  assert.deepEqual(
    [element?.localName, element?.lang, document.documentElement.lang],
    ['poolgate-account', 'de', 'de'],
  );
  assert.deepEqual(visitedUrls, []);
  element?.dispatchEvent(new CustomEvent('poolgate-signed-out', { detail: { isEnded: false } }));
  assert.deepEqual(visitedUrls, ['/cognito/login']);
});

test('a user sent for a passkey returns to the application once there is one more', async (context) => {
  const passkeys: object[] = [{ credential_id: 'one' }];
  const element = await openAccount(context, '?return_to=%2Fapp', { passkeys });
  const change = async () => {
    element?.dispatchEvent(new CustomEvent('poolgate-account-changed', { detail: {} }));
    await waitUntilSettled();
  };
  await change();
  assert.deepEqual(visitedUrls, []);
  passkeys.push({ credential_id: 'two' });
  await change();
  assert.deepEqual(visitedUrls, [BACK]);
});

test('a new passkey of a user whom no application sent changes no page', async (context) => {
  const passkeys: object[] = [];
  const element = await openAccount(context, '', { passkeys });
  passkeys.push({ credential_id: 'one' });
  element?.dispatchEvent(new CustomEvent('poolgate-account-changed', { detail: {} }));
  await waitUntilSettled();
  assert.deepEqual(visitedUrls, []);
});
