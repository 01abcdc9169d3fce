import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findJsonErrorPosition } from './json-error-position.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

for (const [text, line, column] of [
  ['', 1, 1],
  ['{"a":1,}', 1, 8],
  ['{"a":1', 1, 7],
  ['{a:1}', 1, 2],
  ["{'a':1}", 1, 2],
  ['{"a":1}}', 1, 8],
  ['{"a":1]', 1, 7],
  ['[1,\n 2,\n 03]', 3, 3],
  ['{"a":\n  "b\nc"}', 2, 3],
  ['nul', 1, 1],
  ['{"a" 1}', 1, 6],
  ['[1 2]', 1, 4],
] as const) {
  test(`${JSON.stringify(text)} stops being JSON in line ${line}, column ${column}`, () => {
    assert.deepEqual(findJsonErrorPosition(text), { line, column });
  });
}

test('finds a position exactly if a text is not JSON', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '}', ']', ':', '\\', '0', ' '))
    .map(([json, place, inserted]) => {
      const at = place % (json.length + 1);
      return json.slice(0, at) + inserted + json.slice(inserted === '' ? at + 1 : at);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), (text) => {
      assert.equal(findJsonErrorPosition(text) === undefined, isJson(text), text);
    }),
    { numRuns: 2_000 },
  );
});
