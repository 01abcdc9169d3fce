import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Input, ProviderError, type ProviderErrorCode } from '@poolgate/provider';
import type { GatewaySettings, MfaType } from '../kernel/deps.ts';
import { createTestProvider, createTestRuntime, POOL } from '../testing/gateway-deps.ts';
import { enableMfa } from './enable-mfa.ts';

const call = { requestId: 'r', sourceAddress: '192.0.2.1' };
const ALL: readonly MfaType[] = ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'];

interface Given {
  readonly attributes?: Readonly<Record<string, string>>;
  /** How the provider refuses a factor, by the member that turns it on. */
  readonly refusals?: Readonly<Record<string, Error>>;
  readonly settings?: Partial<GatewaySettings>;
}

/** A gateway over a provider with one user, and the factors that were turned on. */
function createService({ attributes = {}, refusals = {}, settings = {} }: Given) {
  const enabled: string[] = [];
  const provider = createTestProvider(() => [], {
    adminGetUser: async () => ({
      Username: 'canonical',
      UserAttributes: Object.entries(attributes).map(([Name, Value]) => ({ Name, Value })),
    }),
    async adminSetUserMFAPreference({ UserPoolId, Username, ...factors }: Input<'AdminSetUserMFAPreference'>) {
      assert.deepEqual([UserPoolId, Username], [POOL.userPoolId, 'canonical']);
      for (const name of Object.keys(factors)) {
        if (refusals[name] !== undefined) throw refusals[name];
        enabled.push(name);
      }
      return {};
    },
  });
  const runtime = createTestRuntime({ provider }, { mfaSetup: 'OPTIONAL', mfaTypes: ALL, ...settings });
  const enable = (method?: MfaType) =>
    enableMfa(runtime, { call, body: { username: 'ada', ...(method === undefined ? {} : { method }) } } as never);
  return { enable, enabled };
}

const VERIFIED = { phone_number_verified: 'true', email_verified: 'true' };
const refusal = (code: ProviderErrorCode, reason?: 'pool_not_found') =>
  new ProviderError(code, 'no', reason === undefined ? {} : { reason });

test('every factor that the user can use is turned on, and no other', async () => {
  const whole = createService({ attributes: VERIFIED });
  assert.equal((await whole.enable()).status, 200);
  assert.deepEqual(whole.enabled, ['SoftwareTokenMfaSettings', 'SMSMfaSettings', 'EmailMfaSettings']);
  const mailed = createService({ attributes: { ...VERIFIED, phone_number_verified: 'false' } });
  await mailed.enable();
  assert.deepEqual(mailed.enabled, ['SoftwareTokenMfaSettings', 'EmailMfaSettings']);
  const one = createService({ attributes: VERIFIED });
  await one.enable('SMS_MFA');
  assert.deepEqual(one.enabled, ['SMSMfaSettings']);
});

test('a factor that the user lacks does not prevent others; a user without any gets an error', async () => {
  for (const code of ['InvalidParameterException', 'SoftwareTokenMFANotFoundException'] as const) {
    const refusals = { SoftwareTokenMfaSettings: refusal(code) };
    const { enable, enabled } = createService({ attributes: VERIFIED, refusals });
    assert.equal((await enable()).status, 200);
    assert.deepEqual(enabled, ['SMSMfaSettings', 'EmailMfaSettings']);
    const last = { EmailMfaSettings: refusal(code) };
    assert.equal((await createService({ attributes: VERIFIED, refusals: last }).enable()).status, 200);
    await assert.rejects(createService({ refusals }).enable(), { code: 'mfa_not_configured' });
  }
  await assert.rejects(createService({}).enable('EMAIL_OTP'), { code: 'mfa_not_configured' });
});

test('any other refusal or failure ends it', async () => {
  const refused = (error: Error) => createService({ refusals: { SoftwareTokenMfaSettings: error } }).enable();
  await assert.rejects(refused(refusal('UserNotFoundException')), { code: 'user_not_found' });
  await assert.rejects(refused(refusal('InvalidParameterException', 'pool_not_found')), { name: 'GatewayError' });
  const bug = new TypeError('a bug');
  await assert.rejects(refused(bug), (error) => error === bug);
});

test('a factor that is not configured is refused before the provider is called', async () => {
  const settings = { mfaTypes: ['EMAIL_OTP'] as const };
  const { enable, enabled } = createService({ attributes: VERIFIED, settings });
  await assert.rejects(enable('SMS_MFA'), { code: 'feature_disabled' });
  await assert.rejects(createService({ settings: { mfaSetup: 'OFF' } }).enable(), { code: 'feature_disabled' });
  assert.deepEqual(enabled, []);
});
