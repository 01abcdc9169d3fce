import '../testing/happy-dom.ts';

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DEFAULT_LINKS } from '../elements/links.ts';
import { openPage, visitedUrls } from '../testing/happy-dom.ts';
import { toPrefixedLinks } from './page-table.ts';
import { ReturnAddress } from './return-address.ts';

const LINKS = toPrefixedLinks('/cognito', DEFAULT_LINKS);

/** Opens the page with a return address, and answers whether the service allows it. */
function opened(context: TestContext, asked: string | undefined, answer: () => Promise<Response> | Response) {
  openPage(asked === undefined ? '/cognito/login' : `/cognito/login?${new URLSearchParams({ return_to: asked })}`);
  const questions: (readonly [url: string, credentials: unknown])[] = [];
  context.mock.method(globalThis, 'fetch', async (url: unknown, init: RequestInit = {}) => {
    questions.push([String(url), init.credentials]);
    return answer();
  });
  return { questions, address: new ReturnAddress('/cognito', undefined) };
}

const allows = (url: string | null) => () => Response.json({ user: null, return_to: url });

/** Addresses that resemble the service, or run as a script. */
const ATTACKS = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example',
  'https://auth.example.com@evil.example/',
  'https://auth.example.com.evil.example/',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '\tjavascript:alert(1)',
];

test('an address that the service does not allow leads to the account instead', async (context) => {
  for (const attack of ATTACKS) {
    const { address, questions } = opened(context, attack, allows(null));
    await address.leave();
    assert.deepEqual(visitedUrls, ['/cognito/account'], attack);
    const query = new URLSearchParams({ return_to: attack });
    assert.deepEqual(questions, [[`/cognito/session?${query}`, 'same-origin']], attack);
    context.mock.restoreAll();
  }
});

test('the page navigates to the address in the response of the service, and never to that of its own query', async (context) => {
  const allowed = 'https://app.example.com/welcome';
  const { address } = opened(context, 'https://app.example.com/other', allows(allowed));
  await address.leave();
  assert.deepEqual(visitedUrls, [allowed]);
});

test('the account is next if the service does not respond with an address', async (context) => {
  const failures: readonly (() => Promise<Response> | Response)[] = [
    () => Promise.reject(new TypeError('fetch failed')),
    () => new Response('<html>', { status: 502 }),
    () => Response.json({ code: 'too_many_requests' }, { status: 429 }),
    () => Response.json(null),
  ];
  for (const failure of failures) {
    const { address } = opened(context, 'https://evil.example/', failure);
    await address.leave();
    assert.deepEqual(visitedUrls, ['/cognito/account']);
    context.mock.restoreAll();
  }
});

test('without a return address nothing is requested', async (context) => {
  const { address, questions } = opened(context, undefined, allows('https://app.example.com/'));
  assert.equal(address.isPresent, false);
  await address.leave();
  assert.deepEqual([visitedUrls, questions], [['/cognito/account'], []]);
});

test('links to the other forms contain the return address and the chosen language as query values', () => {
  const asked = 'https://app.example.com/?a=1&lang=xx#b';
  openPage(`/cognito/login?${new URLSearchParams({ return_to: asked })}`);
  const links = new ReturnAddress('/cognito', 'de').addTo(LINKS);
  for (const name of ['signIn', 'signUp', 'forgotPassword'] as const) {
    const { origin, pathname, searchParams } = new URL(links[name], 'https://auth.example.com');
    assert.deepEqual([origin, pathname], ['https://auth.example.com', LINKS[name]]);
    assert.deepEqual(Object.fromEntries(searchParams), { return_to: asked, lang: 'de' });
  }
  assert.equal(links.account, LINKS.account);
  openPage('/cognito/login');
  assert.deepEqual(new ReturnAddress('/cognito', undefined).addTo(LINKS), LINKS);
});

test("a sign-in that returns to a page passes on that page's own target", () => {
  openPage('/cognito/account?return_to=%2Fapp%3Fx%3D1');
  const signIn = new URL(new ReturnAddress('/cognito', undefined).toSignInUrl('/cognito/account', LINKS), 'https://a');
  const page = new URL(signIn.searchParams.get('return_to') ?? '', 'https://a');
  assert.deepEqual([signIn.pathname, page.pathname], ['/cognito/login', '/cognito/account']);
  assert.equal(page.searchParams.get('return_to'), '/app?x=1');
});
