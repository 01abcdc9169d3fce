import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { uuidV7 } from './uuid-v7.ts';

const ones = (byteLength: number) => new Uint8Array(byteLength).fill(0xff);
const zeros = (byteLength: number) => new Uint8Array(byteLength);

describe('a time-ordered UUID', () => {
  it('equals the example of RFC 9562, appendix A.6', () => {
    const random = () => Uint8Array.of(0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f);
    assert.equal(uuidV7(0x017f22e279b0, random), '017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  it('has its version and variant whatever the random bits', () => {
    assert.equal(uuidV7(0, zeros), '00000000-0000-7000-8000-000000000000');
    assert.equal(uuidV7(2 ** 48 - 1, ones), 'ffffffff-ffff-7fff-bfff-ffffffffffff');
  });

  it('is greater a millisecond later, whatever the random bits', () => {
    assert.ok(uuidV7(1_700_000_000_000, ones) < uuidV7(1_700_000_000_001, zeros));
  });
});
