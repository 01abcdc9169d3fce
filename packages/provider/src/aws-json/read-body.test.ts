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

test('reads an empty body as an empty object', () => {
  for (const body of ['', ' \r\n', new Uint8Array()]) assert.deepEqual({ ...readBody(body) }, {});
});

test('drops nulls at every depth', () => {
  const body = readBody('{"a":null,"b":{"DEVICE_KEY":null,"c":"d"},"e":[null,1,{"f":null}]}');
  assert.equal(JSON.stringify(body), '{"b":{"c":"d"},"e":[1,{}]}');
});

test('rejects everything except a JSON object', () => {
  for (const body of ['[]', '"text"', '1', 'true', 'null', '{', '{"a":1}}', "{'a':1}", '{"a":1,}', 'NaN', '{"a":01}']) {
    refusal(body);
  }
});

test('rejects invalid UTF-8, but accepts a byte order mark', () => {
  refusal(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  assert.equal(readBody(new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('{"a":1}')])).a, 1);
});

test('does not repeat the body in an error', () => {
  assert.doesNotMatch(refusal('{"Password":"hunter2" "x"}').message, /hunter2/);
  assert.equal(refusal('{"Password":"hunter2" "x"}').cause, undefined);
});

test('accepts values nested up to the limit, and no deeper', () => {
  assert.ok(readBody(nested(MAX_DEPTH)));
  refusal(nested(MAX_DEPTH + 1));
  refusal(`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`);
});

test('rejects an object with a duplicate member at every depth, however the name is written', () => {
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

test('rejects texts that a store could not keep faithfully', () => {
  for (const text of ['\\u0000', '\\ud800', 'a\\udc00b']) {
    refusal(`{"a":"${text}"}`);
    refusal(`{"${text}":"a"}`);
    refusal(`{"a":["${text}"]}`);
  }
  assert.equal(readBody('{"a":"\\ud83d\\ude00"}').a, '😀');
});

test('prototype pollution: rejects names that reach prototypes at every depth', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
    refusal(`{"${name}":{"polluted":true}}`);
    refusal(`{"a":{"b":[{"${name}":{"polluted":true}}]}}`);
    refusal(`{"a":{"${name}":null}}`);
  }
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('treats a member that was not sent as absent, whatever its name', () => {
  const body = readBody('{"a":{}}');
  for (const name of ['toString', 'valueOf', 'hasOwnProperty']) {
    assert.equal(body[name], undefined);
    assert.equal((body.a as Record<string, unknown>)[name], undefined);
  }
});

test('reads any JSON object without nulls and forbidden names unchanged', () => {
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
