import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { test } from 'node:test';
import { drawCode } from './codes.ts';

const CODES = 100_000;
const DIGITS = 6;

/** With 9 degrees of freedom, exceeded by one fair source in 10^9. */
const MOST_CHI_SQUARE = 62;

/** Random bytes in large helpings: asked for one by one they would take most of the time. */
function bufferedRandom(): (byteLength: number) => Uint8Array<ArrayBuffer> {
  const store = new Uint8Array(65_536);
  let at = store.length;
  return (byteLength) => {
    if (at + byteLength > store.length) {
      randomFillSync(store);
      at = 0;
    }
    at += byteLength;
    return store.slice(at - byteLength, at);
  };
}

test('A41: every digit of a code is equally likely at every place, zeros in front too', () => {
  const random = bufferedRandom();
  const counts = Array.from({ length: DIGITS }, () => Array.from({ length: 10 }, () => 0));
  for (let drawn = 0; drawn < CODES; drawn += 1) {
    const code = drawCode(random, DIGITS);
    assert.equal(code.length, DIGITS);
    for (const [place, digit] of [...code].entries()) {
      const row = counts[place] ?? [];
      row[Number(digit)] = (row[Number(digit)] ?? 0) + 1;
    }
  }
  const expected = CODES / 10;
  for (const [place, row] of counts.entries()) {
    const chiSquare = row.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    assert.ok(chiSquare < MOST_CHI_SQUARE, `place ${place}: ${chiSquare} from ${row.join(' ')}`);
  }
});
