import assert from 'node:assert/strict';
import { it } from 'node:test';
import { plainPage } from './page.ts';
import { textsFor } from './page-texts.ts';

const LANGUAGES = ['en', 'de', 'es', 'fr', 'ja', 'ar'] as const;
const named = { client: '<Acme> {scopes}', username: 'ada@example.com', scopes: 'openid, email' };

it('the pages of OAuth speak the languages of the other pages, with the same names filled in', () => {
  for (const wanted of LANGUAGES) {
    const { language, say } = textsFor({ 'accept-language': wanted });
    assert.equal(language, wanted);
    assert.ok(say('asks', named).includes(named.client), wanted);
    assert.ok(say('goOn', named).includes(named.client), wanted);
    assert.ok(say('signedInAs', named).includes(named.username), wanted);
    assert.ok(say('asksFor', named).includes(named.scopes), wanted);
    assert.doesNotMatch(say('asksFor', named).replace(named.client, ''), /[{}]/);
    assert.ok(say('code', { code: 'invalid_client' }).includes('invalid_client'), wanted);
  }
  assert.equal(textsFor({}).language, 'en');
});

it('a page of OAuth says its language and direction, and runs no script', () => {
  const { headers = {}, body = '' } = plainPage({ language: 'ar', status: 200, title: '<b>', paragraphs: ['&'] });
  assert.match(body, /<html lang="ar" dir="rtl">/);
  assert.match(body, /<h1>&lt;b&gt;<\/h1>\s*<p>&amp;<\/p>/);
  assert.equal(headers['content-language'], 'ar');
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
});
