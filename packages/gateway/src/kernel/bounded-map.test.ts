import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

test('the least recently used entry is removed when there are too many', () => {
  const map = new BoundedMap<string, number>(2);
  const values = () => ['a', 'b', 'c'].map((key) => map.get(key));
  map.set('a', 1);
  map.set('b', 2);
  map.get('a');
  map.set('c', 3);
  assert.deepEqual(values(), [1, undefined, 3]);
  map.set('c', 4);
  assert.deepEqual(values(), [1, undefined, 4]);
  map.delete('a');
  assert.deepEqual(values(), [undefined, undefined, 4]);
  map.set('a', 5);
  assert.deepEqual(values(), [5, undefined, 4]);
});
