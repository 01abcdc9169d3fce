import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNewPassword } from './new-password.ts';

const refuses = (value: unknown): void =>
  assert.throws(() => readNewPassword(value as string), { code: 'validation_failed' });

test('a new password comes as text, or as an object with attributes, or as its JSON text', () => {
  const object = { NEW_PASSWORD: 'Abc', 'userAttributes.name': 'Ada', 'userAttributes.custom:team': 'x' };
  assert.deepEqual(readNewPassword('Abc'), { NEW_PASSWORD: 'Abc' });
  assert.deepEqual(readNewPassword(object), object);
  assert.deepEqual(readNewPassword(JSON.stringify(object)), object);
});

test('a password is any text, also one that looks like JSON', () => {
  for (const password of ['{', '{"a":1}', '[]', ' ', '"x"', '{"__proto__":1}', '😀'.repeat(256)]) {
    assert.deepEqual(readNewPassword(password), { NEW_PASSWORD: password });
  }
});

test('a password is never cut', () => {
  refuses('x'.repeat(257));
  refuses({ NEW_PASSWORD: 'x'.repeat(257) });
  refuses('');
});

test('A89: attributes that say who a user is cannot come along', () => {
  for (const name of ['sub', 'email_verified', 'cognito:groups', '__proto__', 'constructor']) {
    refuses({ NEW_PASSWORD: 'Abc', [`userAttributes.${name}`]: 'x' });
  }
});

test('other members and other types are refused', () => {
  refuses({ NEW_PASSWORD: 'Abc', USERNAME: 'eve' });
  refuses({ NEW_PASSWORD: 5 });
  refuses({ 'userAttributes.name': 'Ada' });
  refuses('{"NEW_PASSWORD":"Abc","userAttributes.name":5}');
  refuses(undefined);
});

test('a verifier stands in the place of a password, and never beside it', () => {
  const password_verifier = { salt: `0${'1'.repeat(32)}`, verifier: 'ab'.repeat(300) };
  const expected = { PASSWORD_SALT: '1'.repeat(32), PASSWORD_VERIFIER: 'ab'.repeat(300) };
  assert.deepEqual(readNewPassword({ password_verifier }), expected);
  assert.deepEqual(readNewPassword(JSON.stringify({ password_verifier })), expected);
  assert.deepEqual(readNewPassword({ password_verifier, 'userAttributes.name': 'Ada' }), {
    ...expected,
    'userAttributes.name': 'Ada',
  });
  refuses({ password_verifier, NEW_PASSWORD: 'Abc' });
  for (const wrong of ['x', null, {}, { salt: 'ab' }, { salt: 'zz', verifier: 'ab' }, { salt: 'ab', verifier: '1' }]) {
    refuses({ password_verifier: wrong });
  }
});
