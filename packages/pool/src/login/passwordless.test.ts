import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { enterCode, sentCode, startChoiceLogin } from '../testing/test-logins.ts';
import {
  addUser,
  createCallFromNewAddress,
  createVerifiedEmail,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
  type TestPoolOptions,
} from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const WRONG = 'Incorrect username or password.';
const BY_EMAIL = { PREFERRED_CHALLENGE: 'EMAIL_OTP' };

function signUp({ operations, clientId }: TestPool, Username: string, more: Partial<Input<'SignUp'>> = {}) {
  return operations.signUp({ ClientId: clientId, Username, ...more }, createCallFromNewAddress());
}

function confirm(pool: TestPool, Username: string, Session?: string, ConfirmationCode = sentCode(pool, Username)) {
  const { operations, clientId } = pool;
  const session = Session === undefined ? {} : { Session };
  return operations.confirmSignUp({ ClientId: clientId, Username, ConfirmationCode, ...session }, TEST_CALL);
}

/** Created by an administrator, without a message. */
function make({ operations, userPoolId }: TestPool, wanted: Omit<Input<'AdminCreateUser'>, 'UserPoolId'>) {
  const input = { MessageAction: 'SUPPRESS', UserAttributes: createVerifiedEmail(wanted.Username), ...wanted } as const;
  return operations.adminCreateUser({ UserPoolId: userPoolId, ...input }, TEST_CALL);
}

async function fetchStatus({ operations, userPoolId }: TestPool, Username: string) {
  return (await operations.adminGetUser({ UserPoolId: userPoolId, Username }, TEST_CALL)).UserStatus;
}

async function loginByCode(pool: TestPool, name: string): Promise<void> {
  const asked = await startChoiceLogin(pool, name, BY_EMAIL);
  assert.equal(asked.ChallengeName, 'EMAIL_OTP');
  requireTokens(await enterCode(pool, asked, name, sentCode(pool, name)));
}

/** Pools in which no user could log in without a password. */
const NO_WAY_IN: Readonly<Record<string, TestPoolOptions>> = {
  'passwords alone are a first factor': { pool: { firstFactors: ['PASSWORD'] } },
  'only a passkey would stand in for the password': { pool: { firstFactors: ['PASSWORD', 'WEB_AUTHN'] } },
  'codes go to telephones, and an address is proven': { pool: { firstFactors: ['PASSWORD', 'SMS_OTP'] } },
  'no contact is proven': { pool: { autoVerifiedAttributes: [] } },
  'everybody owes a second factor': { pool: { mfaConfiguration: 'ON', mfaMethods: ['SOFTWARE_TOKEN_MFA'] } },
  'the client has no choice-based login': { client: { allowedFlows: ['USER_SRP_AUTH', 'USER_PASSWORD_AUTH'] } },
};

describe('users without a password', () => {
  async function withPool(options: TestPoolOptions, work: (pool: TestPool) => Promise<void>): Promise<void> {
    const pool = await openTestPool('sqlite::memory:', options);
    try {
      await work(pool);
    } finally {
      await pool.close();
    }
  }

  it('sign up with none or a blank one, and log in with codes once the address is verified', () =>
    withPool({}, async (pool) => {
      for (const [name, more] of [
        ['none@example.com', {}],
        ['blank@example.com', { Password: '' }],
      ] as const) {
        const { UserConfirmed, Session } = await signUp(pool, name, more);
        assert.equal(UserConfirmed, false);
        assert.equal(await fetchStatus(pool, name), 'UNCONFIRMED');
        const wrong = await assertRefused(confirm(pool, name, Session, 'x'), 'CodeMismatchException');
        assert.equal(wrong.reason, undefined);
        const confirmed = await confirm(pool, name, Session);
        assert.equal(await fetchStatus(pool, name), 'CONFIRMED');
        requireTokens(await startChoiceLogin(pool, name, {}, confirmed.Session));
        for (const password of [PASSWORD, ' ']) {
          assert.equal(await describeOutcome(loginByPassword(pool, name, password)), WRONG);
          assert.equal(await describeOutcome(loginBySrp(pool, name, password)), WRONG);
        }
        await loginByCode(pool, name);
      }
    }));

  it('are also confirmed by a first login with a code', () =>
    withPool({}, async (pool) => {
      await signUp(pool, 'code@example.com');
      await loginByCode(pool, 'code@example.com');
      assert.equal(await fetchStatus(pool, 'code@example.com'), 'CONFIRMED');
    }));

  it('get a first password with a reset', () =>
    withPool({}, async (pool) => {
      const Username = 'first@example.com';
      await confirm(pool, Username, (await signUp(pool, Username)).Session);
      const named = { ClientId: pool.clientId, Username };
      await pool.operations.forgotPassword(named, TEST_CALL);
      const ConfirmationCode = sentCode(pool, Username);
      await pool.operations.confirmForgotPassword({ ...named, ConfirmationCode, Password: PASSWORD }, TEST_CALL);
      assert.equal(await describeOutcome(loginByPassword(pool, Username)), 'tokens');
    }));

  it('are always separate: two sign-ups without a password are two registrations', () =>
    withPool({}, async (pool) => {
      const name = 'twice@example.com';
      const first = await signUp(pool, name);
      const second = await signUp(pool, name);
      assert.notEqual(first.UserSub, second.UserSub);
      await confirm(pool, name, second.Session);
      await assertRefused(confirm(pool, name, first.Session), 'CodeMismatchException');
      assert.equal(await fetchStatus(pool, second.UserSub), 'CONFIRMED');
    }));

  it("an attacker who signs up without a password gets nothing of the owner's registration, before or after", () =>
    withPool({}, async (pool) => {
      for (const [name, isFirst] of [
        ['before@example.com', true],
        ['after@example.com', false],
      ] as const) {
        const before = isFirst ? await signUp(pool, name) : undefined;
        const owner = await signUp(pool, name, { Password: PASSWORD });
        const attacker = before ?? (await signUp(pool, name));
        assert.notEqual(attacker.UserSub, owner.UserSub);
        await confirm(pool, name, owner.Session);
        assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens', 'the session keeps its password');
        await assertRefused(confirm(pool, name, attacker.Session), 'CodeMismatchException');
        await assertRefused(startChoiceLogin(pool, name, {}, attacker.Session), 'NotAuthorizedException');
      }
    }));

  it('get the same response for a name that a user has, whose password stays', () =>
    withPool({}, async (pool) => {
      await addUser(pool, 'known@example.com');
      const known = await signUp(pool, 'known@example.com');
      const fresh = await signUp(pool, 'fresh@example.com');
      assert.deepEqual(Object.keys(known), Object.keys(fresh));
      assert.equal(known.CodeDeliveryDetails?.AttributeName, fresh.CodeDeliveryDetails?.AttributeName);
      assert.equal(await describeOutcome(loginByPassword(pool, 'known@example.com')), 'tokens');
    }));

  it('are created by an administrator without a password or message, and get a first one without a notice', () =>
    withPool({}, async (pool) => {
      for (const [Username, more] of [
        ['made@example.com', {}],
        ['blank@example.com', { TemporaryPassword: '' }],
      ] as const) {
        const { User } = await make(pool, { Username, ...more });
        assert.equal(User?.UserStatus, 'CONFIRMED');
        assert.equal(pool.sent.filter(({ to }) => to === Username).length, 0);
        assert.equal(await describeOutcome(loginByPassword(pool, Username)), WRONG);
        await loginByCode(pool, Username);
        await assertRefused(make(pool, { Username, MessageAction: 'RESEND' }), 'UnsupportedUserStateException');
        const set = { UserPoolId: pool.userPoolId, Username, Permanent: true };
        const before = pool.sent.length;
        await pool.operations.adminSetUserPassword({ ...set, Password: PASSWORD }, TEST_CALL);
        assert.equal(pool.sent.length, before, 'there was no password that changed');
        assert.equal(await describeOutcome(loginByPassword(pool, Username)), 'tokens');
        await pool.operations.adminSetUserPassword({ ...set, Password: `${PASSWORD}2` }, TEST_CALL);
        assert.equal(pool.sent.length, before + 1);
      }
    }));

  it('are not created if a temporary password is given or sent; a weak one is refused', () =>
    withPool({}, async (pool) => {
      const given = await make(pool, { Username: 'given@example.com', TemporaryPassword: PASSWORD });
      assert.equal(given.User?.UserStatus, 'FORCE_CHANGE_PASSWORD');
      const Username = 'sent@example.com';
      const { userPoolId: UserPoolId, operations } = pool;
      const sent = await operations.adminCreateUser(
        { UserPoolId, Username, UserAttributes: createVerifiedEmail(Username) },
        TEST_CALL,
      );
      assert.equal(sent.User?.UserStatus, 'FORCE_CHANGE_PASSWORD');
      assert.equal(pool.sent.filter(({ to }) => to === Username).length, 1);
      for (const [TemporaryPassword, code] of [
        [' ', 'InvalidParameterException'],
        ['short', 'InvalidPasswordException'],
      ] as const) {
        await assertRefused(make(pool, { Username: 'weak@example.com', TemporaryPassword }), code);
      }
    }));

  for (const where of ['passwords alone are a first factor', 'everybody owes a second factor']) {
    it(`are not created by an administrator if ${where}`, () =>
      withPool(NO_WAY_IN[where] ?? {}, async (pool) => {
        const { User } = await make(pool, { Username: 'ada@example.com' });
        assert.equal(User?.UserStatus, 'FORCE_CHANGE_PASSWORD');
      }));
  }

  it('are not created by an administrator without a contact for codes', () =>
    withPool({ pool: { usernameAttributes: [], requiredAttributes: [] } }, async ({ operations, userPoolId }) => {
      const ada = { UserPoolId: userPoolId, Username: 'ada', MessageAction: 'SUPPRESS' } as const;
      assert.equal((await operations.adminCreateUser(ada, TEST_CALL)).User?.UserStatus, 'FORCE_CHANGE_PASSWORD');
    }));

  for (const [where, options] of Object.entries(NO_WAY_IN)) {
    it(`are refused as by Cognito, and nothing is stored, if ${where}`, () =>
      withPool(options, async (pool) => {
        for (const more of [{}, { Password: '' }]) {
          const refusal = await assertRefused(signUp(pool, 'ada@example.com', more), 'InvalidPasswordException');
          assert.match(refusal.message, /^Password did not conform with policy: /);
        }
        assert.deepEqual((await pool.operations.listUsers({ UserPoolId: pool.userPoolId }, TEST_CALL)).Users, []);
        assert.equal(pool.sent.length, 0);
      }));
  }
});
