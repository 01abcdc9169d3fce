import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { isValidPasskeyKey, PASSKEY_ALGORITHMS, readKeyAlgorithm } from './cose-keys.ts';

type Members = ReadonlyMap<unknown, unknown>;

const toBytes = (text = '') => Uint8Array.from(Buffer.from(text, 'base64url'));

const point = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const ES256: Members = new Map<unknown, unknown>([
  [1, 2],
  [3, -7],
  [-1, 1],
  [-2, toBytes(point.x)],
  [-3, toBytes(point.y)],
]);

function rsa(modulusLength: number): Members {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength }).publicKey.export({ format: 'jwk' });
  return new Map<unknown, unknown>([
    [1, 3],
    [3, -257],
    [-1, toBytes(n)],
    [-2, toBytes(e)],
  ]);
}

const RS256 = rsa(2048);

function changed(key: Members, ...changes: readonly (readonly [unknown, unknown])[]): Members {
  return new Map([...key, ...changes]);
}

function without(key: Members, label: number): Members {
  return new Map([...key].filter(([name]) => name !== label));
}

describe('the key of a passkey', () => {
  it('is a point of P-256 for ES256, or a modulus of 2048 bits or more for RS256', () => {
    assert.ok(isValidPasskeyKey(ES256));
    assert.ok(isValidPasskeyKey(RS256));
    assert.ok(isValidPasskeyKey(new Map([...ES256].reverse())), 'in any order');
    assert.deepEqual(PASSKEY_ALGORITHMS, [-7, -257]);
    assert.deepEqual(
      [readKeyAlgorithm(ES256), readKeyAlgorithm(RS256), readKeyAlgorithm(new Map())],
      [-7, -257, undefined],
    );
  });

  it('has no other algorithm, and none that does not match its type', () => {
    for (const algorithm of [-65535, -8, -35, -36, -37, -258, -259, -47, 0, '-7', undefined, Number.NaN]) {
      assert.ok(!isValidPasskeyKey(changed(ES256, [3, algorithm])), String(algorithm));
      assert.ok(!isValidPasskeyKey(changed(RS256, [3, algorithm])), String(algorithm));
    }
    assert.ok(!isValidPasskeyKey(changed(ES256, [3, -257])));
    assert.ok(!isValidPasskeyKey(changed(RS256, [3, -7])));
    assert.ok(!isValidPasskeyKey(changed(ES256, [1, 3])));
    assert.ok(!isValidPasskeyKey(changed(ES256, [1, 1])));
    assert.ok(!isValidPasskeyKey(changed(ES256, [-1, 2])));
  });

  it('has exactly its members', () => {
    for (const [key, labels] of [
      [ES256, [1, 3, -1, -2, -3]],
      [RS256, [1, 3, -1, -2]],
    ] as const) {
      for (const label of labels) {
        assert.ok(!isValidPasskeyKey(without(key, label)), String(label));
        assert.ok(!isValidPasskeyKey(changed(key, [label, 'text'])), String(label));
      }
      for (const extra of [2, 4, 5, -4, -5, 'alg'])
        assert.ok(!isValidPasskeyKey(changed(key, [extra, 1])), String(extra));
    }
  });

  it('is a point on the curve with the right length', () => {
    const y = toBytes(point.y);
    y[31] = (y[31] ?? 0) ^ 1;
    assert.ok(!isValidPasskeyKey(changed(ES256, [-3, y])));
    assert.ok(!isValidPasskeyKey(changed(ES256, [-2, new Uint8Array(32)], [-3, new Uint8Array(32)])));
    assert.ok(!isValidPasskeyKey(changed(ES256, [-2, new Uint8Array(32).fill(255)])));
    assert.ok(!isValidPasskeyKey(changed(ES256, [-2, toBytes(point.x).subarray(1)])));
    assert.ok(!isValidPasskeyKey(changed(ES256, [-3, Uint8Array.from([0, ...toBytes(point.y)])])));
    assert.ok(!isValidPasskeyKey(changed(ES256, [-3, true])), 'a compressed point');
    for (const label of [-2, -3]) {
      const bytes = [...((ES256.get(label) as Uint8Array) ?? [])];
      for (const strange of [bytes, Buffer.from(bytes).toString('latin1'), undefined, null, { ...bytes, length: 32 }]) {
        assert.ok(!isValidPasskeyKey(changed(ES256, [label, strange])), 'no bytes');
      }
    }
  });

  it('has no modulus that is short, even or padded, and no exponent without effect', () => {
    for (const bits of [512, 1024, 2040]) assert.ok(!isValidPasskeyKey(rsa(bits)), String(bits));
    const n = RS256.get(-1) as Uint8Array;
    const even = Uint8Array.from(n);
    even[255] = (even[255] ?? 0) & 0xfe;
    const moduli = [even, Uint8Array.from([0, ...n]), new Uint8Array(), new Uint8Array(1025).fill(255)];
    for (const modulus of moduli) assert.ok(!isValidPasskeyKey(changed(RS256, [-1, modulus])), String(modulus.length));
    for (const e of [[], [0], [1], [2], [3], [0, 0, 1], [1, 0, 0], [0, 1, 0, 1], [1, 0, 0, 0, 1]]) {
      assert.ok(!isValidPasskeyKey(changed(RS256, [-2, Uint8Array.from(e)])), String(e));
    }
  });

  it('has a modulus of 2048 to 4096 bits, and an exponent of three or four bytes', () => {
    /** An odd number of this many bits. */
    const modulus = (bits: number) => {
      const bytes = new Uint8Array(Math.ceil(bits / 8)).fill(255);
      bytes[0] = 255 >> (bytes.length * 8 - bits);
      return bytes;
    };
    for (const [bits, isGood] of [
      [2_040, false],
      [2_047, false],
      [2_048, true],
      [2_049, true],
      [3_000, true],
      [4_095, true],
      [4_096, true],
      [4_097, false],
      [4_104, false],
    ] as const) {
      assert.equal(isValidPasskeyKey(changed(RS256, [-1, modulus(bits)])), isGood, String(bits));
    }
    for (const [exponent, isGood] of [
      [[1, 1], false],
      [[1, 0, 1], true],
      [[1, 0, 0, 1], true],
      [[1, 0, 2], false],
      [[0, 1, 0, 1], false],
      [[2, 0, 3], true],
      [[1, 0, 0, 0, 1], false],
    ] as const) {
      assert.equal(isValidPasskeyKey(changed(RS256, [-2, Uint8Array.from(exponent)])), isGood, String(exponent));
    }
    for (const label of [-1, -2]) {
      const bytes = [...((RS256.get(label) as Uint8Array) ?? [])];
      for (const strange of [bytes, undefined, null]) assert.ok(!isValidPasskeyKey(changed(RS256, [label, strange])));
    }
  });
});
