import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { accountService, refusingOperation } from '../testing/account-service.ts';
import { START_MS } from '../testing/gateway-deps.ts';
import { languageFor } from './language.ts';
import { NOT_ME_TEXTS } from './not-me-texts.ts';

const disown = async () => ({ Sub: 'sub-of-ada', Username: 'ada' });

test('"this was not me" ends every login and asks for a reset', async () => {
  const { ask, calls, endings, usersBySub } = await accountService({ extensions: { disown } });
  const answer = await ask('POST', '/account/not-me', { token: 'abc_-9' });
  assert.deepEqual([answer.status, answer.body.status, answer.body.data], [200, 'success', {}]);
  assert.doesNotMatch(answer.text, /ada/);
  assert.deepEqual(calls, [['disown', { Token: 'abc_-9' }]]);
  assert.equal(endings.get('user:sub-of-ada')?.endedAtMs, START_MS);
  assert.equal(usersBySub.get('sub-of-ada')?.passwordResetRequired, true);
});

test('a link that is used, unknown or too old is 401 invalid_session, however the provider says it', async () => {
  for (const options of [{}, { reason: 'invalid_session' }] as const) {
    const { ask, endings } = await accountService({
      extensions: { disown: refusingOperation('NotAuthorizedException', options) },
    });
    const answer = await ask('POST', '/account/not-me', { token: 'abc' });
    assert.deepEqual([answer.status, answer.body.code, endings.size], [401, 'invalid_session', 0]);
  }
  const { ask } = await accountService({ extensions: { disown } });
  for (const token of [undefined, '', 'a b', 5, 'x'.repeat(1025)]) {
    assert.equal((await ask('POST', '/account/not-me', { token })).status, 422);
  }
  const without = await accountService({});
  assert.equal((await without.ask('POST', '/account/not-me', { token: 'abc' })).body.code, 'feature_disabled');
});

test('opening the page does nothing, and it may run its own script only', async () => {
  const { ask, calls } = await accountService({ extensions: { disown } });
  const { status, headers, text } = await ask('GET', '/cognito/not-me');
  assert.equal(status, 200);
  assert.deepEqual(calls, []);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const policy = String(headers['content-security-policy']);
  for (const [tag, directive] of [
    ['script', 'script-src'],
    ['style', 'style-src'],
  ] as const) {
    const inside = [...text.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g'))].map(([, code = '']) => code);
    assert.equal(inside.length, 1);
    const hash = createHash('sha256').update(String(inside[0])).digest('base64');
    assert.ok(policy.includes(`${directive} 'sha256-${hash}'`), directive);
  }
  for (const part of ["default-src 'none'", "connect-src 'self'", "form-action 'none'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(part), part);
  }
  assert.doesNotMatch(text, /\son\w+=|https?:|unsafe-/);
});

test('the page speaks the language that the browser asks for', async () => {
  const { ask } = await accountService({ extensions: { disown } });
  for (const [wanted, language] of [
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['en-US', 'en'],
    ['fr', 'en'],
  ] as const) {
    const { text, headers } = await ask('GET', '/cognito/not-me', undefined, { 'accept-language': wanted });
    assert.equal(headers['content-language'], language);
    assert.equal(headers.vary, 'Accept-Language');
    assert.match(text, new RegExp(`<html lang="${language}">`));
    for (const told of Object.values(NOT_ME_TEXTS[language])) assert.ok(text.includes(told), told);
  }
});

test('the page can be used by keyboard and screen reader, on a phone, and in the dark', async () => {
  const { ask } = await accountService({});
  const { text } = await ask('GET', '/cognito/not-me');
  assert.match(text, /<meta name="viewport" content="width=device-width/);
  assert.match(text, /<button type="button"/);
  assert.match(text, /role="status"/);
  assert.match(text, /color-scheme: light dark/);
  assert.match(text, /:focus-visible/);
  assert.match(text, /<main>\s*<h1>/);
});

test('texts hold nothing that HTML would take for markup', () => {
  for (const texts of Object.values(NOT_ME_TEXTS)) {
    for (const text of Object.values(texts)) assert.doesNotMatch(text, /["<>&]/);
  }
});

test('the language that is wanted most is chosen, and the first one where none is wanted', () => {
  const choose = (header: string | undefined) => languageFor(header, ['en', 'de']);
  assert.equal(choose(undefined), 'en');
  for (const header of ['', 'fr', '*', 'de;q=0', 'de;q=0.0, fr', ';;;', 'de;q=2', 'x'.repeat(5000)]) {
    assert.equal(choose(header), 'en', header);
  }
  for (const header of ['de', 'DE-at', 'en;q=0.5, de', 'fr, de;q=0.2', ' de ; q=0.9 , en;q=0.8']) {
    assert.equal(choose(header), 'de', header);
  }
  assert.equal(choose('de;q=0.5,en;q=0.5'), 'de');
});
