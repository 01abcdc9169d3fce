import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Output, ProviderError, type ProviderErrorCode, type ProviderOperations } from '@poolgate/provider';
import { createServer } from '../http/server.ts';
import type { PendingSrpRecord } from '../records/index.ts';
import { CLIENT_ID, createGuardRecords, createTestDeps, createTestProvider } from '../testing/gateway-deps.ts';

type Step = Output<'InitiateAuth'>;
type Started = Parameters<ProviderOperations['initiateAuth']>[0];
type Answered = Parameters<ProviderOperations['respondToAuthChallenge']>[0];

const RESULT = { AccessToken: 'a', RefreshToken: 'r', IdToken: 'i', ExpiresIn: 3600, TokenType: 'Bearer' };
const TOKENS: Step = { AuthenticationResult: RESULT };
const DEVICE = 'us-east-1_00000000-0000-4000-8000-000000000000';
const HANDLE = /^[A-Za-z0-9+/]{43}=$/;
const PARAMETERS = { SALT: 'f3', SRP_B: 'abc', SECRET_BLOCK: 'AAAA', USER_ID_FOR_SRP: 'u' };
const VERIFIER: Step = { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: PARAMETERS };
const QUESTION: Step = { ChallengeName: 'CUSTOM_CHALLENGE', Session: 's', ChallengeParameters: { question: '?' } };
const CLAIM = {
  PASSWORD_CLAIM_SECRET_BLOCK: 'AAAA',
  TIMESTAMP: 'Sat Jan 31 12:00:00 UTC 2026',
  PASSWORD_CLAIM_SIGNATURE: 'AAAA',
};

/** A service whose provider gives one answer to every step, and records its calls. */
async function service(
  answer: Step | Error | ((asked: Started | Answered) => Step | Error),
  put?: (row: PendingSrpRecord) => Promise<void>,
) {
  const started: Started[] = [];
  const answered: Answered[] = [];
  const answerTo = async (asked: Started | Answered) => {
    const given = typeof answer === 'function' ? answer(asked) : answer;
    if (given instanceof Error) throw given;
    return given;
  };
  const provider = createTestProvider(() => [], {
    initiateAuth: (input) => {
      started.push(input);
      return answerTo(input);
    },
    respondToAuthChallenge: (input) => {
      answered.push(input);
      return answerTo(input);
    },
  });
  const rows = new Map<string, PendingSrpRecord>();
  const pendingSrp = {
    put: put ?? (async (row: PendingSrpRecord) => void rows.set(row.digestHex, row)),
    find: async (digestHex: string) => rows.get(digestHex),
    consume: async (digestHex: string) => rows.get(digestHex),
  };
  const app = await createServer(createTestDeps({ provider, records: { ...createGuardRecords(), pendingSrp } }));
  async function post(url: string, payload: object) {
    const { statusCode, json } = await app.inject({ method: 'POST', url, payload });
    return { status: statusCode, body: json() };
  }
  const respond = (challenge_name: string, more: object = {}) =>
    post('/login/auth-challenge', { challenge_name, session: 's', username: 'ada', ...more });
  return { started, answered, post, respond };
}

const codeOf = ({ status, body }: { readonly status: number; readonly body: { readonly code?: string } }) =>
  `${status} ${body.code}`;

test('a custom login is started as such, with the device that the provider knows', async () => {
  const { started, post } = await service((asked) =>
    asked.ClientId === CLIENT_ID && 'AuthFlow' in asked && asked.AuthParameters?.DEVICE_KEY === undefined
      ? QUESTION
      : new ProviderError('ResourceNotFoundException', 'Device does not exist.', { reason: 'device_not_found' }),
  );
  const { status, body } = await post('/login/custom', { username: 'ada', device_key: DEVICE });
  assert.deepEqual([status, body.challenge_name, body.session, body.username], [200, 'CUSTOM_CHALLENGE', 's', 'ada']);
  const common = { AuthFlow: 'CUSTOM_AUTH', ClientId: CLIENT_ID };
  assert.deepEqual(started, [
    { ...common, AuthParameters: { USERNAME: 'ada', DEVICE_KEY: DEVICE } },
    { ...common, AuthParameters: { USERNAME: 'ada' } },
  ]);
});

test('such a login starts with the password if the client requests it; its token is for that challenge alone', async () => {
  const asking = await service(QUESTION);
  const begun = { username: 'ada', srp_a: 'ABC', session_token: 'mine', custom: true };
  const { status, body } = await asking.post('/login/srp', begun);
  assert.deepEqual([status, body.session, body.session_token], [200, 's', 's']);
  const AuthParameters = { USERNAME: 'ada', SRP_A: 'abc', CHALLENGE_NAME: 'SRP_A' };
  assert.deepEqual(asking.started, [{ AuthFlow: 'CUSTOM_AUTH', ClientId: CLIENT_ID, AuthParameters }]);
  const verifying = await service(VERIFIER);
  const { body: next } = await verifying.post('/login/srp', { ...begun, custom: false });
  assert.equal(next.session_token, 'mine');
  assert.match(next.session, HANDLE);
  assert.equal(verifying.started[0]?.AuthFlow, 'USER_SRP_AUTH');
});

test('errors about the user before any proof look like a failed login', async () => {
  for (const code of ['PasswordResetRequiredException', 'UserNotConfirmedException'] as const) {
    const { post } = await service(new ProviderError(code, 'x'));
    for (const path of ['/login/srp', '/login/custom']) {
      const sent = { username: 'ada', ...(path === '/login/srp' ? { srp_a: 'abc' } : {}) };
      assert.equal(codeOf(await post(path, sent)), '401 invalid_credentials', `${path} ${code}`);
    }
  }
});

test('a PASSWORD_VERIFIER without one of its parameters is an invalid response', async () => {
  for (const name of Object.keys(PARAMETERS)) {
    const { [name]: _, ...ChallengeParameters } = PARAMETERS as Record<string, string>;
    const { post } = await service({ ...VERIFIER, ChallengeParameters });
    assert.equal(codeOf(await post('/login/srp', { username: 'ada', srp_a: 'abc' })), '502 provider_error', name);
  }
  const { post } = await service({ ChallengeName: 'PASSWORD_VERIFIER' });
  assert.equal(codeOf(await post('/login/srp', { username: 'ada', srp_a: 'abc' })), '502 provider_error');
});

test('the provider gets its own session back with the proof, if it gave one', async () => {
  for (const given of [{ Session: 'of the provider' }, {}]) {
    const { answered, post, respond } = await service((asked) =>
      'AuthFlow' in asked ? { ...VERIFIER, ...given } : TOKENS,
    );
    const { body } = await post('/login/srp', { username: 'ada', srp_a: 'abc' });
    const proof = { session: body.session, challenge_value: CLAIM };
    assert.equal((await respond('PASSWORD_VERIFIER', proof)).status, 200);
    assert.deepEqual(answered, [
      {
        ClientId: CLIENT_ID,
        ChallengeName: 'PASSWORD_VERIFIER',
        ...given,
        ChallengeResponses: { USERNAME: 'u', ...CLAIM },
      },
    ]);
  }
});

test('a handle of the service is a session only of PASSWORD_VERIFIER', async () => {
  const { answered, respond } = await service(TOKENS);
  const handle = { session: `${'A'.repeat(43)}=` };
  for (const [name, value] of [
    ['EMAIL_OTP', '123456'],
    ['NEW_PASSWORD_REQUIRED', 'Abc'],
    ['SELECT_CHALLENGE', 'PASSWORD'],
  ] as const) {
    assert.equal(codeOf(await respond(name, { ...handle, challenge_value: value })), '400 challenge_mismatch');
  }
  assert.equal(
    codeOf(await respond('PASSWORD_VERIFIER', { ...handle, challenge_value: CLAIM })),
    '401 invalid_session',
  );
  assert.deepEqual(answered, []);
  assert.equal((await respond('EMAIL_OTP', { session: `${'A'.repeat(42)}=`, challenge_value: '123456' })).status, 200);
});

test('a new password that the provider calls weak or already used is an invalid value', async () => {
  for (const code of ['InvalidPasswordException', 'PasswordHistoryPolicyViolationException'] as const) {
    const { respond } = await service(new ProviderError(code, 'x'));
    const { status, body } = await respond('NEW_PASSWORD_REQUIRED', { challenge_value: 'Abc' });
    assert.deepEqual([status, body.errors[0].field, body.errors[0].code], [422, 'challenge_value', 'weak_password']);
  }
});

test('a challenge by name gets that challenge, or is a mismatch', async () => {
  const { post, started } = await service({ ChallengeName: 'EMAIL_OTP', Session: 's' });
  assert.equal((await post('/login/passkey/challenge/EMAIL_OTP', { username: 'ada' })).status, 200);
  assert.equal(codeOf(await post('/login/passkey/challenge/WEB_AUTHN', { username: 'ada' })), '400 challenge_mismatch');
  assert.deepEqual(
    started.map(({ AuthParameters }) => AuthParameters),
    [
      { USERNAME: 'ada', PREFERRED_CHALLENGE: 'EMAIL_OTP' },
      { USERNAME: 'ada', PREFERRED_CHALLENGE: 'WEB_AUTHN' },
    ],
  );
});

test('a device challenge has a secret block and a session, or is refused', async () => {
  const good: Step = {
    ChallengeName: 'DEVICE_PASSWORD_VERIFIER',
    Session: 't',
    ChallengeParameters: { SECRET_BLOCK: 'AAAA' },
  };
  const value = { challenge_value: { DEVICE_KEY: DEVICE, SRP_A: 'abc' } };
  const { Session: _, ...withoutSession } = good;
  for (const [step, expected] of [
    [good, '200 undefined'],
    [withoutSession, '502 provider_error'],
    [{ ...good, ChallengeName: 'SMS_MFA' }, '502 provider_error'],
    [{ ...good, ChallengeParameters: {} }, '502 provider_error'],
    [{ ChallengeName: 'DEVICE_PASSWORD_VERIFIER', Session: 't' }, '502 provider_error'],
  ] as const) {
    const { answered, respond } = await service(step);
    assert.equal(codeOf(await respond('DEVICE_SRP_AUTH', value)), expected, JSON.stringify(step));
    assert.deepEqual(answered[0]?.ChallengeResponses, { USERNAME: 'ada', DEVICE_KEY: DEVICE, SRP_A: 'abc' });
  }
});

test('a login that cannot be stored is not started', async () => {
  const down = () => Promise.reject(new Error('down'));
  const { post } = await service(VERIFIER, down);
  assert.equal(codeOf(await post('/login/srp', { username: 'ada', srp_a: 'abc' })), '500 internal_error');
  const ChallengeParameters = { SECRET_BLOCK: 'AAAA' };
  const { respond } = await service(
    { ChallengeName: 'DEVICE_PASSWORD_VERIFIER', Session: 't', ChallengeParameters },
    down,
  );
  const value = { challenge_value: { DEVICE_KEY: DEVICE, SRP_A: 'abc' } };
  assert.equal(codeOf(await respond('DEVICE_SRP_AUTH', value)), '500 internal_error');
});

test('a removed device proves nothing, and another refusal is returned unchanged', async () => {
  const value = { challenge_value: { DEVICE_KEY: DEVICE, SRP_A: 'abc' } };
  for (const [code, reason, expected] of [
    ['ResourceNotFoundException', 'device_not_found', '401 invalid_credentials'],
    ['NotAuthorizedException', 'invalid_session', '401 invalid_session'],
    ['InvalidParameterException', 'challenge_mismatch', '400 challenge_mismatch'],
  ] as const satisfies readonly (readonly [ProviderErrorCode, string, string])[]) {
    const { respond } = await service(new ProviderError(code, 'x', { reason }));
    assert.equal(codeOf(await respond('DEVICE_SRP_AUTH', value)), expected);
  }
});

test('a proof of a device that got no challenge belongs to no session', async () => {
  const { answered, respond } = await service(TOKENS);
  const challenge_value = { ...CLAIM, DEVICE_KEY: DEVICE };
  assert.equal(codeOf(await respond('DEVICE_PASSWORD_VERIFIER', { challenge_value })), '401 invalid_session');
  assert.deepEqual(answered, []);
});

test('SRP_A, a choice and its password are validated by field', async () => {
  const { answered, respond } = await service({ ...VERIFIER, Session: 't' });
  const tooLong = 'f'.repeat(771);
  const longest = `${'0'.repeat(767)}abc`;
  for (const [name, value, expected] of [
    ['PASSWORD_SRP', { SRP_A: '' }, 'challenge_value.SRP_A too_short'],
    ['PASSWORD_SRP', { SRP_A: tooLong }, 'challenge_value.SRP_A too_long'],
    ['PASSWORD_SRP', { SRP_A: '1' }, 'challenge_value.SRP_A public_value_out_of_range'],
    ['PASSWORD_SRP', { SRP_A: longest }, undefined],
    ['DEVICE_SRP_AUTH', { DEVICE_KEY: DEVICE, SRP_A: '' }, 'challenge_value.SRP_A too_short'],
    ['DEVICE_SRP_AUTH', { DEVICE_KEY: DEVICE, SRP_A: tooLong }, 'challenge_value.SRP_A too_long'],
    ['DEVICE_SRP_AUTH', { DEVICE_KEY: DEVICE, SRP_A: '1' }, 'challenge_value.SRP_A public_value_out_of_range'],
    ['DEVICE_SRP_AUTH', { DEVICE_KEY: DEVICE, SRP_A: longest }, undefined],
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD_SRP', SRP_A: '' }, 'challenge_value.SRP_A too_short'],
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD_SRP', SRP_A: tooLong }, 'challenge_value.SRP_A too_long'],
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD_SRP', SRP_A: '1' }, 'challenge_value.SRP_A public_value_out_of_range'],
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD_SRP', SRP_A: longest }, undefined],
    ['SELECT_CHALLENGE', { ANSWER: 'x' }, 'challenge_value not_allowed'],
    ['SELECT_CHALLENGE', { ANSWER: '' }, 'challenge_value.ANSWER too_short'],
    ['SELECT_CHALLENGE', { ANSWER: 'x'.repeat(64) }, 'challenge_value not_allowed'],
    ['SELECT_CHALLENGE', { ANSWER: 'x'.repeat(65) }, 'challenge_value.ANSWER too_long'],
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD', PASSWORD: '' }, 'challenge_value.PASSWORD too_short'],
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD', PASSWORD: 'x'.repeat(257) }, 'challenge_value.PASSWORD too_long'],
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD', PASSWORD: 'x' }, undefined],
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD', PASSWORD: 'x'.repeat(256) }, undefined],
  ] as const) {
    answered.length = 0;
    const { body } = await respond(name, { challenge_value: value });
    const [fault] = body.errors ?? [];
    assert.equal(fault && `${fault.field} ${fault.code}`, expected, `${name} ${JSON.stringify(value)}`);
    assert.equal(answered.length, expected === undefined ? 1 : 0);
  }
});

test('a choice is a name, an object or its JSON text; an SRP choice gets a handle', async () => {
  const { answered, respond } = await service({ ...VERIFIER, Session: 't' });
  const object = { ANSWER: 'PASSWORD', PASSWORD: 'Abc' };
  for (const challenge_value of [object, JSON.stringify(object), ` ${JSON.stringify(object)}`]) {
    await respond('SELECT_CHALLENGE', { challenge_value });
    assert.deepEqual(answered.pop()?.ChallengeResponses, { USERNAME: 'ada', ...object });
  }
  await respond('SELECT_CHALLENGE', { challenge_value: 'email_otp' });
  assert.deepEqual(answered.pop()?.ChallengeResponses, { USERNAME: 'ada', ANSWER: 'EMAIL_OTP' });
  for (const [name, challenge_value, rest] of [
    ['SELECT_CHALLENGE', { ANSWER: 'PASSWORD_SRP', SRP_A: 'abc' }, { ANSWER: 'PASSWORD_SRP' }],
    ['PASSWORD_SRP', { SRP_A: 'abc' }, {}],
  ] as const) {
    const { status, body } = await respond(name, { challenge_value });
    assert.equal(status, 200);
    assert.match(body.session, HANDLE);
    const ChallengeResponses = { USERNAME: 'ada', ...rest, SRP_A: 'abc' };
    assert.deepEqual(answered.pop(), { ClientId: CLIENT_ID, ChallengeName: name, Session: 's', ChallengeResponses });
  }
  assert.equal((await respond('PASSWORD_SRP')).status, 200);
  assert.match(answered.pop()?.ChallengeResponses?.SRP_A ?? '', /^[0-9a-f]{600,768}$/, 'the service makes one');
});
