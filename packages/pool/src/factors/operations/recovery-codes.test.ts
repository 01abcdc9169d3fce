import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createPool } from '../../index.ts';
import type { PoolStore } from '../../store/index.ts';
import { openTestContext, type TestContext } from '../../testing/context.ts';
import { forEachDatabase } from '../../testing/databases.ts';
import { addUser, CALL, openTestPoolOn, type TestPool } from '../../testing/pool.ts';
import { assertRefused } from '../../testing/refusal.ts';
import { passwordLogin } from '../../testing/srp-login.ts';
import { tokensOf } from '../../testing/tokens.ts';
import { answerTotp, enrol } from '../../testing/totp.ts';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';

forEachDatabase((database) => {
  describe(`recovery codes on ${database.name}`, () => {
    let opened: TestContext;
    let pool: TestPool;
    let ada = '';
    let bob = '';
    before(async () => {
      opened = await openTestContext(await database.create());
      pool = await openTestPoolOn(opened);
      await addUser(pool, ADA);
      await addUser(pool, BOB);
      ada = tokensOf(await passwordLogin(pool, ADA)).access;
      bob = tokensOf(await passwordLogin(pool, BOB)).access;
    });
    after(() => pool.close());

    const create = async (AccessToken: string) => {
      const made = await pool.embedded.extensions.create_recovery_codes?.({ AccessToken }, CALL);
      return made?.Codes ?? [];
    };
    const left = async (AccessToken: string) => {
      const told = await pool.embedded.extensions.count_recovery_codes?.({ AccessToken }, CALL);
      assert.equal(typeof told?.Left, 'number');
      return told?.Left;
    };

    it('gives ten codes of letters, of that user alone, and counts what is left', async () => {
      assert.equal(await left(ada), 0);
      const codes = await create(ada);
      assert.equal(new Set(codes).size, 10);
      for (const code of codes) assert.match(code, /^[a-z]{12}$/);
      assert.deepEqual([await left(ada), await left(bob)], [10, 0]);
    });

    it('voids the old ones when new ones are drawn, however many are drawn at a time', async () => {
      const [first = []] = await Promise.all([create(ada), create(ada), create(ada)]);
      const last = await create(ada);
      assert.equal(await left(ada), 10);
      assert.deepEqual(
        first.filter((code) => last.includes(code)),
        [],
      );
    });

    it('refuses a user who is deleted while they are made, without a fault', async () => {
      const name = 'leaving@example.com';
      await addUser(pool, name);
      const { access: AccessToken } = tokensOf(await passwordLogin(pool, name));
      const write: PoolStore['write'] = async (work) => {
        await pool.operations.adminDeleteUser({ UserPoolId: pool.userPoolId, Username: name }, CALL);
        return pool.store.write(work);
      };
      const store = new Proxy(pool.store, {
        get: (target, key) => (key === 'write' ? write : Reflect.get(target, key)),
      });
      const late = createPool({ ...opened.options, store }).extensions.create_recovery_codes;
      await assertRefused(late?.({ AccessToken }, CALL) ?? Promise.resolve(), 'UserNotFoundException');
    });

    it('takes each code once in place of an authenticator’s, also of twenty answers at a time over two replicas', async () => {
      const name = 'lost@example.com';
      await addUser(pool, name);
      const { access } = tokensOf(await passwordLogin(pool, name));
      await enrol(pool, access);
      const [first = '', second = ''] = await create(access);
      tokensOf(await answerTotp(pool, await passwordLogin(pool, name), name, first.toUpperCase()));
      await assertRefused(answerTotp(pool, await passwordLogin(pool, name), name, first), 'CodeMismatchException');
      const [foreign = ''] = await create(bob);
      await assertRefused(answerTotp(pool, await passwordLogin(pool, name), name, foreign), 'CodeMismatchException');
      const logins = await Promise.all(Array.from({ length: 20 }, () => passwordLogin(pool, name)));
      const replica = pool.replica();
      const answers = await Promise.allSettled(
        logins.map((challenged, index) => answerTotp(index % 2 ? pool : replica, challenged, name, second)),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal(await left(access), 8);
    });

    it('keeps nothing from which a code could be read', async () => {
      const codes = await create(ada);
      const username = (await pool.operations.getUser({ AccessToken: ada }, CALL)).Username;
      await pool.store.write(async (write) => {
        for (const code of codes) assert.equal(await write.recoveryCodes.use(pool.userPoolId, username, code), false);
      });
      assert.equal(await left(ada), 10);
    });

    it('asks for a live access token', async () => {
      const { access } = tokensOf(await passwordLogin(pool, ADA));
      await pool.embedded.extensions.end_login?.({ AccessToken: access }, CALL);
      for (const call of [create, left]) {
        await assert.rejects(call(access), { code: 'NotAuthorizedException', reason: 'invalid_token' });
      }
    });
  });
});
