import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createChallengeResponse,
  createChoiceResponse,
  createScriptedClient,
  createScriptedClientWith,
  LOGIN_SUCCESS,
  type ScriptedResponse,
} from '../../testing/scripted-service.ts';
import { requireStep } from '../../testing/test-client.ts';
import type { LoginStep, NewPasswordStep } from './login-steps.ts';

const USER = 'ada@example.com';
const PASSWORD = 'Correct-Horse1!';
const NEXT = 'Another-Horse2!';
const AWAY = [503, { code: 'unavailable' }] as const;
const OVER = [401, { code: 'invalid_session' }] as const;
const APP = { SecretCode: 'JBSW', SecretCodeQR: 'data:,', TotpUri: 'otpauth://totp/x', session: 's2' };

interface Case {
  readonly name: string;
  readonly parameters?: object;
  /** The requests that the client makes before it asks the user. */
  readonly first?: readonly ScriptedResponse[];
  readonly submit: (step: LoginStep) => Promise<LoginStep>;
  readonly path?: string;
  readonly body: object;
}

const answered = (name: string, value: unknown) => ({
  challenge_name: name,
  session: 's1',
  username: USER,
  challenge_value: value,
});

const CASES: readonly Case[] = [
  {
    name: 'CUSTOM_CHALLENGE',
    submit: (step) => requireStep('custom', step).submit('blue'),
    body: answered('CUSTOM_CHALLENGE', 'blue'),
  },
  {
    name: 'SOFTWARE_TOKEN_MFA',
    submit: (step) => requireStep('totp', step).submit('123456'),
    body: answered('SOFTWARE_TOKEN_MFA', '123456'),
  },
  {
    name: 'SOFTWARE_TOKEN_MFA',
    submit: (step) =>
      (step.kind === 'totp' ? step.useRecoveryCode() : requireStep('recoveryCode', step)).submit(' abcd '),
    body: answered('SOFTWARE_TOKEN_MFA', 'abcd'),
  },
  {
    name: 'SMS_MFA',
    submit: (step) => requireStep('sentCode', step).submit('123456'),
    body: answered('SMS_MFA', '123456'),
  },
  {
    name: 'SELECT_MFA_TYPE',
    parameters: { MFAS_CAN_CHOOSE: '["SMS_MFA"]' },
    submit: (step) => requireStep('selectMfa', step).choose('SMS_MFA'),
    body: answered('SELECT_MFA_TYPE', 'SMS_MFA'),
  },
  {
    name: 'NEW_PASSWORD_REQUIRED',
    submit: (step) => requireStep('newPassword', step).submit(NEXT, { name: 'Ada' }),
    body: answered('NEW_PASSWORD_REQUIRED', { NEW_PASSWORD: NEXT, 'userAttributes.name': 'Ada' }),
  },
  {
    name: 'MFA_SETUP',
    first: [APP],
    submit: (step) => requireStep('setUpAuthenticator', step).submit('123456'),
    path: '/user/mfa/verify',
    body: { session: 's2', code: '123456' },
  },
];

describe('a step whose answer the service rejected', () => {
  for (const { name, parameters, first = [], submit, path = '/login/auth-challenge', body } of CASES) {
    it(`${name} stays the same until the login is over`, async () => {
      const begun = createChallengeResponse(name, 's1', parameters);
      const { client, requests: asked } = createScriptedClient(
        begun,
        ...first,
        AWAY,
        AWAY,
        OVER,
        createChallengeResponse('CUSTOM_CHALLENGE', 's9'),
      );
      let step = await client.login.withTriggers({ username: USER });
      const skipped = asked.length;
      for (const _ of ['once', 'twice']) {
        const again = await submit(step);
        if (!('username' in again && 'error' in again)) assert.fail(again.kind);
        assert.deepEqual([again.username, again.error?.code], [USER, 'unavailable']);
        step = again;
      }
      const refused = requireStep('refused', await submit(step));
      assert.deepEqual([refused.username, refused.error.code], [USER, 'invalid_session']);
      const request = { method: 'POST', path, body };
      assert.deepEqual(asked.slice(skipped), [request, request, request]);
      assert.equal(requireStep('custom', await refused.retry()).username, USER);
    });
  }

  it('offers the choice of factors again, or a password again', async () => {
    const { client, requests: asked } = createScriptedClient(
      createChoiceResponse('SELECT_CHALLENGE', 's1', {}, [
        'WEB_AUTHN',
        'EMAIL_OTP',
        'PASSWORD',
        'EMAIL_OTP',
        'TELEPATHY',
      ]),
      ...[AWAY, AWAY, OVER, createChoiceResponse('SELECT_CHALLENGE', 's2')],
    );
    let step = requireStep('selectFactor', await client.login.choose({ username: USER }));
    assert.deepEqual(step.factors, ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP']);
    for (const _ of ['once', 'twice']) {
      step = requireStep('selectFactor', await step.choose('EMAIL_OTP'));
      assert.deepEqual([step.username, step.error?.code], [USER, 'unavailable']);
      assert.deepEqual(step.factors, ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP']);
    }
    const refused = requireStep('refused', await step.choose('EMAIL_OTP'));
    assert.deepEqual(requireStep('selectFactor', await refused.retry()).factors, ['PASSWORD']);
    const sent = asked.map(({ path, body }) => [path, body]);
    const list = ['/login/passkey/challenge', { username: USER }];
    const code = ['/login/passkey/challenge/EMAIL_OTP', { username: USER }];
    assert.deepEqual(sent, [list, code, code, code, list]);
    const none = createScriptedClientWith(
      { parameters: { challenges: [] } },
      createChoiceResponse('SELECT_CHALLENGE', 's1', {}, ['WEB_AUTHN']),
    );
    assert.deepEqual(requireStep('selectFactor', await none.client.login.choose({ username: USER })).factors, [
      'WEB_AUTHN',
    ]);
  });

  it('asks for the password of a running login; only a retry starts with the username', async () => {
    const sms = createChallengeResponse('SMS_MFA', 's2');
    const {
      client,
      requests: asked,
      state,
    } = createScriptedClient(createChallengeResponse('PASSWORD_SRP', 's1'), AWAY, AWAY, sms, sms);
    let step = requireStep('password', await client.login.withTriggers({ username: USER }));
    assert.deepEqual([step.username, step.error], [USER, null]);
    for (const _ of ['once', 'twice']) {
      step = requireStep('password', await step.submit(PASSWORD));
      assert.deepEqual([step.username, step.error?.code], [USER, 'unavailable']);
    }
    const sent = requireStep('sentCode', await step.submit(PASSWORD));
    state.nowMs = 30_000;
    requireStep('sentCode', (await sent.resend?.()) ?? assert.fail());
    assert.deepEqual(
      asked.map(({ path, body }) => [path, body.challenge_name, body.session]),
      [
        ['/login/custom', undefined, undefined],
        ...Array.from({ length: 3 }, () => ['/login/auth-challenge', 'PASSWORD_SRP', 's1']),
        ['/login/srp', undefined, undefined],
      ],
    );
    const { srp_a: again } = asked.at(-1)?.body ?? {};
    assert.deepEqual(asked.at(-1)?.body, { username: USER, srp_a: again });
    const proven = asked.slice(1, 4).map(({ body }) => (body.challenge_value as { SRP_A: string }).SRP_A);
    for (const srpA of [...proven, again]) assert.match(String(srpA), /^[0-9a-f]{700,}$/);
  });
});

describe('a step of a login without a username', () => {
  it('sends no username', async () => {
    const begun = [createChoiceResponse('CUSTOM_CHALLENGE', 's1'), createChoiceResponse('MFA_SETUP', 's1')];
    const { client, requests: asked } = createScriptedClient(
      ...begun.slice(0, 1),
      LOGIN_SUCCESS,
      ...begun.slice(1),
      APP,
      LOGIN_SUCCESS,
      LOGIN_SUCCESS,
    );
    const step = requireStep('custom', await client.login.withPasskey());
    assert.equal(step.username, null);
    requireStep('done', await step.submit('blue'));
    const setUp = requireStep('setUpAuthenticator', await client.login.withPasskey());
    assert.deepEqual(
      [setUp.username, setUp.secretCode, setUp.qrCodeUrl, setUp.uri],
      [null, 'JBSW', 'data:,', APP.TotpUri],
    );
    requireStep('done', await setUp.submit('123456', 'Phone'));
    assert.deepEqual(
      asked.map(({ path, body }) => [path, body]),
      [
        ['/login/passkey/discoverable', {}],
        ['/login/auth-challenge', { challenge_name: 'CUSTOM_CHALLENGE', session: 's1', challenge_value: 'blue' }],
        ['/login/passkey/discoverable', {}],
        ['/user/mfa/activate', { session: 's1' }],
        ['/user/mfa/verify', { session: 's2', code: '123456', device_name: 'Phone' }],
        ['/login/auth-challenge', { challenge_name: 'MFA_SETUP', session: 's2' }],
      ],
    );
  });
});

describe('a step with a code', () => {
  it('continues after the user looked at the recovery code step and came back', async () => {
    for (const name of ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']) {
      const { client, requests: asked } = createScriptedClient(
        createChallengeResponse(name, 's1', { FRIENDLY_DEVICE_NAME: 'Phone' }),
        AWAY,
        LOGIN_SUCCESS,
      );
      const step = await client.login.withTriggers({ username: USER });
      if (step.kind !== 'totp' && step.kind !== 'sentCode') assert.fail(step.kind);
      const failed = await step.submit('1');
      if (failed.kind !== 'totp' && failed.kind !== 'sentCode') assert.fail(failed.kind);
      const recovery = failed.useRecoveryCode?.() ?? assert.fail();
      assert.deepEqual([recovery.username, recovery.error], [USER, null]);
      const back = recovery.back();
      assert.deepEqual([back.username, back.error], [USER, null]);
      if (back.kind === 'totp') assert.equal(back.authenticator, 'Phone');
      requireStep('done', await back.submit('2'));
      assert.deepEqual(asked.at(-1)?.body, answered(name, '2'));
    }
  });

  it('tells in whole seconds when another code can be sent, and requests one when it is allowed', async () => {
    const started = createChoiceResponse('EMAIL_OTP', 's1');
    const {
      client,
      requests: asked,
      state,
    } = createScriptedClient(started, 'away', [429, { code: 'too_many_requests' }], started);
    const sent = requireStep('sentCode', await client.login.withFactor({ username: USER, factor: 'EMAIL_OTP' }));
    assert.deepEqual([sent.channel, sent.isSecondFactor, sent.destination], ['email', false, null]);
    assert.deepEqual([sent.resendAtMs, sent.useRecoveryCode], [30_000, null]);
    for (const [nowMs, seconds] of [
      [0, 30],
      [28_999, 2],
      [29_000, 1],
      [29_999, 1],
    ] as const) {
      state.nowMs = nowMs;
      const early = requireStep('sentCode', (await sent.resend?.()) ?? assert.fail());
      assert.deepEqual([early.error?.code, early.error?.retryAfterSeconds], ['too_many_requests', seconds]);
      assert.deepEqual([early.username, early.resendAtMs, asked.length], [USER, 30_000, 1]);
    }
    state.nowMs = 30_000;
    const away = requireStep('sentCode', (await sent.resend?.()) ?? assert.fail());
    assert.deepEqual([away.error?.code, away.resendAtMs], ['network_error', 30_000]);
    state.nowMs = 30_001;
    const limited = requireStep('sentCode', (await sent.resend?.()) ?? assert.fail());
    assert.deepEqual([limited.error?.code, limited.resendAtMs], ['too_many_requests', 37_001]);
    const resent = requireStep('sentCode', (await sent.resend?.()) ?? assert.fail());
    assert.deepEqual([resent.error, resent.resendAtMs, asked.length], [null, 60_001, 4]);
  });
});

describe('a required new password', () => {
  const POLICY = {
    minimum_length: 6,
    maximum_length: 99,
    require_uppercase: false,
    require_lowercase: false,
    require_numbers: false,
    require_symbols: false,
    symbols: '',
    refuse_common: true,
    refuse_leaked: false,
  };

  const refusedFor = async (step: NewPasswordStep, password: string) =>
    requireStep('newPassword', await step.submit(password)).error?.fieldErrors;
  const problem = (code: string) => [{ field: 'challenge_value', code, message: code.replaceAll('_', ' ') }];

  it('is checked before anything is sent: against the rules, the username and the temporary password', async () => {
    const { client, requests: asked } = createScriptedClientWith(
      { parameters: { password_policy: POLICY }, isCommonPassword: (password) => password === '123456' },
      createChallengeResponse('NEW_PASSWORD_REQUIRED', 's1', { requiredAttributes: '["userAttributes.name"]' }),
    );
    const step = requireStep('newPassword', await client.login.withPassword({ username: USER, password: PASSWORD }));
    assert.deepEqual([step.requiredAttributes, step.attributes], [['name'], {}]);
    assert.deepEqual(await refusedFor(step, 'short'), problem('password_too_short'));
    assert.deepEqual(await refusedFor(step, USER), problem('password_own_name'));
    assert.deepEqual(await refusedFor(step, '123456'), problem('password_too_common'));
    assert.deepEqual(await refusedFor(step, PASSWORD), problem('password_temporary_again'));
    assert.equal(asked.length, 1);
  });

  it('is sent as a verifier only if the service accepts verifiers and names the SRP identity', async () => {
    for (const [capabilities, parameters, sent] of [
      [[], { USER_ID_FOR_SRP: 'ada' }, 'NEW_PASSWORD'],
      [['verifier_passwords'], {}, 'NEW_PASSWORD'],
      [['verifier_passwords'], { USER_ID_FOR_SRP: 'ada' }, 'password_verifier'],
    ] as const) {
      const begun = createChallengeResponse('NEW_PASSWORD_REQUIRED', 's1', parameters);
      const { client, requests: asked } = createScriptedClientWith(
        { parameters: { capabilities: [...capabilities] } },
        begun,
        LOGIN_SUCCESS,
      );
      const step = requireStep('newPassword', await client.login.withTriggers({ username: USER }));
      requireStep('done', await step.submit(NEXT));
      const value = asked.at(-1)?.body.challenge_value as Readonly<Record<string, unknown>>;
      assert.deepEqual(Object.keys(value), [sent]);
      if (sent === 'NEW_PASSWORD') assert.equal(value[sent], NEXT);
      else {
        const { salt, verifier } = value[sent] as { salt: string; verifier: string };
        assert.match(salt, /^[0-9a-f]{32}$/);
        assert.match(verifier, /^[0-9a-f]{600,}$/);
      }
    }
  });
});
