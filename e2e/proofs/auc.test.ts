import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aucOver, computeAuc } from './auc.ts';

/** A linear congruential generator: the same numbers in every run. */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('the area is 1 if one kind is entirely above the other, 0 the other way round, and a half if they are equal', () => {
  assert.equal(computeAuc({ one: [3, 4], other: [1, 2] }), 1);
  assert.equal(computeAuc({ one: [1, 2], other: [3, 4] }), 0);
  assert.equal(computeAuc({ one: [1, 1, 1], other: [1, 1] }), 0.5);
  assert.equal(computeAuc({ one: [1, 3], other: [2, 4] }), 0.25);
});

test('the interval contains a half if both kinds have the same distribution, and excludes it if one is slower by a tenth of the spread', () => {
  const random = numbers();
  const blocks = (shift: number) =>
    Array.from({ length: 100 }, (_, block) => ({
      one: Array.from({ length: 100 }, () => block + random() + shift),
      other: Array.from({ length: 100 }, () => block + random()),
    }));
  const alike = aucOver(blocks(0), random);
  assert.ok(alike.low < 0.5 && 0.5 < alike.high, JSON.stringify(alike));
  assert.ok(alike.high - alike.low < 0.04, JSON.stringify(alike));
  const slower = aucOver(blocks(0.1), random);
  assert.ok(slower.low > 0.52, JSON.stringify(slower));
});
