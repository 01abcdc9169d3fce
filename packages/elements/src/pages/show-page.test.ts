import '../testing/happy-dom.ts';

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openPage, visitedUrls } from '../testing/happy-dom.ts';
import { waitUntilSettled } from '../testing/mount-element.ts';
import { NOTHING_SAVED } from '../testing/nothing-saved.ts';
import { type PageSettings, SETTINGS_META_NAME } from './page-table.ts';

const SETTINGS: PageSettings = {
  page: 'login',
  appName: 'Acme',
  logoUrl: '/logo.svg',
  workerUrl: '/worker.js',
  prefix: '/cognito',
  signInFlow: 'password',
  isDevelopment: false,
};

const HINT = '"><img src=x onerror=alert(1)>';

// A page reads its settings and its query when its script is loaded.
const meta = document.createElement('meta');
meta.name = SETTINGS_META_NAME;
meta.content = JSON.stringify(SETTINGS);
document.head.append(meta);
openPage(`/cognito/login?${new URLSearchParams({ login_hint: HINT, username: 'eve', purpose: 'step-up' })}`);
const { showPage } = await import('./show-page.ts');

const ALLOWED = 'https://app.example.com/welcome';

/** Opens the sign-in page for a browser with or without a session. */
async function openLogin(
  context: TestContext,
  query: string,
  { isSignedIn = false, allowed = ALLOWED as string | null } = {},
) {
  openPage(`/cognito/login${query}`);
  document.body.innerHTML = '<main id="main"></main>';
  context.after(() => document.body.replaceChildren());
  context.mock.method(globalThis, 'fetch', async (input: unknown) => {
    const url = new URL(String(input), 'https://auth.example.com');
    if (url.pathname !== '/cognito/session') return Response.json({ code: 'unavailable' }, { status: 503 });
    const user = isSignedIn ? { sub: '1', username: 'ada' } : null;
    return Response.json({
      user,
      proofs: [],
      csrf_token: 'x',
      return_to: url.searchParams.has('return_to') ? allowed : null,
    });
  });
  await showPage({ drawn: null, chosen: undefined, choose: () => {}, savedStep: NOTHING_SAVED });
  await waitUntilSettled();
  return document.querySelector('poolgate-sign-in');
}

const signedIn = () => new CustomEvent('poolgate-signed-in', { detail: { username: 'ada' }, cancelable: true });

test('after a sign-in the page navigates where the service allows, and not where an element would', async (context) => {
  const element = await openLogin(context, '?return_to=https%3A%2F%2Fevil.example%2F');
  assert.ok(element);
  assert.deepEqual(visitedUrls, []);
  assert.equal(element.dispatchEvent(signedIn()), false);
  await waitUntilSettled();
  assert.deepEqual(visitedUrls, [ALLOWED]);
});

test('after a sign-in a refused return address leads to the account', async (context) => {
  const element = await openLogin(context, '?return_to=https%3A%2F%2Fevil.example%2F', { allowed: null });
  element?.dispatchEvent(signedIn());
  await waitUntilSettled();
  assert.deepEqual(visitedUrls, ['/cognito/account']);
});

test('a signed-in user is redirected by the same rule, without a form', async (context) => {
  for (const [allowed, place] of [
    [ALLOWED, ALLOWED],
    [null, '/cognito/account'],
  ] as const) {
    const element = await openLogin(context, '?return_to=%2F%2Fevil.example', { isSignedIn: true, allowed });
    assert.deepEqual([element, visitedUrls], [null, [place]]);
    context.mock.restoreAll();
  }
});

test('the name that an application passes appears in the form, and nothing else of the address does', async (context) => {
  const element = await openLogin(context, '');
  assert.equal(element?.username, HINT);
  assert.equal(element.querySelector<HTMLInputElement>('input[name=username]')?.value, HINT);
  assert.equal(element.querySelector('img[src=x]'), null);
  assert.equal(element.purpose, 'sign-in');
});

test('the form appears once the service has returned its parameters, so that nothing shifts', async (context) => {
  openPage('/cognito/login');
  document.body.innerHTML = '<main id="main"></main>';
  context.after(() => document.body.replaceChildren());
  const { promise, resolve } = Promise.withResolvers<void>();
  context.mock.method(globalThis, 'fetch', async (input: unknown) => {
    if (String(input).includes('/session')) return Response.json({ user: null, proofs: [], csrf_token: 'x' });
    await promise;
    return Response.json({ code: 'unavailable' }, { status: 503 });
  });
  const shown = showPage({ drawn: null, chosen: undefined, choose: () => {}, savedStep: NOTHING_SAVED });
  await waitUntilSettled();
  assert.equal(document.querySelector('#main > *'), null);
  resolve();
  await shown;
  assert.equal(document.querySelector('#main > *')?.localName, 'poolgate-sign-in');
});

test('a sign-out leads to the sign-in of the service', async (context) => {
  const element = await openLogin(context, '');
  element?.dispatchEvent(new CustomEvent('poolgate-signed-out', { detail: { isEnded: true } }));
  assert.deepEqual(visitedUrls, ['/cognito/login']);
});
