import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseReturnTarget } from './return-to.ts';

const OWN = 'https://login.example.com';
const APP = 'https://app.example.com';
const settings = { baseUrl: OWN, returnOrigins: [APP, 'http://localhost:5173'] };

test('a path of the service and a URL of a named origin are followed', () => {
  const allowed = {
    '/': `${OWN}/`,
    '/account?tab=2#mfa': `${OWN}/account?tab=2#mfa`,
    '/a/../b': `${OWN}/b`,
    [`${OWN}/x`]: `${OWN}/x`,
    [`${APP}/deep/link?q=1`]: `${APP}/deep/link?q=1`,
    [`${APP}:443/`]: `${APP}/`,
    'http://localhost:5173/': 'http://localhost:5173/',
    [`/${'a'.repeat(8191)}`]: `${OWN}/${'a'.repeat(8191)}`,
  };
  for (const [asked, target] of Object.entries(allowed))
    assert.equal(parseReturnTarget(settings, asked), target, asked);
});

test('an open redirect is refused, however it is written', () => {
  for (const asked of [
    '',
    'account',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\n//evil.example',
    ' https://app.example.com/',
    'https:evil.example',
    'https:/evil.example',
    'https:///evil.example',
    'https://evil.example/',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'https://user:pass@app.example.com/',
    'https://user@app.example.com/',
    'https://:pass@app.example.com/',
    'https://app.example.com:99999/',
    '//login.example.com/',
    '/a b',
    '/a\tb',
    '/a\\b',
    '/a\u0000b',
    'https://app.example.com/a b',
    'https://app.example.com%2eevil.example/',
    'https://app.example.com:444/',
    'http://app.example.com/',
    'https://sub.app.example.com/',
    'https://app.example.com./',
    'javascript:alert(1)',
    'JaVaScRiPt://app.example.com/%0aalert(1)',
    'data:text/html,x',
    'blob:https://app.example.com/1',
    'file:///etc/passwd',
    'https://ａpp.example.com/',
    'https://app.example.com\u0000.evil.example/',
    `/${'a'.repeat(8192)}`,
  ]) {
    const target = parseReturnTarget(settings, asked);
    // A letter that the URL standard folds to another one names the same host.
    if (asked.includes('ａ')) assert.equal(target, `${APP}/`);
    else assert.equal(target, undefined, asked);
  }
});

test('the result always has a named origin, for any input', () => {
  const origins = new Set([OWN, ...settings.returnOrigins]);
  const parts = fc.constantFrom(
    '/',
    '\\',
    '//',
    'https:',
    'http:',
    OWN,
    APP,
    '@',
    ':',
    '.',
    '?',
    '#',
    '%2f',
    'evil.example',
    '\t',
  );
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme-composite' }),
    fc.array(parts).map((list) => list.join('')),
    fc.webUrl(),
  );
  fc.assert(
    fc.property(text, (asked) => {
      const target = parseReturnTarget(settings, asked);
      assert.ok(target === undefined || origins.has(new URL(target).origin), asked);
    }),
    { numRuns: 2000 },
  );
});
