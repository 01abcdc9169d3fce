import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createClient, type TokensClient } from '../client.ts';
import { memoryVault } from '../devices/device-vault.ts';
import { memoryStorage, type Tokens } from '../modes/tokens-mode.ts';
import { createScriptedClientWith, type ScriptedOptions, type ScriptedResponse } from '../testing/scripted-service.ts';

const OWNER = { userPoolId: 'local_pool', username: 'ada' };
const DEVICE = { deviceKey: 'local_this', deviceGroupKey: 'group', devicePassword: 'secret' };
const PASSWORD = 'Correct-Horse1!';
const TOKENS: Tokens = {
  accessToken: `e30.${btoa(JSON.stringify({ username: 'ada' }))}.x`,
  idToken: 'id',
  refreshToken: 'refresh',
  expiresAtMs: 3_600_000,
};

/** A client whose user is logged in, on a device that is remembered. */
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
    it(`drops the tokens where the service ended this login with the others, and only there: ${name}`, async () => {
      for (const ended of [true, false, undefined]) {
        const { client, kept } = await loggedIn([
          { ...answer, ...(ended === undefined ? {} : { login_ended: ended }) },
        ]);
        const outcome = (await run(client)) as { readonly loginEnded: boolean };
        assert.equal(outcome.loginEnded, ended === true);
        assert.equal((await kept()).tokens, ended !== true);
      }
    });

    it(`keeps the tokens where the service refuses: ${name}`, async () => {
      const { client, kept } = await loggedIn([[403, { code: 'reauthentication_required' }]]);
      await assert.rejects(run(client), { code: 'reauthentication_required' });
      assert.equal((await kept()).tokens, true);
    });
  }

  it('drops them also after the first code of an authenticator', async () => {
    const made = { SecretCode: 'ABCD', SecretCodeQR: 'data:', TotpUri: 'otpauth://totp/x' };
    const { client, kept, sent } = await loggedIn([made, { login_ended: true }]);
    const authenticator = await client.mfa.activate();
    assert.deepEqual(await authenticator.verify('123456', { name: 'Phone' }), { loginEnded: true });
    assert.deepEqual(sent()[1], ['POST /user/mfa/verify', { code: '123456', device_name: 'Phone' }]);
    assert.equal((await kept()).tokens, false);
  });

  it('ends the other logins unless the program asks for the contrary', async () => {
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

describe('the end of an account or of its logins', () => {
  it('leaves neither tokens nor the secret of the device once the account is deleted', async () => {
    const { client, kept, sent } = await loggedIn([{}]);
    await client.profile.deleteAccount();
    assert.deepEqual(sent(), [['DELETE /user', { confirm: true }]]);
    assert.deepEqual(await kept(), { tokens: false, device: undefined });
  });

  it('leaves both where the account was not deleted', async () => {
    const { client, kept } = await loggedIn([[403, { code: 'reauthentication_required' }]]);
    await assert.rejects(client.profile.deleteAccount(), { code: 'reauthentication_required' });
    assert.deepEqual(await kept(), { tokens: true, device: DEVICE });
  });

  it('drops the tokens with every login, and keeps the device', async () => {
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

describe('a device that is forgotten', () => {
  it('loses its secret here where it is this one, after the service has forgotten it', async () => {
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

describe('another password', () => {
  const VERIFIERS = { parameters: { capabilities: ['verifier_passwords'] } } as unknown as ScriptedOptions;

  it('is nothing that somebody can set who is not logged in', async () => {
    const { client, requests } = createScriptedClientWith({});
    await assert.rejects(client.password.change({ next: PASSWORD }), { code: 'unauthenticated', status: 401 });
    assert.deepEqual(requests, []);
  });

  it('is sent with the old one where the service takes passwords', async () => {
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

  it('never leaves the client where the service takes verifiers', async () => {
    const { client, sent } = await loggedIn([{ username: 'ada', salt: '0a1b' }, {}], VERIFIERS);
    await client.password.change({ next: PASSWORD });
    const [, change] = sent();
    const [, body] = change ?? [];
    assert.match(JSON.stringify(body), /^\{"password_verifier":\{"salt":"0a1b","verifier":"[\da-f]{700,}"\}\}$/);
    assert.doesNotMatch(JSON.stringify(sent()), new RegExp(PASSWORD));
  });

  it('that replaces a wrong one is not set', async () => {
    const { client, sent } = await loggedIn([[401, { code: 'invalid_credentials' }]], VERIFIERS);
    await assert.rejects(client.password.change({ current: 'wrong', next: PASSWORD }), { code: 'invalid_credentials' });
    assert.deepEqual(
      sent().map(([route]) => route),
      ['POST /login/srp'],
    );
    assert.doesNotMatch(JSON.stringify(sent()), /wrong/);
  });

  it('goes with the session of its code, where there is one', async () => {
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

describe('a registration', () => {
  it('goes on with its session, and without one asks for a proof', async () => {
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

  it('is proven once the service asks for it, and the password is not sent where the service compares verifiers', async () => {
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

describe('the mode of a client', () => {
  it('is a session in a page of the service, and else tokens', (context) => {
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
