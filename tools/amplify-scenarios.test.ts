import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { namesTest, rowsOf } from './test-references.ts';

const PAGE = 'docs/amplify-scenarios.md';
/** How many feature files there are, and scenarios in them. */
const FEATURES = 31;
const SCENARIOS = 172;

const rows = rowsOf(PAGE);

test('every scenario of every feature file has its row, once', () => {
  const features = readFileSync(new URL(`../${PAGE}`, import.meta.url), 'utf8').match(/^## /gm) ?? [];
  assert.equal(features.length, FEATURES);
  assert.deepEqual(
    rows.map(({ id }) => id),
    Array.from({ length: SCENARIOS }, (_, index) => `S${String(index + 1).padStart(3, '0')}`),
  );
});

test('every test that a row names exists, and every other row says why there is none', () => {
  const wrong = rows.flatMap(({ id, heldBy }) =>
    heldBy.filter((held) => !namesTest(held) && !/^none: .{20,}/.test(held)).map((held) => `${id}: ${held}`),
  );
  assert.deepEqual(wrong, []);
});

test('most scenarios are tried', () => {
  const tried = rows.filter(({ heldBy }) => heldBy.some(namesTest));
  assert.ok(tried.length > SCENARIOS / 2, `${tried.length} of ${SCENARIOS}`);
});
