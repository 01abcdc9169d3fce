import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toHex } from './bytes.ts';
import { bytesFromInteger, hexFromInteger, integerFromBytes, integerFromHex, padInteger } from './integer.ts';
import cognito from './vectors/cognito.json' with { type: 'json' };

const integer = fc.bigInt({ min: 0n, max: (1n << 3100n) - 1n });

test('pad is the two’s complement form that Cognito hashes', () => {
  for (const [value, hex] of cognito.pads) assert.equal(toHex(padInteger(BigInt(value as number))), hex);
});

test('pad is minimal: it adds a sign byte exactly when the top bit would be set', () => {
  fc.assert(
    fc.property(integer, (value) => {
      const padded = padInteger(value);
      assert.equal(integerFromBytes(padded), value);
      assert.ok((padded[0] as number) < 0x80);
      if (padded.length > 1 && padded[0] === 0) assert.ok((padded[1] as number) >= 0x80);
    }),
  );
});

test('a number has one written form, however it was read', () => {
  fc.assert(
    fc.property(integer, fc.integer({ min: 0, max: 4 }), fc.boolean(), (value, zeros, upper) => {
      const text = '0'.repeat(zeros) + hexFromInteger(value);
      const read = integerFromHex(upper ? text.toUpperCase() : text, 'SALT', 800);
      assert.equal(hexFromInteger(read), value.toString(16));
      assert.equal(integerFromBytes(bytesFromInteger(value, 400)), value);
    }),
  );
});

test('bytesFromInteger fills to the given length and rejects values that do not fit', () => {
  assert.equal(toHex(bytesFromInteger(0x1234n, 4)), '00001234');
  assert.throws(() => bytesFromInteger(0x1234n, 1), RangeError);
  assert.throws(() => bytesFromInteger(-1n, 4), RangeError);
  assert.throws(() => padInteger(-1n), RangeError);
  assert.equal(integerFromBytes(new Uint8Array()), 0n);
});

test('integerFromHex rejects empty, overlong and malformed text', () => {
  for (const text of [
    '',
    '0x1',
    '-1',
    '+1',
    '1_0',
    '1 ',
    ' 1',
    '1 1',
    '1\n',
    '\n1',
    '1\u2028',
    '\ufeff1',
    '1n',
    '１',
    '12345',
    ['1'],
    1,
    null,
  ]) {
    assert.throws(() => integerFromHex(text as string, 'SALT', 4), { code: 'malformed_hex', field: 'SALT' });
  }
});
