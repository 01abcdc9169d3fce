import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { MigrateUserHook, MigrationLogin } from '../index.ts';
import { openTestContext } from '../testing/context.ts';
import { forEachDatabase } from '../testing/databases.ts';
import { addUser, CALL, openTestPoolOn, PASSWORD, type TestPool } from '../testing/pool.ts';
import { adminPasswordLogin, inProcessLogin, outcome, passwordLogin, srpLogin } from '../testing/srp-login.ts';

const WRONG = 'Incorrect username or password.';

/** Users of the older system by name; all of them have the password of the tests. */
const OLD: Readonly<Record<string, Awaited<ReturnType<MigrateUserHook>>>> = {
  'ada@example.com': { attributes: { name: 'Ada' } },
  'race@example.com': { attributes: {} },
  'admin@example.com': { attributes: {} },
  'choice@example.com': { attributes: {} },
  'reset@example.com': { attributes: {}, keepPassword: false },
  'odd@example.com': { attributes: { 'custom:unknown': 'x' } },
};

forEachDatabase((database) => {
  describe(`users of an older system on ${database.name}`, () => {
    let pool: TestPool;
    const asked: MigrationLogin[] = [];
    before(async () => {
      const opened = await openTestContext(await database.create());
      const migrate: MigrateUserHook = async (login) => {
        asked.push(login);
        if (login.username === 'broken@example.com') throw new Error('down');
        return login.password === PASSWORD ? OLD[login.username] : undefined;
      };
      pool = await openTestPoolOn({ ...opened, context: { ...opened.context, migrate } });
    });
    after(() => pool.close());
    const get = (Username: string) => pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username }, CALL);
    const choose = (USERNAME: string, password = PASSWORD) =>
      pool.operations.initiateAuth(
        {
          ClientId: pool.clientId,
          AuthFlow: 'USER_AUTH',
          AuthParameters: { USERNAME, PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: password },
        },
        CALL,
      );

    it('are taken over at the first login with the right password, and known from then on', async () => {
      const name = 'ada@example.com';
      assert.equal(await outcome(passwordLogin(pool, name, 'Wrong-Horse1!')), WRONG);
      assert.equal(await outcome(passwordLogin(pool, name)), 'tokens');
      const { UserStatus, UserAttributes } = await get(name);
      assert.equal(UserStatus, 'CONFIRMED');
      assert.equal(UserAttributes?.find(({ Name }) => Name === 'name')?.Value, 'Ada');
      const { length } = asked;
      assert.equal(await outcome(passwordLogin(pool, name)), 'tokens');
      assert.equal(await outcome(srpLogin(pool, name)), 'tokens');
      assert.equal(asked.length, length);
    });

    it('are not asked for where the password is checked in process in place of SRP', async () => {
      const { length } = asked;
      assert.equal(await outcome(inProcessLogin(pool, 'kept@example.com')), WRONG);
      assert.equal(asked.length, length);
    });

    it('come through every entry point that takes a password', async () => {
      assert.equal(await outcome(adminPasswordLogin(pool, 'admin@example.com')), 'tokens');
      assert.equal(await outcome(choose('choice@example.com')), 'tokens');
    });

    it('are made once, however many log in at a time', async () => {
      const logins = await Promise.all(
        Array.from({ length: 4 }, () => outcome(passwordLogin(pool, 'race@example.com'))),
      );
      assert.deepEqual(logins, Array(4).fill('tokens'));
    });

    it('have to set another password where the old one is not kept', async () => {
      const name = 'reset@example.com';
      assert.equal(await outcome(passwordLogin(pool, name)), 'Password reset required for the user');
      assert.equal((await get(name)).UserStatus, 'RESET_REQUIRED');
      assert.equal(await outcome(passwordLogin(pool, name, 'Wrong-Horse1!')), WRONG);
    });

    it('are unknown where the older system knows them not, fails, or tells what this pool cannot keep', async () => {
      for (const name of ['nobody@example.com', 'broken@example.com', 'odd@example.com']) {
        assert.equal(await outcome(passwordLogin(pool, name)), WRONG);
        assert.equal(await outcome(choose(name)), WRONG);
      }
    });

    it('A20: are asked for as often for a name that somebody has, and the answer changes nothing there', async () => {
      await addUser(pool, 'known@example.com', 'Another-Horse2!');
      const count = async (name: string) => {
        const { length } = asked;
        assert.equal(await outcome(passwordLogin(pool, name, 'Wrong-Horse1!')), WRONG);
        return asked.length - length;
      };
      assert.equal(await count('known@example.com'), await count('unknown@example.com'));
      assert.equal(await outcome(passwordLogin(pool, 'known@example.com', 'Another-Horse2!')), 'tokens');
    });

    it('A19: are guessed no oftener there than here, however many guess at a time', async () => {
      const { length } = asked;
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => outcome(passwordLogin(pool, 'guess@example.com', `Wrong-Horse${at}!`))),
      );
      assert.ok(asked.length - length <= 5, String(asked.length - length));
    });
  });
});
