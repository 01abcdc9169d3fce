import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pages } from '../kernel/pages.ts';
import { negotiateLanguage } from '../pages/negotiate-language.ts';
import { createAccountService, createRefusingOperation } from '../testing/account-service.ts';
import { START_MS } from '../testing/gateway-deps.ts';

const disown = async () => ({ Sub: 'sub-of-ada', Username: 'ada' });

test('"this was not me" ends every login and asks for a reset', async () => {
  const { ask, calls, revocations, usersBySub } = await createAccountService({ extensions: { disown } });
  const answer = await ask('POST', '/account/not-me', { token: 'abc_-9' });
  assert.deepEqual([answer.status, answer.body.status, answer.body.data], [200, 'success', {}]);
  assert.doesNotMatch(answer.text, /ada/);
  assert.deepEqual(calls, [['disown', { Token: 'abc_-9' }]]);
  assert.equal(revocations.get('user:sub-of-ada')?.endedAtMs, START_MS);
  assert.equal(usersBySub.get('sub-of-ada')?.passwordResetRequired, true);
});

test("a link that is used, unknown or expired is 401 invalid_session, whatever the provider's error", async () => {
  for (const options of [{}, { reason: 'invalid_session' }] as const) {
    const { ask, revocations } = await createAccountService({
      extensions: { disown: createRefusingOperation('NotAuthorizedException', options) },
    });
    const answer = await ask('POST', '/account/not-me', { token: 'abc' });
    assert.deepEqual([answer.status, answer.body.code, revocations.size], [401, 'invalid_session', 0]);
  }
  const { ask } = await createAccountService({ extensions: { disown } });
  for (const token of [undefined, '', 'a b', 5, 'x'.repeat(1025)]) {
    assert.equal((await ask('POST', '/account/not-me', { token })).status, 422);
  }
  const without = await createAccountService({});
  assert.equal((await without.ask('POST', '/account/not-me', { token: 'abc' })).body.code, 'feature_disabled');
});

const shell = (name: string, language: string) => ({
  language,
  html: () => `<p lang="${language}">${name}</p>`,
});
const pages: Pages = {
  names: [],
  shells: async (name) => [shell(name, 'en'), shell(name, 'de')],
  file: async () => undefined,
};

test('opening a page behind a link has no effect, and it runs only scripts of this origin', async () => {
  const { ask, calls } = await createAccountService({ extensions: { disown }, pages });
  for (const [path, name] of [
    ['/cognito/not-me', 'not-me'],
    ['/confirmUser', 'confirm'],
  ] as const) {
    const { status, headers, text } = await ask('GET', path);
    assert.deepEqual([status, text], [200, `<p lang="en">${name}</p>`]);
    assert.deepEqual(calls, []);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    const policy = String(headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.includes(part), part);
    assert.doesNotMatch(policy, /unsafe|nonce|sha256/);
  }
});

test('a page behind a link uses the language of the browser', async () => {
  const { ask } = await createAccountService({ extensions: { disown }, pages });
  for (const [wanted, language] of [
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['en-US', 'en'],
    ['fr', 'en'],
  ] as const) {
    const { text, headers } = await ask('GET', '/cognito/not-me', undefined, { 'accept-language': wanted });
    assert.equal(headers['content-language'], language);
    assert.equal(headers.vary, 'Accept-Language');
    assert.match(text, new RegExp(`lang="${language}"`));
  }
});

test('a service without pages has no pages behind links either', async () => {
  const { ask } = await createAccountService({ extensions: { disown } });
  const { status, body } = await ask('GET', '/cognito/not-me');
  assert.deepEqual([status, body.code], [404, 'not_found']);
});

test('the most preferred language is used, or the first one without a preference', () => {
  const choose = (header: string | undefined) => negotiateLanguage(header, ['en', 'de']);
  assert.equal(choose(undefined), 'en');
  for (const header of ['', 'fr', '*', 'de;q=0', 'de;q=0.0, fr', ';;;', 'de;q=2', 'x'.repeat(5000)]) {
    assert.equal(choose(header), 'en', header);
  }
  for (const header of ['de', 'DE-at', 'en;q=0.5, de', 'fr, de;q=0.2', ' de ; q=0.9 , en;q=0.8']) {
    assert.equal(choose(header), 'de', header);
  }
  assert.equal(choose('de;q=0.5,en;q=0.5'), 'de');
});
