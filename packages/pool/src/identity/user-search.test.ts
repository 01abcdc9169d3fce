import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseUserFilter } from './user-search.ts';

const refusal = (message: string) => ({ name: 'ProviderError', code: 'InvalidParameterException', message });

test('a filter is one condition, for equality or a prefix', () => {
  const conditions = {
    'email = "ada@example.com"': { attribute: 'email', match: 'equals', value: 'ada@example.com' },
    'given_name ^= "Ad"': { attribute: 'given_name', match: 'prefix', value: 'Ad' },
    '  sub="7"  ': { attribute: 'sub', match: 'equals', value: '7' },
    'cognito:user_status ^="conf"': { attribute: 'cognito:user_status', match: 'prefix', value: 'conf' },
    'status = "Enabled"': { attribute: 'status', match: 'equals', value: 'Enabled' },
    '"email"="a@b.c"': { attribute: 'email', match: 'equals', value: 'a@b.c' },
    'name = ""': { attribute: 'name', match: 'equals', value: '' },
  };
  for (const [filter, search] of Object.entries(conditions)) assert.deepEqual(parseUserFilter(filter), search);
  assert.equal(parseUserFilter(''), undefined);
  assert.equal(parseUserFilter('  '), undefined);
});

test('any value can be searched, with a backslash before quotes and backslashes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (value) => {
      const quoted = value.replaceAll(/["\\]/g, '\\$&');
      fc.pre(quoted.length < 240);
      assert.equal(parseUserFilter(`name = "${quoted}"`)?.value, value);
    }),
    { numRuns: 200 },
  );
});

test('anything but a single condition is refused', () => {
  const filters = [
    'email',
    'email = ada',
    "email = 'ada'",
    'email = "a" and name = "b"',
    'email = "a" "b"',
    'email == "a"',
    'email $= "a"',
    'email = "a"b"',
    'email = "a\\"',
    'email = "\\n"',
    '= "a"',
    '"email = "a"',
    'email" = "a"',
  ];
  for (const filter of filters)
    assert.throws(() => parseUserFilter(filter), refusal('Error while parsing filter'), filter);
});

test('only some attributes can be searched', () => {
  for (const name of ['custom:team', 'address', 'toString', '__proto__', 'EMAIL']) {
    assert.throws(() => parseUserFilter(`${name} = "a"`), refusal(`Invalid search attribute: ${name}`));
  }
});

test('a filter has up to 256 characters', () => {
  const filter = (length: number) => `name = "${'x'.repeat(length - 9)}"`;
  assert.equal(parseUserFilter(filter(256))?.value.length, 247);
  assert.throws(() => parseUserFilter(filter(257)), { code: 'InvalidParameterException' });
});
