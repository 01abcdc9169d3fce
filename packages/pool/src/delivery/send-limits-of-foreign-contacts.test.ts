import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { enterCode, sentCode } from '../testing/test-logins.ts';
import {
  addUser,
  createCallFromNewAddress,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const OWNER = 'ada';
const ATTACKERS = ['eve', 'mallory'];
const SENDS = 5;

const CONTACTS = {
  SMS_MFA: { name: 'phone_number', value: '+15551230000', settings: 'SMSMfaSettings' },
  EMAIL_OTP: { name: 'email', value: 'ada@example.com', settings: 'EmailMfaSettings' },
} as const;

type Method = keyof typeof CONTACTS;

/** A user who has verified the contact and receives second factors there. */
async function withFactor(pool: TestPool, method: Method): Promise<void> {
  const { operations, userPoolId } = pool;
  const { name, value, settings } = CONTACTS[method];
  const user = { UserPoolId: userPoolId, Username: OWNER };
  await addUser(pool, OWNER);
  const UserAttributes = [
    { Name: name, Value: value },
    { Name: `${name}_verified`, Value: 'true' },
  ];
  await operations.adminUpdateUserAttributes({ ...user, UserAttributes }, TEST_CALL);
  await operations.adminSetUserMFAPreference({ ...user, [settings]: { Enabled: true } }, TEST_CALL);
}

/** A user of another account who enters the same contact and has second factors sent there. */
async function claim(pool: TestPool, attacker: string, method: Method): Promise<void> {
  const { operations, userPoolId, clientId } = pool;
  const { name, value, settings } = CONTACTS[method];
  const UserAttributes = [{ Name: name, Value: value }];
  const request = { ClientId: clientId, Username: attacker, Password: PASSWORD, UserAttributes };
  await operations.signUp(request, createCallFromNewAddress());
  await operations.adminConfirmSignUp({ UserPoolId: userPoolId, Username: attacker }, TEST_CALL);
  const { access: AccessToken } = requireTokens(await loginByPassword(pool, attacker));
  await operations.setUserMFAPreference({ AccessToken, [settings]: { Enabled: true } }, TEST_CALL);
}

describe('a contact that others claim', () => {
  for (const method of ['SMS_MFA', 'EMAIL_OTP'] as const) {
    it(`${method}: they use up no messages of the user who verified it`, async () => {
      const recovery = method === 'SMS_MFA' ? 'verified_email' : 'verified_phone_number';
      const pool = await openTestPool('sqlite::memory:', {
        pool: {
          usernameAttributes: [],
          requiredAttributes: [],
          autoVerifiedAttributes: [],
          recovery: [recovery],
          mfaConfiguration: 'OPTIONAL',
          mfaMethods: ['SMS_MFA', 'EMAIL_OTP'],
        },
      });
      await withFactor(pool, method);
      for (const attacker of ATTACKERS) {
        await claim(pool, attacker, method);
        for (let times = 0; times < SENDS; times += 1) await loginByPassword(pool, attacker).catch(() => undefined);
      }
      const { value } = CONTACTS[method];
      const before = pool.sent.filter(({ to, code }) => to === value && code !== undefined).length;
      assert.equal(before, SENDS, 'nobody floods a number that nobody proved to them');
      const asked = await loginByPassword(pool, OWNER);
      requireTokens(await enterCode(pool, asked, OWNER, sentCode(pool, value)));
      await pool.close();
    });
  }
});
