import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readKeyId } from './token-key-id.ts';

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const HEADER = { alg: 'RS256', kid: 'k' };

const token = (header: unknown = HEADER, claims: unknown = {}, signature = 'c2ln') =>
  `${part(header)}.${part(claims)}.${signature}`;

test('the header of a token names the signing key, and has nothing else but a type', () => {
  assert.equal(readKeyId(token()), 'k');
  assert.equal(readKeyId(token({ ...HEADER, typ: 'JWT' })), 'k');
  assert.equal(readKeyId(token({ ...HEADER, alg: 'ES256' })), 'k');
  assert.equal(readKeyId(token({ ...HEADER, kid: '' })), '');
  for (const header of [
    { ...HEADER, alg: 'none' },
    { ...HEADER, alg: 'HS256' },
    { ...HEADER, alg: 'ES384' },
    { ...HEADER, crit: ['exp'] },
    { ...HEADER, kid: 7 },
    { alg: 'RS256' },
    [],
    'null',
    '5',
    '"x"',
    '{',
    '{"alg":"RS256","alg":"RS256","kid":"k"}',
  ]) {
    assert.equal(readKeyId(token(header)), undefined, JSON.stringify(header));
  }
});

test('its claims are one object without duplicate names', () => {
  for (const claims of ['[]', 'null', '5', '"x"', '{', '', '{"a":{"b":1,"b":2}}', '{"a":1,"b":{},"a":2}']) {
    assert.equal(readKeyId(token(HEADER, claims)), undefined, claims);
  }
  assert.equal(readKeyId(token(HEADER, '{"a":{"b":1},"c":{"b":"a"},"d":[{"a":"d"}]}')), 'k');
  const notUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]).toString('base64url');
  assert.equal(readKeyId(`${part(HEADER)}.${notUtf8}.c2ln`), undefined);
});

test('token and key ID have a maximum length', () => {
  const room = 16_384 - token(HEADER, {}, '').length;
  assert.equal(readKeyId(token(HEADER, {}, 'a'.repeat(room))), 'k');
  assert.equal(readKeyId(token(HEADER, {}, 'a'.repeat(room + 1))), undefined);
  const longest = 'k'.repeat(128);
  assert.equal(readKeyId(token({ ...HEADER, kid: longest })), longest);
  assert.equal(readKeyId(token({ ...HEADER, kid: `${longest}k` })), undefined);
});
