import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSuggestion } from './suggestion.ts';

const isWithin = (word: string, candidate: string, edits: number): boolean =>
  findSuggestion(word, [candidate], () => edits) === candidate;

test('an added, missing or changed character and two swapped neighbors are one edit each', () => {
  const rows: readonly (readonly [word: string, candidate: string, edits: number])[] = [
    ['serve', 'serve', 0],
    ['serv', 'serve', 1],
    ['servee', 'serve', 1],
    ['sarve', 'serve', 1],
    ['sevre', 'serve', 1],
    ['esrve', 'serve', 1],
    ['servi', 'serve', 1],
    ['abc', 'cab', 2],
    ['ca', 'abc', 3],
    ['', 'ab', 2],
    ['ab', '', 2],
  ];
  for (const [word, candidate, edits] of rows) {
    assert.equal(isWithin(word, candidate, edits), true, `${word} ${candidate}`);
    assert.equal(edits > 0 && isWithin(word, candidate, edits - 1), false, `${word} ${candidate}`);
  }
});

test('the nearest candidate is suggested, and none if all are far', () => {
  assert.equal(findSuggestion('statu', ['start', 'status', 'stats']), 'status');
  assert.equal(findSuggestion('abcd', ['xxcd', 'xxxd']), 'xxcd');
  assert.equal(findSuggestion('abcd', ['xxxd']), undefined);
  assert.equal(findSuggestion('abcdefghijkl', ['xxxdefghijkl']), 'xxxdefghijkl');
  assert.equal(findSuggestion('abcdefghijk', ['xxxdefghijk']), undefined);
  assert.equal(findSuggestion('abcd', []), undefined);
});
