import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema } from './check-schema.ts';
import type { Schema } from './schema.ts';

const codes = (schema: Schema, value: unknown): readonly string[] => checkSchema(schema, value).map(({ code }) => code);

test('does not coerce values from one type to another', () => {
  assert.deepEqual(codes({ type: 'boolean' }, 'true'), ['type']);
  assert.deepEqual(codes({ type: 'string' }, 5), ['type']);
  assert.deepEqual(codes({ type: 'string' }, null), ['type']);
  assert.deepEqual(codes({ type: 'integer' }, '1'), ['type']);
  assert.deepEqual(codes({ type: 'integer' }, 1.5), ['type']);
  assert.deepEqual(codes({ type: 'object', properties: {} }, []), ['type']);
  assert.deepEqual(codes({ type: 'object', properties: {} }, null), ['type']);
  assert.deepEqual(codes({ type: 'array', items: { type: 'null' } }, { length: 0 }), ['type']);
});

test('counts lengths in code points, with inclusive bounds', () => {
  const schema = { type: 'string', minLength: 1, maxLength: 2 } as const;
  assert.deepEqual(codes(schema, ''), ['too_short']);
  assert.deepEqual(codes(schema, '😀😀'), []);
  assert.deepEqual(codes(schema, '😀😀😀'), ['too_long']);
  assert.deepEqual(codes(schema, 'aaaaa'), ['too_long']);
});

test('counts lengths correctly for code points of one or two units', () => {
  const texts = ['', 'a', '😀', 'a😀', 'aa', '😀😀', 'aaa', 'aaaa', 'aa😀', '😀😀😀', 'a'.repeat(9)];
  for (const [minLength, maxLength] of [
    [0, 3],
    [1, 1],
    [2, 2],
    [2, 4],
    [3, 8],
  ] as const) {
    for (const text of texts) {
      const length = [...text].length;
      const expected = length < minLength ? ['too_short'] : length > maxLength ? ['too_long'] : [];
      assert.deepEqual(
        codes({ type: 'string', minLength, maxLength }, text),
        expected,
        `${text} ${minLength} ${maxLength}`,
      );
    }
  }
});

test('accepts as many items and members as the schema allows, and no more', () => {
  const list = { type: 'array', maxItems: 2, items: { type: 'null' } } as const;
  assert.deepEqual([codes(list, [null, null]), codes(list, [null, null, null])], [[], ['too_many']]);
  const map = { type: 'object', maxProperties: 1, additionalProperties: { type: 'null' } } as const;
  assert.deepEqual([codes(map, { a: null }), codes(map, { a: null, b: null })], [[], ['too_many']]);
});

test('reports the position of an invalid item or map value', () => {
  const field = (schema: Schema, value: unknown) => checkSchema(schema, value, 'v').map((fault) => fault.field);
  assert.deepEqual(field({ type: 'array', items: { type: 'null' } }, [null, 1]), ['v.1']);
  assert.deepEqual(field({ type: 'object', additionalProperties: { type: 'null' } }, { a: 1, b: null }), ['v.a']);
  assert.deepEqual(field({ type: 'object', additionalProperties: { type: 'null' } }, { ['a'.repeat(65)]: 1 }), [
    'v.(unprintable name)',
  ]);
});

test('matches patterns against whole code points', () => {
  const schema = { type: 'string', pattern: '^\\p{L}+$' } as const;
  assert.deepEqual(codes(schema, 'Ada𝒜'), []);
  assert.deepEqual(codes(schema, 'Ada\n'), ['format']);
});

test('reports every invalid member of an object by its path', () => {
  const schema = {
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { type: 'string' }, c: { type: 'object', properties: { d: { type: 'boolean' } } } },
  } as const;
  assert.deepEqual(
    checkSchema(schema, { a: 1, c: { d: 0 } }).map(({ field, code }) => [field, code]),
    [
      ['b', 'required'],
      ['a', 'type'],
      ['c.d', 'type'],
    ],
  );
});

test('ignores inherited members', () => {
  const schema = { type: 'object', required: ['toString'], properties: { constructor: { type: 'string' } } } as const;
  assert.deepEqual(codes(schema, {}), ['required']);
});

test('ignores unknown members, or rejects them where the schema says so and names a misspelled one', () => {
  const open = { type: 'object', properties: {} } as const;
  assert.deepEqual(checkSchema(open, { secretPassword: 1 }), []);
  const faults = checkSchema({ ...open, additionalProperties: false }, { secretPassword: 1 }, 'value');
  assert.deepEqual(
    faults.map(({ field, code }) => [field, code]),
    [['value', 'unknown_member']],
  );
  assert.doesNotMatch(JSON.stringify(faults), /secretPassword/);
  const [misspelled] = checkSchema({ ...open, additionalProperties: false }, { call_back: 1 });
  assert.equal(misspelled?.message, 'has an unknown member: call_back');
});

test('checks the values of a map and hides unprintable names', () => {
  const schema = { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 } as const;
  assert.deepEqual(checkSchema(schema, { 'a\nb': 1 }, 'm')[0]?.field, 'm.(unprintable name)');
  assert.deepEqual(codes(schema, { a: '', b: '', c: '' }), ['too_many']);
});

test('reports the errors of the alternative whose type matches', () => {
  const schema = {
    anyOf: [
      { type: 'string', maxLength: 1 },
      { type: 'array', items: { type: 'string' } },
    ],
  } as const;
  assert.deepEqual(codes(schema, 'ab'), ['too_long']);
  assert.deepEqual(codes(schema, ['ab']), []);
  assert.deepEqual(codes(schema, 5), ['type']);
  const strings: Schema = {
    anyOf: [
      { type: 'string', maxLength: 1 },
      { type: 'string', pattern: '^x' },
    ],
  };
  assert.deepEqual([codes(strings, 'ab'), codes(strings, 'xy')], [['type'], []]);
});

test('never repeats the invalid value', () => {
  const secret = 'Correct-Horse1!';
  const schemas: readonly Schema[] = [
    { type: 'boolean' },
    { type: 'string', maxLength: 3 },
    { type: 'string', pattern: '^x$' },
    { type: 'string', enum: ['x'] },
    { anyOf: [{ type: 'null' }] },
  ];
  for (const schema of schemas) assert.doesNotMatch(JSON.stringify(checkSchema(schema, secret)), /Correct-Horse/);
});
