import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPool } from '../index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { confirmTestDevice, readIssuedDevice } from '../testing/test-devices.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { openTestEventPool, recordTraces, type TestEventPool } from '../testing/test-events.ts';
import {
  addUser,
  createCallFromNewAddress,
  openTestPool,
  openTestPoolOn,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import {
  associateTotp,
  computeTestTotpCode,
  computeWrongTotpCode,
  enrolTotp,
  verifyTotp,
} from '../testing/test-totp.ts';

const NO_TOKEN = ['ResourceNotFoundException', 'The user has no software token.'] as const;

forEachDatabase((database) => {
  describe(`second factors for administrators on ${database.name}`, () => {
    let pool: TestPool;
    let count = 0;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());

    const someone = async () => {
      const name = `user${count++}@example.com`;
      await addUser(pool, name);
      const { access } = requireTokens(await loginByPassword(pool, name));
      return { name, access, user: { UserPoolId: pool.userPoolId, Username: name } };
    };
    const isAlive = (AccessToken: string) =>
      pool.operations.getUser({ AccessToken }, TEST_CALL).then(
        () => true,
        () => false,
      );

    database.itOnSqlite('a deleted authenticator is no longer required, and its logins end', async () => {
      const { name, access, user } = await someone();
      await enrolTotp(pool, access);
      assert.equal((await loginByPassword(pool, name)).ChallengeName, 'SOFTWARE_TOKEN_MFA');
      assert.deepEqual(await pool.operations.adminDeleteSoftwareToken(user, TEST_CALL), {});
      assert.equal(await isAlive(access), false);
      requireTokens(await loginByPassword(pool, name));
      const { UserMFASettingList, PreferredMfaSetting } = await pool.operations.adminGetUser(user, TEST_CALL);
      assert.deepEqual([UserMFASettingList, PreferredMfaSetting], [undefined, undefined]);
      await assertRefused(pool.operations.adminDeleteSoftwareToken(user, TEST_CALL), ...NO_TOKEN);
    });

    database.itOnSqlite(
      'users without an authenticator and unknown users are refused, and no one is signed out',
      async () => {
        const { access, user } = await someone();
        await assertRefused(pool.operations.adminDeleteSoftwareToken(user, TEST_CALL), ...NO_TOKEN);
        assert.ok(await isAlive(access));
        const nobody = { ...user, Username: 'nobody@example.com' };
        await assertRefused(pool.operations.adminDeleteSoftwareToken(nobody, TEST_CALL), 'UserNotFoundException');
        await assertRefused(pool.operations.adminGetUserAuthFactors(nobody, TEST_CALL), 'UserNotFoundException');
      },
    );

    database.itOnSqlite('a pending authenticator is deleted with the active one', async () => {
      const { name, access, user } = await someone();
      await enrolTotp(pool, access);
      const waits = await associateTotp(pool, access);
      await pool.operations.adminDeleteSoftwareToken(user, TEST_CALL);
      const again = requireTokens(await loginByPassword(pool, name)).access;
      await assertRefused(
        verifyTotp(pool, again, computeTestTotpCode(pool, waits)),
        'SoftwareTokenMFANotFoundException',
      );
    });

    database.itOnSqlite('the factors of a user are the same for the user and for an administrator', async () => {
      const { access, user } = await someone();
      const factors = async () => {
        const told = await pool.operations.adminGetUserAuthFactors(user, TEST_CALL);
        assert.deepEqual(await pool.operations.getUserAuthFactors({ AccessToken: access }, TEST_CALL), told);
        return told;
      };
      const before = await factors();
      assert.deepEqual(before.ConfiguredUserAuthFactors, ['PASSWORD', 'EMAIL_OTP']);
      assert.equal(before.PreferredMfaSetting, undefined);
      await enrolTotp(pool, access);
      const enrolled = await factors();
      assert.deepEqual(enrolled.ConfiguredUserAuthFactors, ['PASSWORD', 'EMAIL_OTP', 'SOFTWARE_TOKEN']);
      assert.deepEqual(enrolled.UserMFASettingList, ['SOFTWARE_TOKEN_MFA']);
      assert.equal(enrolled.PreferredMfaSetting, 'SOFTWARE_TOKEN_MFA');
    });
  });

  describe(`traces of second factor changes on ${database.name}`, () => {
    let events: TestEventPool;
    let pool: TestPool;
    let count = 0;
    before(async () => {
      events = await openTestEventPool(await database.create(), {
        pool: { mfaMethods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP', 'SMS_MFA'], recovery: ['admin_only'] },
      });
      ({ pool } = events);
    });
    after(() => pool.close());

    const CHANGED = 'Your sign-in methods were changed';
    const TOTP = 'SOFTWARE_TOKEN_MFA';
    /** A user with an authenticator, recovery codes and a remembered device. */
    const someone = async () => {
      const name = `user${count++}@example.com`;
      const username = await addUser(pool, name);
      const device = readIssuedDevice(await loginByPassword(pool, name));
      const { access } = device.tokens;
      await confirmTestDevice(pool, device);
      await enrolTotp(pool, access);
      await pool.embedded.extensions.create_recovery_codes?.({ AccessToken: access }, TEST_CALL);
      const remembered = { AccessToken: access, DeviceKey: device.key, DeviceRememberedStatus: 'remembered' } as const;
      await pool.operations.updateDeviceStatus(remembered, TEST_CALL);
      const { store, userPoolId } = pool;
      const left = async () => ({
        isTrusted: (await store.devices.byKey(userPoolId, username, device.key))?.remembered,
        codes: await store.recoveryCodes.count(userPoolId, username),
        active: (await store.authenticators.byState(userPoolId, username, 'active')) !== undefined,
        waiting: (await store.authenticators.byState(userPoolId, username, 'pending')) !== undefined,
        isIn: await pool.operations.getUser({ AccessToken: access }, TEST_CALL).then(
          () => true,
          () => false,
        ),
        mfa: (await store.users.byUsername(userPoolId, username))?.mfaMethods,
      });
      const told = { outcome: 'success', actor: 'user', username, isOfClient: false };
      const user = { UserPoolId: userPoolId, Username: name };
      const traces = (act: () => Promise<unknown> | undefined) => recordTraces(events, async () => act());
      return { name, username, access, user, left, told, traces };
    };
    const ALL = { isTrusted: true, codes: 10, active: true, waiting: false, isIn: true, mfa: [TOTP] };

    database.itOnSqlite(
      'a reset removes authenticators, recovery codes, trust and logins, and is recorded',
      async () => {
        const { access, user, left, told, traces } = await someone();
        await associateTotp(pool, access);
        assert.deepEqual(await left(), { ...ALL, waiting: true });
        assert.deepEqual(await traces(() => pool.embedded.extensions.reset_mfa?.(user, createCallFromNewAddress())), {
          events: [{ ...told, type: 'factor.removed', factor: 'all_second' }],
          mails: [CHANGED],
        });
        const none = { isTrusted: false, codes: 0, active: false, waiting: false, isIn: false, mfa: [] };
        assert.deepEqual(await left(), none);
      },
    );

    database.itOnSqlite(
      'deleting an authenticator also removes trust and logins, but not the recovery codes, and is recorded',
      async () => {
        const { access, user, left, told, traces } = await someone();
        await associateTotp(pool, access);
        assert.deepEqual(await traces(() => pool.operations.adminDeleteSoftwareToken(user, TEST_CALL)), {
          events: [{ ...told, type: 'factor.removed', factor: TOTP }],
          mails: [CHANGED],
        });
        assert.deepEqual(await left(), {
          ...{ isTrusted: false, codes: 10, active: false, waiting: false, isIn: false, mfa: [] },
        });
      },
    );

    database.itOnSqlite(
      'a changed preference causes an event, and a mail if a factor was added or removed',
      async () => {
        const { access, user, left, told, traces } = await someone();
        const set = (settings: object) =>
          pool.operations.setUserMFAPreference({ AccessToken: access, ...settings }, TEST_CALL);
        const adminSet = (settings: object) =>
          pool.operations.adminSetUserMFAPreference({ ...user, ...settings }, TEST_CALL);
        const changed = (methods: string, preferred: string) => [
          { ...told, type: 'factor.preference_changed', methods, preferred },
        ];
        const both = `${TOTP} EMAIL_OTP`;
        assert.deepEqual(await traces(() => set({ EmailMfaSettings: { Enabled: true } })), {
          events: changed(both, TOTP),
          mails: [CHANGED],
        });
        assert.deepEqual(await left(), { ...ALL, mfa: [TOTP, 'EMAIL_OTP'] });
        assert.deepEqual(await traces(() => set({ EmailMfaSettings: { PreferredMfa: true } })), {
          events: changed(both, 'EMAIL_OTP'),
          mails: [],
        });
        assert.deepEqual(await traces(() => set({ EmailMfaSettings: { Enabled: false } })), {
          events: changed(TOTP, 'none'),
          mails: [CHANGED],
        });
        assert.deepEqual(await left(), { ...ALL, isTrusted: false });
        assert.deepEqual(await traces(() => set({ SoftwareTokenMfaSettings: { Enabled: false } })), {
          events: changed('', 'none'),
          mails: [CHANGED],
        });
        assert.equal((await left()).isIn, true, 'one’s own change ends no login');
        assert.deepEqual(await traces(() => adminSet({})), { events: changed('', 'none'), mails: [] });
        assert.equal((await left()).isIn, true, 'nor does one that changes nothing');
        await set({ SoftwareTokenMfaSettings: { Enabled: true } });
        await adminSet({ SoftwareTokenMfaSettings: { Enabled: false }, EmailMfaSettings: { Enabled: true } });
        assert.equal((await left()).isIn, true, 'nor one that leaves a factor');
        await adminSet({ EmailMfaSettings: { Enabled: false } });
        assert.equal((await left()).isIn, false);
      },
    );

    database.itOnSqlite('a wrong request is refused with a text', async () => {
      const { access, user } = await someone();
      const options = [{ DeliveryMedium: 'SMS', AttributeName: 'email' }] as const;
      const onlySms = 'MFAOptions can only contain SMS with phone_number.';
      for (const call of [
        () => pool.operations.setUserSettings({ AccessToken: access, MFAOptions: options }, TEST_CALL),
        () => pool.operations.adminSetUserSettings({ ...user, MFAOptions: options }, TEST_CALL),
      ]) {
        await assertRefused(call(), 'InvalidParameterException', onlySms);
      }
      const WebAuthnMfaSettings = { Enabled: true };
      const both = pool.operations.setUserMFAPreference({ AccessToken: access, WebAuthnMfaSettings }, TEST_CALL);
      const noPasskeys = 'WebAuthn MFA is not enabled for the user pool.';
      const { reason } = await assertRefused(both, 'InvalidParameterException', noPasskeys);
      assert.equal(reason, 'flow_disabled');
      const off = { AccessToken: access, WebAuthnMfaSettings: { Enabled: false } };
      assert.deepEqual(await pool.operations.setUserMFAPreference(off, TEST_CALL), {});
    });

    it('a user who is deleted in parallel is not changed, and no fault is reported', async () => {
      const opened = await openTestEnvironment(await database.create());
      const own = await openTestPoolOn(opened);
      const { write } = opened.options.store;
      const settings = { SoftwareTokenMfaSettings: { Enabled: false } };
      for (const act of ['reset', 'delete', 'prefer'] as const) {
        const user = { UserPoolId: own.userPoolId, Username: `${act}@example.com` };
        await addUser(own, user.Username);
        await enrolTotp(own, requireTokens(await loginByPassword(own, user.Username)).access);
        let isFirst = true;
        opened.options.store.write = async (work) => {
          if (isFirst) {
            isFirst = false;
            await own.operations.adminDeleteUser(user, TEST_CALL);
          }
          return write(work);
        };
        const acts = {
          reset: () => own.embedded.extensions.reset_mfa?.(user, TEST_CALL) ?? assert.fail(),
          delete: () => own.operations.adminDeleteSoftwareToken(user, TEST_CALL),
          prefer: () => own.operations.adminSetUserMFAPreference({ ...user, ...settings }, TEST_CALL),
        };
        await assertRefused(acts[act](), 'UserNotFoundException');
        opened.options.store.write = write;
      }
      await addUser(own, 'asks@example.com');
      const { access: AccessToken } = requireTokens(await loginByPassword(own, 'asks@example.com'));
      const { store } = opened.options;
      const users = Object.assign(Object.create(store.users), { byName: async () => undefined });
      const leaving = Object.create(store, { users: { value: users } });
      const { operations } = createPool({ ...opened.options, store: leaving });
      const { reason } = await assertRefused(
        operations.getUserAuthFactors({ AccessToken }, TEST_CALL),
        'UserNotFoundException',
      );
      assert.equal(reason, 'invalid_token');
      await own.close();
    });

    database.itOnSqlite('new recovery codes are recorded', async () => {
      const { access, told, traces } = await someone();
      const made = () => pool.embedded.extensions.create_recovery_codes?.({ AccessToken: access }, TEST_CALL);
      assert.deepEqual(await traces(made), {
        events: [{ ...told, type: 'factor.recovery_codes_made', isOfClient: true }],
        mails: [CHANGED],
      });
    });

    database.itOnSqlite('an authenticator is recorded when its first code was wrong, and when it works', async () => {
      const { access, told, traces } = await someone();
      const secretCode = await associateTotp(pool, access);
      const added = { ...told, type: 'factor.added', factor: TOTP, isOfClient: true };
      const wrong = () =>
        assertRefused(
          verifyTotp(pool, access, computeWrongTotpCode(pool, secretCode)),
          'EnableSoftwareTokenMFAException',
          'Code mismatch',
        );
      assert.deepEqual(await traces(wrong), {
        events: [{ ...added, outcome: 'failure', actor: 'anonymous', reason: 'wrong_code' }],
        mails: [],
      });
      assert.deepEqual(await traces(() => verifyTotp(pool, access, computeTestTotpCode(pool, secretCode))), {
        events: [added],
        mails: [CHANGED],
      });
      const waits = () => verifyTotp(pool, access, computeTestTotpCode(pool, secretCode));
      const nothing = 'No software token is waiting to be verified.';
      await assertRefused(waits(), 'SoftwareTokenMFANotFoundException', nothing);
    });
  });
});
