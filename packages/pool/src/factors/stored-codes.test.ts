import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { drawCode } from './stored-codes.ts';

const DRAWS = 100_000;

/** How far counts are from equal ones: chi-square, as a number of standard deviations above what chance alone gives. */
function excess(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const degrees = counts.length - 1;
  return (chiSquare - degrees) / Math.sqrt(2 * degrees);
}

/** Chance alone goes this far less than once in a hundred million runs, for as few as ten counts. */
const TOO_FAR = 12;

function tally(codes: readonly string[], bins: number, binOf: (code: string) => number): readonly number[] {
  const counts = new Array<number>(bins).fill(0);
  for (const code of codes) counts[binOf(code)] = (counts[binOf(code)] ?? 0) + 1;
  return counts;
}

for (const digits of [6, 8]) {
  const codes = Array.from({ length: DRAWS }, () => drawCode(randomBytes, digits));

  test(`A41: all codes of ${digits} digits are equally likely: every digit at every place, and every pair`, () => {
    for (let place = 0; place < digits; place++) {
      assert.ok(excess(tally(codes, 10, (code) => Number(code[place]))) < TOO_FAR, `place ${place}`);
    }
    for (let place = 0; place + 1 < digits; place++) {
      const pairs = tally(codes, 100, (code) => Number(code.slice(place, place + 2)));
      assert.ok(excess(pairs) < TOO_FAR, `places ${place} and ${place + 1}`);
    }
    assert.ok(excess(tally(codes, 1_000, (code) => Number(code.slice(0, 3)))) < TOO_FAR, 'first three');
    assert.ok(excess(tally(codes, 1_000, (code) => Number(code.slice(-3)))) < TOO_FAR, 'last three');
  });

  test(`A41: codes of ${digits} digits keep their zeros in front`, () => {
    assert.ok(codes.every((code) => code.length === digits && /^[0-9]+$/.test(code)));
    const share = codes.filter((code) => code.startsWith('0')).length / DRAWS;
    assert.ok(share > 0.09 && share < 0.11, `${share} of them begin with zero`);
  });
}

test('A41: the measure sees what is not uniform: a byte taken modulo ten, and a number without its zeros', () => {
  const modulo = Array.from(randomBytes(6 * DRAWS), (byte) => String(byte % 10));
  assert.ok(excess(tally(modulo, 10, Number)) > TOO_FAR);
  const short = Array.from({ length: DRAWS }, () => String(randomInt(100_000, 1_000_000)));
  assert.ok(excess(tally(short, 10, (code) => Number(code[0]))) > TOO_FAR);
});
