import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  LoginDescription,
  Output,
  PasswordResetSessions,
  PasswordVerifierOperations,
  ProviderErrorCode,
} from '@poolgate/provider';
import { createAccountService, createRefusingOperation, createUserHeader } from '../testing/account-service.ts';
import { CLIENT_ID, START_MS } from '../testing/gateway-deps.ts';

const EMAIL = 'ada@example.com';
const OLD = 'Correct-Horse1!';
const NEW = 'Better-Horse2!';

const answerStatus = (UserStatus: NonNullable<Output<'AdminGetUser'>['UserStatus']>) => async () => ({
  Username: 'ada',
  UserStatus,
  UserAttributes: [{ Name: 'sub', Value: 'sub-of-ada' }],
});

test('a forgotten password gets the same response for every name, and a disabled feature is reported to everyone', async () => {
  const sent = await createAccountService({ operations: { forgotPassword: async () => ({}) } });
  const wanted = await sent.ask('POST', '/password/forgot', { email: EMAIL });
  assert.equal(wanted.status, 200);
  for (const code of ['UserNotFoundException', 'InvalidParameterException', 'NotAuthorizedException'] as const) {
    const { ask } = await createAccountService({ operations: { forgotPassword: createRefusingOperation(code) } });
    assert.equal((await ask('POST', '/password/forgot', { email: EMAIL })).text, wanted.text, code);
  }
  const disabled = createRefusingOperation('NotAuthorizedException', { reason: 'user_disabled' });
  const hidden = await createAccountService({ operations: { forgotPassword: disabled } });
  assert.equal((await hidden.ask('POST', '/password/forgot', { email: EMAIL })).text, wanted.text);
  const off = createRefusingOperation('InvalidParameterException', { reason: 'feature_disabled' });
  const without = await createAccountService({ operations: { forgotPassword: off } });
  assert.equal((await without.ask('POST', '/password/forgot', { email: EMAIL })).status, 403);
  const limited = await createAccountService({
    operations: { forgotPassword: createRefusingOperation('LimitExceededException') },
  });
  const answer = await limited.ask('POST', '/password/forgot', { email: EMAIL });
  assert.equal(answer.status, 429);
  assert.ok(answer.headers['retry-after']);
});

test("a forgotten password returns the provider's session, which is sent back with the code; providers without sessions return none", async () => {
  const reset_sessions = {
    forgotPassword: async () => ({ Session: 'session-of-code' }),
    confirmForgotPassword: async () => ({}),
  } as unknown as PasswordResetSessions;
  const verifier_passwords = { confirmForgotPassword: async () => ({}) } as unknown as PasswordVerifierOperations;
  const { ask, calls } = await createAccountService({ extensions: { reset_sessions, verifier_passwords } });
  const sent = await ask('POST', '/password/forgot', { email: EMAIL });
  assert.equal(sent.body.session, 'session-of-code');
  const password_verifier = { salt: 'ab'.repeat(16), verifier: 'ff' };
  for (const proof of [{ password: NEW }, { password_verifier }]) {
    const reset = { email: EMAIL, code: '1', session: 'session-of-code', ...proof };
    assert.equal((await ask('POST', '/password/reset', reset)).status, 200);
    const [, sentInput] = calls.findLast(([name]) => name.endsWith('confirmForgotPassword')) ?? assert.fail();
    assert.equal((sentInput as { readonly Session?: string }).Session, reset.session);
  }
  const operations = { forgotPassword: async () => ({}), confirmForgotPassword: async () => ({}) };
  const without = await createAccountService({ operations });
  assert.equal((await without.ask('POST', '/password/forgot', { email: EMAIL })).body.session, undefined);
  const ignored = { email: EMAIL, code: '1', session: 'x', password: NEW };
  assert.equal((await without.ask('POST', '/password/reset', ignored)).status, 200);
  assert.equal((without.calls.at(-1)?.[1] as { Session?: string } | undefined)?.Session, undefined);
});

test('a reset clears the flag and ends every login of the user', async () => {
  const { ask, calls, usersBySub, revocations } = await createAccountService({
    operations: { confirmForgotPassword: async () => ({}), adminGetUser: answerStatus('CONFIRMED') },
  });
  const reset = { email: EMAIL, code: '123456', password: NEW, password_confirmation: NEW };
  assert.equal((await ask('POST', '/password/reset', reset)).status, 200);
  assert.deepEqual(calls[0], [
    'confirmForgotPassword',
    { ClientId: CLIENT_ID, Username: EMAIL, ConfirmationCode: '123456', Password: NEW },
  ]);
  assert.equal(usersBySub.get('sub-of-ada')?.passwordResetRequired, false);
  assert.equal(revocations.get('user:sub-of-ada')?.endedAtMs, START_MS);
});

test('a reset works if the provider does not show the user to the gateway', async () => {
  const { ask } = await createAccountService({ operations: { confirmForgotPassword: async () => ({}) } });
  assert.equal((await ask('POST', '/password/reset', { email: EMAIL, code: '1', password: NEW })).status, 200);
});

test('a reset for a wrong code, an unknown user or a user who cannot reset is a wrong code and ends nothing', async () => {
  const expected: readonly (readonly [ProviderErrorCode, number, string])[] = [
    ['CodeMismatchException', 400, 'code_mismatch'],
    ['UserNotFoundException', 400, 'code_mismatch'],
    ['NotAuthorizedException', 400, 'code_mismatch'],
    ['UserNotConfirmedException', 400, 'code_mismatch'],
    ['ExpiredCodeException', 400, 'code_expired'],
    ['InvalidPasswordException', 422, 'validation_failed'],
    ['LimitExceededException', 429, 'too_many_requests'],
  ];
  for (const [refused, status, code] of expected) {
    const operations = {
      confirmForgotPassword: createRefusingOperation(refused),
      adminGetUser: answerStatus('CONFIRMED'),
    };
    const { ask, revocations, usersBySub } = await createAccountService({ operations });
    const answer = await ask('POST', '/password/reset', { email: EMAIL, code: '123456', password: NEW });
    assert.deepEqual([answer.status, answer.body.code], [status, code], refused);
    assert.deepEqual([revocations.size, usersBySub.size], [0, 0]);
  }
});

test('a reset by verifier names the user, the code and the verifier', async () => {
  const verifier_passwords = { confirmForgotPassword: async () => ({}) } as unknown as PasswordVerifierOperations;
  const { ask, calls } = await createAccountService({ extensions: { verifier_passwords } });
  const password_verifier = { salt: 'ab'.repeat(16), verifier: 'ff' };
  assert.equal((await ask('POST', '/password/reset', { email: EMAIL, code: '1', password_verifier })).status, 200);
  assert.deepEqual(calls, [
    [
      'verifier_passwords.confirmForgotPassword',
      {
        ClientId: CLIENT_ID,
        Username: EMAIL,
        ConfirmationCode: '1',
        PasswordVerifier: { SaltHex: 'ab'.repeat(16), VerifierHex: 'ff' },
      },
    ],
  ]);
  const refusing = { confirmForgotPassword: createRefusingOperation('InvalidParameterException') };
  const refused = await createAccountService({
    extensions: { verifier_passwords: refusing as unknown as PasswordVerifierOperations },
  });
  const answer = await refused.ask('POST', '/password/reset', { email: EMAIL, code: '1', password_verifier });
  const [error] = answer.body.errors as readonly unknown[];
  const message = 'was rejected by the identity provider';
  assert.deepEqual([answer.status, error], [422, { field: 'password_verifier', code: 'refused', message }]);
});

test('a login that is refused because of a reset sets the flag, and showing a profile clears it', async () => {
  const { ask, usersBySub } = await createAccountService({
    operations: {
      initiateAuth: createRefusingOperation('PasswordResetRequiredException'),
      respondToAuthChallenge: createRefusingOperation('PasswordResetRequiredException'),
      adminGetUser: answerStatus('RESET_REQUIRED'),
      getUser: async () => ({ Username: 'sub-of-ada', UserAttributes: [{ Name: 'sub', Value: 'sub-of-ada' }] }),
    },
    settings: { loginFlow: 'password' },
  });
  const flag = () => usersBySub.get('sub-of-ada')?.passwordResetRequired;
  const clear = async () => {
    const shown = await ask('GET', '/user/profile', undefined, createUserHeader('sub-of-ada'));
    assert.equal((shown.body.user as { password_reset_required: boolean }).password_reset_required, false);
    assert.equal(flag(), false);
  };
  const answer = await ask('POST', '/login', { username: EMAIL, password: OLD });
  assert.deepEqual([answer.status, answer.body.code], [403, 'password_reset_required']);
  assert.equal(flag(), true);
  await clear();
  const code = { challenge_name: 'SMS_MFA', session: 's'.repeat(20), username: EMAIL, challenge_value: '123456' };
  assert.equal((await ask('POST', '/challenge', code)).status, 403);
  assert.equal(flag(), true);
  await clear();
});

const login = (Id: string): LoginDescription => ({
  Id,
  SessionId: `tkn${Id}`,
  ClientId: CLIENT_ID,
  StartedAt: 1,
  ExpiresAt: 2,
});

/** Two pages. The tests' own login is `mine`. */
const list_logins = async ({ NextToken }: { readonly NextToken?: string }) =>
  NextToken === undefined ? { Logins: [login('mine'), login('b')], NextToken: '2' } : { Logins: [login('c')] };

test('a changed password ends all other logins', async () => {
  const { ask, calls, revocations } = await createAccountService({
    operations: { changePassword: async () => ({}) },
    extensions: { list_logins },
  });
  const user = createUserHeader('ada', undefined, 'mine');
  const answer = await ask('POST', '/user/changepassword', { password: OLD, new_password: NEW }, user);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.body.login_ended, false);
  assert.deepEqual([...revocations.keys()].sort(), ['login:b', 'login:c']);
  const [name, input] = calls.at(-1) ?? [];
  assert.equal(name, 'changePassword');
  const { PreviousPassword, ProposedPassword } = input as Record<string, string>;
  assert.deepEqual([PreviousPassword, ProposedPassword], [OLD, NEW]);
});

test('if logins cannot be distinguished, a changed password ends them all, at the provider too', async () => {
  const operations = { changePassword: async () => ({}), globalSignOut: async () => ({}) };
  for (const given of [{ operations }, { operations, extensions: { list_logins } }]) {
    const { ask, calls, revocations } = await createAccountService(given);
    const answer = await ask(
      'POST',
      '/user/changepassword',
      { password: OLD, new_password: NEW },
      createUserHeader('ada'),
    );
    assert.equal(answer.body.login_ended, true, answer.text);
    assert.deepEqual([...revocations.keys()], ['user:ada']);
    assert.deepEqual(
      calls.map(([name]) => name),
      ['changePassword', 'globalSignOut'],
    );
  }
});

test('a wrong old password is 401, a weak new one is 422 on its field, and no login ends', async () => {
  const expected: readonly (readonly [ProviderErrorCode, number, string, string | undefined])[] = [
    ['NotAuthorizedException', 401, 'invalid_credentials', undefined],
    ['InvalidPasswordException', 422, 'validation_failed', 'new_password'],
    ['PasswordHistoryPolicyViolationException', 422, 'validation_failed', 'new_password'],
    ['LimitExceededException', 429, 'too_many_requests', undefined],
  ];
  for (const [refused, status, code, field] of expected) {
    const operations = { changePassword: createRefusingOperation(refused) };
    const { ask, revocations } = await createAccountService({ operations, extensions: { list_logins } });
    const user = createUserHeader('ada', undefined, 'mine');
    const answer = await ask('POST', '/user/changepassword', { password: OLD, new_password: NEW }, user);
    assert.deepEqual([answer.status, answer.body.code], [status, code], refused);
    assert.equal((answer.body.errors as { field: string }[] | undefined)?.[0]?.field, field);
    assert.equal(revocations.size, 0);
  }
});

test('a password change requires the old password, a new one and a user', async () => {
  const operations = { changePassword: createRefusingOperation('InvalidParameterException') };
  const { ask, calls, revocations } = await createAccountService({ operations });
  const bad: readonly (readonly [object, string])[] = [
    [{ new_password: NEW }, 'password'],
    [{ password: OLD }, 'new_password'],
    [{}, 'new_password'],
  ];
  for (const [body, field] of bad) {
    const answer = await ask('POST', '/user/changepassword', body, createUserHeader('ada'));
    assert.equal(answer.status, 422);
    assert.equal((answer.body.errors as { field: string }[])[0]?.field, field);
  }
  assert.equal((await ask('POST', '/user/changepassword', { password: OLD, new_password: NEW })).status, 401);
  const stale = await ask(
    'POST',
    '/user/changepassword',
    { new_password: NEW },
    createUserHeader('ada', START_MS / 1000 - 901),
  );
  assert.deepEqual([stale.status, stale.body.code], [403, 'reauthentication_required']);
  // Only the provider knows whether there is an old one.
  assert.deepEqual(
    calls.map(([name, input]) => [name, Object.keys(input as object)]),
    [['changePassword', ['AccessToken', 'ProposedPassword']]],
  );
  assert.equal(revocations.size, 0);
});

test('a change by verifier requires a recent login instead of the old password', async () => {
  const verifier_passwords = { changePassword: async () => {} } as unknown as PasswordVerifierOperations;
  const { ask, calls } = await createAccountService({ extensions: { verifier_passwords, list_logins } });
  const body = { password_verifier: { salt: 'ab'.repeat(16), verifier: 'ff' } };
  const old = await ask('POST', '/user/changepassword', body, createUserHeader('ada', START_MS / 1000 - 901, 'mine'));
  assert.deepEqual([old.status, old.body.code], [403, 'reauthentication_required']);
  assert.deepEqual(calls, []);
  const answer = await ask(
    'POST',
    '/user/changepassword',
    body,
    createUserHeader('ada', START_MS / 1000 - 900, 'mine'),
  );
  assert.equal(answer.status, 200, answer.text);
  const [name, input] = calls.at(-1) ?? [];
  assert.equal(name, 'verifier_passwords.changePassword');
  assert.deepEqual((input as { PasswordVerifier: unknown } | undefined)?.PasswordVerifier, {
    SaltHex: 'ab'.repeat(16),
    VerifierHex: 'ff',
  });
});

test('a client that does not send a password gets the other digests with the same prefix', async () => {
  const verifier_passwords = {
    range: async () => ({ Suffixes: ['0'.repeat(35)] }),
  } as unknown as PasswordVerifierOperations;
  const { ask, calls } = await createAccountService({ extensions: { verifier_passwords } });
  const { status, body } = await ask('POST', '/password/range', { list: 'leaked', prefix: 'ab12C' });
  assert.deepEqual([status, body.suffixes], [200, ['0'.repeat(35)]]);
  assert.deepEqual(calls, [['verifier_passwords.range', { ClientId: CLIENT_ID, List: 'leaked', Prefix: 'AB12C' }]]);
  const off = await createAccountService({
    extensions: { verifier_passwords },
    settings: { verifierPasswords: false },
  });
  assert.equal(
    (await off.ask('POST', '/password/range', { list: 'leaked', prefix: 'ab12C' })).body.code,
    'feature_disabled',
  );
});
