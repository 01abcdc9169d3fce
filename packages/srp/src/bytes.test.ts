import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import fc from 'fast-check';
import { concat, constantTimeEqual, fromBase64, fromHex, toBase64, toHex, utf8 } from './bytes.ts';
import { codecs } from './fastest-codec.ts';

const bytes = fc.uint8Array({ maxLength: 400 });

test('hex and base64 agree with Node and decode to the same bytes', () => {
  fc.assert(
    fc.property(bytes, (value) => {
      assert.equal(toHex(value), Buffer.from(value).toString('hex'));
      assert.equal(toBase64(value), Buffer.from(value).toString('base64'));
      assert.deepEqual(fromHex(toHex(value)), value);
      assert.deepEqual(fromHex(toHex(value).toUpperCase()), value);
      assert.deepEqual(fromBase64(toBase64(value)), value);
    }),
  );
});

test('reads an odd number of hex digits as if a leading zero were present', () => {
  assert.deepEqual(fromHex('abc'), Uint8Array.of(0x0a, 0xbc));
});

test('rejects text that is not hex', () => {
  for (const text of ['0x10', 'g0', ' 10', '10\n', '-10', '１０', '٣٤', [], 10, null, { length: 2 }]) {
    assert.throws(() => fromHex(text as string), { name: 'SrpError', code: 'malformed_hex' });
  }
});

test('accepts exactly one base64 form of each byte sequence', () => {
  const refused = [
    'A',
    'AA',
    'AAA',
    'AA=',
    'A===',
    'AB==',
    'AAB=',
    'AA==\n',
    ' AAAA',
    'AA-_',
    'AAAA====',
    '=',
    [],
    1,
    null,
  ];
  for (const text of refused) {
    assert.throws(() => fromBase64(text as string), { name: 'SrpError', code: 'malformed_base64' });
  }
  assert.deepEqual(fromBase64(''), new Uint8Array());
});

test('constantTimeEqual compares for equality', () => {
  fc.assert(
    fc.property(bytes, bytes, (left, right) => {
      assert.equal(constantTimeEqual(left, right), Buffer.from(left).equals(right));
      assert.equal(constantTimeEqual(left, left.slice()), true);
    }),
  );
});

test('detects a difference of one bit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), (value, bit) => {
      const flipped = value.slice();
      const index = (bit >> 3) % flipped.length;
      flipped[index] = (flipped[index] as number) ^ (1 << (bit & 7));
      assert.equal(constantTimeEqual(value, flipped), false);
    }),
  );
});

test('concat joins and utf8 encodes', () => {
  assert.equal(toHex(concat(utf8('é'), Uint8Array.of(), utf8('\0€'))), 'c3a900e282ac');
});

test('every codec agrees with Node', () => {
  assert.equal(codecs.length, 3);
  fc.assert(
    fc.property(bytes, (value) => {
      const [hex, base64] = [Buffer.from(value).toString('hex'), Buffer.from(value).toString('base64')];
      for (const codec of codecs) {
        assert.deepEqual([codec.toHex(value), codec.toBase64(value)], [hex, base64]);
        assert.deepEqual([codec.fromHex(hex), codec.fromHex(hex.toUpperCase())], [value, value]);
        assert.deepEqual(codec.fromBase64(base64), value);
      }
    }),
  );
});
