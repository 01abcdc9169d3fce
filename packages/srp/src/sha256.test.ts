import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { toHex, utf8 } from './bytes.ts';
import { createHmacSha256 } from './hmac.ts';
import { sha256 } from './sha256.ts';
import { createSeededRandom } from './testing/seeded-random.ts';

const hmacSha256 = createHmacSha256(sha256);

test('the example of FIPS 180-4', () => {
  assert.equal(toHex(sha256(utf8('abc'))), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('test cases 2 and 6 of RFC 4231', () => {
  assert.equal(
    toHex(hmacSha256(utf8('Jefe'), utf8('what do ya want '), utf8('for nothing?'))),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
  assert.equal(
    toHex(hmacSha256(new Uint8Array(131).fill(0xaa), utf8('Test Using Larger Than Block-Size Key - Hash Key First'))),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  );
});

test('every length across three blocks agrees with Node, for SHA-256 and HMAC', () => {
  const random = createSeededRandom('sha256');
  for (let length = 0; length <= 200; length++) {
    const bytes = random(length);
    const halves = [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)];
    assert.equal(toHex(sha256(...halves)), createHash('sha256').update(bytes).digest('hex'));
    assert.equal(toHex(hmacSha256(bytes, ...halves)), createHmac('sha256', bytes).update(bytes).digest('hex'));
  }
});
