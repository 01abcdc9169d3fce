import assert from 'node:assert/strict';
import { enterCode } from '../../../packages/pool/src/testing/test-logins.ts';
import { TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import { loginBySrp } from '../../../packages/pool/src/testing/test-srp-logins.ts';
import { requireTokens } from '../../../packages/pool/src/testing/test-tokens.ts';
import {
  associateTotp,
  computeTestTotpCode,
  computeWrongTotpCode,
  enrolTotp,
  verifyTotp,
} from '../../../packages/pool/src/testing/test-totp.ts';
import type { Case, Subject } from '../subject.ts';
import { assertRefuses, newLoggedInUser, type TestUser, userAsAdmin } from '../users.ts';

const STEP_MS = 30_000;
const PHONE = '+15551234567';
const BY_TEXT = [{ DeliveryMedium: 'SMS', AttributeName: 'phone_number' }] as const;

async function withTotp(subject: Subject) {
  const user = await newLoggedInUser(subject);
  return { ...user, secretCode: await enrolTotp(subject, user.tokens.access) };
}

async function withPhone(subject: Subject) {
  const user = await newLoggedInUser(subject);
  const UserAttributes = [
    { Name: 'phone_number', Value: PHONE },
    { Name: 'phone_number_verified', Value: 'true' },
  ];
  await subject.operations.adminUpdateUserAttributes({ ...user.identifiers, UserAttributes }, TEST_CALL);
  return user;
}

const fetchMfaMethods = async (subject: Subject, user: TestUser) =>
  (await userAsAdmin(subject, user)).UserMFASettingList ?? [];

/** Second factors. */
export const SECOND_FACTOR_CASES = {
  AdminDeleteSoftwareToken: [
    {
      does: 'takes an authenticator away',
      async run(subject) {
        const user = await withTotp(subject);
        assert.deepEqual(await subject.operations.adminDeleteSoftwareToken(user.identifiers, TEST_CALL), {});
        assert.deepEqual(await fetchMfaMethods(subject, user), []);
        requireTokens(await loginBySrp(subject, user.name));
      },
    },
  ],
  AdminSetUserMFAPreference: [
    {
      does: 'switches a factor off and on',
      async run(subject) {
        const user = await withTotp(subject);
        const set = (Enabled: boolean) =>
          subject.operations.adminSetUserMFAPreference(
            { ...user.identifiers, SoftwareTokenMfaSettings: { Enabled, PreferredMfa: Enabled } },
            TEST_CALL,
          );
        assert.deepEqual(await set(false), {});
        requireTokens(await loginBySrp(subject, user.name));
        await set(true);
        assert.equal((await loginBySrp(subject, user.name)).ChallengeName, 'SOFTWARE_TOKEN_MFA');
        assert.equal((await userAsAdmin(subject, user)).PreferredMfaSetting, 'SOFTWARE_TOKEN_MFA');
      },
    },
    {
      does: 'refuses a factor that the user does not have',
      async run(subject) {
        const { identifiers } = await newLoggedInUser(subject);
        const asked = { ...identifiers, SoftwareTokenMfaSettings: { Enabled: true } };
        const act = subject.operations.adminSetUserMFAPreference(asked, TEST_CALL);
        await assertRefuses(act, 'InvalidParameterException');
      },
    },
  ],
  AdminSetUserSettings: [
    {
      does: 'switches text messages on, in the old way',
      needs: ['sms'],
      async run(subject) {
        const user = await withPhone(subject);
        const asked = { ...user.identifiers, MFAOptions: BY_TEXT };
        assert.deepEqual(await subject.operations.adminSetUserSettings(asked, TEST_CALL), {});
        assert.equal((await loginBySrp(subject, user.name)).ChallengeName, 'SMS_MFA');
      },
    },
    {
      does: 'refuses a medium that it never knew',
      async run(subject) {
        const { identifiers } = await newLoggedInUser(subject);
        const MFAOptions = [{ DeliveryMedium: 'EMAIL', AttributeName: 'email' }] as const;
        const act = subject.operations.adminSetUserSettings({ ...identifiers, MFAOptions }, TEST_CALL);
        await assertRefuses(act, 'InvalidParameterException');
      },
    },
  ],
  AssociateSoftwareToken: [
    {
      does: 'gives a secret for an authenticator',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        assert.match(await associateTotp(subject, tokens.access), /^[A-Z2-7]{16,}$/);
      },
    },
  ],
  SetUserMFAPreference: [
    {
      does: 'has a login ask for the code, which is good once',
      async run(subject) {
        const user = await withTotp(subject);
        await subject.pass(STEP_MS);
        const step = await loginBySrp(subject, user.name);
        assert.equal(step.ChallengeName, 'SOFTWARE_TOKEN_MFA');
        const wrong = enterCode(subject, step, user.name, computeWrongTotpCode(subject, user.secretCode));
        await assertRefuses(wrong, 'CodeMismatchException');
        const code = computeTestTotpCode(subject, user.secretCode);
        requireTokens(await enterCode(subject, step, user.name, code));
        const again = await loginBySrp(subject, user.name);
        await assertRefuses(enterCode(subject, again, user.name, code), 'ExpiredCodeException');
      },
    },
    {
      does: 'switches text messages on',
      needs: ['sms', 'codes'],
      async run(subject) {
        const { name, tokens } = await withPhone(subject);
        const SMSMfaSettings = { Enabled: true, PreferredMfa: true };
        await subject.operations.setUserMFAPreference({ AccessToken: tokens.access, SMSMfaSettings }, TEST_CALL);
        const step = await loginBySrp(subject, name);
        assert.equal(step.ChallengeName, 'SMS_MFA');
        assert.match(step.ChallengeParameters?.CODE_DELIVERY_DESTINATION ?? '', /^\+\*+4567$/);
        requireTokens(await enterCode(subject, step, name, subject.codeTo(PHONE)));
      },
    },
    {
      does: 'refuses a factor that the user does not have',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const asked = { AccessToken: tokens.access, SoftwareTokenMfaSettings: { Enabled: true } };
        await assertRefuses(subject.operations.setUserMFAPreference(asked, TEST_CALL), 'InvalidParameterException');
      },
    },
  ],
  SetUserSettings: [
    {
      does: 'switches text messages on, in the old way',
      needs: ['sms'],
      async run(subject) {
        const { name, tokens } = await withPhone(subject);
        const asked = { AccessToken: tokens.access, MFAOptions: BY_TEXT };
        assert.deepEqual(await subject.operations.setUserSettings(asked, TEST_CALL), {});
        assert.equal((await loginBySrp(subject, name)).ChallengeName, 'SMS_MFA');
      },
    },
    {
      does: 'refuses a medium that it never knew',
      async run(subject) {
        const { tokens } = await newLoggedInUser(subject);
        const MFAOptions = [{ DeliveryMedium: 'EMAIL', AttributeName: 'email' }] as const;
        const act = subject.operations.setUserSettings({ AccessToken: tokens.access, MFAOptions }, TEST_CALL);
        await assertRefuses(act, 'InvalidParameterException');
      },
    },
  ],
  VerifySoftwareToken: [
    {
      does: 'takes a code of the secret, and does not switch MFA on by itself',
      async run(subject) {
        const user = await newLoggedInUser(subject);
        const secretCode = await associateTotp(subject, user.tokens.access);
        const wrong = verifyTotp(subject, user.tokens.access, computeWrongTotpCode(subject, secretCode));
        await assertRefuses(wrong, 'EnableSoftwareTokenMFAException');
        const { Status } = await verifyTotp(
          subject,
          user.tokens.access,
          computeTestTotpCode(subject, secretCode),
          'A phone',
        );
        assert.equal(Status, 'SUCCESS');
        assert.deepEqual(await fetchMfaMethods(subject, user), []);
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
