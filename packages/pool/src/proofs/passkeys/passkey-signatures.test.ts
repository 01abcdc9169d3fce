import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, it } from 'node:test';
import { isCanonicalSignature } from './passkey-signatures.ts';

const ES256 = -7;

const isGood = (hex: string) => isCanonicalSignature(ES256, Buffer.from(hex, 'hex'));

describe('a signature', () => {
  it('of ES256 is accepted as OpenSSL writes it, for numbers of any length', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (let i = 0; i < 500; i++) {
      assert.ok(isCanonicalSignature(ES256, sign('sha256', Buffer.from([i & 255, i >> 8]), privateKey)));
    }
    assert.ok(isGood('3006020101020101'));
    assert.ok(isGood('300802020080020200ff'));
  });

  it('of ES256 is refused in another form, or with more data after it', () => {
    const bad = [
      '',
      '30',
      '3000',
      '300602010102010100',
      '3007020101020101',
      '3005020101020101',
      '3106020101020101',
      '3006030101020101',
      '3006020101030101',
      '3006020181020101',
      '3006020100020101',
      '300702020001020101',
      '308106020101020101',
      '30080201010201010500',
      '3003020101',
      `302702${'22'}00${'ff'.repeat(33)}020101`,
      `302602${'21'}01${'ff'.repeat(32)}020101`,
    ];
    for (const hex of bad) assert.ok(!isGood(hex), hex);
  });

  it('of ES256 has two numbers of 1 to 32 bytes, or 33 with a leading zero', () => {
    /** A signature of these two numbers in hex. */
    const pair = (...numbers: readonly string[]) => {
      const body = numbers.map((hex) => Buffer.concat([Buffer.of(2, hex.length / 2), Buffer.from(hex, 'hex')]));
      const all = Buffer.concat(body);
      return Buffer.concat([Buffer.of(0x30, all.length), all]).toString('hex');
    };
    for (const [number, isTaken] of [
      ['', false],
      ['00', false],
      ['01', true],
      ['7f', true],
      ['80', false],
      ['0001', false],
      ['007f', false],
      ['0080', true],
      ['00ff', true],
      [`7f${'ff'.repeat(31)}`, true],
      [`7f${'ff'.repeat(32)}`, false],
      [`00${'ff'.repeat(32)}`, true],
      [`00${'ff'.repeat(33)}`, false],
    ] as const) {
      assert.equal(isGood(pair(number, '01')), isTaken, number);
      assert.equal(isGood(pair('01', number)), isTaken, number);
      assert.ok(!isGood(pair(number)), 'one alone');
      assert.ok(!isGood(pair(number, '01', '01')), 'three');
    }
    assert.ok(!isGood('3006020101020201'), 'one that ends later than the signature');
    assert.ok(!isGood('3006020501010101'), 'also the first');
  });

  it('of RS256 is left to its verifier, and other algorithms are refused', () => {
    assert.ok(isCanonicalSignature(-257, new Uint8Array(256)));
    for (const algorithm of [-8, -65535, '-7', undefined]) {
      assert.ok(!isCanonicalSignature(algorithm, Buffer.from('3006020101020101', 'hex')));
    }
  });
});
