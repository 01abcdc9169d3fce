import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PasswordVerifierOperations, ProviderErrorCode, ProviderExtensions } from '@poolgate/provider';
import { createAccountService, createRefusingOperation } from '../testing/account-service.ts';
import { CLIENT_ID } from '../testing/gateway-deps.ts';

const EMAIL = 'ada@example.com';
const PASSWORD = 'Correct-Horse1!';

const signUp = async () => ({ UserConfirmed: false, UserSub: 'secret-sub', Session: 's'.repeat(900) });

test('a registration sends the address, the name and the attributes, and reveals nothing about the user', async () => {
  const { ask, calls } = await createAccountService({ operations: { signUp } });
  const answer = await ask('POST', '/register', {
    email: EMAIL,
    password: PASSWORD,
    password_confirmation: PASSWORD,
    name: 'Ada',
    attributes: { 'custom:team': 'x' },
  });
  assert.equal(answer.status, 200);
  assert.deepEqual([answer.body.status, answer.body.data], ['success', {}]);
  assert.doesNotMatch(answer.text, /secret-sub/);
  assert.deepEqual(calls, [
    [
      'signUp',
      {
        ClientId: CLIENT_ID,
        Username: EMAIL,
        Password: PASSWORD,
        UserAttributes: [
          { Name: 'email', Value: EMAIL },
          { Name: 'name', Value: 'Ada' },
          { Name: 'custom:team', Value: 'x' },
        ],
      },
    ],
  ]);
});

/** Everything in a response to a registration that could reveal something. */
function likeness({ status, body }: { readonly status: number; readonly body: Record<string, unknown> }): unknown {
  return [status, { ...body, session: String(body.session).length }];
}

test('a known address gets the same response as a new one, for any length and any session of the provider', async () => {
  const refusals = ['UsernameExistsException', 'AliasExistsException'] as const;
  for (const email of [EMAIL, `${'a'.repeat(60)}@${'b'.repeat(50)}.example.com`]) {
    const answers = [];
    for (const length of [20, 900, 1_400, 2_048]) {
      const fresh = await createAccountService({
        operations: { signUp: async () => ({ ...(await signUp()), Session: 's'.repeat(length) }) },
      });
      answers.push(await fresh.ask('POST', '/register', { email, password: PASSWORD }));
    }
    for (const code of refusals) {
      const known = await createAccountService({ operations: { signUp: createRefusingOperation(code) } });
      answers.push(await known.ask('POST', '/register', { email, password: PASSWORD }));
    }
    for (const answer of answers) assert.deepEqual(likeness(answer), likeness(answers[0] ?? assert.fail()));
  }
});

test('identity and verification attributes cannot be registered', async () => {
  const { ask, calls } = await createAccountService({ operations: { signUp } });
  for (const name of ['email_verified', 'sub', 'status', 'cognito:groups', 'constructor', 'email']) {
    const answer = await ask('POST', '/register', { email: EMAIL, password: PASSWORD, attributes: { [name]: 'true' } });
    assert.equal(answer.status, 422, name);
  }
  const twice = { email: EMAIL, password: PASSWORD, name: 'Ada', attributes: { name: 'Eve' } };
  assert.equal((await ask('POST', '/register', twice)).status, 422);
  assert.deepEqual(calls, []);
});

test('a registration without a password, with two different ones, or with both forms is 422 on its field', async () => {
  const { ask, calls } = await createAccountService({ operations: { signUp } });
  const password_verifier = { salt: 'ab'.repeat(16), verifier: 'ff' };
  const bad: readonly (readonly [object, string])[] = [
    [{ email: EMAIL }, 'password'],
    [{ email: EMAIL, password: PASSWORD, password_confirmation: `${PASSWORD} ` }, 'password_confirmation'],
    [{ email: EMAIL, password_verifier, password_confirmation: PASSWORD }, 'password_confirmation'],
    [{ email: EMAIL, password: PASSWORD, password_verifier }, 'password_verifier'],
    [{ email: EMAIL, password_verifier }, 'username'],
    [{ password: PASSWORD }, 'email'],
    [{ email: 'ada', password: PASSWORD }, 'email'],
    [{ email: EMAIL, password: 'x'.repeat(257) }, 'password'],
  ];
  const verifier_passwords = { signUp } as unknown as PasswordVerifierOperations;
  for (const [body, field] of bad) {
    const service = await createAccountService({ operations: { signUp }, extensions: { verifier_passwords } });
    const answer = await service.ask('POST', '/register', body);
    assert.equal(answer.status, 422, JSON.stringify(body));
    assert.equal((answer.body.errors as { field: string }[])[0]?.field, field, answer.text);
    assert.deepEqual(service.calls, []);
  }
  assert.equal((await ask('POST', '/register', { email: EMAIL, password: 'ß'.repeat(256) })).status, 200);
  assert.equal(calls.length, 1);
});

test('a weak password is 422 on the password, a refused attribute on the attributes, a closed pool 403', async () => {
  const expected: readonly (readonly [ProviderErrorCode, number, unknown])[] = [
    ['InvalidPasswordException', 422, 'password'],
    ['InvalidParameterException', 422, 'attributes'],
    ['NotAuthorizedException', 403, undefined],
    ['LimitExceededException', 429, undefined],
  ];
  for (const [code, status, field] of expected) {
    const { ask } = await createAccountService({ operations: { signUp: createRefusingOperation(code) } });
    const answer = await ask('POST', '/register', { email: EMAIL, password: PASSWORD });
    assert.equal(answer.status, status, code);
    assert.equal((answer.body.errors as { field: string }[] | undefined)?.[0]?.field, field, code);
  }
});

test('a verifier is registered under its identity, in canonical form', async () => {
  const verifier_passwords = {
    start: async () => ({ UserIdForSrp: 'identity', SaltHex: 'abc' }),
    signUp,
  } as unknown as PasswordVerifierOperations;
  const { ask, calls } = await createAccountService({ extensions: { verifier_passwords } });
  const started = await ask('POST', '/register/start', {});
  assert.deepEqual([started.status, started.body.username, started.body.salt], [200, 'identity', 'abc']);
  const answer = await ask('POST', '/register', {
    email: EMAIL,
    username: 'identity',
    password_verifier: { salt: `00${'AB'.repeat(16)}`, verifier: '00FF' },
  });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(calls, [
    ['verifier_passwords.start', { ClientId: CLIENT_ID }],
    [
      'verifier_passwords.signUp',
      {
        ClientId: CLIENT_ID,
        Username: EMAIL,
        UserAttributes: [{ Name: 'email', Value: EMAIL }],
        UserIdForSrp: 'identity',
        PasswordVerifier: { SaltHex: 'ab'.repeat(16), VerifierHex: 'ff' },
      },
    ],
  ]);
});

test('a trivial verifier is 422 and never reaches the provider', async () => {
  const verifier_passwords = { signUp } as unknown as PasswordVerifierOperations;
  const { ask, calls } = await createAccountService({ extensions: { verifier_passwords } });
  for (const verifier of ['0', '1', '0001', 'f'.repeat(768), 'f'.repeat(770)]) {
    const password_verifier = { salt: 'ab'.repeat(16), verifier };
    const answer = await ask('POST', '/register', { email: EMAIL, username: 'identity', password_verifier });
    assert.equal(answer.status, 422, verifier);
    assert.equal((answer.body.errors as { field: string }[])[0]?.field, 'password_verifier.verifier');
  }
  assert.deepEqual(calls, []);
});

test('passwords as verifiers are 403 if the provider or the configuration does not support them', async () => {
  const verifier_passwords = { signUp, start: signUp } as unknown as PasswordVerifierOperations;
  const off = [
    { extensions: {} },
    { extensions: { verifier_passwords }, settings: { verifierPasswords: false } },
  ] as const;
  const password_verifier = { salt: 'ab'.repeat(16), verifier: 'ff' };
  for (const given of off) {
    const { ask, calls } = await createAccountService(given);
    for (const [path, body] of [
      ['/register/start', {}],
      ['/register', { email: EMAIL, username: 'identity', password_verifier }],
      ['/password/reset', { email: EMAIL, code: '123456', password_verifier }],
    ] as const) {
      const answer = await ask('POST', path, body);
      assert.deepEqual([answer.status, answer.body.code], [403, 'feature_disabled'], path);
    }
    assert.deepEqual(calls, []);
    const parameters = await ask('GET', '/login/parameters');
    assert.deepEqual(parameters.body.capabilities, []);
  }
});

test('a code for an unknown or confirmed user is a wrong code; only a right but expired one is reported as expired', async () => {
  const expected: readonly (readonly [ProviderErrorCode, number, string])[] = [
    ['CodeMismatchException', 400, 'code_mismatch'],
    ['UserNotFoundException', 400, 'code_mismatch'],
    ['NotAuthorizedException', 400, 'code_mismatch'],
    ['ExpiredCodeException', 400, 'code_expired'],
    ['AliasExistsException', 400, 'invalid_user_state'],
    ['LimitExceededException', 429, 'too_many_requests'],
  ];
  for (const [refused, status, code] of expected) {
    const confirm_registration = createRefusingOperation(refused) as ProviderExtensions['confirm_registration'];
    const { ask } = await createAccountService({ extensions: { confirm_registration } });
    const answer = await ask('POST', '/register/verify', { email: EMAIL, code: '123456' });
    assert.deepEqual([answer.status, answer.body.code], [status, code], refused);
  }
  const { ask, calls } = await createAccountService({ extensions: { confirm_registration: async () => ({}) } });
  assert.equal((await ask('POST', '/register/verify', { username: 'ada', code: '123456' })).status, 200);
  assert.deepEqual(calls[0]?.[1], { ClientId: CLIENT_ID, Username: 'ada', ConfirmationCode: '123456' });
});

test('a session is passed to the provider with the code, under every registered name', async () => {
  const username = 'Ada';
  const confirm_registration = async () => ({});
  const { ask, calls } = await createAccountService({ operations: { signUp }, extensions: { confirm_registration } });
  const { session } = (await ask('POST', '/register', { email: EMAIL, password: PASSWORD, username })).body;
  for (const named of [{ email: EMAIL.toUpperCase() }, { username }]) {
    assert.equal((await ask('POST', '/register/verify', { ...named, code: '123456', session })).status, 200);
    assert.match(JSON.stringify(calls.at(-1)), /"Session":"s{900}"/);
  }
  const before = calls.length;
  for (const bad of [
    { email: 'eve@example.com', session },
    { email: EMAIL, session: 'x'.repeat(60) },
  ]) {
    const answer = await ask('POST', '/register/verify', { ...bad, code: '123456' });
    assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_session']);
  }
  assert.equal(calls.length, before);
});

test('a provider without claims gets the code without a session, whatever the length of its own session', async () => {
  for (const length of [900, 2_048]) {
    const { ask, calls } = await createAccountService({
      operations: {
        signUp: async () => ({ ...(await signUp()), Session: 's'.repeat(length) }),
        confirmSignUp: async () => ({}),
      },
    });
    const { session } = (await ask('POST', '/register', { email: EMAIL, password: PASSWORD })).body;
    assert.equal((await ask('POST', '/register/verify', { email: EMAIL, code: '123456', session })).status, 200);
    assert.deepEqual(Object.keys(calls.at(-1)?.[1] as object).sort(), ['ClientId', 'ConfirmationCode', 'Username']);
  }
});

test('the session of a taken name confirms nothing if the provider has no claims: a login proves the password', async () => {
  const unconfirmed = createRefusingOperation('UserNotConfirmedException');
  const wrong = createRefusingOperation('NotAuthorizedException');
  for (const [initiateAuth, body, expected] of [
    [unconfirmed, {}, [422, 'password_required']],
    [unconfirmed, { password_verifier: { salt: 'ab'.repeat(16), verifier: 'ff' } }, [403, 'feature_disabled']],
    [unconfirmed, { password: PASSWORD }, [200, undefined]],
    [wrong, { password: PASSWORD }, [400, 'code_mismatch']],
    [createRefusingOperation('UserNotFoundException'), { password: PASSWORD }, [400, 'code_mismatch']],
    [createRefusingOperation('TooManyRequestsException'), { password: PASSWORD }, [429, 'too_many_requests']],
  ] as const) {
    const taken = createRefusingOperation('UsernameExistsException');
    const operations = { signUp: taken, initiateAuth, confirmSignUp: async () => ({}) };
    const { ask, calls } = await createAccountService({ operations });
    const { session } = (await ask('POST', '/register', { email: EMAIL, password: PASSWORD })).body;
    for (const own of [{}, { session }]) {
      const answer = await ask('POST', '/register/verify', { email: EMAIL, code: '123456', ...body, ...own });
      assert.deepEqual([answer.status, answer.body.code], expected);
    }
    const confirmed = calls.filter(([name]) => name === 'confirmSignUp').length;
    assert.equal(confirmed, expected[0] === 200 ? 2 : 0);
  }
});

test('an incomplete confirmation is reported, with what a client needs to complete it', async () => {
  const Password = { UserIdForSrp: 'identity', SaltHex: 'abc' };
  const Missing = { Password, Attributes: ['nickname'] };
  const lacking = await createAccountService({ extensions: { confirm_registration: async () => ({ Missing }) } });
  const answer = await lacking.ask('POST', '/register/verify', { email: EMAIL, code: '123456' });
  assert.deepEqual([answer.status, answer.body.code], [422, 'password_required']);
  const registration = { username: 'identity', salt: 'abc', required_attributes: ['nickname'] };
  assert.deepEqual(answer.body.registration, registration);
  const bare = { Missing: { Attributes: ['nickname'] } };
  const passwordless = await createAccountService({ extensions: { confirm_by_link: async () => bare } });
  const refused = await passwordless.ask('POST', '/register/verify-link', { token: 'A'.repeat(43) });
  assert.deepEqual([refused.status, refused.body.code], [422, 'validation_failed']);
  assert.equal((refused.body.errors as { field: string }[])[0]?.field, 'attributes.nickname');
});

test('a code is resent to a known user, and everyone else gets the same response', async () => {
  const sent = await createAccountService({ operations: { resendConfirmationCode: async () => ({}) } });
  const wanted = await sent.ask('POST', '/register/resend-code', { email: EMAIL });
  assert.equal(wanted.status, 200);
  for (const code of [
    'UserNotFoundException',
    'InvalidParameterException',
    'NotAuthorizedException',
    'CodeDeliveryFailureException',
  ] as const) {
    const { ask } = await createAccountService({
      operations: { resendConfirmationCode: createRefusingOperation(code) },
    });
    assert.equal((await ask('POST', '/register/resend-code', { email: EMAIL })).text, wanted.text, code);
  }
});

test('a user is named by username or address; both must agree', async () => {
  const { ask, calls } = await createAccountService({ operations: { forgotPassword: async () => ({}) } });
  for (const [body, status] of [
    [{ username: 'ada' }, 200],
    [{ email: EMAIL }, 200],
    [{ email: EMAIL, username: EMAIL }, 200],
    [{ email: EMAIL, username: 'eve' }, 422],
    [{}, 422],
  ] as const) {
    assert.equal((await ask('POST', '/password/forgot', body)).status, status, JSON.stringify(body));
  }
  assert.deepEqual(
    calls.map(([, input]) => (input as { Username: string }).Username),
    ['ada', EMAIL, EMAIL],
  );
});
