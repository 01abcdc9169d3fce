import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { associateTotp, computeTestTotpCode, verifyTotp } from '../testing/test-totp.ts';

type Settings = Omit<Input<'SetUserMFAPreference'>, 'AccessToken'>;

const PHONE = '+15551234567';
const ON = { Enabled: true };
const OFF = { Enabled: false };
const PREFERRED = { Enabled: true, PreferredMfa: true };
const INVALID = 'InvalidParameterException';

forEachDatabase((database) => {
  describe(`MFA preference on ${database.name}`, () => {
    let pool: TestPool;
    let count = 0;
    before(async () => {
      const mfaMethods = ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP', 'SMS_MFA'] as const;
      pool = await openTestPool(await database.create(), { pool: { mfaMethods, recovery: ['admin_only'] } });
    });
    after(() => pool.close());

    /** A user with the given email address, phone number and verified authenticator. */
    const someone = async ({ hasPhone = false, hasTotp = false } = {}) => {
      const name = `user${count++}@example.com`;
      const username = await addUser(pool, name);
      const user = await pool.store.users.byUsername(pool.userPoolId, username);
      const attributes = { ...user?.attributes, ...(hasPhone ? { phone_number: PHONE } : {}) };
      await pool.store.write((write) =>
        write.users.update(pool.userPoolId, username, { attributes, modifiedAtMs: pool.clock.now() }),
      );
      const { access } = requireTokens(await loginByPassword(pool, name));
      if (hasTotp) await verifyTotp(pool, access, computeTestTotpCode(pool, await associateTotp(pool, access)));
      return { name, username, access };
    };
    const set = (AccessToken: string, settings: Settings) =>
      pool.operations.setUserMFAPreference({ AccessToken, ...settings }, TEST_CALL);
    const adminSet = (Username: string, settings: Settings) =>
      pool.operations.adminSetUserMFAPreference({ UserPoolId: pool.userPoolId, Username, ...settings }, TEST_CALL);
    const shown = async (AccessToken: string) => {
      const user = await pool.operations.getUser({ AccessToken }, TEST_CALL);
      return [user.UserMFASettingList, user.PreferredMfaSetting];
    };

    database.itOnSqlite('is empty until the user sets it, and is the same for user and administrator', async () => {
      const { name, access } = await someone({ hasPhone: true, hasTotp: true });
      assert.deepEqual(await shown(access), [undefined, undefined]);
      assert.deepEqual(await set(access, { SMSMfaSettings: ON, SoftwareTokenMfaSettings: PREFERRED }), {});
      assert.deepEqual(await shown(access), [['SMS_MFA', 'SOFTWARE_TOKEN_MFA'], 'SOFTWARE_TOKEN_MFA']);
      const user = await pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username: name }, TEST_CALL);
      assert.deepEqual(user.UserMFASettingList, ['SMS_MFA', 'SOFTWARE_TOKEN_MFA']);
      assert.equal(user.PreferredMfaSetting, 'SOFTWARE_TOKEN_MFA');
    });

    database.itOnSqlite('changes only what is named; a factor that is turned off is no longer preferred', async () => {
      const { name, access } = await someone({ hasPhone: true, hasTotp: true });
      await set(access, { SMSMfaSettings: ON, SoftwareTokenMfaSettings: PREFERRED });
      await set(access, { EmailMfaSettings: PREFERRED });
      assert.deepEqual(await shown(access), [['SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], 'EMAIL_OTP']);
      await set(access, { EmailMfaSettings: { ...ON, PreferredMfa: false } });
      assert.deepEqual(await shown(access), [['SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], undefined]);
      await set(access, { SMSMfaSettings: PREFERRED });
      await adminSet(name, { SMSMfaSettings: OFF, EmailMfaSettings: OFF });
      assert.deepEqual(await shown(access), [['SOFTWARE_TOKEN_MFA'], undefined]);
      await set(access, { SoftwareTokenMfaSettings: OFF });
      assert.deepEqual(await shown(access), [undefined, undefined]);
    });

    database.itOnSqlite('in the older settings is SMS on or off, for the user and for administrators', async () => {
      const { name, access } = await someone({ hasPhone: true, hasTotp: true });
      const SMS = { DeliveryMedium: 'SMS', AttributeName: 'phone_number' } as const;
      const user = { UserPoolId: pool.userPoolId, Username: name };
      const settings = (options: Input<'SetUserSettings'>['MFAOptions']) =>
        pool.operations.setUserSettings({ AccessToken: access, MFAOptions: options }, TEST_CALL);
      const adminSettings = (options: Input<'AdminSetUserSettings'>['MFAOptions']) =>
        pool.operations.adminSetUserSettings({ ...user, MFAOptions: options }, TEST_CALL);
      await set(access, { SoftwareTokenMfaSettings: ON });
      assert.deepEqual(await settings([SMS]), {});
      assert.deepEqual(await shown(access), [['SMS_MFA', 'SOFTWARE_TOKEN_MFA'], undefined]);
      await settings([]);
      assert.deepEqual(await shown(access), [['SOFTWARE_TOKEN_MFA'], undefined]);
      assert.deepEqual(await adminSettings([SMS]), {});
      assert.deepEqual(await shown(access), [['SMS_MFA', 'SOFTWARE_TOKEN_MFA'], undefined]);
      for (const bad of [
        { ...SMS, AttributeName: 'email' },
        { AttributeName: 'phone_number' },
        { DeliveryMedium: 'SMS' },
        { DeliveryMedium: 'EMAIL', AttributeName: 'phone_number' },
      ] as const) {
        await assertRefused(settings([SMS, bad]), INVALID);
        await assertRefused(adminSettings([SMS, bad]), INVALID);
      }
      const { access: without } = await someone();
      const none = pool.operations.setUserSettings({ AccessToken: without, MFAOptions: [SMS] }, TEST_CALL);
      await assertRefused(none, INVALID);
    });

    database.itOnSqlite(
      'removed by an administrator ends every login of the user; removing one of several factors ends none',
      async () => {
        const { name, access } = await someone({ hasPhone: true, hasTotp: true });
        await set(access, { SMSMfaSettings: ON, SoftwareTokenMfaSettings: ON });
        await adminSet(name, { SMSMfaSettings: OFF });
        assert.deepEqual(await shown(access), [['SOFTWARE_TOKEN_MFA'], undefined]);
        await adminSet(name, { SoftwareTokenMfaSettings: OFF });
        await assertRefused(pool.operations.getUser({ AccessToken: access }, TEST_CALL), 'NotAuthorizedException');
      },
    );

    it('is not lost if several factors are turned on in parallel', async () => {
      const { access } = await someone({ hasPhone: true, hasTotp: true });
      await Promise.all([
        set(access, { SMSMfaSettings: ON }),
        set(access, { SoftwareTokenMfaSettings: ON }),
        set(access, { EmailMfaSettings: ON }),
      ]);
      assert.deepEqual(await shown(access), [['SMS_MFA', 'SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], undefined]);
    });

    database.itOnSqlite('refuses a factor that the user does not have, for any caller', async () => {
      const { name, access } = await someone();
      for (const ask of [
        (settings: Settings) => set(access, settings),
        (settings: Settings) => adminSet(name, settings),
      ]) {
        await assertRefused(ask({ SoftwareTokenMfaSettings: ON }), INVALID, 'User has not verified software token mfa');
        const noPhone = 'User does not have delivery config set to turn on SMS_MFA';
        await assertRefused(ask({ SMSMfaSettings: ON }), INVALID, noPhone);
        await assertRefused(ask({ EmailMfaSettings: PREFERRED, SMSMfaSettings: PREFERRED }), INVALID, noPhone);
        await assertRefused(ask({ SoftwareTokenMfaSettings: { PreferredMfa: true } }), INVALID);
        await assertRefused(ask({ WebAuthnMfaSettings: ON }), INVALID);
      }
      assert.deepEqual(await shown(access), [undefined, undefined]);
      await associateTotp(pool, access);
      await assertRefused(
        set(access, { SoftwareTokenMfaSettings: ON }),
        INVALID,
        'User has not verified software token mfa',
      );
    });

    database.itOnSqlite('has at most one preferred factor', async () => {
      const { access } = await someone({ hasPhone: true });
      const both = { EmailMfaSettings: PREFERRED, SMSMfaSettings: PREFERRED };
      await assertRefused(set(access, both), INVALID, 'Only one MFA method can be preferred.');
      assert.deepEqual(await shown(access), [undefined, undefined]);
    });

    database.itOnSqlite('cannot be set by an administrator for an unknown user', async () => {
      await assertRefused(adminSet('nobody@example.com', { EmailMfaSettings: ON }), 'UserNotFoundException');
    });

    database.itOnSqlite('is listed next to the sign-in methods of the user', async () => {
      const { username, access } = await someone({ hasTotp: true });
      await set(access, { SoftwareTokenMfaSettings: PREFERRED });
      assert.deepEqual(await pool.operations.getUserAuthFactors({ AccessToken: access }, TEST_CALL), {
        Username: username,
        UserMFASettingList: ['SOFTWARE_TOKEN_MFA'],
        PreferredMfaSetting: 'SOFTWARE_TOKEN_MFA',
        ConfiguredUserAuthFactors: ['PASSWORD', 'EMAIL_OTP', 'SOFTWARE_TOKEN'],
      });
      const { username: other, access: plain } = await someone();
      assert.deepEqual(await pool.operations.getUserAuthFactors({ AccessToken: plain }, TEST_CALL), {
        Username: other,
        ConfiguredUserAuthFactors: ['PASSWORD', 'EMAIL_OTP'],
      });
    });

    database.itOnSqlite('can be cleared but not set if MFA is off', async () => {
      const { access } = await someone({ hasTotp: true });
      await set(access, { SoftwareTokenMfaSettings: PREFERRED });
      const record = await pool.store.pools.byId(pool.userPoolId);
      assert.ok(record);
      const settings = { ...record.settings, mfaConfiguration: 'OFF' as const };
      await pool.store.write((write) => write.pools.update(record.id, { settings, modifiedAtMs: pool.clock.now() }));
      pool.clock.advance(5_000);
      const refusal = await assertRefused(set(access, { EmailMfaSettings: ON }), INVALID);
      assert.equal(refusal.reason, 'flow_disabled');
      await set(access, { SoftwareTokenMfaSettings: OFF });
      assert.deepEqual(await shown(access), [undefined, undefined]);
    });
  });
});
