import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createChallengeResponse,
  createScriptedClient,
  createScriptedClientWith,
  LOGIN_SUCCESS,
} from '../testing/scripted-service.ts';
import { requireStep } from '../testing/test-client.ts';

const USER = 'ada@example.com';

describe('preparing a login', () => {
  it('finishes when everything is loaded, and errors appear only when the login starts', async () => {
    const given: string[] = [];
    const fetch = async (input: unknown) => {
      await new Promise(setImmediate);
      given.push(new URL(String(input)).pathname);
      return Response.json({});
    };
    const { client } = createScriptedClientWith({ fetch });
    assert.equal(await client.login.prepare(), undefined);
    assert.deepEqual(given, ['/api/cognito/login/parameters']);
    const away = createScriptedClientWith({
      fetch: async () => {
        throw new TypeError('fetch failed');
      },
    });
    assert.equal(await away.client.login.prepare(), undefined);
    const password = await away.client.login.withPassword({ username: USER, password: 'x' });
    assert.equal(requireStep('password', password).error?.code, 'network_error');
  });
});

describe('a login that triggers control', () => {
  it("asks the triggers' questions, again after a wrong answer, and restarts with a retry", async () => {
    const { client, requests: asked } = createScriptedClient(
      createChallengeResponse('CUSTOM_CHALLENGE', 's1', { question: 'The color of the sky?' }),
      [429, { code: 'too_many_requests' }],
      createChallengeResponse('CUSTOM_CHALLENGE', 's2'),
      [401, { code: 'invalid_credentials' }],
      createChallengeResponse('CUSTOM_CHALLENGE', 's3'),
      LOGIN_SUCCESS,
    );
    const first = requireStep('custom', await client.login.withTriggers({ username: USER }));
    assert.deepEqual([first.username, first.error, first.parameters.question], [USER, null, 'The color of the sky?']);
    const busy = requireStep('custom', await first.submit('red'));
    assert.deepEqual([busy.error?.code, busy.error?.retryAfterSeconds], ['too_many_requests', 7]);
    const second = requireStep('custom', await busy.submit('green'));
    const refused = requireStep('refused', await second.submit('black'));
    const third = requireStep('custom', await refused.retry());
    assert.equal(requireStep('done', await third.submit('blue')).username, 'ada');
    assert.deepEqual(
      asked.map(({ path, body }) => [path, body.challenge_value ?? null, body.session ?? null]),
      [
        ['/login/custom', null, null],
        ['/login/auth-challenge', 'red', 's1'],
        ['/login/auth-challenge', 'green', 's1'],
        ['/login/auth-challenge', 'black', 's2'],
        ['/login/custom', null, null],
        ['/login/auth-challenge', 'blue', 's3'],
      ],
    );
    assert.deepEqual(asked[0]?.body, { username: USER });
  });

  it('asks whether to keep an account that waits for its deletion, and keeps it by the answer that the service expects', async () => {
    const { client, requests: asked } = createScriptedClient(
      createChallengeResponse('CUSTOM_CHALLENGE', 's1', { KEEP_ACCOUNT: '2026-12-12T00:00:00.000Z' }),
      LOGIN_SUCCESS,
    );
    const step = requireStep('keepAccount', await client.login.withTriggers({ username: USER }));
    assert.deepEqual([step.username, step.deletionAt], [USER, '2026-12-12T00:00:00.000Z']);
    assert.equal(requireStep('done', await step.keep()).username, 'ada');
    assert.deepEqual([asked[1]?.body.challenge_value, asked[1]?.body.session], ['KEEP_ACCOUNT', 's1']);
  });

  it('proves a password first if one is given, and a retry asks for it', async () => {
    const { client, requests: asked } = createScriptedClient(
      [401, { code: 'invalid_credentials' }],
      createChallengeResponse('CUSTOM_CHALLENGE', 's1'),
      LOGIN_SUCCESS,
    );
    const login = { username: USER, password: 'Correct-Horse1!' };
    const refused = requireStep('refused', await client.login.withTriggers(login));
    const again = requireStep('password', await refused.retry());
    const question = requireStep('custom', await again.submit(login.password));
    requireStep('done', await question.submit('blue'));
    assert.deepEqual(
      asked.map(({ path, body }) => [path, body.custom]),
      [
        ['/login/srp', true],
        ['/login/srp', true],
        ['/login/auth-challenge', undefined],
      ],
    );
    assert.ok(!JSON.stringify(asked).includes(login.password));
  });
});

describe('choosing a second factor', () => {
  const choice = createChallengeResponse('SELECT_MFA_TYPE', 's1', {
    MFAS_CAN_CHOOSE: '["SMS_MFA","NONSENSE","SOFTWARE_TOKEN_MFA",5]',
  });
  const sms = createChallengeResponse('SMS_MFA', 's2', { CODE_DELIVERY_DESTINATION: '+*1' });

  it('accepts only known factors, and answers with the name', async () => {
    const { client, requests: asked } = createScriptedClient(
      choice,
      [503, { code: 'unavailable' }],
      sms,
      LOGIN_SUCCESS,
    );
    const begun = await client.login.withTriggers({ username: USER });
    const asksFor = requireStep('selectMfa', begun);
    assert.deepEqual([asksFor.factors, asksFor.error], [['SMS_MFA', 'SOFTWARE_TOKEN_MFA'], null]);
    const busy = requireStep('selectMfa', await asksFor.choose('SMS_MFA'));
    assert.equal(busy.error?.code, 'unavailable');
    const sent = requireStep('sentCode', await busy.choose('SMS_MFA'));
    assert.deepEqual([sent.channel, sent.destination, sent.isSecondFactor], ['sms', '+*1', true]);
    assert.equal(sent.resend, null, 'triggers decided how it came to that: it is not done again');
    const recovery = sent.useRecoveryCode?.() ?? assert.fail();
    assert.equal(requireStep('sentCode', recovery.back()).resendAtMs, sent.resendAtMs);
    requireStep('done', await sent.submit('123456'));
    assert.deepEqual(
      asked.slice(1).map(({ body }) => body.challenge_value),
      ['SMS_MFA', 'SMS_MFA', '123456'],
    );
    const none = createScriptedClient(createChallengeResponse('SELECT_MFA_TYPE', 's1', { MFAS_CAN_CHOOSE: '{}' }));
    assert.deepEqual(requireStep('selectMfa', await none.client.login.withTriggers({ username: USER })).factors, []);
  });

  it('repeats the whole login to resend a code, including password and choice, when the wait is over', async () => {
    const anew = createChallengeResponse('SMS_MFA', 's5', { CODE_DELIVERY_DESTINATION: '+*2' });
    const {
      client,
      requests: asked,
      state,
    } = createScriptedClient(choice, sms, [429, { code: 'too_many_requests' }], choice, anew, LOGIN_SUCCESS);
    const step = requireStep(
      'selectMfa',
      await client.login.withPassword({ username: USER, password: 'Correct-Horse1!' }),
    );
    const sent = requireStep('sentCode', await step.choose('SMS_MFA'));
    assert.equal(sent.resendAtMs, 30_000);
    state.nowMs = 29_001;
    const early = requireStep('sentCode', (await sent.resend?.()) ?? assert.fail());
    assert.equal(early.error?.retryAfterSeconds, 1);
    state.nowMs = 30_000;
    const limited = requireStep('sentCode', (await sent.resend?.()) ?? assert.fail());
    assert.deepEqual([limited.error?.code, limited.resendAtMs], ['too_many_requests', 37_000]);
    const resent = requireStep('sentCode', (await sent.resend?.()) ?? assert.fail());
    assert.deepEqual([resent.destination, resent.error, resent.resendAtMs], ['+*2', null, 60_000]);
    requireStep('done', await resent.submit('123456'));
    assert.deepEqual(
      asked.map(({ path, body }) => [path, body.challenge_value ?? null]),
      [
        ['/login/srp', null],
        ['/login/auth-challenge', 'SMS_MFA'],
        ['/login/srp', null],
        ['/login/srp', null],
        ['/login/auth-challenge', 'SMS_MFA'],
        ['/login/auth-challenge', '123456'],
      ],
    );
  });
});

describe('an unknown response of the service', () => {
  it('ends the login', async () => {
    for (const answer of [
      createChallengeResponse('TELEPATHY', 's1'),
      createChallengeResponse('toString', 's1'),
      createChallengeResponse('DEVICE_SRP_AUTH', 's1'),
      createChallengeResponse('DEVICE_PASSWORD_VERIFIER', 's1'),
      createChallengeResponse('PASSWORD_VERIFIER', 's1'),
      createChallengeResponse('WEB_AUTHN', 's1'),
      [400, { code: 'challenge_mismatch' }] as const,
      [401, { code: 'invalid_session' }] as const,
      [502, {}] as const,
    ]) {
      const { client } = createScriptedClient(answer);
      let step = await client.login.withTriggers({ username: USER });
      if (step.kind === 'passkey') step = await step.use();
      requireStep('refused', step);
    }
  });

  it('allows a retry if the next response may differ', async () => {
    const { client } = createScriptedClient([429, { code: 'too_many_requests' }], [503, { code: 'unavailable' }]);
    const password = requireStep('password', await client.login.withPassword({ username: USER, password: 'x' }));
    assert.deepEqual([password.error?.code, password.error?.status], ['too_many_requests', 429]);
    const refused = requireStep('refused', await client.login.choose({ username: USER }));
    assert.equal(refused.error.code, 'unavailable');
  });

  it('lists attributes that a new password requires without their prefix', async () => {
    const { client, requests: asked } = createScriptedClient(
      createChallengeResponse('NEW_PASSWORD_REQUIRED', 's1', {
        requiredAttributes: '["userAttributes.name","email"]',
        userAttributes: '{}',
      }),
    );
    const step = requireStep('newPassword', await client.login.withTriggers({ username: USER }));
    assert.deepEqual([step.requiredAttributes, asked.length], [['name', 'email'], 1]);
  });
});
