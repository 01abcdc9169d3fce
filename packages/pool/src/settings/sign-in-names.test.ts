import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDefaultPoolSettings } from './default-settings.ts';
import { isValidSignInName, listUnverifiedNames, listVerifiedNames, toCanonicalName } from './sign-in-names.ts';

const folding = { usernamesAreCaseSensitive: false };
const exact = { usernamesAreCaseSensitive: true };
const settings = createDefaultPoolSettings('https://issuer.example', 'OFF');
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom('İ', 'ı', 'I', 'ẞ', 'ß', 'ſ', 'Σ', 'ς', 'σ', 'K', '\u0307', '\u0345', 'ﬀ', '\ud800', 'Å', 'ǅ'),
    )
    .map((letters) => letters.join('')),
);

test('a canonical name is its own canonical name, for any input', () => {
  for (const rule of [folding, exact]) {
    fc.assert(
      fc.property(text, (typed) => {
        const name = toCanonicalName(rule, typed);
        assert.equal(toCanonicalName(rule, name), name);
        assert.ok(name.isWellFormed());
      }),
      { numRuns: 2_000 },
    );
  }
});

test('every single letter has a stable canonical form', () => {
  for (let codePoint = 0; codePoint < 0x30000; codePoint++) {
    const name = toCanonicalName(folding, String.fromCodePoint(codePoint));
    if (toCanonicalName(folding, name) !== name) assert.fail(`U+${codePoint.toString(16)}`);
  }
});

test('spellings that differ in case, width or composition are one name', () => {
  const same: readonly (readonly [string, string])[] = [
    ['Ada@Example.COM', 'ada@example.com'],
    ['ａｄａ', 'ada'],
    ['e\u0301milie', 'émilie'],
    ['ΟΔΟΣ', 'οδος'],
    ['\u212Aelvin', 'kelvin'],
  ];
  for (const [left, right] of same) assert.equal(toCanonicalName(folding, left), toCanonicalName(folding, right), left);
});

test('letters that only look alike stay different names', () => {
  for (const [left, right] of [
    ['ı', 'i'],
    ['ß', 'ss'],
    ['а', 'a'],
    ['ada', 'ada '],
  ] as const) {
    assert.notEqual(toCanonicalName(folding, left), toCanonicalName(folding, right));
  }
});

test('a pool with case-sensitive names keeps case and still composes', () => {
  assert.equal(toCanonicalName(exact, 'Ada'), 'Ada');
  assert.equal(toCanonicalName(exact, 'e\u0301'), 'é');
});

test('texts without letters, with spaces or controls, or too long are not names', () => {
  for (const name of ['', ' ', 'a b', 'a\u0000', 'a\nb', 'x'.repeat(129), '\u{1F600}'.repeat(129)]) {
    assert.equal(isValidSignInName(name), false, JSON.stringify(name.slice(0, 8)));
  }
  for (const name of ['a', '+15551234567', 'x'.repeat(128), 'ünï@x.yz']) assert.equal(isValidSignInName(name), true);
});

test('a ligature that composition makes eighteen times as long does not pass the limit', () => {
  assert.equal(isValidSignInName(toCanonicalName(folding, '\uFDFA'.repeat(128))), false);
});

test('only a verified contact is certain to be a name', () => {
  const user = { username: 'u-1', sub: 'u-1', status: 'CONFIRMED', attributes: { email: 'Ada@Example.com' } } as const;
  assert.deepEqual(listVerifiedNames(settings, user), ['u-1']);
  assert.deepEqual(listUnverifiedNames(settings, user), ['ada@example.com']);
  const proven = { ...user, attributes: { ...user.attributes, email_verified: 'true' } };
  assert.deepEqual(listVerifiedNames(settings, proven), ['u-1', 'ada@example.com']);
  assert.deepEqual(listUnverifiedNames(settings, proven), []);
});

test('a preferred username counts once the user is confirmed, and an alias needs verification', () => {
  const aliases = { ...settings, usernameAttributes: [], aliasAttributes: ['email', 'preferred_username'] } as const;
  const user = { username: 'ada', sub: 's-1', attributes: { email: 'a@b.cd', preferred_username: 'Countess' } };
  assert.deepEqual(listVerifiedNames(aliases, { ...user, status: 'UNCONFIRMED' }), ['ada', 's-1']);
  assert.deepEqual(listVerifiedNames(aliases, { ...user, status: 'CONFIRMED' }), ['ada', 's-1', 'countess']);
  assert.deepEqual(listUnverifiedNames(aliases, { ...user, status: 'CONFIRMED' }), []);
});
