import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileReader } from './compile-reader.ts';
import { MAX_VIOLATIONS } from './constraint-violations.ts';
import { readBody } from './read-body.ts';
import { requireOperationModel } from './service-model.ts';

function outcome(read: ReturnType<typeof compileReader>, request: unknown): unknown {
  try {
    return read(readBody(JSON.stringify(request)));
  } catch (error) {
    return error;
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const readSignUp = compileReader(requireOperationModel('SignUp').input);
const readInitiateAuth = compileReader(requireOperationModel('InitiateAuth').input);

function messageOf(outcomeOfRead: unknown): string {
  assert.ok(outcomeOfRead instanceof Error);
  return outcomeOfRead.message;
}

test('an empty username violates two constraints, pattern first, as in the real service', () => {
  assert.equal(
    messageOf(outcome(readSignUp, { ClientId: 'a', Username: '' })),
    "2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\p{L}\\p{M}\\p{S}\\p{N}\\p{P}]+; Value at 'username' failed to satisfy constraint: Member must have length greater than or equal to 1",
  );
});

test('an unknown flow is answered with the list of flows', () => {
  const message = messageOf(outcome(readInitiateAuth, { ClientId: 'a', AuthFlow: 'NO_SUCH_FLOW' }));
  assert.equal(
    message,
    "1 validation error detected: Value 'NO_SUCH_FLOW' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: [USER_SRP_AUTH, REFRESH_TOKEN_AUTH, REFRESH_TOKEN, CUSTOM_AUTH, ADMIN_NO_SRP_AUTH, USER_PASSWORD_AUTH, ADMIN_USER_PASSWORD_AUTH, USER_AUTH]",
  );
});

test('a null map value, as amazon-cognito-identity-js sends it, counts as absent; unknown keys and members are ignored', () => {
  const read = compileReader(requireOperationModel('RespondToAuthChallenge').input);
  const request = {
    ChallengeName: 'SMS_MFA',
    ClientId: '1example23456789',
    ChallengeResponses: { USERNAME: 'a', SMS_MFA_CODE: '1', SOFTWARE_TOKEN_MFA_CODE: '1', DEVICE_KEY: null },
    Session: null,
    NoSuchMember: { anything: [1] },
  };
  assert.deepEqual(plain(outcome(read, request)), {
    ChallengeName: 'SMS_MFA',
    ClientId: '1example23456789',
    ChallengeResponses: { USERNAME: 'a', SMS_MFA_CODE: '1', SOFTWARE_TOKEN_MFA_CODE: '1' },
  });
});

test('a map key that was not sent is absent, whatever its name', () => {
  const request = { ClientId: 'a', AuthFlow: 'USER_SRP_AUTH', AuthParameters: { USERNAME: 'a' } };
  const { AuthParameters } = outcome(readInitiateAuth, request) as { AuthParameters: Record<string, string> };
  for (const name of ['toString', 'constructor', '__proto__']) assert.equal(AuthParameters[name], undefined);
});

test('counts lengths in code points', () => {
  const accepts = (Username: string) => !(outcome(readSignUp, { ClientId: 'a', Username }) instanceof Error);
  for (const unit of ['a', '用', '😀']) {
    const accepted = [0, 1, 128, 129, 256, 257].map((length) => accepts(unit.repeat(length)));
    assert.deepEqual(accepted, [false, true, true, false, false, false], unit);
  }
  const verifySession = (length: number) =>
    outcome(readInitiateAuth, { ClientId: 'a', AuthFlow: 'USER_AUTH', Session: '😀'.repeat(length) });
  assert.ok(verifySession(19) instanceof Error);
  assert.ok(!(verifySession(20) instanceof Error));
});

test('the response to many violations does not grow with the request', () => {
  const request = { ClientId: 'a', Username: 'a', UserAttributes: Array.from({ length: 5000 }, () => ({})) };
  const message = messageOf(outcome(readSignUp, request));
  assert.match(message, new RegExp(`^${MAX_VIOLATIONS} validation errors detected: `));
  assert.match(message, /at 'userAttributes\.20\.member\.name'/);
});

test('reads a map of structures entry by entry, with any key', () => {
  const read = compileReader(requireOperationModel('CreateUserPool').input);
  const levels = (AcrConfiguration: unknown) => outcome(read, { PoolName: 'p', AcrConfiguration });
  const { AcrConfiguration } = levels({ Level1: { AcrValue: 'a' } }) as { AcrConfiguration: Record<string, unknown> };
  assert.deepEqual({ ...AcrConfiguration }, { Level1: { AcrValue: 'a' } });
  for (const name of ['toString', 'constructor', '__proto__']) assert.equal(AcrConfiguration[name], undefined);
  for (const bad of ['x', ['x'], { Level1: 'x' }, { Level1: { AcrValue: 5 } }]) {
    assert.ok(levels(bad) instanceof Error, JSON.stringify(bad));
  }
  for (const bad of [{ Level1: {} }, { Level1: { AcrValue: '' } }]) {
    assert.match(messageOf(levels(bad)), /acrConfiguration\.member\.acrValue/);
  }
});

test('refuses to compile a collection of an unknown kind', () => {
  assert.throws(() => compileReader({ type: 'map', value: { type: 'integer' } }), TypeError);
  assert.throws(() => compileReader({ type: 'list' }), TypeError);
});

test('treats a blank password as absent if it is optional, and rejects it otherwise', () => {
  const given = { ClientId: 'a', Username: 'ada' };
  assert.deepEqual(plain(outcome(readSignUp, { ...given, Password: '' })), given);
  const readConfirmation = compileReader(requireOperationModel('ConfirmForgotPassword').input);
  const blank = { ...given, ConfirmationCode: '1', Password: '' };
  assert.match(messageOf(outcome(readConfirmation, blank)), /^1 validation error detected: Value at 'password' failed/);
});
