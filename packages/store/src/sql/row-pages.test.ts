import assert from 'node:assert/strict';
import { it } from 'node:test';
import { memoizeByKey } from './list-parameters.ts';
import { assertLimit, compareByBytes, toPage, toRowLimit } from './row-pages.ts';

it('a page has a whole number of rows from one on, and reads one more', () => {
  for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    for (const refuse of [assertLimit, toRowLimit]) {
      assert.throws(() => refuse(limit), { name: 'RangeError', message: 'limit must be a whole number from 1' });
    }
  }
  assert.deepEqual([toRowLimit(1), toRowLimit(60)], [2, 61]);
});

it('a page returns its last row as the cursor if there is one row more', () => {
  const page = (rows: readonly string[], limit: number) => toPage(rows, limit, (row) => `after ${row}`);
  assert.deepEqual(page([], 2), { rows: [], nextCursor: undefined });
  assert.deepEqual(page(['a', 'b'], 2), { rows: ['a', 'b'], nextCursor: undefined });
  assert.deepEqual(page(['a', 'b', 'c'], 2), { rows: ['a', 'b'], nextCursor: 'after b' });
});

it('texts are ordered by their bytes', () => {
  assert.deepEqual(['🦊', '\uffff', 'a', 'Z'].toSorted(compareByBytes), ['Z', 'a', '\uffff', '🦊']);
  assert.equal(compareByBytes('a', 'a'), 0);
});

it('a value for a key is created once', () => {
  const made = memoizeByKey((key: number) => ({ key }));
  assert.deepEqual([made(1), made(2)], [{ key: 1 }, { key: 2 }]);
  assert.equal(made(1), made(1));
});
