import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPool } from '../index.ts';
import type { PoolStore } from '../store/index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPoolOn, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { answerTotp, enrolTotp } from '../testing/test-totp.ts';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';

forEachDatabase((database) => {
  describe(`recovery codes on ${database.name}`, () => {
    let opened: TestEnvironment;
    let pool: TestPool;
    let ada = '';
    let bob = '';
    before(async () => {
      opened = await openTestEnvironment(await database.create());
      pool = await openTestPoolOn(opened);
      await addUser(pool, ADA);
      await addUser(pool, BOB);
      ada = requireTokens(await loginByPassword(pool, ADA)).access;
      bob = requireTokens(await loginByPassword(pool, BOB)).access;
    });
    after(() => pool.close());

    const create = async (AccessToken: string) => {
      const made = await pool.embedded.extensions.create_recovery_codes?.({ AccessToken }, TEST_CALL);
      return made?.Codes ?? [];
    };
    const left = async (AccessToken: string) => {
      const told = await pool.embedded.extensions.count_recovery_codes?.({ AccessToken }, TEST_CALL);
      assert.equal(typeof told?.Left, 'number');
      return told?.Left;
    };

    database.itOnSqlite('are ten codes of letters for that user, and the rest is counted', async () => {
      assert.equal(await left(ada), 0);
      const codes = await create(ada);
      assert.equal(new Set(codes).size, 10);
      for (const code of codes) assert.match(code, /^[a-z]{12}$/);
      assert.deepEqual([await left(ada), await left(bob)], [10, 0]);
    });

    it('are replaced by new ones, for any number of parallel requests', async () => {
      const [first = []] = await Promise.all([create(ada), create(ada), create(ada)]);
      const last = await create(ada);
      assert.equal(await left(ada), 10);
      assert.deepEqual(
        first.filter((code) => last.includes(code)),
        [],
      );
    });

    database.itOnSqlite('are refused without a fault for a user who is deleted meanwhile', async () => {
      const name = 'leaving@example.com';
      await addUser(pool, name);
      const { access: AccessToken } = requireTokens(await loginByPassword(pool, name));
      const write: PoolStore['write'] = async (work) => {
        await pool.operations.adminDeleteUser({ UserPoolId: pool.userPoolId, Username: name }, TEST_CALL);
        return pool.store.write(work);
      };
      const store = new Proxy(pool.store, {
        get: (target, key) => (key === 'write' ? write : Reflect.get(target, key)),
      });
      const late = createPool({ ...opened.options, store }).extensions.create_recovery_codes;
      await assertRefused(late?.({ AccessToken }, TEST_CALL) ?? Promise.resolve(), 'UserNotFoundException');
    });

    it('work once instead of an authenticator code, also for twenty parallel answers at two replicas', async () => {
      const name = 'lost@example.com';
      await addUser(pool, name);
      const { access } = requireTokens(await loginByPassword(pool, name));
      await enrolTotp(pool, access);
      const [first = '', second = ''] = await create(access);
      requireTokens(await answerTotp(pool, await loginByPassword(pool, name), name, first.toUpperCase()));
      await assertRefused(answerTotp(pool, await loginByPassword(pool, name), name, first), 'CodeMismatchException');
      const [foreign = ''] = await create(bob);
      await assertRefused(answerTotp(pool, await loginByPassword(pool, name), name, foreign), 'CodeMismatchException');
      const logins = await Promise.all(Array.from({ length: 20 }, () => loginByPassword(pool, name)));
      const replica = pool.replica();
      const answers = await Promise.allSettled(
        logins.map((challenged, index) => answerTotp(index % 2 ? pool : replica, challenged, name, second)),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await left(access), 8);
    });

    database.itOnSqlite('cannot be read from what is stored', async () => {
      const codes = await create(ada);
      const username = (await pool.operations.getUser({ AccessToken: ada }, TEST_CALL)).Username;
      await pool.store.write(async (write) => {
        for (const code of codes) assert.equal(await write.recoveryCodes.use(pool.userPoolId, username, code), false);
      });
      assert.equal(await left(ada), 10);
    });

    database.itOnSqlite('require a valid access token', async () => {
      const { access } = requireTokens(await loginByPassword(pool, ADA));
      await pool.embedded.extensions.end_login?.({ AccessToken: access }, TEST_CALL);
      for (const call of [create, left]) {
        await assert.rejects(call(access), { code: 'NotAuthorizedException', reason: 'invalid_token' });
      }
    });
  });
});
