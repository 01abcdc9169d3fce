import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import {
  computeSrpAnswer,
  describeOutcome,
  loginByPassword,
  loginByPasswordAsAdmin,
  loginBySrp,
  startSrpLogin,
} from '../testing/test-srp-logins.ts';

const WRONG = 'Incorrect username or password.';
const LOCKED = 'Password attempts exceeded';

/** Everything that a caller sees of a refusal. */
async function refusal(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    const { code, message, reason, retryAfterSeconds } = error as Record<string, unknown>;
    return { code, message, reason, retryAfterSeconds };
  }
}

function tally(outcomes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

forEachDatabase((database) => {
  describe(`password lockout on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    beforeEach(async () => {
      name = `user${users++}@example.com`;
      await addUser(pool, name);
    });
    after(() => pool.close());

    async function fail(times: number): Promise<void> {
      for (let i = 0; i < times; i++) assert.equal(await describeOutcome(loginByPassword(pool, name, 'wrong')), WRONG);
    }

    it('also locks on a replica whose clock is behind, and never longer than the maximum after a clock was set back', async () => {
      await fail(5);
      for (let seconds = 1; seconds < 900; seconds *= 2) {
        pool.clock.advance(seconds * 1000);
        await fail(1);
      }
      pool.clock.advance(-60_000);
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'wrong')), LOCKED);
      assert.equal(await describeOutcome(loginByPassword(pool, name)), LOCKED);
      pool.clock.advance(-3_600_000);
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
      pool.clock.advance(3_660_000);
    });

    database.itOnSqlite('locks after five failures for one second, then twice as long each time', async () => {
      await fail(5);
      for (const seconds of [1, 2, 4, 8]) {
        pool.clock.advance(seconds * 1000 - 1);
        assert.equal(await describeOutcome(loginByPassword(pool, name)), LOCKED);
        pool.clock.advance(1);
        await fail(1);
      }
    });

    database.itOnSqlite('returns the remaining seconds rounded up, and a retry then succeeds', async () => {
      await fail(5);
      pool.clock.advance(1000);
      await fail(1);
      for (const [passedMs, seconds] of [
        [0, 2],
        [1, 2],
        [998, 2],
        [1, 1],
        [999, 1],
      ] as const) {
        pool.clock.advance(passedMs);
        const locked = await refusal(loginByPassword(pool, name));
        const expected = { code: 'NotAuthorizedException', message: LOCKED, reason: 'locked' };
        assert.deepEqual(locked, { ...expected, retryAfterSeconds: seconds });
      }
      pool.clock.advance(1000);
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
    });

    database.itOnSqlite('never locks for more than 15 minutes', async () => {
      await fail(5);
      for (let n = 6; n <= 16; n++) {
        pool.clock.advance(Math.min(2 ** (n - 6), 899) * 1000);
        await describeOutcome(loginByPassword(pool, name, 'wrong'));
      }
      pool.clock.advance(900_000);
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
    });

    database.itOnSqlite('does not count attempts while locked', async () => {
      await fail(5);
      for (let i = 0; i < 20; i++) assert.equal(await describeOutcome(loginByPassword(pool, name, 'wrong')), LOCKED);
      pool.clock.advance(1000);
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
    });

    database.itOnSqlite('resets failures after a success, and after 15 minutes without any', async () => {
      await fail(4);
      assert.equal(await describeOutcome(loginBySrp(pool, name)), 'tokens');
      await fail(4);
      pool.clock.advance(900_001);
      await fail(4);
      assert.equal(await describeOutcome(loginBySrp(pool, name)), 'tokens');
    });

    it('has one counter for SRP, plain text and administrators, and for every spelling and alias of a user', async () => {
      const { USER_ID_FOR_SRP: username = '' } = (await startSrpLogin(pool, name)).parameters;
      const attempts = [
        loginBySrp(pool, name.toUpperCase(), 'wrong'),
        loginByPassword(pool, name, 'wrong'),
        loginByPassword(pool, username, 'wrong'),
        loginByPasswordAsAdmin(pool, name, 'wrong'),
        loginBySrp(pool, username, 'wrong'),
      ];
      assert.deepEqual(tally(await Promise.all(attempts.map(describeOutcome))), { [WRONG]: 5 });
      for (const login of [loginBySrp, loginByPassword, loginByPasswordAsAdmin]) {
        assert.equal(await describeOutcome(login(pool, name)), LOCKED);
      }
    });

    database.itOnSqlite('keeps a block usable that was answered while locked', async () => {
      const challenged = await startSrpLogin(pool, name);
      const answer = computeSrpAnswer(pool, challenged);
      await fail(5);
      assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), LOCKED);
      pool.clock.advance(1000);
      assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), 'tokens');
    });

    for (const [form, login] of Object.entries({
      srpLogin: loginBySrp,
      passwordLogin: loginByPassword,
      adminPasswordLogin: loginByPasswordAsAdmin,
    })) {
      it(`of 100 parallel wrong guesses with ${form} on two replicas, five are checked, and a right one after them is refused`, async () => {
        const where = [pool, pool.replica()] as const;
        const guesses = Array.from({ length: 100 }, (_, i) =>
          describeOutcome(login(where[i & 1 ? 1 : 0], name, `wrong-${i}`)),
        );
        assert.deepEqual(tally(await Promise.all(guesses)), { [WRONG]: 5, [LOCKED]: 95 });
        assert.equal(await describeOutcome(login(pool, name)), LOCKED);
      });
    }

    it('a right guess among 100 parallel wrong ones is checked only before the lockout', async () => {
      const guesses = Array.from({ length: 100 }, (_, i) => loginByPassword(pool, name, i === 99 ? PASSWORD : 'wrong'));
      const counts = tally(await Promise.all(guesses.map(describeOutcome)));
      assert.ok((counts[WRONG] ?? 0) <= 9, JSON.stringify(counts));
      const right = counts.tokens ?? 0;
      assert.equal((counts[WRONG] ?? 0) + (counts[LOCKED] ?? 0) + right, 100);
    });

    it('50 parallel right logins of one user all succeed', async () => {
      const logins = Array.from({ length: 50 }, (_, i) =>
        describeOutcome(i % 2 ? loginBySrp(pool, name) : loginByPassword(pool, name)),
      );
      assert.deepEqual(tally(await Promise.all(logins)), { tokens: 50 });
    });

    database.itOnSqlite('an unknown name is locked exactly like a known one', async () => {
      for (let i = 0; i < 8; i++) {
        const answers = [];
        for (const who of [name, `no${name}`]) {
          answers.push(await refusal(i % 2 ? loginByPassword(pool, who, 'wrong') : loginBySrp(pool, who, 'wrong')));
        }
        assert.deepEqual(answers[0], answers[1], `attempt ${i}`);
      }
      assert.deepEqual(await refusal(loginByPassword(pool, `no${name}`)), {
        code: 'NotAuthorizedException',
        message: LOCKED,
        reason: 'locked',
        retryAfterSeconds: 1,
      });
    });

    it('100 parallel guesses for an unknown name get the responses of a known one', async () => {
      const guesses = Array.from({ length: 100 }, () => describeOutcome(loginByPassword(pool, `no${name}`, 'wrong')));
      assert.deepEqual(tally(await Promise.all(guesses)), { [WRONG]: 5, [LOCKED]: 95 });
    });

    database.itOnSqlite('stores no unknown name in plain text', async () => {
      const subject = `password:${name}`;
      await describeOutcome(loginByPassword(pool, `no${name}`, 'wrong'));
      assert.equal(await pool.store.lockouts.bySubject(pool.userPoolId, `password:no${name}`), undefined);
      assert.equal(await pool.store.lockouts.bySubject(pool.userPoolId, subject), undefined);
    });
  });
});
