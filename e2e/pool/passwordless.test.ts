import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { forEachDatabase } from '../support/databases.ts';
import { choose, enterCode, sentCode } from '../support/login.ts';
import {
  addUser,
  CALL,
  callFromElsewhere,
  openTestPool,
  PASSWORD,
  type TestPool,
  type TestPoolOptions,
} from '../support/pool.ts';
import { refused } from '../support/refusal.ts';
import { outcome, passwordLogin, srpLogin } from '../support/srp-login.ts';
import { tokensOf } from '../support/tokens.ts';

const WRONG = 'Incorrect username or password.';
const BY_EMAIL = { PREFERRED_CHALLENGE: 'EMAIL_OTP' };

function signUp({ operations, clientId }: TestPool, Username: string, more: Partial<Input<'SignUp'>> = {}) {
  return operations.signUp({ ClientId: clientId, Username, ...more }, callFromElsewhere());
}

function confirm(pool: TestPool, Username: string, Session?: string, ConfirmationCode = sentCode(pool, Username)) {
  const { operations, clientId } = pool;
  const session = Session === undefined ? {} : { Session };
  return operations.confirmSignUp({ ClientId: clientId, Username, ConfirmationCode, ...session }, CALL);
}

async function statusOf({ operations, userPoolId }: TestPool, Username: string) {
  return (await operations.adminGetUser({ UserPoolId: userPoolId, Username }, CALL)).UserStatus;
}

async function loginByCode(pool: TestPool, name: string): Promise<void> {
  const asked = await choose(pool, name, BY_EMAIL);
  assert.equal(asked.ChallengeName, 'EMAIL_OTP');
  tokensOf(await enterCode(pool, asked, name, sentCode(pool, name)));
}

/** Where nobody could get in without a password. */
const NO_WAY_IN: Readonly<Record<string, TestPoolOptions>> = {
  'passwords alone are a first factor': { pool: { firstFactors: ['PASSWORD'] } },
  'only a passkey would stand in for the password': { pool: { firstFactors: ['PASSWORD', 'WEB_AUTHN'] } },
  'codes go to telephones, and an address is proven': { pool: { firstFactors: ['PASSWORD', 'SMS_OTP'] } },
  'no contact is proven': { pool: { autoVerifiedAttributes: [] } },
  'everybody owes a second factor': { pool: { mfaConfiguration: 'ON', mfaMethods: ['SOFTWARE_TOKEN_MFA'] } },
  'the client has no choice-based login': { client: { allowedFlows: ['USER_SRP_AUTH', 'USER_PASSWORD_AUTH'] } },
};

forEachDatabase((database) => {
  describe(`users without a password on ${database.name}`, () => {
    async function withPool(options: TestPoolOptions, work: (pool: TestPool) => Promise<void>): Promise<void> {
      const pool = await openTestPool(await database.create(), options);
      try {
        await work(pool);
      } finally {
        await pool.close();
      }
    }

    it('sign up with none or a blank one, and log in by codes once the address is proven', () =>
      withPool({}, async (pool) => {
        for (const [name, more] of [
          ['none@example.com', {}],
          ['blank@example.com', { Password: '' }],
        ] as const) {
          const { UserConfirmed, Session } = await signUp(pool, name, more);
          assert.equal(UserConfirmed, false);
          assert.equal(await statusOf(pool, name), 'UNCONFIRMED');
          const wrong = await refused(confirm(pool, name, Session, 'x'), 'CodeMismatchException');
          assert.equal(wrong.reason, undefined);
          const confirmed = await confirm(pool, name, Session);
          assert.equal(await statusOf(pool, name), 'CONFIRMED');
          tokensOf(await choose(pool, name, {}, confirmed.Session));
          for (const password of [PASSWORD, ' ']) {
            assert.equal(await outcome(passwordLogin(pool, name, password)), WRONG);
            assert.equal(await outcome(srpLogin(pool, name, password)), WRONG);
          }
          await loginByCode(pool, name);
        }
      }));

    it('are confirmed by a first login by a code too', () =>
      withPool({}, async (pool) => {
        await signUp(pool, 'code@example.com');
        await loginByCode(pool, 'code@example.com');
        assert.equal(await statusOf(pool, 'code@example.com'), 'CONFIRMED');
      }));

    it('get a first password by a reset', () =>
      withPool({}, async (pool) => {
        const Username = 'first@example.com';
        await confirm(pool, Username, (await signUp(pool, Username)).Session);
        const named = { ClientId: pool.clientId, Username };
        await pool.operations.forgotPassword(named, CALL);
        const ConfirmationCode = sentCode(pool, Username);
        await pool.operations.confirmForgotPassword({ ...named, ConfirmationCode, Password: PASSWORD }, CALL);
        assert.equal(await outcome(passwordLogin(pool, Username)), 'tokens');
      }));

    it('are never the same one again: two sign-ups without a password are two registrations', () =>
      withPool({}, async (pool) => {
        const name = 'twice@example.com';
        const first = await signUp(pool, name);
        const second = await signUp(pool, name);
        assert.notEqual(first.UserSub, second.UserSub);
        await confirm(pool, name, second.Session);
        await refused(confirm(pool, name, first.Session), 'CodeMismatchException');
        assert.equal(await statusOf(pool, second.UserSub), 'CONFIRMED');
      }));

    it('A stranger who signs up without a password gets nothing of what the owner registers, before or after', () =>
      withPool({}, async (pool) => {
        for (const [name, isFirst] of [
          ['before@example.com', true],
          ['after@example.com', false],
        ] as const) {
          const before = isFirst ? await signUp(pool, name) : undefined;
          const owner = await signUp(pool, name, { Password: PASSWORD });
          const stranger = before ?? (await signUp(pool, name));
          assert.notEqual(stranger.UserSub, owner.UserSub);
          await confirm(pool, name, owner.Session);
          assert.equal(await outcome(passwordLogin(pool, name)), 'tokens', 'the session keeps its password');
          await refused(confirm(pool, name, stranger.Session), 'CodeMismatchException');
          await refused(choose(pool, name, {}, stranger.Session), 'NotAuthorizedException');
        }
      }));

    it('answers alike for a name that a user has, whose password stays', () =>
      withPool({}, async (pool) => {
        await addUser(pool, 'known@example.com');
        const known = await signUp(pool, 'known@example.com');
        const fresh = await signUp(pool, 'fresh@example.com');
        assert.deepEqual(Object.keys(known), Object.keys(fresh));
        assert.equal(known.CodeDeliveryDetails?.AttributeName, fresh.CodeDeliveryDetails?.AttributeName);
        assert.equal(await outcome(passwordLogin(pool, 'known@example.com')), 'tokens');
      }));

    for (const [where, options] of Object.entries(NO_WAY_IN)) {
      it(`are refused as by Cognito, and nothing is kept, where ${where}`, () =>
        withPool(options, async (pool) => {
          for (const more of [{}, { Password: '' }]) {
            const refusal = await refused(signUp(pool, 'ada@example.com', more), 'InvalidPasswordException');
            assert.match(refusal.message, /^Password did not conform with policy: /);
          }
          assert.deepEqual((await pool.operations.listUsers({ UserPoolId: pool.userPoolId }, CALL)).Users, []);
          assert.equal(pool.sent.length, 0);
        }));
    }
  });
});
