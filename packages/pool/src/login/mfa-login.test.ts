import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { MfaMethod } from '../store/index.ts';
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
import { computeSrpAnswer, describeOutcome, loginByPassword, startSrpLogin } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { computeTestTotpCode, computeWrongTotpCode, enrolTotp } from '../testing/test-totp.ts';

const WRONG_TOKEN = 'Invalid code received for user';
const WRONG_CODE = 'Invalid code or auth state for the user.';
const USED = 'Your software token has already been used once.';
const LOCKED = 'Attempt limit exceeded, please try after some time.';
const MFA_METHODS: readonly MfaMethod[] = ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP'];

forEachDatabase((database) => {
  describe(`second factors in a login on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        pool: { mfaMethods: MFA_METHODS, recovery: ['admin_only'] },
      });
    });
    after(() => pool.close());
    beforeEach(async () => {
      pool.clock.advance(3_600_000);
      name = `user${users++}@example.com`;
      username = await addUser(pool, name);
    });

    const enrolled = async () => enrolTotp(pool, requireTokens(await loginByPassword(pool, name)).access);

    /** Turns on second factors, as an administrator can. */
    async function turnOn(methods: readonly MfaMethod[], preferredMfa: MfaMethod | null): Promise<void> {
      const { store, userPoolId, clock } = pool;
      const phone = { phone_number: createPhone(name) };
      await store.write(async (transaction) => {
        const user = await transaction.users.byUsername(userPoolId, username);
        assert.ok(user);
        const change = { mfaMethods: methods, preferredMfa, attributes: { ...user.attributes, ...phone } };
        await transaction.users.update(userPoolId, username, { ...change, modifiedAtMs: clock.now() });
      });
    }
    const createPhone = (who: string) => `+1555${String(Number(/\d+/.exec(who)?.[0] ?? 0)).padStart(7, '0')}`;

    database.itOnSqlite('are those that the user turned on, with plain text and SRP', async () => {
      const secret = await enrolled();
      for (const [steps, asked] of [
        [1, await startPasswordLogin(pool, name)],
        [
          2,
          await pool.operations.respondToAuthChallenge(
            computeSrpAnswer(pool, await startSrpLogin(pool, name)),
            TEST_CALL,
          ),
        ],
      ] as const) {
        assert.equal(asked.ChallengeName, 'SOFTWARE_TOKEN_MFA');
        assert.deepEqual(asked.ChallengeParameters, {
          USER_ID_FOR_SRP: username,
          FRIENDLY_DEVICE_NAME: 'Authenticator',
        });
        pool.clock.advance(30_000);
        requireTokens(await enterCode(pool, asked, username, computeTestTotpCode(pool, secret, steps - 1)));
      }
    });

    database.itOnSqlite('give nothing that works as a token before the last factor', async () => {
      const secret = await enrolled();
      const asked = await startPasswordLogin(pool, name);
      assert.equal(asked.AuthenticationResult, undefined);
      await assertRefused(
        pool.operations.getUser({ AccessToken: asked.Session ?? '' }, TEST_CALL),
        'NotAuthorizedException',
      );
      requireTokens(await enterCode(pool, asked, username, computeTestTotpCode(pool, secret, 1)));
    });

    it('accept a code once: at once, after a second, in the skew window, on another replica', async () => {
      const secret = await enrolled();
      const code = computeTestTotpCode(pool, secret, 1);
      const [first, second] = [await startPasswordLogin(pool, name), await startPasswordLogin(pool, name)];
      requireTokens(await enterCode(pool, first, username, code));
      for (const waitMs of [0, 1_000, 30_000]) {
        pool.clock.advance(waitMs);
        for (const where of [pool, pool.replica()]) {
          await assertRefused(enterCode(where, second, username, code), 'ExpiredCodeException', USED);
        }
      }
    });

    database.itOnSqlite('do not accept the code that enrolled the authenticator', async () => {
      const secret = await enrolled();
      const asked = await startPasswordLogin(pool, name);
      await assertRefused(
        enterCode(pool, asked, username, computeTestTotpCode(pool, secret)),
        'ExpiredCodeException',
        USED,
      );
    });

    it('give one token set for 50 identical parallel right codes', async () => {
      const secret = await enrolled();
      const asked = await startPasswordLogin(pool, name);
      const replica = pool.replica();
      const code = computeTestTotpCode(pool, secret, 1);
      const calls = Array.from({ length: 50 }, (_, i) =>
        describeOutcome(enterCode(i % 2 ? pool : replica, asked, username, code)),
      );
      const counts = countOutcomes(await Promise.all(calls));
      assert.equal(counts.tokens, 1, JSON.stringify(counts));
    });

    it('give one token set for one right code on 20 parallel sessions', async () => {
      const secret = await enrolled();
      const asked = await Promise.all(Array.from({ length: 20 }, () => startPasswordLogin(pool, name)));
      const code = computeTestTotpCode(pool, secret, 1);
      const counts = countOutcomes(
        await Promise.all(asked.map((one) => describeOutcome(enterCode(pool, one, username, code)))),
      );
      assert.equal(counts.tokens, 1, JSON.stringify(counts));
    });

    it('check ten of 100 parallel wrong codes, on one session and on 20, at two replicas', async () => {
      const secret = await enrolled();
      const sessions = await Promise.all(Array.from({ length: 20 }, () => startPasswordLogin(pool, name)));
      const replica = pool.replica();
      const guesses = Array.from({ length: 100 }, (_, i) => {
        const session = sessions[i < 20 ? 0 : i % 20] as LoginOutput;
        return describeOutcome(
          enterCode(i % 2 ? pool : replica, session, username, computeWrongTotpCode(pool, secret, i * 1000)),
        );
      });
      const counts = countOutcomes(await Promise.all(guesses));
      assert.equal(counts[WRONG_TOKEN], 10, JSON.stringify(counts));
      assert.equal(
        await describeOutcome(
          enterCode(pool, await startPasswordLogin(pool, name), username, computeTestTotpCode(pool, secret, 1)),
        ),
        LOCKED,
      );
    });

    it('count the codes of a user together, for any purpose and any caller', async () => {
      const secret = await enrolled();
      const guess = async (i: number) => {
        const ChallengeResponses = {
          USERNAME: username,
          SOFTWARE_TOKEN_MFA_CODE: computeWrongTotpCode(pool, secret, i),
        };
        const { Session = '' } = await startPasswordLogin(pool, name);
        const { clientId: ClientId, userPoolId: UserPoolId, operations } = pool;
        const answer = { ClientId, ChallengeName: 'SOFTWARE_TOKEN_MFA', Session, ChallengeResponses } as const;
        return i % 2
          ? describeOutcome(operations.adminRespondToAuthChallenge({ ...answer, UserPoolId }, TEST_CALL))
          : describeOutcome(operations.respondToAuthChallenge(answer, TEST_CALL));
      };
      for (let i = 0; i < 10; i++) assert.equal(await guess(i), WRONG_TOKEN);
      assert.equal(await guess(0), LOCKED);
      assert.equal(await guess(1), LOCKED);
      const recovery = enterCode(pool, await startPasswordLogin(pool, name), username, 'bcdfghjklmnp');
      assert.equal((await assertRefused(recovery, 'NotAuthorizedException', LOCKED)).retryAfterSeconds, 900);
    });

    database.itOnSqlite(
      'check ten wrong codes in 15 minutes, and a right password does not reset the count',
      async () => {
        const secret = await enrolled();
        const outcomes: string[] = [];
        for (let i = 0; i < 25; i++) {
          outcomes.push(
            await describeOutcome(
              enterCode(pool, await startPasswordLogin(pool, name), username, computeWrongTotpCode(pool, secret, i)),
            ),
          );
        }
        assert.deepEqual(countOutcomes(outcomes), { [WRONG_TOKEN]: 10, [LOCKED]: 15 });
        pool.clock.advance(900_001);
        requireTokens(
          await enterCode(pool, await startPasswordLogin(pool, name), username, computeTestTotpCode(pool, secret)),
        );
      },
    );

    database.itOnSqlite('neither does a right code as first factor, if later steps follow', async () => {
      const asked = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
      const code = sentCode(pool, name);
      const secret = await enrolled();
      for (let i = 0; i < 9; i++) {
        const guess = enterCode(
          pool,
          await startPasswordLogin(pool, name),
          username,
          computeWrongTotpCode(pool, secret, i),
        );
        assert.equal(await describeOutcome(guess), WRONG_TOKEN);
      }
      const next = await enterCode(pool, asked, username, code);
      assert.equal(next.ChallengeName, 'SOFTWARE_TOKEN_MFA');
      assert.equal(
        await describeOutcome(enterCode(pool, next, username, computeWrongTotpCode(pool, secret))),
        WRONG_TOKEN,
      );
      assert.equal(
        await describeOutcome(enterCode(pool, next, username, computeTestTotpCode(pool, secret, 1))),
        LOCKED,
      );
    });

    database.itOnSqlite('keep the session after a wrong code, and accept the right one with it', async () => {
      const secret = await enrolled();
      const asked = await startPasswordLogin(pool, name);
      for (let i = 0; i < 5; i++) {
        const wrong = computeWrongTotpCode(pool, secret, i);
        await assertRefused(enterCode(pool, asked, username, wrong), 'CodeMismatchException', WRONG_TOKEN);
      }
      requireTokens(await enterCode(pool, asked, username, computeTestTotpCode(pool, secret, 1)));
      const spent = enterCode(pool, asked, username, computeTestTotpCode(pool, secret, 1));
      await assertRefused(
        spent,
        'NotAuthorizedException',
        'Invalid session for the user, session can only be used once.',
      );
    });

    database.itOnSqlite('can be answered only by the user and client of the session', async () => {
      const secret = await enrolled();
      const other = await addUser(pool, `other${name}`);
      const asked = await startPasswordLogin(pool, name);
      const foreign = await assertRefused(
        enterCode(pool, asked, other, computeTestTotpCode(pool, secret, 1)),
        'NotAuthorizedException',
      );
      assert.equal(foreign.reason, 'invalid_session');
      requireTokens(await enterCode(pool, asked, name, computeTestTotpCode(pool, secret, 1)));
    });

    database.itOnSqlite('are pending as long as the session setting says', async () => {
      const secret = await enrolled();
      const [early, late] = [await startPasswordLogin(pool, name), await startPasswordLogin(pool, name)];
      pool.clock.advance(179_000);
      requireTokens(await enterCode(pool, early, username, computeTestTotpCode(pool, secret)));
      pool.clock.advance(2_000);
      const call = enterCode(pool, late, username, computeTestTotpCode(pool, secret, 1));
      await assertRefused(call, 'NotAuthorizedException', 'Invalid session for the user, session is expired.');
    });

    database.itOnSqlite('give nothing to a user who was disabled in between', async () => {
      const secret = await enrolled();
      const asked = await startPasswordLogin(pool, name);
      await pool.store.write((transaction) =>
        transaction.users.update(pool.userPoolId, username, { enabled: false, modifiedAtMs: pool.clock.now() }),
      );
      await assertRefused(
        enterCode(pool, asked, username, computeTestTotpCode(pool, secret, 1)),
        'NotAuthorizedException',
        'User is disabled.',
      );
    });

    it('accept a recovery code instead of a code, once, in any spelling', async () => {
      const { access } = requireTokens(await loginByPassword(pool, name));
      await enrolTotp(pool, access);
      const { create_recovery_codes } = pool.embedded.extensions;
      assert.ok(create_recovery_codes);
      const { Codes } = await create_recovery_codes({ AccessToken: access }, TEST_CALL);
      const [code = '', next = ''] = Codes;
      const sessions = await Promise.all(Array.from({ length: 5 }, () => startPasswordLogin(pool, name)));
      const spelled = code.toUpperCase();
      const counts = countOutcomes(
        await Promise.all(sessions.map((one) => describeOutcome(enterCode(pool, one, username, spelled)))),
      );
      assert.deepEqual(counts, { tokens: 1, [WRONG_TOKEN]: 4 });
      requireTokens(await enterCode(pool, await startPasswordLogin(pool, name), username, next));
    });

    database.itOnSqlite('count wrong recovery codes like wrong codes', async () => {
      await enrolled();
      const outcomes: string[] = [];
      for (let i = 0; i < 12; i++) {
        outcomes.push(
          await describeOutcome(enterCode(pool, await startPasswordLogin(pool, name), username, 'bcdfghjklmnp')),
        );
      }
      assert.deepEqual(countOutcomes(outcomes), { [WRONG_TOKEN]: 10, [LOCKED]: 2 });
    });

    for (const { method, challengeName, to, medium } of [
      { method: 'EMAIL_OTP', challengeName: 'EMAIL_OTP', to: () => name, medium: 'EMAIL' },
      { method: 'SMS_MFA', challengeName: 'SMS_MFA', to: () => createPhone(name), medium: 'SMS' },
    ] as const) {
      describe(`by message, ${method}`, () => {
        beforeEach(() => turnOn([method], null));

        database.itOnSqlite('send six digits and show where, and a right code also verifies the address', async () => {
          await unverify();
          const asked = await startPasswordLogin(pool, name);
          assert.equal(asked.ChallengeName, challengeName);
          const {
            CODE_DELIVERY_DELIVERY_MEDIUM,
            CODE_DELIVERY_DESTINATION = '',
            USER_ID_FOR_SRP,
          } = asked.ChallengeParameters ?? {};
          assert.deepEqual([CODE_DELIVERY_DELIVERY_MEDIUM, USER_ID_FOR_SRP], [medium, username]);
          assert.match(CODE_DELIVERY_DESTINATION, method === 'EMAIL_OTP' ? /^u\*\*\*@e\*\*\*$/ : /^\+\*{7}\d{4}$/);
          const code = sentCode(pool, to());
          assert.match(code, /^\d{6}$/);
          requireTokens(await enterCode(pool, asked, username, code));
          const user = await pool.store.users.byUsername(pool.userPoolId, username);
          assert.equal(user?.attributes[method === 'EMAIL_OTP' ? 'email_verified' : 'phone_number_verified'], 'true');
        });

        async function unverify(): Promise<void> {
          const { store, userPoolId, clock } = pool;
          const user = await store.users.byUsername(userPoolId, username);
          const attributes = { ...user?.attributes, email_verified: 'false', phone_number_verified: 'false' };
          await store.write((transaction) =>
            transaction.users.update(userPoolId, username, { attributes, modifiedAtMs: clock.now() }),
          );
        }

        database.itOnSqlite('accept the code only in the session that it was sent for', async () => {
          const first = await startPasswordLogin(pool, name);
          const code = sentCode(pool, to());
          const second = await startPasswordLogin(pool, name);
          if (sentCode(pool, to()) !== code) {
            await assertRefused(enterCode(pool, second, username, code), 'CodeMismatchException', WRONG_CODE);
          }
          requireTokens(await enterCode(pool, first, username, code));
          requireTokens(await enterCode(pool, second, username, sentCode(pool, to())));
        });

        it('give one token set for 50 identical parallel right codes', async () => {
          const asked = await startPasswordLogin(pool, name);
          const code = sentCode(pool, to());
          const replica = pool.replica();
          const calls = Array.from({ length: 50 }, (_, i) =>
            describeOutcome(enterCode(i % 2 ? pool : replica, asked, username, code)),
          );
          assert.equal(countOutcomes(await Promise.all(calls)).tokens, 1);
        });

        it('check ten of 100 parallel wrong codes, on five sessions', async () => {
          const sessions: LoginOutput[] = [];
          for (let i = 0; i < 5; i++) sessions.push(await startPasswordLogin(pool, name));
          const code = sentCode(pool, to());
          const guesses = Array.from({ length: 100 }, (_, i) =>
            describeOutcome(
              enterCode(pool, sessions[i % 5] as LoginOutput, username, createOtherCode(code, 1 + i * 7919)),
            ),
          );
          const counts = countOutcomes(await Promise.all(guesses));
          assert.ok((counts[WRONG_CODE] ?? 0) + (counts.tokens ?? 0) <= 11, JSON.stringify(counts));
          assert.equal((counts[WRONG_CODE] ?? 0) >= 10, true, JSON.stringify(counts));
        });

        database.itOnSqlite('do not reset the count with new codes', async () => {
          const outcomes: string[] = [];
          for (let sends = 0; sends < 4; sends++) {
            const asked = await startPasswordLogin(pool, name);
            const code = sentCode(pool, to());
            for (let i = 1; i <= 4; i++)
              outcomes.push(await describeOutcome(enterCode(pool, asked, username, createOtherCode(code, i))));
          }
          assert.deepEqual(countOutcomes(outcomes), { [WRONG_CODE]: 10, [LOCKED]: 6 });
        });

        database.itOnSqlite('accept a code until the session ends, and a new code does not revive it', async () => {
          const [early, code] = [await startPasswordLogin(pool, name), sentCode(pool, to())];
          pool.clock.advance(179_000);
          requireTokens(await enterCode(pool, early, username, code));
          const [late, old] = [await startPasswordLogin(pool, name), sentCode(pool, to())];
          pool.clock.advance(181_000);
          const fresh = await startPasswordLogin(pool, name);
          assert.notEqual(await describeOutcome(enterCode(pool, late, username, old)), 'tokens');
          if (sentCode(pool, to()) !== old) {
            await assertRefused(enterCode(pool, fresh, username, old), 'CodeMismatchException', WRONG_CODE);
          }
        });

        database.itOnSqlite('are invalid after the address was changed', async () => {
          const asked = await startPasswordLogin(pool, name);
          const code = sentCode(pool, to());
          const user = await pool.store.users.byUsername(pool.userPoolId, username);
          const moved = { email: `moved-${name}`, phone_number: '+15550009999' };
          const attributes = { ...user?.attributes, ...moved };
          await pool.store.write((transaction) =>
            transaction.users.update(pool.userPoolId, username, { attributes, modifiedAtMs: pool.clock.now() }),
          );
          await assertRefused(enterCode(pool, asked, username, code), 'CodeMismatchException', WRONG_CODE);
        });

        it('stop sending after five at once, and return the wait', async () => {
          for (let i = 0; i < 5; i++) await startPasswordLogin(pool, name);
          const before = pool.sent.length;
          const error = await assertRefused(startPasswordLogin(pool, name), 'LimitExceededException');
          assert.ok((error.retryAfterSeconds ?? 0) > 0);
          assert.equal(pool.sent.length, before);
        });
      });
    }

    database.itOnSqlite('let the user choose among several, and only among these', async () => {
      await enrolled();
      await turnOn(['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'], null);
      const asked = await startPasswordLogin(pool, name);
      assert.equal(asked.ChallengeName, 'SELECT_MFA_TYPE');
      const choices = JSON.parse(asked.ChallengeParameters?.MFAS_CAN_CHOOSE ?? '');
      assert.deepEqual(choices, ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP']);
      const other = await assertRefused(
        respondToChallenge(pool, asked, username, { ANSWER: 'SMS_MFA' }),
        'InvalidParameterException',
      );
      assert.equal(other.reason, 'challenge_mismatch');
      const chosen = await respondToChallenge(pool, asked, username, { ANSWER: 'EMAIL_OTP' });
      assert.equal(chosen.ChallengeName, 'EMAIL_OTP');
      assert.match(sentCode(pool, name), /^\d{6}$/);
      requireTokens(await enterCode(pool, chosen, username, sentCode(pool, name)));
    });

    database.itOnSqlite(
      'are also required after a first factor by message, if the user got one meanwhile',
      async () => {
        const asked = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
        const code = sentCode(pool, name);
        const secret = await enrolled();
        const next = await enterCode(pool, asked, username, code);
        assert.equal(next.ChallengeName, 'SOFTWARE_TOKEN_MFA');
        requireTokens(await enterCode(pool, next, username, computeTestTotpCode(pool, secret, 1)));
      },
    );
  });
});
