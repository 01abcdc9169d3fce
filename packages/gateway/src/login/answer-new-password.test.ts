import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../kernel/gateway-errors.ts';
import { createTestProvider, createTestRuntime, POOL } from '../testing/gateway-deps.ts';
import { answerNewPassword, readNewPasswordResponses } from './answer-new-password.ts';

const CALL = { requestId: 'test', sourceAddress: '127.0.0.1' };

const refuses = (value: unknown): void =>
  assert.throws(() => readNewPasswordResponses(value as string), { code: 'validation_failed' });

test('a new password can be text, an object with attributes, or its JSON text', () => {
  const object = { NEW_PASSWORD: 'Abc', 'userAttributes.name': 'Ada', 'userAttributes.custom:team': 'x' };
  assert.deepEqual(readNewPasswordResponses('Abc'), { NEW_PASSWORD: 'Abc' });
  assert.deepEqual(readNewPasswordResponses(object), object);
  assert.deepEqual(readNewPasswordResponses(JSON.stringify(object)), object);
});

test('a password can be any text, including JSON', () => {
  for (const password of ['{', '{"a":1}', '[]', ' ', '"x"', 'null', '5', '{"__proto__":1}', '😀'.repeat(256)]) {
    assert.deepEqual(readNewPasswordResponses(password), { NEW_PASSWORD: password });
  }
});

test('a password is never truncated', () => {
  refuses('x'.repeat(257));
  refuses({ NEW_PASSWORD: 'x'.repeat(257) });
  refuses('');
});

test('identity attributes are refused', () => {
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
  refuses('{"NEW_PASSWORD":"Abc","NEW_PASSWORD":"Abd"}');
});

test('a verifier replaces a password, and both together are refused', () => {
  const password_verifier = { salt: `0${'1'.repeat(32)}`, verifier: 'ab'.repeat(300) };
  const expected = { PASSWORD_SALT: '1'.repeat(32), PASSWORD_VERIFIER: 'ab'.repeat(300) };
  assert.deepEqual(readNewPasswordResponses({ password_verifier }), expected);
  assert.deepEqual(readNewPasswordResponses(JSON.stringify({ password_verifier })), expected);
  assert.deepEqual(readNewPasswordResponses({ password_verifier, 'userAttributes.name': 'Ada' }), {
    ...expected,
    'userAttributes.name': 'Ada',
  });
  refuses({ password_verifier, NEW_PASSWORD: 'Abc' });
  for (const wrong of ['x', null, {}, { salt: 'ab' }, { salt: 'zz', verifier: 'ab' }, { salt: 'ab', verifier: '1' }]) {
    refuses({ password_verifier: wrong });
  }
});

test('errors name the problem and the field: the longest password and attribute are accepted, a longer one is not', () => {
  const listFaults = (value: unknown) => {
    try {
      return readNewPasswordResponses(value as string) && [];
    } catch (error) {
      assert.ok(error instanceof GatewayError, String(error));
      return error.errors?.map(({ field, code, message }) => `${field} ${code}: ${message}`);
    }
  };
  const named = (name: string, value: unknown) => ({ NEW_PASSWORD: 'Abc', [`userAttributes.${name}`]: value });
  const password_verifier = { salt: '1'.repeat(32), verifier: 'ab'.repeat(300) };
  for (const [value, ...faults] of [
    ['x'.repeat(256)],
    [{ NEW_PASSWORD: 'x'.repeat(256) }],
    [named('name', 'x'.repeat(2048))],
    [named('email', 'ada@example.com')],
    [undefined, 'challenge_value required: is required'],
    ['', 'challenge_value too_short: must have 1 to 256 characters'],
    ['x'.repeat(257), 'challenge_value too_long: must have 1 to 256 characters'],
    [{ NEW_PASSWORD: '' }, 'challenge_value.NEW_PASSWORD too_short: must have 1 to 256 characters'],
    [{ NEW_PASSWORD: 5 }, 'challenge_value.NEW_PASSWORD type: must be of type string'],
    [named('name', ''), 'challenge_value.userAttributes.* too_short: must have 1 to 2048 characters'],
    [named('name', 'x'.repeat(2049)), 'challenge_value.userAttributes.* too_long: must have 1 to 2048 characters'],
    [named('sub', 'x'), 'challenge_value not_allowed: contains an attribute that cannot be set'],
    [{ NEW_PASSWORD: 'Abc', more: 'x' }, 'challenge_value unknown_member: contains members that are not allowed'],
    [
      { password_verifier: { salt: 'ab' } },
      'challenge_value.password_verifier malformed: is not a valid password verifier',
    ],
    [
      { password_verifier, NEW_PASSWORD: 'x' },
      'challenge_value.password_verifier not_allowed: cannot be combined with NEW_PASSWORD',
    ],
  ] as const) {
    assert.deepEqual(listFaults(value), faults);
  }
});

test('a verifier is refused if the service accepts none, and a password is not', async () => {
  const asked: unknown[] = [];
  const provider = createTestProvider(() => [], {
    respondToAuthChallenge: async (input) => {
      asked.push(input.ChallengeResponses);
      return {};
    },
  });
  const closed = { ...provider, describe: async () => ({ ...POOL, acceptsVerifiers: false }) };
  const ofPool = createTestRuntime({ provider: closed });
  const runtime = createTestRuntime({ provider }, { verifierPasswords: false });
  const answer = { username: 'ada', session: 's', params: undefined };
  const password_verifier = { salt: '1'.repeat(32), verifier: 'ab'.repeat(300) };
  const call = async (value: object) => answerNewPassword(runtime, { ...answer, value: { ...value } }, CALL);
  await assert.rejects(call({ password_verifier }), { code: 'feature_disabled' });
  const ofPoolCall = answerNewPassword(ofPool, { ...answer, value: { password_verifier } }, CALL);
  await assert.rejects(ofPoolCall, { code: 'feature_disabled' });
  assert.deepEqual(asked, []);
  await call({ NEW_PASSWORD: 'Abc' });
  assert.deepEqual(asked, [{ NEW_PASSWORD: 'Abc', USERNAME: 'ada' }]);
});
