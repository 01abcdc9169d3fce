import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesOf, ROUTES } from '@poolgate/contract';
import { TRANSITIONS } from '../e2e/model/transitions.ts';
import { namesTest, partsOf, rowsOf } from './test-references.ts';

/** How many lines the specification has, by the letter of their rows. */
const LINES: Readonly<Record<string, number>> = { G: 9, F: 8, C: 8, T: 23, R: 27, S: 5, D: 4, A: 5, E: 6, L: 6, V: 2 };

const rows = rowsOf('docs/requirements.md');

test('every line of the specification has its row, once', () => {
  const expected = Object.entries(LINES).flatMap(([letter, count]) =>
    Array.from({ length: count }, (_, index) => `${letter}${String(index + 1).padStart(count > 9 ? 2 : 1, '0')}`),
  );
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), expected.toSorted());
});

test('every row names tests, and each of them exists', () => {
  const missing = rows.flatMap(({ id, heldBy }) =>
    heldBy.filter((reference) => !namesTest(reference)).map((reference) => `${id}: ${reference}`),
  );
  assert.deepEqual(missing, []);
  assert.deepEqual(
    rows.filter(({ heldBy }) => heldBy.length === 0).map(({ id }) => id),
    [],
  );
});

test('a test that does not exist, and a promise, are noticed', () => {
  assert.equal(namesTest('`tools/requirements.test.ts`: every line of the specification has its row, once'), true);
  assert.equal(namesTest('`tools/requirements.test.ts`: every line of the specification has its row'), false);
  assert.equal(namesTest('not yet: Pages'), false);
  assert.equal(namesTest('somewhere'), false);
});

test('every transition of logins, devices and second factors is held by the test that is named after it', () => {
  for (const { id, subject, from, trigger, condition, to } of TRANSITIONS.filter(({ id }) => id.startsWith('T'))) {
    const title = `${id}: ${subject}, ${from}, ${trigger}, ${condition} → ${to}`;
    const named = rows.find((row) => row.id === id)?.heldBy.map((reference) => partsOf(reference)?.title);
    assert.ok(named?.includes(title), title);
  }
});

test('every route of the specification that the contract has is held by a test', () => {
  const served = new Set(
    Object.values(ROUTES).flatMap((route) => addressesOf(route).map(({ method, path }) => `${method} ${path}`)),
  );
  for (const { id, text, heldBy } of rows.filter((row) => row.id.startsWith('R'))) {
    const address = /^`([A-Z]+ [^`]+)`/.exec(text)?.[1] ?? '';
    const isTested = heldBy.some((reference) => reference.startsWith('`'));
    assert.equal(isTested, served.has(address), `${id} ${address}`);
  }
});
