import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { it } from 'node:test';
import { PAGE_LANGUAGES, selectPageTexts } from './oauth-page-texts.ts';
import { renderPlainPage } from './plain-page.ts';

const named = { client: '<Acme> {scopes}', username: 'ada@example.com', scopes: 'openid, email' };

it('OAuth pages use the languages of the other pages, with the same names filled in', () => {
  for (const wanted of PAGE_LANGUAGES) {
    const { language, format } = selectPageTexts({ 'accept-language': wanted });
    assert.equal(language, wanted);
    assert.ok(format('asks', named).includes(named.client), wanted);
    assert.ok(format('goOn', named).includes(named.client), wanted);
    assert.ok(format('signedInAs', named).includes(named.username), wanted);
    assert.ok(format('asksFor', named).includes(named.scopes), wanted);
    assert.doesNotMatch(format('asksFor', named).replace(named.client, ''), /[{}]/);
    assert.ok(format('code', { code: 'invalid_client' }).includes('invalid_client'), wanted);
  }
  assert.equal(selectPageTexts({}).language, 'en');
});

it('what an application requests is named in the language of the page, and unknown scopes by their names', () => {
  const scope = 'openid phone aws.cognito.signin.user.admin things/read constructor';
  const lists = PAGE_LANGUAGES.map((wanted) => selectPageTexts({ 'accept-language': wanted }).listScopes(scope));
  assert.equal(lists[0], 'your user ID, your phone number, management of your account, things/read, and constructor');
  assert.equal(new Set(lists).size, 6);
  for (const list of lists) {
    assert.ok(list.includes('things/read') && list.includes('constructor'), list);
    assert.doesNotMatch(list, /openid|aws\./);
  }
});

it('an OAuth page has its language and direction, and runs no script', () => {
  const { headers = {}, body = '' } = renderPlainPage({ language: 'ar', status: 200, title: '<b>', paragraphs: ['&'] });
  assert.match(body, /<html lang="ar" dir="rtl">/);
  assert.match(body, /<h1>&lt;b&gt;<\/h1>\s*<p>&amp;<\/p>/);
  assert.equal(headers['content-language'], 'ar');
  assert.equal(headers['referrer-policy'], undefined);
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
});

it('an OAuth page redirects', () => {
  const link = { href: '/cognito/login?a=1&b="2"', label: '<Start>' };
  const { body = '' } = renderPlainPage({ language: 'en', status: 200, title: 't', paragraphs: [], link });
  assert.ok(
    body.includes('<p class="link"><a href="/cognito/login?a=1&amp;b=&quot;2&quot;">&lt;Start&gt;</a></p>'),
    body,
  );
});

it('a form for an application is posted by the only script that its policy allows, and by a button', () => {
  const leadsTo = 'https://app.test/callback?a=1&b="2"';
  const hidden = { state: `"'><script>alert(1)</script>&amp;`, submit: 'x' };
  const form = { action: leadsTo, hidden, buttons: [{ label: '<Go>' }], leadsTo, isPostedAtOnce: true };
  const { headers = {}, body = '' } = renderPlainPage({
    language: 'en',
    status: 200,
    title: 't',
    paragraphs: [],
    form,
  });
  const scripts = [...body.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script);
  const [script = ''] = scripts;
  assert.equal(scripts.length, 1);
  const digest = createHash('sha256').update(script).digest('base64');
  const policy = String(headers['content-security-policy']);
  assert.deepEqual(policy.split('; ').toSorted(), [
    "base-uri 'none'",
    "default-src 'none'",
    "form-action 'self' https://app.test",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `script-src 'sha256-${digest}'`,
    /style-src 'sha256-[^']+'/.exec(policy)?.[0],
    "trusted-types 'none'",
  ]);
  assert.equal(headers['referrer-policy'], 'strict-origin');
  assert.ok(body.includes('action="https://app.test/callback?a=1&amp;b=&quot;2&quot;"'));
  assert.ok(body.includes('value="&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"'));
  assert.ok(body.includes('<button>&lt;Go&gt;</button>'), 'it adds no field');
});

it('an OAuth form posts only to this service and its application', () => {
  const places: Readonly<Record<string, string>> = {
    'https://app.test/callback?x=1': "'self' https://app.test",
    'http://localhost:5173/': "'self' http://localhost:5173",
    'http://127.0.0.1/': "'self' http://127.0.0.1",
    'http://[::1]:5173/': "'self' http:",
    'myapp://callback': "'self' myapp:",
  };
  const rows = [...Object.entries(places), [undefined, "'self'"]] as const;
  for (const [leadsTo, actions = ''] of rows) {
    const form = {
      action: '/go',
      hidden: { a: '"' },
      buttons: [{ field: { name: 'b', value: '<' }, label: '&' }],
      leadsTo,
    };
    const { headers = {}, body = '' } = renderPlainPage({
      language: 'en',
      status: 200,
      title: 't',
      paragraphs: [],
      form,
    });
    const policy = String(headers['content-security-policy']);
    assert.ok(policy.includes(`; form-action ${actions}; `), policy);
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.match(body, /<input type="hidden" name="a" value="&quot;">\n<button name="b" value="&lt;">&amp;<\/button>/);
  }
});
