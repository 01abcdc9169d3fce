import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ProtocolError } from './protocol-error.ts';
import { MAX_DEPTH, readBody } from './read-body.ts';

function refusal(body: string | Uint8Array): ProtocolError {
  try {
    readBody(body);
  } catch (error) {
    assert.ok(error instanceof ProtocolError);
    assert.equal(error.code, 'SerializationException');
    assert.equal(error.status, 400);
    return error;
  }
  assert.fail('the body was read');
}

function nested(depth: number): string {
  return `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;
}

test('an empty body is an empty object', () => {
  for (const body of ['', ' \r\n', new Uint8Array()]) assert.deepEqual({ ...readBody(body) }, {});
});

test('nulls are dropped wherever they stand', () => {
  const body = readBody('{"a":null,"b":{"DEVICE_KEY":null,"c":"d"},"e":[null,1,{"f":null}]}');
  assert.equal(JSON.stringify(body), '{"b":{"c":"d"},"e":[1,{}]}');
});

test('what is no JSON object is refused', () => {
  for (const body of ['[]', '"text"', '1', 'true', 'null', '{', '{"a":1}}', "{'a':1}", '{"a":1,}', 'NaN', '{"a":01}']) {
    refusal(body);
  }
});

test('bytes that are no UTF-8 are refused, a byte order mark is not', () => {
  refusal(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  assert.equal(readBody(new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('{"a":1}')])).a, 1);
});

test('a refusal does not repeat the body', () => {
  assert.doesNotMatch(refusal('{"Password":"hunter2" "x"}').message, /hunter2/);
  assert.equal(refusal('{"Password":"hunter2" "x"}').cause, undefined);
});

test('values may nest to the limit and not beyond', () => {
  assert.ok(readBody(nested(MAX_DEPTH)));
  refusal(nested(MAX_DEPTH + 1));
  refusal(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
});

test('an object that names a member twice is refused at every depth, however the name is written', () => {
  for (const body of [
    '{"a":1,"a":1}',
    '{"a":{"b":[{"c":"\\"","c" : null}]}}',
    '{"a":1,"\\u0061":null}',
    '{"":1,"":2}',
  ]) {
    assert.match(refusal(body).message, /names a member twice/, body);
  }
  refusal(`{"a":${'[{"a":1},'.repeat(9_000)}1${']'.repeat(9_000)}}`);
  const body = { a: '"a":', b: '{"a":1,"a":1}', 'a":': [{ a: '\\' }, { a: '\\"' }] };
  assert.equal(JSON.stringify(readBody(JSON.stringify(body, null, 2))), JSON.stringify(body));
});

test('texts that a store could not keep faithfully are refused', () => {
  for (const text of ['\\u0000', '\\ud800', 'a\\udc00b']) {
    refusal(`{"a":"${text}"}`);
    refusal(`{"${text}":"a"}`);
    refusal(`{"a":["${text}"]}`);
  }
  assert.equal(readBody('{"a":"\\ud83d\\ude00"}').a, '😀');
});

test('prototype pollution: names that reach into prototypes are refused at every depth', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
    refusal(`{"${name}":{"polluted":true}}`);
    refusal(`{"a":{"b":[{"${name}":{"polluted":true}}]}}`);
    refusal(`{"a":{"${name}":null}}`);
  }
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('a member that was not sent is absent, whatever its name', () => {
  const body = readBody('{"a":{}}');
  for (const name of ['toString', 'valueOf', 'hasOwnProperty']) {
    assert.equal(body[name], undefined);
    assert.equal((body.a as Record<string, unknown>)[name], undefined);
  }
});

test('any JSON object without nulls and forbidden names is read as it is', () => {
  const key = fc.string().filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'));
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      text,
      fc.boolean(),
      fc.integer(),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(key, tree, { maxKeys: 4 }), (value) => {
      fc.pre(!JSON.stringify(value).includes('\\u0000'));
      assert.equal(JSON.stringify(readBody(JSON.stringify(value))), JSON.stringify(value));
    }),
  );
});
