import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createChoiceReader, createCodeReader, readAnswer, readMfaSetup, readPassword } from './challenge-value.ts';

const refuses = (read: (value: never) => unknown, value: unknown): void =>
  assert.throws(() => read(value as never), { code: 'validation_failed' }, String(value));

test('a code is text and keeps its zeros; a recovery code can replace it', () => {
  const read = createCodeReader('SOFTWARE_TOKEN_MFA_CODE');
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

test('a password can be any text', () => {
  for (const password of ['x', '{"PASSWORD":"x"}', ' ', '😀'.repeat(256)]) {
    assert.deepEqual(readPassword(password), { PASSWORD: password });
  }
  for (const bad of [undefined, {}, 'x'.repeat(257)]) refuses(readPassword, bad);
});

test('a choice is the name of one of its challenges, in any case', () => {
  assert.deepEqual(createChoiceReader('SELECT_MFA_TYPE')('sms_mfa'), { ANSWER: 'SMS_MFA' });
  assert.deepEqual(createChoiceReader('SELECT_CHALLENGE')('EMAIL_OTP'), { ANSWER: 'EMAIL_OTP' });
  for (const bad of ['SMS_OTP', 'x', '', undefined, {}]) refuses(createChoiceReader('SELECT_MFA_TYPE'), bad);
});

test('MFA_SETUP accepts nothing or one address', () => {
  for (const nothing of [undefined, {}, '{}']) assert.deepEqual(readMfaSetup(nothing), {});
  assert.deepEqual(readMfaSetup({ EMAIL: 'a@b.test' }), { EMAIL: 'a@b.test' });
  for (const bad of ['x', { MORE: 'x' }, { EMAIL: 'a@b.test,c@d.test@' }, { EMAIL: 'a@b.test\r\nBcc: x' }, []]) {
    refuses(readMfaSetup, bad);
  }
});

/** The errors of a value. */
function listFaults(read: (value: never) => unknown, value: unknown): unknown {
  try {
    return read(value as never) && [];
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return error.errors?.map(({ field, code, message }) => [field, code, message]);
  }
}

test('texts have a maximum length, and errors name the problem', () => {
  const field = 'challenge_value';
  for (const [read, most] of [
    [createCodeReader('SMS_MFA_CODE'), 64],
    [readPassword, 256],
    [readAnswer, 2_048],
  ] as const) {
    assert.deepEqual(Object.values(read('x'.repeat(most))), ['x'.repeat(most)]);
    const tooLong = [[field, 'too_long', `must have at most ${most} characters`]];
    assert.deepEqual(listFaults(read, 'x'.repeat(most + 1)), tooLong);
    assert.deepEqual(listFaults(read, undefined), [[field, 'required', 'is required']]);
    assert.deepEqual(listFaults(read, {}), [[field, 'type', 'must be of type string']]);
  }
  assert.deepEqual(readAnswer('blue, or 😀\n'), { ANSWER: 'blue, or 😀\n' });
  assert.deepEqual(listFaults(createCodeReader('SMS_MFA_CODE'), '１'), [[field, 'format', 'has an invalid format']]);
  const choices = 'must be one of SMS_MFA, SOFTWARE_TOKEN_MFA, EMAIL_OTP';
  assert.deepEqual(listFaults(createChoiceReader('SELECT_MFA_TYPE'), 'x'), [[field, 'not_allowed', choices]]);
});

test('an address of MFA_SETUP has 3 to 128 characters', () => {
  const long = (length: number) => `a@${'b'.repeat(length - 2)}`;
  for (const EMAIL of ['a@b', long(128)]) assert.deepEqual(readMfaSetup({ EMAIL }), { EMAIL });
  for (const [EMAIL, code] of [
    ['a@', 'too_short'],
    [long(129), 'too_long'],
    ['a b@c', 'format'],
  ] as const) {
    const faults = listFaults(readMfaSetup, { EMAIL }) as readonly (readonly string[])[];
    assert.deepEqual([faults.length, ...(faults[0] ?? []).slice(0, 2)], [1, 'challenge_value.EMAIL', code]);
  }
});
