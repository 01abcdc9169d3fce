import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { namesTest, partsOf, rowsOf, titlesIn } from './test-references.ts';

/** The attacks that must be tried, by what they are on; the numbers between them are of parts that are still to come. */
const ATTACKS = [
  [1, 2, 3, 4, 5, 7, 8, 10, 11, 12, 13, 15, 17, 18],
  [19, 20, 22, 24, 25, 26, 27, 29, 30, 113],
  [31, 33, 34, 36, 38, 39, 40, 41, 42],
  [43, 46, 47, 48, 49, 51],
  [52, 54, 55, 56, 58, 59, 60],
  [61, 63, 64, 65, 67, 68, 69, 71, 73],
  [76, 77, 78, 80, 82, 83, 85],
  [75, 86, 87, 88, 89, 92, 93],
  [95, 96, 97],
  [100, 101, 103, 105, 107, 108, 111],
].flat();

const rows = rowsOf('docs/attacks.md');

/** The ids that stand in front of a title. */
const idsOf = (title: string): readonly string[] => /^(?:A\d+(?:[,:] ?| ))*/.exec(title)?.[0].match(/A\d+/g) ?? [];

test('every attack has its row, once', () => {
  assert.deepEqual(
    rows.map(({ id }) => id),
    ATTACKS.map((number) => `A${number}`),
  );
});

test('every test that a row names exists and carries the id of the attack', () => {
  for (const { id, heldBy } of rows) {
    assert.equal(new Set(heldBy).size, heldBy.length, `${id} names a test twice`);
    for (const reference of heldBy) {
      assert.ok(namesTest(reference), `${id}: ${reference}`);
      assert.ok(idsOf(partsOf(reference)?.title ?? '').includes(id), `${id}: ${reference}`);
    }
  }
});

test('no test carries the id of an attack that has no row', () => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const files = globSync(['e2e/**/*.test.ts', 'packages/*/src/**/*.test.ts', 'tools/*.test.ts'], { cwd });
  const tried = new Set(files.flatMap((file) => titlesIn(file).flatMap(({ text }) => idsOf(text))));
  const listed = new Set(rows.map(({ id }) => id));
  assert.ok(tried.size >= listed.size);
  assert.deepEqual(
    [...tried].filter((id) => !listed.has(id)),
    [],
  );
});
