import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findPrefixEnd, foldCase, foldSearchValue, toSearchRows } from './user-search-values.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom('a', 'A', 'ß', 'Σ', 'ς', 'İ', 'ΐ', '\ud7ff', '\u{10ffff}'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
  maxLength: 8,
});

const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

describe('search values', () => {
  it('keep their prefixes when they are folded', () => {
    fc.assert(
      fc.property(text, text, (prefix, rest) => {
        assert.ok(foldCase(prefix + rest).startsWith(foldCase(prefix)));
      }),
    );
  });

  it('are the same in any case', () => {
    for (const [one, other] of [
      ['ADA@Example.Test', 'ada@example.test'],
      ['Strauß', 'STRAUSS'],
      ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
      ['Åsa', 'ÅSA'],
    ] as const) {
      assert.equal(foldCase(one), foldCase(other));
    }
    assert.notEqual(foldCase('a'), foldCase('á'));
  });

  it('have an end of a prefix range that no match reaches, and every greater text does', () => {
    fc.assert(
      fc.property(text, text, (prefix, other) => {
        const end = findPrefixEnd(prefix);
        const isIn = byBytes(other, prefix) >= 0 && (end === undefined || byBytes(other, end) < 0);
        assert.equal(isIn, other.startsWith(prefix));
        if (end !== undefined) assert.ok(byBytes(prefix + other, end) < 0 && end.isWellFormed());
      }),
    );
    assert.equal(findPrefixEnd(''), undefined);
    assert.equal(findPrefixEnd('\u{10ffff}'), undefined);
    assert.equal(findPrefixEnd('a\u{10ffff}'), 'b');
    assert.equal(findPrefixEnd('\ud7ff'), '\ue000');
  });

  it('fit into an index of PostgreSQL with the longest username', () => {
    for (const character of ['a', 'ß', 'ΐ', 'ﬃ', 'ᾷ', '🦊', '\u{10ffff}']) {
      const bytes = Buffer.byteLength(foldCase(character.repeat(2_048)));
      assert.ok(bytes <= 2_000, `${character}: ${bytes}`);
    }
  });

  it("are those of the user's attributes, and no others", () => {
    assert.deepEqual(toSearchRows({ email: 'A@b.test', email_verified: 'true', 'custom:team': 'x', name: '' }), [
      { attribute: 'email', value: 'a@b.test' },
      { attribute: 'name', value: '' },
    ]);
  });

  it('of a search are no longer than any filter', () => {
    assert.equal(foldSearchValue('🦊'.repeat(256)), '🦊'.repeat(256));
    assert.throws(() => foldSearchValue('a'.repeat(257)), RangeError);
  });
});
