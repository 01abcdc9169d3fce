import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import {
  countOutcomes,
  createOtherCode,
  enterCode,
  type LoginOutput,
  respondToChallenge,
  sentCode,
  startChoiceLogin,
  startPasswordLogin,
} from '../testing/test-logins.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { computeTestTotpCode, computeWrongTotpCode } from '../testing/test-totp.ts';

const SPENT = 'Invalid session for the user, session can only be used once.';

forEachDatabase((database) => {
  describe(`setting up a second factor during a login on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        pool: {
          usernameAttributes: [],
          aliasAttributes: ['email'],
          requiredAttributes: [],
          mfaConfiguration: 'ON',
          mfaMethods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
          recovery: ['admin_only'],
        },
      });
    });
    after(() => pool.close());
    beforeEach(async () => {
      name = `user${users++}`;
      username = await addUser(pool, name);
    });

    async function associate(before: LoginOutput): Promise<{ readonly secret: string; readonly step: LoginOutput }> {
      const { SecretCode, Session } = await pool.operations.associateSoftwareToken(
        { Session: before.Session ?? '' },
        TEST_CALL,
      );
      assert.ok(SecretCode && Session);
      return { secret: SecretCode, step: { ...before, Session } };
    }

    async function verify(before: LoginOutput, UserCode: string): Promise<LoginOutput> {
      const input = { Session: before.Session ?? '', UserCode, FriendlyDeviceName: 'Phone' };
      const { Status, Session } = await pool.operations.verifySoftwareToken(input, TEST_CALL);
      assert.equal(Status, 'SUCCESS');
      assert.ok(Session);
      return { ...before, Session };
    }

    database.itOnSqlite('offers what the pool has, as JSON text', async () => {
      const asked = await startPasswordLogin(pool, name);
      assert.equal(asked.ChallengeName, 'MFA_SETUP');
      assert.equal(asked.ChallengeParameters?.USER_ID_FOR_SRP, username);
      const methods = JSON.parse(asked.ChallengeParameters?.MFAS_CAN_SETUP ?? '');
      assert.deepEqual(methods, ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']);
    });

    database.itOnSqlite('with an authenticator gives tokens, and later logins require the authenticator', async () => {
      const { secret, step } = await associate(await startPasswordLogin(pool, name));
      const wrong = verify(step, computeWrongTotpCode(pool, secret));
      await assertRefused(wrong, 'EnableSoftwareTokenMFAException', 'Code mismatch');
      requireTokens(
        await respondToChallenge(pool, await verify(step, computeTestTotpCode(pool, secret)), username, {}),
      );
      const next = await startPasswordLogin(pool, name);
      assert.equal(next.ChallengeName, 'SOFTWARE_TOKEN_MFA');
      assert.equal(next.ChallengeParameters?.FRIENDLY_DEVICE_NAME, 'Phone');
      requireTokens(await enterCode(pool, next, username, computeTestTotpCode(pool, secret, 1)));
      const user = await pool.store.users.byUsername(pool.userPoolId, username);
      assert.deepEqual([user?.mfaMethods, user?.preferredMfa], [['SOFTWARE_TOKEN_MFA'], 'SOFTWARE_TOKEN_MFA']);
    });

    database.itOnSqlite(
      'gives no tokens before a code of the authenticator, and none with an older session',
      async () => {
        const first = await startPasswordLogin(pool, name);
        await assertRefused(respondToChallenge(pool, first, username, {}), 'InvalidParameterException');
        const { secret, step } = await associate(first);
        await assertRefused(respondToChallenge(pool, step, username, {}), 'InvalidParameterException');
        await assertRefused(respondToChallenge(pool, first, username, {}), 'NotAuthorizedException', SPENT);
        const verified = await verify(step, computeTestTotpCode(pool, secret));
        await assertRefused(respondToChallenge(pool, step, username, {}), 'NotAuthorizedException', SPENT);
        requireTokens(await respondToChallenge(pool, verified, username, {}));
        await assertRefused(respondToChallenge(pool, verified, username, {}), 'NotAuthorizedException', SPENT);
      },
    );

    it('gives tokens to one of 20 identical parallel last answers', async () => {
      const { secret, step } = await associate(await startPasswordLogin(pool, name));
      const verified = await verify(step, computeTestTotpCode(pool, secret));
      const calls = Array.from({ length: 20 }, () => describeOutcome(respondToChallenge(pool, verified, username, {})));
      assert.equal(countOutcomes(await Promise.all(calls)).tokens, 1);
    });

    database.itOnSqlite(
      'is refused in a login with the same password after another one has set up a factor',
      async () => {
        const thief = await startPasswordLogin(pool, name);
        const late = await associate(await startPasswordLogin(pool, name));
        const { secret, step } = await associate(await startPasswordLogin(pool, name));
        requireTokens(
          await respondToChallenge(pool, await verify(step, computeTestTotpCode(pool, secret)), username, {}),
        );
        await assertRefused(associate(thief), 'NotAuthorizedException', 'Invalid session for the user.');
        const code = computeTestTotpCode(pool, late.secret);
        await assertRefused(verify(late.step, code), 'NotAuthorizedException', 'Invalid session for the user.');
        await assertRefused(
          respondToChallenge(pool, thief, username, { EMAIL: 'thief@example.com' }),
          'InvalidParameterException',
        );
        assert.equal((await startPasswordLogin(pool, name)).ChallengeName, 'SOFTWARE_TOKEN_MFA');
      },
    );

    database.itOnSqlite(
      'is refused in a login whose password was removed meanwhile, for example by verifying the address',
      async () => {
        const [waiting, begun] = [
          await startPasswordLogin(pool, name),
          await associate(await startPasswordLogin(pool, name)),
        ];
        await pool.store.write((transaction) => transaction.users.deleteProofs(pool.userPoolId, username));
        await assertRefused(associate(waiting), 'NotAuthorizedException', 'Invalid session for the user.');
        const late = verify(begun.step, computeTestTotpCode(pool, begun.secret));
        await assertRefused(late, 'NotAuthorizedException', 'Invalid session for the user.');
        assert.equal(await pool.store.authenticators.byState(pool.userPoolId, username, 'pending'), undefined);
      },
    );

    async function codeName(call: Promise<unknown>): Promise<string> {
      return call.then(
        () => 'none',
        (error: { readonly code: string }) => error.code,
      );
    }

    database.itOnSqlite(
      'checks ten wrong codes of the new authenticator, and accepts twenty answers per session',
      async () => {
        const { secret, step } = await associate(await startPasswordLogin(pool, name));
        const outcomes: string[] = [];
        for (let i = 0; i < 22; i++) {
          outcomes.push(await codeName(verify(step, computeWrongTotpCode(pool, secret, i))));
        }
        assert.deepEqual(countOutcomes(outcomes), {
          EnableSoftwareTokenMFAException: 10,
          LimitExceededException: 10,
          NotAuthorizedException: 2,
        });
      },
    );

    database.itOnSqlite('accepts only sessions of this challenge and its lifetime', async () => {
      const { operations } = pool;
      await assertRefused(
        operations.associateSoftwareToken({ Session: 'x'.repeat(40) }, TEST_CALL),
        'NotAuthorizedException',
      );
      const list = await startChoiceLogin(pool, name);
      assert.equal((await assertRefused(associate(list), 'InvalidParameterException')).reason, 'challenge_mismatch');
      const [early, late] = [await startPasswordLogin(pool, name), await startPasswordLogin(pool, name)];
      pool.clock.advance(179_999);
      await associate(early);
      pool.clock.advance(1);
      await assertRefused(
        associate(late),
        'NotAuthorizedException',
        'Invalid session for the user, session is expired.',
      );
    });

    database.itOnSqlite('is refused in a login whose user is gone', async () => {
      const asked = await startPasswordLogin(pool, name);
      await pool.operations.adminDeleteUser({ UserPoolId: pool.userPoolId, Username: name }, TEST_CALL);
      await assertRefused(associate(asked), 'NotAuthorizedException', 'Invalid session for the user.');
    });

    database.itOnSqlite(
      'with an address sends a code and gives tokens, and the address is stored and verified',
      async () => {
        const asked = await startPasswordLogin(pool, name);
        const address = `${name}@example.com`;
        await assertRefused(
          respondToChallenge(pool, asked, username, { EMAIL: 'no address' }),
          'InvalidParameterException',
        );
        const code = await respondToChallenge(pool, asked, username, { EMAIL: address });
        assert.equal(code.ChallengeName, 'EMAIL_OTP');
        assert.equal(code.ChallengeParameters?.CODE_DELIVERY_DESTINATION, 'u***@e***');
        assert.equal((await pool.store.users.byUsername(pool.userPoolId, username))?.attributes.email, undefined);
        const right = sentCode(pool, address);
        await assertRefused(enterCode(pool, code, username, createOtherCode(right)), 'CodeMismatchException');
        requireTokens(await enterCode(pool, code, username, right));
        const user = await pool.store.users.byUsername(pool.userPoolId, username);
        assert.deepEqual([user?.attributes.email, user?.attributes.email_verified], [address, 'true']);
        assert.deepEqual([user?.mfaMethods, user?.preferredMfa], [['EMAIL_OTP'], 'EMAIL_OTP']);
        assert.equal((await startPasswordLogin(pool, address)).ChallengeName, 'EMAIL_OTP');
      },
    );

    database.itOnSqlite("refuses an address that is another user's name", async () => {
      const owner = await addUser(pool, `owner-${name}`);
      await proveAddress(`owner-${name}`, owner, `${name}@example.com`);
      const asked = await respondToChallenge(pool, await startPasswordLogin(pool, name), username, {
        email: `${name}@example.com`,
      });
      const call = enterCode(pool, asked, username, sentCode(pool, `${name}@example.com`));
      await assertRefused(call, 'AliasExistsException', 'An account with the email already exists.');
    });

    async function proveAddress(who: string, user: string, address: string): Promise<void> {
      const asked = await respondToChallenge(pool, await startPasswordLogin(pool, who), user, { EMAIL: address });
      requireTokens(await enterCode(pool, asked, user, sentCode(pool, address)));
    }

    it('in two logins that set up an address each, the first one counts', async () => {
      const [first, second] = [await startPasswordLogin(pool, name), await startPasswordLogin(pool, name)];
      const mine = await respondToChallenge(pool, first, username, { EMAIL: `mine-${name}@example.com` });
      const thine = await respondToChallenge(pool, second, username, { EMAIL: `thine-${name}@example.com` });
      const codes = [sentCode(pool, `mine-${name}@example.com`), sentCode(pool, `thine-${name}@example.com`)] as const;
      const outcomes = await Promise.all([
        describeOutcome(enterCode(pool, mine, username, codes[0])),
        describeOutcome(enterCode(pool, thine, username, codes[1])),
      ]);
      assert.equal(outcomes.filter((one) => one === 'tokens').length, 1, outcomes.join());
    });
  });
});
