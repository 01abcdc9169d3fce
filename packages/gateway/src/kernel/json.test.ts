import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonError, MAX_JSON_DEPTH, parseJson } from './json.ts';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test('well-formed JSON is parsed unchanged', () => {
  assert.deepEqual(parseJson('{"a":[1,"😀",null,true]}'), { a: [1, '😀', null, true] });
});

test('invalid JSON is refused without repeating it', () => {
  const secret = '{"password":"Correct-Horse1!';
  assert.throws(
    () => parseJson(secret),
    (error) =>
      error instanceof JsonError &&
      error.message === 'The JSON is invalid at line 1, column 13.' &&
      error.cause === undefined,
  );
});

test('members that reach a prototype are refused at any depth, similar harmless ones are not', () => {
  assert.throws(() => parseJson('{"__proto__":{"polluted":true}}'), JsonError);
  assert.throws(() => parseJson('{"a":[{"constructor":{"prototype":{"polluted":true}}}]}'), JsonError);
  assert.throws(() => parseJson('{"\\u005f_proto__":1}'), JsonError);
  assert.deepEqual(parseJson('{"constructor":"Smith"}'), { constructor: 'Smith' });
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('nesting is limited, however long the text', () => {
  assert.doesNotThrow(() => parseJson(nested(MAX_JSON_DEPTH)));
  assert.throws(() => parseJson(nested(MAX_JSON_DEPTH + 1)), JsonError);
  assert.throws(() => parseJson(nested(30_000)), JsonError);
});

test('lone surrogates are refused in values and names', () => {
  assert.throws(() => parseJson('{"a":"\\ud800"}'), JsonError);
  assert.throws(() => parseJson('{"\\udc00":1}'), JsonError);
  assert.deepEqual(parseJson('"\\ud83d\\ude00"'), '😀');
});

test('an object with a duplicate member is ambiguous, however the name is written', () => {
  for (const text of ['{"a":1,"a":1}', '{"a":{"b":1,"c":2,"\\u0062":3}}', '[{"a":1 , "a" : 2}]', '{"":1,"":2}']) {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof JsonError && error.isAmbiguous,
      text,
    );
  }
});

test('malformed text is not called ambiguous', () => {
  for (const text of ['{"a":1,"a":1', `{"a":1,"a":${nested(MAX_JSON_DEPTH)}}`]) {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof JsonError && !error.isAmbiguous,
      text,
    );
  }
});

test('texts that look like names are not names', () => {
  for (const value of [{ a: '"b":', b: '{"a":1,"a":1}' }, ['a:', '"', '\\":'], { 'a":': 1 }, {}, [], 'x:', null]) {
    assert.deepEqual(parseJson(JSON.stringify(value)), value);
    assert.deepEqual(parseJson(JSON.stringify(value, null, 2)), value);
  }
});
