import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileWriter } from './compile-writer.ts';
import { requireOperationModel } from './service-model.ts';

function writerFor(operation: string): (output: unknown) => unknown {
  const { output } = requireOperationModel(operation);
  assert.ok(output);
  return compileWriter(output);
}

test('omits members that the shape does not know', () => {
  const write = writerFor('AdminGetUser');
  const output = {
    Username: 'alice',
    passwordVerifier: 'secret',
    UserAttributes: [{ Name: 'email', Value: 'alice@example.org', sealed: 'secret' }],
  };
  assert.deepEqual(write(output), {
    Username: 'alice',
    UserAttributes: [{ Name: 'email', Value: 'alice@example.org' }],
  });
});

test('omits absent and null members, and keeps empty maps and lists', () => {
  const write = writerFor('InitiateAuth');
  const output = { ChallengeName: null, Session: undefined, ChallengeParameters: {}, AvailableChallenges: [] };
  assert.equal(JSON.stringify(write(output)), '{"ChallengeParameters":{},"AvailableChallenges":[]}');
});

test('omits absent map values', () => {
  const output = { ChallengeParameters: { SALT: 'a', SRP_B: undefined, USERNAME: null } };
  assert.equal(JSON.stringify(writerFor('InitiateAuth')(output)), '{"ChallengeParameters":{"SALT":"a"}}');
});

test('writes times as epoch seconds, with a fraction if needed', () => {
  const write = writerFor('AdminGetUser');
  const output = { Username: 'alice', Enabled: true, UserCreateDate: 1715100742.022 };
  assert.equal(JSON.stringify(write(output)), '{"Username":"alice","UserCreateDate":1715100742.022,"Enabled":true}');
  for (const date of [new Date(0), '2024-05-07T00:00:00Z', Number.NaN]) {
    assert.throws(() => write({ Username: 'alice', UserCreateDate: date }), TypeError);
  }
});

test('treats a value of the wrong type as a defect', () => {
  const write = writerFor('InitiateAuth');
  for (const output of [undefined, 'text', { Session: 1 }, { AvailableChallenges: {} }, { ChallengeParameters: [1] }]) {
    assert.throws(() => write(output), TypeError);
  }
  assert.throws(() => writerFor('AdminGetUser')({ Username: 'alice', Enabled: 'true' }), TypeError);
});
