import '../testing/happy-dom.ts';

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { LoginParameters } from '@poolgate/client';
import { escapeHtml } from '@poolgate/provider';
import { openPage, visitedUrls } from '../testing/happy-dom.ts';
import { waitUntilSettled } from '../testing/mount-element.ts';
import { NOTHING_SAVED } from '../testing/nothing-saved.ts';
import { type PageSettings, SETTINGS_META_NAME } from './page-table.ts';
import { createPageShells } from './shell.ts';

const SETTINGS: PageSettings = {
  page: 'login',
  appName: 'Acme',
  logoUrl: '/logo.svg',
  workerUrl: '/worker.js',
  prefix: '/cognito',
  signInFlow: 'choice',
  isDevelopment: false,
};
const KNOWN = {
  hasSession: false,
  parameters: {
    first_factors: ['EMAIL_OTP'],
    challenges: [],
    capabilities: [],
    password_policy: null,
    provider: { region: 'local', user_pool_id: 'local_pool', client_id: 'app' },
    passkeys: { rp_id: null },
  } as unknown as LoginParameters,
};

const [english] = await createPageShells(
  SETTINGS,
  { scriptUrl: '/page.js', styleUrls: [], preloadUrls: () => [] },
  escapeHtml,
);
const shell = new DOMParser().parseFromString(english?.html(KNOWN) ?? '', 'text/html');

// A page reads its settings and its query when its script is loaded, and is shown once.
const meta = shell.querySelector(`meta[name=${SETTINGS_META_NAME}]`) ?? assert.fail();
document.head.append(document.importNode(meta, true));
openPage('/cognito/login?return_to=%2Fapp&login_hint=ada');
const { showPage } = await import('./show-page.ts');

/** A service at which a user may have signed in meanwhile. */
function mockService(context: TestContext): string[] {
  const paths: string[] = [];
  context.mock.method(globalThis, 'fetch', async (input: unknown) => {
    const { pathname } = new URL(String(input), 'https://auth.example.com');
    paths.push(pathname);
    if (pathname !== '/cognito/session') return Response.json({ code: 'unavailable' }, { status: 503 });
    return Response.json({ user: { sub: '1', username: 'ada' }, proofs: [], csrf_token: 'x', return_to: '/app' });
  });
  return paths;
}

test('the server-rendered form is adopted unchanged, and then works', async (context) => {
  const paths = mockService(context);
  document.body.innerHTML = shell.body.innerHTML;
  context.after(() => document.body.replaceChildren());
  const drawn = document.querySelector<HTMLElement>('poolgate-sign-in') ?? assert.fail();
  const field = drawn.querySelector<HTMLInputElement>('input[name=username]') ?? assert.fail();
  field.value = 'grace';
  field.focus();
  assert.equal(customElements.get('poolgate-sign-in'), undefined);

  await showPage({ drawn, chosen: undefined, choose: () => {}, savedStep: NOTHING_SAVED });
  assert.equal(drawn.dataset.drawn, undefined);
  assert.equal(drawn.querySelector('input[name=username]'), field);
  assert.deepEqual([field.value, document.activeElement], ['grace', field]);
  const href = drawn.querySelector('a[data-name=signUp]')?.getAttribute('href');
  assert.equal(href, '/cognito/register?return_to=%2Fapp');

  await waitUntilSettled();
  // A user who is signed in by now does not need this page.
  assert.deepEqual([visitedUrls, document.querySelectorAll('[data-part=page-footer]').length], [['/app'], 1]);
  for (const name of ['poolgate-sign-up', 'poolgate-verify', 'poolgate-forgot-password', 'poolgate-reset-password'])
    assert.equal(customElements.get(name), undefined, `${name} is loaded when it is needed`);

  paths.length = 0;
  drawn.querySelector<HTMLElement>('[data-name=submit]')?.click();
  await waitUntilSettled();
  assert.deepEqual(paths, ['/cognito/login/passkey/challenge']);
  assert.equal(drawn.querySelector('[role=alert][data-part=alert]')?.textContent?.trim() === '', false);
});
