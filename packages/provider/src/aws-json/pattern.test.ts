import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePattern } from './pattern.ts';
import { OPERATION_MODELS, type Shape } from './service-model.ts';

function listPatterns(shape: Shape): readonly string[] {
  const inner = [
    ...Object.values(shape.members ?? {}),
    ...(shape.item ? [shape.item] : []),
    ...(shape.value ? [shape.value] : []),
  ];
  return [...(shape.pattern === undefined ? [] : [shape.pattern]), ...inner.flatMap(listPatterns)];
}

test('translates every pattern of the service', () => {
  const shapes = [...OPERATION_MODELS.values()].flatMap(({ input, output }) => (output ? [input, output] : [input]));
  const patterns = new Set(shapes.flatMap(listPatterns));
  assert.ok(patterns.size > 30);
  for (const pattern of patterns) assert.ok(compilePattern(pattern) instanceof RegExp, pattern);
});

test('matches the whole text only', () => {
  const poolId = compilePattern('[\\w-]+_[0-9a-zA-Z]+');
  for (const text of ['us-east-1_AbCdEf123', 'a_b']) assert.ok(poolId.test(text), text);
  for (const text of ['us-east-1', ' us-east-1_a', 'us-east-1_a\n', 'x\nus-east-1_a', 'us-east-1_a!', '']) {
    assert.ok(!poolId.test(text), JSON.stringify(text));
  }
  const either = compilePattern('terms-of-use|privacy-policy');
  assert.ok(!either.test('terms-of-use-and-more'));
});

test('\\w and \\s are ASCII, as in Java; \\p classes are Unicode', () => {
  assert.ok(!compilePattern('[\\w+]+').test('é'));
  assert.ok(compilePattern('[\\S]+').test('a\u00a0b'));
  for (const space of ' \t\n\v\f\r') assert.ok(!compilePattern('[\\S]+').test(`a${space}b`));
  assert.ok(!compilePattern('[\\w\\s+=.@-]+').test('a\u2003b'));
  const name = compilePattern('[\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+');
  for (const text of ['Ædgyð', '用户', 'a@b.example', '😀', 'e\u0301']) assert.ok(name.test(text), text);
  for (const text of ['a b', 'a\u00a0b', 'a\u0000', '\u200b']) assert.ok(!name.test(text), JSON.stringify(text));
});

test('lets a dot match line ends with the flag (?s)', () => {
  assert.ok(compilePattern('(?s).*').test('a\nb'));
  assert.ok(!compilePattern('.*').test('a\nb'));
});

test('refuses a pattern that it would translate wrongly', () => {
  assert.throws(() => compilePattern('[\\S\\d]+'), SyntaxError);
  assert.throws(() => compilePattern('(?i)a'), SyntaxError);
});
