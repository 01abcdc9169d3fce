import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Sender, Senders } from '../context.ts';
import { defaultPoolSettings } from '../pools/default-settings.ts';
import type { PoolSettings } from '../settings.ts';
import { firstFactorsOf } from './first-factors.ts';

const settings: PoolSettings = {
  ...defaultPoolSettings('https://issuer.example', 'OPTIONAL'),
  webAuthn: {
    relyingPartyId: 'localhost',
    origins: [],
    userVerification: 'preferred',
    factorConfiguration: 'SINGLE_FACTOR',
  },
};
const sender: Sender = { send: async () => {} };
const SENDERS: Senders = { email: sender, sms: sender };

function told(changed: Partial<PoolSettings>, senders = SENDERS): string {
  return firstFactorsOf({ ...settings, ...changed }, senders).join(' ');
}

describe('what a login on a pool can begin with', () => {
  const all = ['PASSWORD', 'WEB_AUTHN', 'EMAIL_OTP', 'SMS_OTP'] as const;

  it('is what its settings allow, in Cognito’s order', () => {
    assert.equal(told({ firstFactors: all }), 'PASSWORD EMAIL_OTP SMS_OTP WEB_AUTHN');
    assert.equal(told({ firstFactors: ['PASSWORD'], mfaMethods: ['EMAIL_OTP'] }), 'PASSWORD');
    assert.equal(told({ firstFactors: all, webAuthn: null }), 'PASSWORD EMAIL_OTP SMS_OTP');
  });

  it('is no code that cannot be sent', () => {
    assert.equal(told({ firstFactors: all }, {}), 'PASSWORD WEB_AUTHN');
    assert.equal(told({ firstFactors: all }, { email: sender }), 'PASSWORD EMAIL_OTP WEB_AUTHN');
  });

  it('is no code, nor a passkey that counts for one factor, where everybody owes a second one', () => {
    assert.equal(told({ firstFactors: all, mfaConfiguration: 'ON' }), 'PASSWORD');
  });
});
