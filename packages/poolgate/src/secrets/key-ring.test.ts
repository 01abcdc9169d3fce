import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { createKeyRing } from './key-ring.ts';
import { DEVELOPMENT_SECRET_PREFIX } from './secrets-file.ts';

const random = (byteLength: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(byteLength));
const OLD = 'old-secret-old-secret-old-secret-old';
const NEW = 'new-secret-new-secret-new-secret-new';
const ring = createKeyRing([OLD], random);
const PLAINTEXT = new TextEncoder().encode('verifier of Ada');

test('encrypted content is decrypted again, for any length, purpose and data', () => {
  for (let length = 0; length < 200; length += 1) {
    const plaintext = random(length);
    const [purpose, data] = [`purpose ${length % 7}`, 'é\u0000😀'.repeat(length % 5)];
    assert.deepEqual(ring.decrypt(purpose, ring.encrypt(purpose, plaintext, data), data), plaintext);
  }
});

test('no two encrypted texts of one plaintext begin or end alike', () => {
  const texts = Array.from({ length: 1000 }, () => ring.encrypt('verifier', PLAINTEXT, 'ada').slice(10));
  assert.equal(new Set(texts.map((text) => text.slice(0, 16))).size, texts.length);
  assert.equal(new Set(texts.map((text) => text.slice(-16))).size, texts.length);
});

test('an encrypted text with a changed, added or missing character is not decrypted', () => {
  const encrypted = ring.encrypt('verifier', PLAINTEXT, 'ada');
  for (let index = 0; index < encrypted.length; index += 1) {
    const other = encrypted[index] === 'A' ? 'B' : 'A';
    const edited = encrypted.slice(0, index) + other + encrypted.slice(index + 1);
    assert.equal(ring.decrypt('verifier', edited, 'ada'), undefined, `character ${index}`);
    assert.equal(ring.decrypt('verifier', encrypted.slice(0, index), 'ada'), undefined, `cut at ${index}`);
  }
  for (const spare of ['A', '=', '.', ' ', '\n'])
    assert.equal(ring.decrypt('verifier', encrypted + spare, 'ada'), undefined);
});

test('an encrypted text with any changed bit is not decrypted', () => {
  const encrypted = ring.encrypt('verifier', PLAINTEXT, 'ada');
  const [id = '', body = ''] = encrypted.split('.');
  const bytes = Buffer.from(body, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const edited = Buffer.from(bytes);
    edited[bit >>> 3] = (edited[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
    assert.equal(ring.decrypt('verifier', `${id}.${edited.toString('base64url')}`, 'ada'), undefined, `bit ${bit}`);
  }
});

test('an encrypted text is not decrypted for another purpose or other data', () => {
  const encrypted = ring.encrypt('session', PLAINTEXT, 'ada');
  assert.equal(ring.decrypt('verifier', encrypted, 'ada'), undefined);
  assert.equal(ring.decrypt('session', encrypted, 'bob'), undefined);
  // The boundary between purpose and data does not move.
  assert.equal(ring.decrypt('sessiona', encrypted, 'da'), undefined);
});

test('other text is not decrypted, and nothing is thrown', () => {
  const encrypted = ring.encrypt('session', PLAINTEXT, 'ada');
  const ids = ['', '.', 'k', 'kAAAAAAAA', 'dAAAAAAAA', encrypted.slice(0, 9), '__proto__', 'é'];
  const bodies = ['', '.', 'A', '=', '====', 'é', '\0', ...[1, 39, 40, 41, 400].map((length) => 'A'.repeat(length))];
  for (const id of ids) {
    for (const body of bodies) assert.equal(ring.decrypt('session', `${id}.${body}`, 'ada'), undefined);
  }
});

test('while a secret is replaced, the first encrypts and all decrypt', () => {
  const before = ring.encrypt('verifier', PLAINTEXT, 'ada');
  const during = createKeyRing([NEW, OLD], random);
  const after = createKeyRing([NEW], random);
  assert.deepEqual(during.decrypt('verifier', before, 'ada'), PLAINTEXT);
  const renewed = during.encrypt('verifier', PLAINTEXT, 'ada');
  assert.deepEqual(after.decrypt('verifier', renewed, 'ada'), PLAINTEXT);
  assert.equal(after.decrypt('verifier', before, 'ada'), undefined);
  assert.equal(ring.decrypt('verifier', renewed, 'ada'), undefined);
});

test('equal content never looks equal when encrypted', () => {
  const texts = new Set(Array.from({ length: 1000 }, () => ring.encrypt('session', PLAINTEXT, 'ada')));
  assert.equal(texts.size, 1000);
});

test('an encrypted text shows whether its secret is known, from development, or another', () => {
  const development = createKeyRing([DEVELOPMENT_SECRET_PREFIX + NEW], random);
  assert.equal(ring.findSecretOrigin(ring.encrypt('pool', PLAINTEXT, '')), 'known');
  assert.equal(ring.findSecretOrigin(development.encrypt('pool', PLAINTEXT, '')), 'development');
  assert.equal(ring.findSecretOrigin(createKeyRing([NEW], random).encrypt('pool', PLAINTEXT, '')), 'unknown');
  assert.equal(ring.findSecretOrigin('nonsense'), 'unknown');
});

test('a key ring without a secret is a programming error', () => {
  assert.throws(() => createKeyRing([], random), RangeError);
});
