import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDeps } from '../testing/gateway-deps.ts';
import {
  createDisabledPreference,
  createEnabledPreference,
  requireMfaOffered,
  toMfaPreference,
} from './mfa-methods.ts';

test('every factor has its member, and factors that are not named stay unchanged', () => {
  assert.deepEqual(toMfaPreference({}), {});
  assert.deepEqual(toMfaPreference({ EMAIL_OTP: { Enabled: true } }), { EmailMfaSettings: { Enabled: true } });
  const off = { Enabled: false, PreferredMfa: false };
  assert.deepEqual(createDisabledPreference(), {
    SMSMfaSettings: off,
    SoftwareTokenMfaSettings: off,
    EmailMfaSettings: off,
  });
  assert.deepEqual(createDisabledPreference('SMS_MFA'), { SMSMfaSettings: off });
});

test('the first factor of the configuration is preferred', () => {
  const deps = createTestDeps({}, { mfaTypes: ['EMAIL_OTP', 'SOFTWARE_TOKEN_MFA'] });
  assert.deepEqual(createEnabledPreference(deps, 'EMAIL_OTP'), {
    EmailMfaSettings: { Enabled: true, PreferredMfa: true },
  });
  assert.deepEqual(createEnabledPreference(deps, 'SOFTWARE_TOKEN_MFA'), {
    SoftwareTokenMfaSettings: { Enabled: true },
  });
});

test('factors that are not configured are turned off, and OFF turns off all', () => {
  const on = createTestDeps({}, { mfaTypes: ['EMAIL_OTP'] });
  assert.doesNotThrow(() => requireMfaOffered(on, ['EMAIL_OTP']));
  assert.throws(() => requireMfaOffered(on, ['EMAIL_OTP', 'SMS_MFA']), { code: 'feature_disabled' });
  const off = createTestDeps({}, { mfaSetup: 'OFF', mfaTypes: ['EMAIL_OTP'] });
  assert.throws(() => requireMfaOffered(off, []), { code: 'feature_disabled' });
});
