import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesTest, partsOf, rowsOf } from './test-references.ts';

/** The attacks on devices, second factors and choices; numbers between them are of other parts of the service. */
const ATTACKS = [
  [19, 20, 22, 24, 25, 26, 27, 29, 30],
  [31, 33, 34, 36, 38, 39, 40, 41, 42],
  [43, 46, 47, 48, 49, 51],
  [52, 54, 55, 56, 58, 59, 60],
].flat();

const rows = rowsOf('docs/attacks.md');

test('every attack has its row, once', () => {
  assert.deepEqual(
    rows.map(({ id }) => id),
    ATTACKS.map((number) => `A${number}`),
  );
});

test('every test that a row names exists and carries the id of the attack', () => {
  for (const { id, heldBy } of rows) {
    for (const reference of heldBy) {
      assert.ok(namesTest(reference), `${id}: ${reference}`);
      assert.match(partsOf(reference)?.title ?? '', new RegExp(`^(A\\d+, )*${id}\\b`), reference);
    }
  }
});
