import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presentChoice } from './choice-login.ts';

test('only first factors without a password are shown as options', () => {
  const step = {
    ChallengeName: 'SELECT_CHALLENGE',
    Session: 's',
    AvailableChallenges: ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN', 'SMS_OTP'],
  } as const;
  assert.deepEqual(presentChoice(step), {
    ChallengeName: 'SELECT_CHALLENGE',
    Session: 's',
    AvailableChallenges: ['EMAIL_OTP', 'WEB_AUTHN', 'SMS_OTP'],
    ChallengeParameters: {},
  });
});

test('a challenge without options is its own only option', () => {
  const step = { ChallengeName: 'EMAIL_OTP', Session: 's', ChallengeParameters: { A: 'b' } } as const;
  assert.deepEqual(presentChoice(step).AvailableChallenges, ['EMAIL_OTP']);
});

test('tokens and a challenge without a session are invalid responses here', () => {
  assert.throws(() => presentChoice({ AuthenticationResult: {} }), { code: 'provider_error' });
  assert.throws(() => presentChoice({ ChallengeName: 'EMAIL_OTP' }), { code: 'provider_error' });
});
