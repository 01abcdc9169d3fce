import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ProviderError, type ProviderExtensions, type ProviderOperations } from '@poolgate/provider';
import type { GatewaySettings } from '../kernel/deps.ts';
import { createTestProvider, createTestRuntime } from '../testing/gateway-deps.ts';
import { makeRecoveryCodes } from './make-recovery-codes.ts';
import { setMfaPreference } from './set-mfa-preference.ts';
import { showFactors } from './show-factors.ts';

const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const caller = { kind: 'user', sub: 'sub-of-ada', username: 'ada', accessToken: 'a.b.c' };
const token = { AccessToken: caller.accessToken };

interface Given {
  readonly operations?: Partial<ProviderOperations>;
  readonly extensions?: Partial<ProviderExtensions>;
  readonly settings?: Partial<GatewaySettings>;
}

/** A gateway over a provider that accepts every preference, and the accepted preferences. */
function createService({ operations = {}, extensions = {}, settings = {} }: Given) {
  const preferences: object[] = [];
  const own = createTestProvider(() => [], {
    async setUserMFAPreference(input) {
      preferences.push(input);
      return {};
    },
    ...operations,
  });
  const ending = { end_other_logins: async () => ({ Ended: [], OwnEnded: true }) };
  const provider = { ...own, extensions: { ...ending, ...extensions } };
  const runtime = createTestRuntime({ provider }, { mfaTypes: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], ...settings });
  const request = (body: object) => ({ caller, call, params: {}, query: {}, body }) as never;
  return {
    preferences,
    show: async () => (await showFactors(runtime, request({}))).body,
    prefer: async (body: object) => (await setMfaPreference(runtime, request(body))).body,
    makeCodes: async (body: object = {}) => (await makeRecoveryCodes(runtime, request(body))).body,
  };
}

const refuse = (code: 'InvalidParameterException' | 'NotAuthorizedException') => async () =>
  Promise.reject(new ProviderError(code, 'no'));

test('factors are shown with the preference and the number of recovery codes left', async () => {
  const asked: unknown[] = [];
  const { show } = createService({
    operations: {
      async getUserAuthFactors(...given) {
        asked.push(given);
        return {
          Username: 'ada',
          ConfiguredUserAuthFactors: ['PASSWORD'],
          UserMFASettingList: ['EMAIL_OTP'],
          PreferredMfaSetting: 'EMAIL_OTP',
        };
      },
    },
    extensions: {
      async count_recovery_codes(...given) {
        asked.push(given);
        return { Left: 7 };
      },
    },
  });
  const { factors, mfa, recovery_codes_left } = await show();
  assert.deepEqual(factors, ['PASSWORD']);
  assert.deepEqual(mfa, { enabled: true, preferred: 'EMAIL_OTP', methods: ['EMAIL_OTP'] });
  assert.equal(recovery_codes_left, 7);
  assert.deepEqual(asked, [
    [token, call],
    [token, call],
  ]);
});

test('a user without factors has none, and a provider without recovery codes reports none', async () => {
  const operations = { getUserAuthFactors: async () => ({ Username: 'ada' }) };
  const { factors, mfa, recovery_codes_left } = await createService({ operations }).show();
  assert.deepEqual([factors, mfa], [[], { enabled: false, preferred: null, methods: [] }]);
  assert.equal(recovery_codes_left, null);
  const refused = createService({ operations, extensions: { count_recovery_codes: refuse('NotAuthorizedException') } });
  await assert.rejects(refused.show(), { code: 'unauthenticated' });
});

test('a preference turns factors on or off and orders them, and ends the other logins', async () => {
  const { preferences, prefer } = createService({});
  const { login_ended } = await prefer({
    methods: { SOFTWARE_TOKEN_MFA: true, EMAIL_OTP: false },
    preferred: 'SOFTWARE_TOKEN_MFA',
  });
  assert.equal(login_ended, true);
  const body = { methods: { SOFTWARE_TOKEN_MFA: true }, preferred: 'EMAIL_OTP', end_other_sessions: false };
  assert.equal((await prefer(body)).login_ended, undefined);
  await prefer({ methods: { EMAIL_OTP: true } });
  const on = { Enabled: true, PreferredMfa: true };
  assert.deepEqual(preferences, [
    { ...token, SoftwareTokenMfaSettings: on, EmailMfaSettings: { Enabled: false, PreferredMfa: false } },
    { ...token, SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: false }, EmailMfaSettings: on },
    { ...token, EmailMfaSettings: { Enabled: true } },
  ]);
});

test('a contradictory preference, or one that is not offered, is not sent', async () => {
  const { preferences, prefer } = createService({});
  const contradiction = { methods: { EMAIL_OTP: false }, preferred: 'EMAIL_OTP' };
  await assert.rejects(prefer(contradiction), { code: 'validation_failed' });
  await assert.rejects(prefer({ methods: { SMS_MFA: true } }), { code: 'feature_disabled' });
  await assert.rejects(prefer({ methods: {}, preferred: 'SMS_MFA' }), { code: 'feature_disabled' });
  assert.deepEqual(preferences, []);
  await prefer({ methods: { SMS_MFA: false } });
  assert.deepEqual(preferences, [{ ...token, SMSMfaSettings: { Enabled: false } }]);
});

test('turning on a factor that is not set up has a specific error', async () => {
  const { prefer } = createService({ operations: { setUserMFAPreference: refuse('InvalidParameterException') } });
  await assert.rejects(prefer({ methods: { EMAIL_OTP: true } }), { code: 'mfa_not_configured' });
  await assert.rejects(prefer({ methods: { EMAIL_OTP: false } }), { code: 'invalid_parameter' });
});

test('recovery codes are created if MFA is on and the provider has them, and end the other logins', async () => {
  const asked: unknown[] = [];
  const create_recovery_codes: ProviderExtensions['create_recovery_codes'] = async (...given) => {
    asked.push(given);
    return { Codes: ['one', 'two'] };
  };
  const { makeCodes } = createService({ extensions: { create_recovery_codes } });
  const { recovery_codes, login_ended } = await makeCodes();
  assert.deepEqual([recovery_codes, login_ended, asked], [['one', 'two'], true, [[token, call]]]);
  assert.equal((await makeCodes({ end_other_sessions: false })).login_ended, undefined);
  await assert.rejects(createService({}).makeCodes(), { code: 'feature_disabled' });
  const off = createService({ extensions: { create_recovery_codes }, settings: { mfaSetup: 'OFF' } });
  await assert.rejects(off.makeCodes(), { code: 'feature_disabled' });
});
