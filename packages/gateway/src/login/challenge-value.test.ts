import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChoice, readCode, readPassword, readSetUp } from './challenge-value.ts';

const refuses = (read: (value: never) => unknown, value: unknown): void =>
  assert.throws(() => read(value as never), { code: 'validation_failed' }, String(value));

test('a code is a text and keeps its zeros; a recovery code may stand in for it', () => {
  const read = readCode('SOFTWARE_TOKEN_MFA_CODE');
  for (const code of ['000001', '12345678', 'bcdfghjklmnp', 'BCDF-GHJK-LMNP', 'bcdf ghjk lmnp']) {
    assert.deepEqual(read(code), { SOFTWARE_TOKEN_MFA_CODE: code });
  }
  for (const bad of [
    undefined,
    123456,
    {},
    [],
    { SOFTWARE_TOKEN_MFA_CODE: '1' },
    '１２３４５６',
    'a\n',
    'x'.repeat(65),
  ]) {
    refuses(read, bad);
  }
});

test('a password is any text', () => {
  for (const password of ['x', '{"PASSWORD":"x"}', ' ', '😀'.repeat(256)]) {
    assert.deepEqual(readPassword(password), { PASSWORD: password });
  }
  for (const bad of [undefined, {}, 'x'.repeat(257)]) refuses(readPassword, bad);
});

test('a choice is one of its challenge’s names, in any case', () => {
  assert.deepEqual(readChoice('SELECT_MFA_TYPE')('sms_mfa'), { ANSWER: 'SMS_MFA' });
  assert.deepEqual(readChoice('SELECT_CHALLENGE')('EMAIL_OTP'), { ANSWER: 'EMAIL_OTP' });
  for (const bad of ['SMS_OTP', 'x', '', undefined, {}]) refuses(readChoice('SELECT_MFA_TYPE'), bad);
});

test('MFA_SETUP takes nothing, or one address', () => {
  for (const nothing of [undefined, {}, '{}']) assert.deepEqual(readSetUp(nothing), {});
  assert.deepEqual(readSetUp({ EMAIL: 'a@b.test' }), { EMAIL: 'a@b.test' });
  for (const bad of ['x', { MORE: 'x' }, { EMAIL: 'a@b.test,c@d.test@' }, { EMAIL: 'a@b.test\r\nBcc: x' }, []]) {
    refuses(readSetUp, bad);
  }
});
