import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { parseSuppliedKeys, type SuppliedKeys, toJwkThumbprint } from './supplied-keys.ts';

const rsa = (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const [ACCESS, ID] = [rsa(), rsa()];
const jwk = ACCESS.export({ format: 'jwk' });
const pem = (type: 'pkcs1' | 'pkcs8') => String(ID.export({ format: 'pem', type }));

test('keys are read from PEM, in both of its forms, and from JWK', () => {
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    const keys = parseSuppliedKeys({ access: jwk, id: pem(type) });
    assert.ok(keys.access.equals(ACCESS) && keys.id.equals(ID), type);
  }
});

test('anything but an RSA private key of at least 2048 bits is refused by name, without quoting it', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey;
  const bad: readonly (readonly [string, SuppliedKeys['id']])[] = [
    ['no PEM', 'a secret that is no key'],
    ['a short key', rsa(1024).export({ format: 'jwk' })],
    ['a key on a curve', ec.export({ format: 'jwk' })],
    ['a key of another scheme', String(pss.export({ format: 'pem', type: 'pkcs8' }))],
    ['a public key', { kty: 'RSA', ...(({ n = '', e = '' }) => ({ n, e }))(jwk) }],
    ['an encrypted key', String(ID.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }))],
  ];
  for (const [about, id] of bad) {
    assert.throws(
      () => parseSuppliedKeys({ access: jwk, id }),
      (error: Error) =>
        error instanceof RangeError &&
        error.message === 'signingKeys.id must be an RSA private key of at least 2048 bits, as PEM or as JWK' &&
        error.cause === undefined,
      about,
    );
  }
});

test('one key for both kinds of tokens is refused', () => {
  assert.throws(() => parseSuppliedKeys({ access: jwk, id: String(ACCESS.export({ format: 'pem', type: 'pkcs8' })) }), {
    name: 'RangeError',
    message: 'signingKeys.id must differ from signingKeys.access',
  });
});

test('the thumbprint is that of RFC 7638, section 3.1', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  assert.equal(toJwkThumbprint({ n, e: 'AQAB' }), 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
});
