import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createXaesKey, decryptXaes, encryptXaes } from './xaes.ts';

// The vectors of https://c2sp.org/XAES-256-GCM. The two cover both cases of the subkey's carry.
const VECTORS = [
  { keyByte: 0x01, aad: '', encryptedHex: 'ce546ef63c9cc60765923609b33a9a1974e96e52daf2fcf7075e2271' },
  {
    keyByte: 0x03,
    aad: 'c2sp.org/XAES-256-GCM',
    encryptedHex: '986ec1832593df5443a179437fd083bf3fdb41abd740a21f71eb769d',
  },
];
const NONCE = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWX');
const PLAINTEXT = Buffer.from('XAES-256-GCM');

for (const { keyByte, aad, encryptedHex } of VECTORS) {
  test(`XAES-256-GCM agrees with the published vector of key byte ${keyByte}`, () => {
    const key = createXaesKey(new Uint8Array(32).fill(keyByte));
    const encrypted = encryptXaes(key, NONCE, PLAINTEXT, Buffer.from(aad));
    assert.equal(encrypted.toString('hex'), encryptedHex);
    const opened = decryptXaes(key, NONCE, encrypted, Buffer.from(aad));
    assert.deepEqual(opened, new Uint8Array(PLAINTEXT));
  });
}
