import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoizeLast, memoizeObjects } from './memoize.ts';

test('the same call twice in a row is computed once', () => {
  const asked: unknown[] = [];
  const answer = memoizeLast((question: string | undefined) => {
    asked.push(question);
    return `${question}!`;
  });
  const questions = [undefined, undefined, 'a', 'a', 'b', 'a'];
  assert.deepEqual(questions.map(answer), ['undefined!', 'undefined!', 'a!', 'a!', 'b!', 'a!']);
  assert.deepEqual(asked, [undefined, 'a', 'b', 'a']);
});

test('the result for an object is cached, whatever was called in between', () => {
  const asked: object[] = [];
  const answer = memoizeObjects((question) => {
    asked.push(question);
    return JSON.stringify(question);
  });
  const [one, other] = [{ a: 1 }, { a: 1 }];
  assert.deepEqual([one, other, one, one].map(answer), Array.from({ length: 4 }).fill('{"a":1}'));
  assert.equal(asked.length, 2);
  assert.equal(asked[0], one);
  assert.equal(asked[1], other);
});
