import assert from 'node:assert/strict';
import { it } from 'node:test';
import { computeBackoffMs, MAX_DELIVERY_TRIES } from './retry-backoff.ts';

/** The bytes of a 32-bit number, and no more. */
const bytes = (value: number) => (length: number) => {
  assert.equal(length, 4);
  return new Uint8Array(length).fill(value);
};

it('the delay before a retry doubles up to five minutes, minus a random part of up to a half', () => {
  const wholes = Array.from({ length: MAX_DELIVERY_TRIES }, (_, index) => computeBackoffMs(bytes(0), index + 1));
  assert.deepEqual(wholes, [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 300_000, 300_000]);
  for (const [index, whole] of wholes.entries()) {
    const half = computeBackoffMs(bytes(255), index + 1);
    assert.ok(half >= whole / 2 && half < whole * 0.51, `${half} of ${whole}`);
  }
});
