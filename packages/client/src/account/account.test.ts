import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, type TokensClient } from '../client.ts';
import { memoryVault } from '../devices/device-vault.ts';
import type { LoginStep } from '../login/steps/login-steps.ts';
import { memoryStorage, type Tokens } from '../modes/tokens-mode.ts';
import {
  createChallengeResponse,
  createScriptedClientWith,
  type ScriptedOptions,
  type ScriptedResponse,
} from '../testing/scripted-service.ts';
import { toUserHandle } from './account-profile.ts';

const OWNER = { userPoolId: 'local_pool', username: 'ada' };
const DEVICE = { deviceKey: 'local_this', deviceGroupKey: 'group', devicePassword: 'secret' };
const PASSWORD = 'Correct-Horse1!';
const NO_RULES = {
  minimum_length: 1,
  maximum_length: 99,
  require_uppercase: false,
  require_lowercase: false,
  require_numbers: false,
  require_symbols: false,
  symbols: '',
  refuse_common: true,
  refuse_leaked: false,
};

type ResponseBody = Readonly<Record<string, unknown>>;

const TOKENS: Tokens = {
  accessToken: `e30.${btoa(JSON.stringify({ username: 'ada' }))}.x`,
  idToken: 'id',
  refreshToken: 'refresh',
  expiresAtMs: 3_600_000,
};

/** A client with a signed-in user on a remembered device. */
async function loggedIn(answers: readonly ScriptedResponse[], options: ScriptedOptions = {}) {
  const storage = memoryStorage();
  await storage.write(TOKENS);
  const devices = memoryVault();
  await devices.save(OWNER, DEVICE);
  const { client, requests } = createScriptedClientWith({ storage, devices, ...options }, ...answers);
  const kept = async () => ({ tokens: (await client.tokens()) !== null, device: await devices.find(OWNER) });
  const sent = () => requests.map(({ method, path, body }) => [`${method} ${path}`, body] as const);
  return { client, kept, sent };
}

describe('a change of the account', () => {
  const changes: readonly (readonly [name: string, answer: object, run: (client: TokensClient) => Promise<unknown>])[] =
    [
      ['another password', {}, ({ password }) => password.change({ current: 'old', next: PASSWORD })],
      ['a preference', {}, ({ mfa }) => mfa.prefer({ methods: { SOFTWARE_TOKEN_MFA: true } })],
      ['no second factor', {}, ({ mfa }) => mfa.deactivate()],
      ['new recovery codes', { recovery_codes: ['a'] }, ({ mfa }) => mfa.newRecoveryCodes()],
      ['a passkey less', {}, ({ passkeys }) => passkeys.remove('one')],
    ];
  for (const [name, answer, run] of changes) {
    it(`drops the tokens only if the service ended this login with the others: ${name}`, async () => {
      for (const ended of [true, false, undefined]) {
        const { client, kept } = await loggedIn([
          { ...answer, ...(ended === undefined ? {} : { login_ended: ended }) },
        ]);
        const outcome = (await run(client)) as { readonly loginEnded: boolean };
        assert.equal(outcome.loginEnded, ended === true);
        assert.equal((await kept()).tokens, ended !== true);
      }
    });

    it(`keeps the tokens if the service refuses: ${name}`, async () => {
      const { client, kept } = await loggedIn([[403, { code: 'reauthentication_required' }]]);
      await assert.rejects(run(client), { code: 'reauthentication_required' });
      assert.equal((await kept()).tokens, true);
    });
  }

  it('drops the tokens also after the first code of an authenticator app', async () => {
    const made = { SecretCode: 'ABCD', SecretCodeQR: 'data:', TotpUri: 'otpauth://totp/x' };
    const { client, kept, sent } = await loggedIn([made, { login_ended: true }]);
    const authenticator = await client.mfa.activate();
    assert.deepEqual(await authenticator.verify('123456', { name: 'Phone' }), { loginEnded: true });
    assert.deepEqual(sent()[1], ['POST /user/mfa/verify', { code: '123456', device_name: 'Phone' }]);
    assert.equal((await kept()).tokens, false);
  });

  it('ends the other logins unless the program opts out', async () => {
    for (const [options, body] of [
      [undefined, {}],
      [{ endOtherSessions: true }, { end_other_sessions: true }],
      [{ endOtherSessions: false }, { end_other_sessions: false }],
    ] as const) {
      const { client, sent } = await loggedIn([{}]);
      await client.mfa.deactivate(options);
      assert.deepEqual(sent(), [['POST /user/mfa/deactivate', body]]);
    }
  });
});

describe('account requests and responses', () => {
  const code = { attribute: 'email', code: '1' } as const;
  const sentTo = [{ attribute: 'email', medium: 'EMAIL', destination: 'a***@e***' }];
  const page = (key: string) => ({ [key]: ['one'], next_cursor: 'next' });
  const items = { items: ['one'], nextCursor: 'next' };
  const factors = { factors: ['PASSWORD'], mfa: { methods: [] } };

  for (const [run, request, body, answer, expected] of [
    [({ devices }) => devices.list({ limit: 1 }), 'GET /device', {}, page('devices'), items],
    [
      ({ devices }) => devices.rename('a', 'Phone'),
      'PATCH /device/a',
      { device_name: 'Phone' },
      { device: 'renamed' },
      'renamed',
    ],
    [({ devices }) => devices.setRemembered('a', true), 'PUT /device/a', { remembered_status: true }, {}, undefined],
    [({ sessions }) => sessions.list(), 'GET /user/sessions', {}, page('sessions'), items],
    [({ sessions }) => sessions.end('a'), 'DELETE /user/sessions/a', {}, {}, undefined],
    [
      ({ mfa }) => mfa.factors(),
      'GET /user/factors',
      {},
      { ...factors, recovery_codes_left: 3 },
      { ...factors, recoveryCodesLeft: 3 },
    ],
    [
      ({ profile }) => profile.sendCode('email'),
      'POST /user/attributes/code',
      { attribute: 'email' },
      { code_delivery: sentTo },
      sentTo,
    ],
    [({ profile }) => profile.verify('email', '1'), 'POST /user/attributes/verify', code, {}, undefined],
    [
      ({ password }) => password.forgot({ username: 'ada' }),
      'POST /password/forgot',
      { username: 'ada' },
      { session: 's' },
      { session: 's' },
    ],
    [({ password }) => password.notMe({ token: 't' }), 'POST /account/not-me', { token: 't' }, {}, undefined],
    [({ signUp }) => signUp.confirm({ token: 't' }), 'POST /register/verify-link', { token: 't' }, {}, null],
    [
      ({ signUp }) => signUp.confirm({ username: 'ada', code: '1' }),
      'POST /register/verify',
      { username: 'ada', code: '1' },
      {},
      null,
    ],
  ] as readonly (readonly [
    run: (client: TokensClient) => Promise<unknown>,
    request: string,
    body: object,
    answer: ResponseBody,
    expected: unknown,
  ])[]) {
    it(`${request} ${JSON.stringify(body)}`, async () => {
      const { client, sent } = await loggedIn([answer]);
      assert.deepEqual(await run(client), expected);
      assert.deepEqual(sent(), [[request, body]]);
      const refused = await loggedIn([[403, { code: 'forbidden' }]]);
      await assert.rejects(run(refused.client), { code: 'forbidden' });
    });
  }
});

it('user handles are base64url without padding', () => {
  for (const [sub, handle] of [
    ['a', 'YQ'],
    ['~~~', 'fn5-'],
    ['???', 'Pz8_'],
  ] as const) {
    assert.equal(toUserHandle(sub), handle);
  }
});

describe('the end of an account or of its logins', () => {
  it('deletes the tokens and the device secret with the account', async () => {
    const { client, kept, sent } = await loggedIn([{}]);
    await client.profile.deleteAccount();
    assert.deepEqual(sent(), [['DELETE /user', { confirm: true }]]);
    assert.deepEqual(await kept(), { tokens: false, device: undefined });
  });

  it('keeps both if the account was not deleted', async () => {
    const { client, kept } = await loggedIn([[403, { code: 'reauthentication_required' }]]);
    await assert.rejects(client.profile.deleteAccount(), { code: 'reauthentication_required' });
    assert.deepEqual(await kept(), { tokens: true, device: DEVICE });
  });

  it('drops the tokens when every login ends, and keeps the device', async () => {
    const { client, kept } = await loggedIn([{}]);
    await client.sessions.endAll();
    assert.deepEqual(await kept(), { tokens: false, device: DEVICE });
    const failing = await loggedIn(['away']);
    await assert.rejects(failing.client.sessions.endAll(), { code: 'network_error' });
    assert.equal((await failing.kept()).tokens, true);
  });

  it('revokes the refresh token at a logout', async () => {
    const { client, kept, sent } = await loggedIn([{}]);
    await client.logOut();
    assert.deepEqual(sent(), [['POST /logout', { refresh_token: 'refresh' }]]);
    assert.equal((await kept()).tokens, false);
  });
});

describe('forgetting a device', () => {
  it('deletes the secret of the current device, after the service has forgotten it', async () => {
    for (const [key, device] of [
      ['local_this', undefined],
      ['local_other', DEVICE],
    ] as const) {
      const { client, kept, sent } = await loggedIn([{}]);
      assert.equal(await client.devices.current(), 'local_this');
      await client.devices.forget(key);
      assert.deepEqual(sent(), [[`DELETE /device/${key}`, {}]]);
      assert.deepEqual((await kept()).device, device);
    }
    const refused = await loggedIn([[404, { code: 'device_not_found' }]]);
    await assert.rejects(refused.client.devices.forget('local_this'), { code: 'device_not_found' });
    assert.deepEqual((await refused.kept()).device, DEVICE);
  });
});

describe('changing the password', () => {
  const VERIFIERS = { parameters: { capabilities: ['verifier_passwords'] } } as unknown as ScriptedOptions;

  it('requires a signed-in user', async () => {
    const { client, requests } = createScriptedClientWith({});
    await assert.rejects(client.password.change({ next: PASSWORD }), { code: 'unauthenticated', status: 401 });
    assert.deepEqual(requests, []);
  });

  it('sends the current password if the service accepts passwords', async () => {
    for (const [change, body] of [
      [
        { current: 'old', next: PASSWORD },
        { password: 'old', new_password: PASSWORD },
      ],
      [{ next: PASSWORD }, { new_password: PASSWORD }],
    ] as const) {
      const { client, sent } = await loggedIn([{}]);
      await client.password.change(change);
      assert.deepEqual(sent(), [['POST /user/changepassword', body]]);
    }
  });

  it('sends no password if the service accepts verifiers', async () => {
    const { client, sent } = await loggedIn([{ username: 'ada', salt: '0a1b' }, {}], VERIFIERS);
    await client.password.change({ next: PASSWORD });
    const [, change] = sent();
    const [, body] = change ?? [];
    assert.match(JSON.stringify(body), /^\{"password_verifier":\{"salt":"0a1b","verifier":"[\da-f]{700,}"\}\}$/);
    assert.doesNotMatch(JSON.stringify(sent()), new RegExp(PASSWORD));
  });

  it('fails if the current password is wrong', async () => {
    const { client, sent } = await loggedIn([[401, { code: 'invalid_credentials' }]], VERIFIERS);
    await assert.rejects(client.password.change({ current: 'wrong', next: PASSWORD }), { code: 'invalid_credentials' });
    assert.deepEqual(
      sent().map(([route]) => route),
      ['POST /login/srp'],
    );
    assert.doesNotMatch(JSON.stringify(sent()), /wrong/);
  });

  it('fails if the current password was not proven, whatever the response to the proof', async () => {
    const proving = { USER_ID_FOR_SRP: 'ada', SALT: 'ab', SRP_B: 'abcdef', SECRET_BLOCK: 'AAAA' };
    const challenge = createChallengeResponse('PASSWORD_VERIFIER', 's1', proving);
    const change = { current: 'old', next: PASSWORD };
    const away = await loggedIn([challenge, [503, { code: 'unavailable' }]], VERIFIERS);
    await assert.rejects(away.client.password.change(change), { code: 'unavailable', status: 503 });
    const srp = await loggedIn([createChallengeResponse('PASSWORD_SRP', 's1')], VERIFIERS);
    await assert.rejects(srp.client.password.change(change), { code: 'invalid_credentials', status: 401 });
    for (const { sent } of [away, srp]) assert.ok(sent().every(([route]) => route !== 'POST /user/changepassword'));
  });

  it('succeeds once the current password is proven, whatever challenge the login returns next', async () => {
    const proving = { USER_ID_FOR_SRP: 'ada', SALT: 'ab', SRP_B: 'abcdef', SECRET_BLOCK: 'AAAA' };
    const { client, sent } = await loggedIn(
      [
        createChallengeResponse('PASSWORD_VERIFIER', 's1', proving),
        createChallengeResponse('SOFTWARE_TOKEN_MFA', 's2'),
        { username: 'ada', salt: '0a1b' },
        {},
      ],
      VERIFIERS,
    );
    await client.password.change({ current: 'old', next: PASSWORD });
    assert.deepEqual(sent().at(-1)?.[0], 'POST /user/changepassword');
  });

  it('sends the session of the reset code, if there is one', async () => {
    for (const [session, own] of [
      ['of-the-code', { session: 'of-the-code' }],
      [undefined, {}],
    ] as const) {
      const { client, sent } = await loggedIn([{}]);
      await client.password.reset({ username: 'ada', code: '123456', session, password: PASSWORD });
      assert.deepEqual(sent(), [
        ['POST /password/reset', { username: 'ada', code: '123456', ...own, password: PASSWORD }],
      ]);
    }
  });
});

describe('a code that also signs in', () => {
  const login = {
    status: 'challenge',
    challenge_name: 'SOFTWARE_TOKEN_MFA',
    session: 's',
    session_token: 's',
    challenge_params: {},
    username: 'Ada',
  };

  it('leads to the next step of the login, whatever the code was for', async () => {
    for (const [run, path] of [
      [({ signUp }) => signUp.resume({ email: 'Ada' }).verify('1', {}, { signIn: true }), '/register/verify'],
      [({ signUp }) => signUp.confirm({ token: 't' }, {}, { signIn: true }), '/register/verify-link'],
      [
        ({ password }) => password.reset({ username: 'Ada', code: '1', password: PASSWORD, signIn: true }),
        '/password/reset',
      ],
    ] as readonly (readonly [run: (client: TokensClient) => Promise<LoginStep | null>, path: string])[]) {
      const { client, sent } = await loggedIn([{ login }, { ...login, challenge_name: 'SMS_MFA' }]);
      const step = await run(client);
      assert.ok(step?.kind === 'totp' && step.username === 'Ada', path);
      assert.equal((await step.submit('123456')).kind, 'sentCode');
      const [begun, answered] = sent();
      assert.equal(begun?.[0], `POST ${path}`);
      assert.equal(Reflect.get(Object(begun?.[1]), 'sign_in'), true);
      assert.equal(Reflect.get(Object(answered?.[1]), 'session'), 's');
    }
  });
});

describe('password problems', () => {
  it("are found without a request, including the program's own words", async () => {
    const policy = { ...NO_RULES, minimum_length: 8 };
    const isCommonPassword = (password: string) => password.startsWith('common');
    const { client, requests } = createScriptedClientWith({
      parameters: { password_policy: policy },
      isCommonPassword,
    });
    for (const [password, problems] of [
      ['a password', []],
      ['short', ['password_too_short']],
      ['common', ['password_too_short', 'password_too_common']],
    ] as const) {
      assert.deepEqual(await client.password.problems(password), problems);
    }
    assert.deepEqual(requests, []);
  });

  it("throw if the program's own list fails", async () => {
    const isCommonPassword = () => Promise.reject(new RangeError('no list'));
    const { client } = createScriptedClientWith({ isCommonPassword });
    await assert.rejects(client.password.problems('a password'), RangeError);
  });
});

describe('a registration', () => {
  it('is confirmed with its session, and without one asks for a proof', async () => {
    const requirement = { code: 'password_required', registration: { required_attributes: [] } };
    const { client, sent } = await loggedIn([{}, {}, [422, requirement]]);
    const known = client.signUp.resume({ email: 'ada@example.com', session: 'own' });
    await known.resend();
    await known.verify('1');
    await assert.rejects(client.signUp.resume({ email: 'ada@example.com' }).verify('1'), { code: 'password_required' });
    const email = 'ada@example.com';
    assert.deepEqual(sent(), [
      ['POST /register/resend-code', { email, session: 'own' }],
      ['POST /register/verify', { email, session: 'own', code: '1' }],
      ['POST /register/verify', { email, code: '1' }],
    ]);
  });

  it('proves its password when the service asks, without sending it if the service compares verifiers', async () => {
    const email = 'ada@example.com';
    const registration = { username: 'id', salt: '0a1b', required_attributes: [] };
    const { client, sent } = await loggedIn([[422, { code: 'password_required', registration }], {}]);
    await client.signUp.resume({ email }).verify('1', { password: PASSWORD });
    const [first, second] = sent();
    assert.deepEqual(first, ['POST /register/verify', { email, code: '1' }]);
    const [, { password_verifier: verifier, ...named }] = second ?? assert.fail();
    assert.deepEqual(named, { username: 'id', code: '1' });
    assert.equal((verifier as { readonly salt: string }).salt, '0a1b');
    assert.doesNotMatch(JSON.stringify(sent()), new RegExp(PASSWORD));
  });
});

describe('registering a new user', () => {
  const email = 'ada@example.com';
  const VERIFIERS = { parameters: { capabilities: ['verifier_passwords'] } } as unknown as ScriptedOptions;

  it('sends a username and attributes only if they are given', async () => {
    for (const more of [{}, { username: 'ada', name: 'Ada', attributes: { nickname: 'Countess' } }]) {
      const { client, sent } = await loggedIn([{ session: 'own' }]);
      const registration = await client.signUp.register({ email, password: PASSWORD, ...more });
      assert.deepEqual([registration.email, registration.session], [email, 'own']);
      assert.deepEqual(sent(), [['POST /register', { email, password: PASSWORD, ...more }]]);
    }
  });

  it('is confirmed with a new password that the service does not see, and with the required attributes', async () => {
    const registration = { username: 'id', required_attributes: ['nickname'] };
    const { client, sent } = await loggedIn(
      [[422, { code: 'password_required', registration }], { username: 'id', salt: '0a1b' }, {}],
      VERIFIERS,
    );
    const attributes = { nickname: 'Countess' };
    await client.signUp.confirm({ token: 't' }, { newPassword: PASSWORD, attributes });
    assert.deepEqual(sent().slice(0, 2), [
      ['POST /register/verify-link', { token: 't', attributes }],
      ['POST /register/start', { username: 'id' }],
    ]);
    const [route, { password_verifier: verifier, ...named }] = sent()[2] ?? assert.fail();
    assert.deepEqual([route, named], ['POST /register/verify-link', { token: 't', attributes, username: 'id' }]);
    assert.equal((verifier as { readonly salt: string }).salt, '0a1b');
    assert.doesNotMatch(JSON.stringify(sent()), new RegExp(PASSWORD));
  });
});

describe('the mode of a client', () => {
  it('is session on a page of the service, and tokens elsewhere', (context) => {
    const modeIn = (baseUrl?: string) => createClient(baseUrl === undefined ? {} : { baseUrl }).mode;
    assert.equal(modeIn(), 'tokens');
    Object.defineProperty(globalThis, 'location', {
      value: { origin: 'https://auth.example.com' },
      configurable: true,
    });
    context.after(() => Reflect.deleteProperty(globalThis, 'location'));
    for (const [baseUrl, mode] of [
      [undefined, 'session'],
      ['https://auth.example.com', 'session'],
      ['/', 'session'],
      ['https://auth.example.com:8443', 'tokens'],
      ['http://auth.example.com', 'tokens'],
      ['https://other.example.com', 'tokens'],
    ] as const) {
      assert.equal(modeIn(baseUrl), mode, String(baseUrl));
    }
  });
});
