import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { createRememberedDevice } from '../testing/test-devices.ts';
import { openTestEventPool, recordTraces } from '../testing/test-events.ts';
import {
  addUser,
  createCallFromNewAddress,
  createVerifiedEmail,
  inviteUser,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';

const HOUR_MS = 3_600_000;
const FRESH = 'Another-Horse2!';

function forgot({ operations, clientId }: TestPool, Username: string) {
  return operations.forgotPassword({ ClientId: clientId, Username }, createCallFromNewAddress());
}

function confirm({ operations, clientId }: TestPool, Username: string, ConfirmationCode: string, Password = FRESH) {
  return operations.confirmForgotPassword({ ClientId: clientId, Username, ConfirmationCode, Password }, TEST_CALL);
}

function codeFor({ sent }: TestPool, to: string): string {
  return sent.findLast((message) => message.to === to && message.code !== undefined)?.code ?? '';
}

/** Uses the routes' operation, which works in any state. */
async function forceReset({ embedded, userPoolId }: TestPool, Username: string) {
  const reset = embedded.extensions.force_password_reset ?? assert.fail();
  return reset({ UserPoolId: userPoolId, Username }, TEST_CALL);
}

function wrong(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

forEachDatabase((database) => {
  describe(`a forgotten password on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());
    const admin = (Username: string) => ({ UserPoolId: pool.userPoolId, Username });

    database.itOnSqlite('is replaced with a code, which ends every login', async () => {
      const name = 'ada@example.com';
      await addUser(pool, name);
      const { AuthenticationResult } = await loginByPassword(pool, name);
      const { CodeDeliveryDetails } = await forgot(pool, name);
      assert.deepEqual(CodeDeliveryDetails, {
        Destination: 'a***@e***',
        DeliveryMedium: 'EMAIL',
        AttributeName: 'email',
      });
      const code = codeFor(pool, name);
      await assertRefused(confirm(pool, name, wrong(code)), 'CodeMismatchException');
      assert.deepEqual(await confirm(pool, name, code), {});
      assert.equal(await describeOutcome(loginBySrp(pool, name, PASSWORD)), 'Incorrect username or password.');
      assert.equal(await describeOutcome(loginBySrp(pool, name, FRESH)), 'tokens');
      const AccessToken = AuthenticationResult?.AccessToken ?? '';
      await assertRefused(pool.operations.getUser({ AccessToken }, TEST_CALL), 'NotAuthorizedException');
      await assertRefused(confirm(pool, name, code), 'CodeMismatchException');
      assert.match(pool.sent.at(-1)?.subject ?? '', /password was changed/);
    });

    it('has one code at a time, for an hour, which weak passwords do not use up', async () => {
      const name = 'codes@example.com';
      await addUser(pool, name);
      await forgot(pool, name);
      const first = codeFor(pool, name);
      await forgot(pool, name);
      const second = codeFor(pool, name);
      if (first !== second) await assertRefused(confirm(pool, name, first), 'CodeMismatchException');
      await assertRefused(confirm(pool, name, second, 'weak'), 'InvalidPasswordException');
      await assertRefused(confirm(pool, name, second, 'Password1!'), 'InvalidPasswordException');
      await assertRefused(confirm(pool, name, second, 'Codes2026!'), 'InvalidPasswordException');
      pool.clock.advance(HOUR_MS);
      await assertRefused(confirm(pool, name, second), 'ExpiredCodeException');
    });

    it('allows ten codes in 15 minutes, and a new code adds none', async () => {
      const name = 'guess@example.com';
      await addUser(pool, name);
      await forgot(pool, name);
      const code = codeFor(pool, name);
      const tries = await Promise.allSettled(Array.from({ length: 14 }, () => confirm(pool, name, wrong(code))));
      const codes = tries.map((entry) => (entry.status === 'rejected' ? entry.reason.code : 'done'));
      assert.equal(codes.filter((word) => word === 'CodeMismatchException').length, 10);
      await forgot(pool, name);
      const refusal = await assertRefused(confirm(pool, name, codeFor(pool, name)), 'LimitExceededException');
      assert.ok((refusal.retryAfterSeconds ?? 0) > 0);
    });

    database.itOnSqlite('gets the same response for unknown names and for users who cannot get a code', async () => {
      await addUser(pool, 'known@example.com');
      await inviteUser(pool, 'invited@example.com');
      await addUser(pool, 'disabled@example.com');
      await pool.operations.adminDisableUser(admin('disabled@example.com'), TEST_CALL);
      await addUser(pool, 'unproven@example.com');
      const UserAttributes = [{ Name: 'email_verified', Value: 'false' }];
      await pool.operations.adminUpdateUserAttributes({ ...admin('unproven@example.com'), UserAttributes }, TEST_CALL);
      const before = pool.sent.length;
      for (const name of ['nobody', 'invited', 'disabled', 'unproven']) {
        const address = `${name}@example.com`;
        const { CodeDeliveryDetails } = await forgot(pool, address);
        const Destination = `${name[0]}***@e***`;
        assert.deepEqual(CodeDeliveryDetails, { Destination, DeliveryMedium: 'EMAIL', AttributeName: 'email' });
        await assertRefused(confirm(pool, address, '123456'), 'CodeMismatchException');
      }
      assert.equal(pool.sent.length, before);
      for (const name of ['known@example.com', 'nobody2@example.com']) {
        for (let at = 0; at < 5; at += 1) await forgot(pool, name);
        await assertRefused(forgot(pool, name), 'LimitExceededException');
      }
    });

    database.itOnSqlite('can be reset by an administrator in any state, with a code if one can be sent', async () => {
      for (const make of [addUser, inviteUser]) {
        const name = `${make.name}-reset@example.com`.toLowerCase();
        await make(pool, name);
        const before = pool.sent.length;
        const { CodeSent } = await forceReset(pool, name);
        assert.ok(CodeSent);
        assert.equal((await pool.operations.adminGetUser(admin(name), TEST_CALL)).UserStatus, 'RESET_REQUIRED');
        assert.equal(pool.sent.length, before + 1);
        assert.equal(await describeOutcome(loginByPassword(pool, name)), 'Password reset required for the user');
        await confirm(pool, name, codeFor(pool, name));
        assert.equal(await describeOutcome(loginByPassword(pool, name, FRESH)), 'tokens');
      }
    });

    database.itOnSqlite('is never the temporary one', async () => {
      const name = 'temporary@example.com';
      await inviteUser(pool, name, PASSWORD);
      await forceReset(pool, name);
      await assertRefused(confirm(pool, name, codeFor(pool, name), PASSWORD), 'InvalidPasswordException');
      await confirm(pool, name, codeFor(pool, name), FRESH);
    });
  });

  describe(`a forgotten password where users are not hidden on ${database.name}`, () => {
    database.itOnSqlite('reports each step, and users who cannot take it', async () => {
      const events = await openTestEventPool(await database.create());
      const { pool } = events;
      try {
        const name = 'ada@example.com';
        const username = await addUser(pool, name);
        const device = await createRememberedDevice(pool, name);
        const about = { username, isOfClient: true };
        const code = async (to = name) => {
          await forgot(pool, to);
          return codeFor(pool, to);
        };
        const { events: asked, mails } = await recordTraces(events, () => forgot(pool, name));
        assert.deepEqual(asked, [{ ...about, type: 'password.reset_requested', outcome: 'success', actor: 'user' }]);
        assert.deepEqual(mails, ['Your password reset code']);
        const right = codeFor(pool, name);
        const wrongly = () => assertRefused(confirm(pool, name, wrong(right)), 'CodeMismatchException');
        assert.deepEqual(await recordTraces(events, wrongly), {
          events: [{ ...about, type: 'password.reset', outcome: 'failure', actor: 'anonymous', reason: 'wrong_code' }],
          mails: [],
        });
        const isTrusted = async () =>
          (await pool.store.devices.byKey(pool.userPoolId, username, device.key))?.remembered;
        assert.equal(await isTrusted(), true);
        assert.deepEqual(await recordTraces(events, () => confirm(pool, name, right)), {
          events: [{ ...about, type: 'password.reset', outcome: 'success', actor: 'user' }],
          mails: ['Your password was changed'],
        });
        assert.equal(await isTrusted(), false);
        assert.equal(await describeOutcome(loginByPassword(pool, name, FRESH)), 'tokens');
        const user = { UserPoolId: pool.userPoolId, Username: name };
        const failed = { ...about, type: 'password.reset', outcome: 'failure', actor: 'anonymous' };
        const early = await code();
        const unproven = [{ Name: 'email_verified', Value: 'false' }];
        await pool.operations.adminUpdateUserAttributes({ ...user, UserAttributes: unproven }, TEST_CALL);
        const unresettable = () =>
          assertRefused(
            confirm(pool, name, early),
            'NotAuthorizedException',
            'User password cannot be reset in the current state.',
          );
        assert.deepEqual(await recordTraces(events, unresettable), {
          events: [{ ...failed, reason: 'not_authorized' }],
          mails: [],
        });
        await pool.operations.adminUpdateUserAttributes(
          { ...user, UserAttributes: createVerifiedEmail(name) },
          TEST_CALL,
        );
        const late = await code();
        await pool.store.write((write) =>
          write.users.update(pool.userPoolId, username, { enabled: false, modifiedAtMs: pool.clock.now() }),
        );
        const disabled = () => assertRefused(confirm(pool, name, late), 'NotAuthorizedException', 'User is disabled.');
        const asDisabled = [{ ...failed, reason: 'user_disabled' }];
        assert.deepEqual(await recordTraces(events, disabled), { events: asDisabled, mails: [] });
        for (const [who, reason] of [
          ['nobody@example.com', 'user_not_found'],
          [name, 'user_disabled'],
        ] as const) {
          const [event] = (await recordTraces(events, () => forgot(pool, who))).events;
          assert.partialDeepStrictEqual(event, { type: 'password.reset_requested', outcome: 'failure', reason });
        }
      } finally {
        await pool.close();
      }
    });

    database.itOnSqlite('confirms an unconfirmed user, with the requested name', async () => {
      const pool = await openTestPool(await database.create(), {
        pool: { usernameAttributes: [], aliasAttributes: ['email', 'preferred_username'], requiredAttributes: [] },
      });
      try {
        const username = await addUser(pool, 'ada');
        const before = await pool.store.users.byUsername(pool.userPoolId, username);
        const attributes = {
          ...before?.attributes,
          ...{ email: 'ada@example.com', email_verified: 'true', preferred_username: 'countess' },
        };
        await pool.store.write((write) =>
          write.users.update(pool.userPoolId, username, {
            ...{ status: 'UNCONFIRMED', attributes, modifiedAtMs: pool.clock.now() },
          }),
        );
        pool.clock.advance(5);
        await forgot(pool, 'ada');
        await confirm(pool, 'ada', codeFor(pool, 'ada@example.com'));
        assert.equal(await describeOutcome(loginByPassword(pool, 'countess', FRESH)), 'tokens');
        const user = await pool.store.users.byUsername(pool.userPoolId, username);
        assert.deepEqual([user?.status, user?.modifiedAtMs], ['CONFIRMED', pool.clock.now()]);
      } finally {
        await pool.close();
      }
    });

    database.itOnSqlite("is refused in Cognito's words", async () => {
      const pool = await openTestPool(await database.create(), { client: { preventUserExistenceErrors: false } });
      try {
        await assertRefused(
          forgot(pool, 'nobody@example.com'),
          'UserNotFoundException',
          'Username/client id combination not found.',
        );
        await inviteUser(pool, 'invited@example.com');
        await assertRefused(
          forgot(pool, 'invited@example.com'),
          'NotAuthorizedException',
          'User password cannot be reset in the current state.',
        );
        await assertRefused(confirm(pool, 'nobody@example.com', '12345678'), 'UserNotFoundException');
        const name = 'ada@example.com';
        await addUser(pool, name);
        const expired = 'Invalid code provided, please request a code again.';
        await assertRefused(confirm(pool, name, '12345678'), 'ExpiredCodeException', expired);
        const other = 'bob@example.com';
        await addUser(pool, other);
        for (let tries = 0; tries < 10; tries += 1)
          await assertRefused(confirm(pool, other, '1'), 'ExpiredCodeException');
        await assertRefused(confirm(pool, other, '1'), 'LimitExceededException');
        await forgot(pool, name);
        const mismatch = 'Invalid verification code provided, please try again.';
        await assertRefused(confirm(pool, name, wrong(codeFor(pool, name))), 'CodeMismatchException', mismatch);
      } finally {
        await pool.close();
      }
    });

    database.itOnSqlite('is only for administrators if the pool says so', async () => {
      const pool = await openTestPool(await database.create(), { pool: { recovery: ['admin_only'] } });
      try {
        for (const name of ['nobody@example.com', await addUser(pool, 'ada@example.com')]) {
          await assertRefused(forgot(pool, name), 'NotAuthorizedException', 'Contact administrator to reset password.');
        }
      } finally {
        await pool.close();
      }
    });
  });
});
