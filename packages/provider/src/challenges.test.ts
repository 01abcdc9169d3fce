import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AUTH_FLOW_ALIASES, AUTH_FLOWS, parseAuthFlow } from './auth-flows.ts';
import { requireOperationModel } from './aws-json/service-model.ts';
import { CHALLENGES, type ChallengeRow, COMMON_ANSWER_KEYS, isChallengeName } from './challenges.ts';

const rows: readonly [string, ChallengeRow][] = Object.entries(CHALLENGES);

function requireEnum(operation: string, member: string): readonly string[] {
  const values = requireOperationModel(operation).input.members?.[member]?.enum;
  assert.ok(values, `${operation}.${member} has an enum`);
  return values;
}

test('the table has every challenge name of the service, except the legacy value that is a flow', () => {
  const names = requireEnum('RespondToAuthChallenge', 'ChallengeName').filter((name) => name !== 'ADMIN_NO_SRP_AUTH');
  assert.deepEqual(Object.keys(CHALLENGES), names.toSorted());
  assert.equal(isChallengeName('PASSWORD_VERIFIER'), true);
  for (const name of ['ADMIN_NO_SRP_AUTH', 'toString', '__proto__', '']) assert.equal(isChallengeName(name), false);
});

test('no row repeats a key, or a key that all responses share except the device key', () => {
  for (const [name, { answer, parameters }] of rows) {
    const keys = [...answer.required, ...answer.optional];
    assert.equal(new Set(keys).size, keys.length, name);
    for (const key of keys)
      assert.ok(!COMMON_ANSWER_KEYS.required.includes(key as 'USERNAME') && key !== 'SECRET_HASH');
    const names = [...parameters.required, ...parameters.optional];
    assert.equal(new Set(names).size, names.length, name);
  }
});

test('parameters that contain JSON are parameters of their row', () => {
  for (const [name, { jsonParameters = [], parameters }] of rows) {
    const names = [...parameters.required, ...parameters.optional];
    for (const parameter of jsonParameters) assert.ok(names.includes(parameter), `${name} ${parameter}`);
  }
});

test('a challenge that a client can choose requires nothing that the choice could not carry', () => {
  const { answer, choices } = CHALLENGES.SELECT_CHALLENGE;
  const withProofAtOnce = ['PASSWORD', 'PASSWORD_SRP', 'WEB_AUTHN'] as const;
  for (const choice of withProofAtOnce) {
    assert.ok(choices.includes(choice));
    for (const key of CHALLENGES[choice].answer.required) assert.ok(answer.optional.includes(key), choice);
  }
});

test('only the password verifier can be answered without a session', () => {
  const sessionless = rows.filter(([, row]) => row.session === 'optional').map(([name]) => name);
  assert.deepEqual(sessionless, ['PASSWORD_VERIFIER']);
});

test('flows and their legacy spellings are exactly the values that the service accepts', () => {
  const spellings = [...Object.keys(AUTH_FLOWS), ...Object.keys(AUTH_FLOW_ALIASES)].toSorted();
  assert.deepEqual(spellings, requireEnum('InitiateAuth', 'AuthFlow').toSorted());
  assert.deepEqual(spellings, requireEnum('AdminInitiateAuth', 'AuthFlow').toSorted());
});

test('only a spelling maps to its flow', () => {
  assert.equal(parseAuthFlow('USER_SRP_AUTH'), 'USER_SRP_AUTH');
  assert.equal(parseAuthFlow('ADMIN_NO_SRP_AUTH'), 'ADMIN_USER_PASSWORD_AUTH');
  assert.equal(parseAuthFlow('REFRESH_TOKEN'), 'REFRESH_TOKEN_AUTH');
  for (const text of ['user_srp_auth', 'constructor', '__proto__', '']) assert.equal(parseAuthFlow(text), undefined);
});
