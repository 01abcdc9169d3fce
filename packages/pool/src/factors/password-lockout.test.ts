import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { forEachDatabase } from '../testing/databases.ts';
import { addUser, CALL, openTestPool, PASSWORD, type TestPool } from '../testing/pool.ts';
import { adminPasswordLogin, answerTo, challenge, outcome, passwordLogin, srpLogin } from '../testing/srp-login.ts';

const WRONG = 'Incorrect username or password.';
const LOCKED = 'Password attempts exceeded';

/** How a refusal looks from outside, in full. */
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
      for (let i = 0; i < times; i++) assert.equal(await outcome(passwordLogin(pool, name, 'wrong')), WRONG);
    }

    it('locks at a replica whose clock is behind as well, and no longer than a lock lasts where a clock was set back', async () => {
      await fail(5);
      for (let seconds = 1; seconds < 900; seconds *= 2) {
        pool.clock.advance(seconds * 1000);
        await fail(1);
      }
      pool.clock.advance(-60_000);
      assert.equal(await outcome(passwordLogin(pool, name, 'wrong')), LOCKED);
      assert.equal(await outcome(passwordLogin(pool, name)), LOCKED);
      pool.clock.advance(-3_600_000);
      assert.equal(await outcome(passwordLogin(pool, name)), 'tokens');
      pool.clock.advance(3_660_000);
    });

    it('locks after five failures for one second, then twice as long each time', async () => {
      await fail(5);
      for (const seconds of [1, 2, 4, 8]) {
        pool.clock.advance(seconds * 1000 - 1);
        assert.equal(await outcome(passwordLogin(pool, name)), LOCKED);
        pool.clock.advance(1);
        await fail(1);
      }
    });

    it('says after how many seconds it ends, rounded up: who waits as long gets in', async () => {
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
        const locked = await refusal(passwordLogin(pool, name));
        const expected = { code: 'NotAuthorizedException', message: LOCKED, reason: 'locked' };
        assert.deepEqual(locked, { ...expected, retryAfterSeconds: seconds });
      }
      pool.clock.advance(1000);
      assert.equal(await outcome(passwordLogin(pool, name)), 'tokens');
    });

    it('never locks for more than a quarter of an hour', async () => {
      await fail(5);
      for (let n = 6; n <= 16; n++) {
        pool.clock.advance(Math.min(2 ** (n - 6), 899) * 1000);
        await outcome(passwordLogin(pool, name, 'wrong'));
      }
      pool.clock.advance(900_000);
      assert.equal(await outcome(passwordLogin(pool, name)), 'tokens');
    });

    it('does not count attempts while locked', async () => {
      await fail(5);
      for (let i = 0; i < 20; i++) assert.equal(await outcome(passwordLogin(pool, name, 'wrong')), LOCKED);
      pool.clock.advance(1000);
      assert.equal(await outcome(passwordLogin(pool, name)), 'tokens');
    });

    it('forgets failures after a success, and after a quarter of an hour without any', async () => {
      await fail(4);
      assert.equal(await outcome(srpLogin(pool, name)), 'tokens');
      await fail(4);
      pool.clock.advance(900_001);
      await fail(4);
      assert.equal(await outcome(srpLogin(pool, name)), 'tokens');
    });

    it('has one counter for SRP, plain text and administrators, and for every spelling and name of a user', async () => {
      const { USER_ID_FOR_SRP: username = '' } = (await challenge(pool, name)).parameters;
      const attempts = [
        srpLogin(pool, name.toUpperCase(), 'wrong'),
        passwordLogin(pool, name, 'wrong'),
        passwordLogin(pool, username, 'wrong'),
        adminPasswordLogin(pool, name, 'wrong'),
        srpLogin(pool, username, 'wrong'),
      ];
      assert.deepEqual(tally(await Promise.all(attempts.map(outcome))), { [WRONG]: 5 });
      for (const login of [srpLogin, passwordLogin, adminPasswordLogin]) {
        assert.equal(await outcome(login(pool, name)), LOCKED);
      }
    });

    it('leaves a block usable that was answered while locked', async () => {
      const challenged = await challenge(pool, name);
      const answer = answerTo(pool, challenged);
      await fail(5);
      assert.equal(await outcome(pool.operations.respondToAuthChallenge(answer, CALL)), LOCKED);
      pool.clock.advance(1000);
      assert.equal(await outcome(pool.operations.respondToAuthChallenge(answer, CALL)), 'tokens');
    });

    for (const [form, login] of Object.entries({ srpLogin, passwordLogin, adminPasswordLogin })) {
      it(`of 100 wrong guesses at once by ${form} on two replicas five are evaluated, and a right one after them is refused`, async () => {
        const where = [pool, pool.replica()] as const;
        const guesses = Array.from({ length: 100 }, (_, i) => outcome(login(where[i & 1 ? 1 : 0], name, `wrong-${i}`)));
        assert.deepEqual(tally(await Promise.all(guesses)), { [WRONG]: 5, [LOCKED]: 95 });
        assert.equal(await outcome(login(pool, name)), LOCKED);
      });
    }

    it('a right guess among 100 wrong ones at once is evaluated only before the lock', async () => {
      const guesses = Array.from({ length: 100 }, (_, i) => passwordLogin(pool, name, i === 99 ? PASSWORD : 'wrong'));
      const counts = tally(await Promise.all(guesses.map(outcome)));
      assert.ok((counts[WRONG] ?? 0) <= 9, JSON.stringify(counts));
      const right = counts.tokens ?? 0;
      assert.equal((counts[WRONG] ?? 0) + (counts[LOCKED] ?? 0) + right, 100);
    });

    it('50 right logins of one user at once all succeed', async () => {
      const logins = Array.from({ length: 50 }, (_, i) =>
        outcome(i % 2 ? srpLogin(pool, name) : passwordLogin(pool, name)),
      );
      assert.deepEqual(tally(await Promise.all(logins)), { tokens: 50 });
    });

    it('an unknown name is locked exactly like a known one', async () => {
      for (let i = 0; i < 8; i++) {
        const answers = [];
        for (const who of [name, `no${name}`]) {
          answers.push(await refusal(i % 2 ? passwordLogin(pool, who, 'wrong') : srpLogin(pool, who, 'wrong')));
        }
        assert.deepEqual(answers[0], answers[1], `attempt ${i}`);
      }
      assert.deepEqual(await refusal(passwordLogin(pool, `no${name}`)), {
        code: 'NotAuthorizedException',
        message: LOCKED,
        reason: 'locked',
        retryAfterSeconds: 1,
      });
    });

    it('100 guesses at an unknown name at once are answered like those at a known one', async () => {
      const guesses = Array.from({ length: 100 }, () => outcome(passwordLogin(pool, `no${name}`, 'wrong')));
      assert.deepEqual(tally(await Promise.all(guesses)), { [WRONG]: 5, [LOCKED]: 95 });
    });

    it('keeps no unknown name in clear', async () => {
      const subject = `password:${name}`;
      await outcome(passwordLogin(pool, `no${name}`, 'wrong'));
      assert.equal(await pool.store.lockouts.bySubject(pool.userPoolId, `password:no${name}`), undefined);
      assert.equal(await pool.store.lockouts.bySubject(pool.userPoolId, subject), undefined);
    });
  });
});
