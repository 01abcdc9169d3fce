import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { forEachDatabase } from '../../testing/databases.ts';
import { addUser, CALL, openTestPool, type TestPool } from '../../testing/pool.ts';
import { assertRefused } from '../../testing/refusal.ts';
import { passwordLogin } from '../../testing/srp-login.ts';
import { tokensOf } from '../../testing/tokens.ts';
import { associate, codeOf, enrol, verify } from '../../testing/totp.ts';

const NO_TOKEN = ['ResourceNotFoundException', 'The user has no software token.'] as const;

forEachDatabase((database) => {
  describe(`what administrators do with second factors on ${database.name}`, () => {
    let pool: TestPool;
    let count = 0;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());

    const someone = async () => {
      const name = `user${count++}@example.com`;
      await addUser(pool, name);
      const { access } = tokensOf(await passwordLogin(pool, name));
      return { name, access, user: { UserPoolId: pool.userPoolId, Username: name } };
    };
    const isAlive = (AccessToken: string) =>
      pool.operations.getUser({ AccessToken }, CALL).then(
        () => true,
        () => false,
      );

    it('an authenticator that is deleted is asked for no more, and what it let in is out', async () => {
      const { name, access, user } = await someone();
      await enrol(pool, access);
      assert.equal((await passwordLogin(pool, name)).ChallengeName, 'SOFTWARE_TOKEN_MFA');
      assert.deepEqual(await pool.operations.adminDeleteSoftwareToken(user, CALL), {});
      assert.equal(await isAlive(access), false);
      tokensOf(await passwordLogin(pool, name));
      const { UserMFASettingList, PreferredMfaSetting } = await pool.operations.adminGetUser(user, CALL);
      assert.deepEqual([UserMFASettingList, PreferredMfaSetting], [undefined, undefined]);
      await assertRefused(pool.operations.adminDeleteSoftwareToken(user, CALL), ...NO_TOKEN);
    });

    it('who has no authenticator, and one who is nobody, are refused, and nobody is logged out by it', async () => {
      const { access, user } = await someone();
      await assertRefused(pool.operations.adminDeleteSoftwareToken(user, CALL), ...NO_TOKEN);
      assert.ok(await isAlive(access));
      const nobody = { ...user, Username: 'nobody@example.com' };
      await assertRefused(pool.operations.adminDeleteSoftwareToken(nobody, CALL), 'UserNotFoundException');
      await assertRefused(pool.operations.adminGetUserAuthFactors(nobody, CALL), 'UserNotFoundException');
    });

    it('an authenticator that waits for its first code goes with the one that works', async () => {
      const { name, access, user } = await someone();
      await enrol(pool, access);
      const waits = await associate(pool, access);
      await pool.operations.adminDeleteSoftwareToken(user, CALL);
      const again = tokensOf(await passwordLogin(pool, name)).access;
      await assertRefused(verify(pool, again, codeOf(pool, waits)), 'SoftwareTokenMFANotFoundException');
    });

    it('the factors of a user are told, to itself and to an administrator alike', async () => {
      const { access, user } = await someone();
      const factors = async () => {
        const told = await pool.operations.adminGetUserAuthFactors(user, CALL);
        assert.deepEqual(await pool.operations.getUserAuthFactors({ AccessToken: access }, CALL), told);
        return told;
      };
      const before = await factors();
      assert.deepEqual(before.ConfiguredUserAuthFactors, ['PASSWORD', 'EMAIL_OTP']);
      assert.equal(before.PreferredMfaSetting, undefined);
      await enrol(pool, access);
      const enrolled = await factors();
      assert.deepEqual(enrolled.ConfiguredUserAuthFactors, ['PASSWORD', 'EMAIL_OTP', 'SOFTWARE_TOKEN']);
      assert.deepEqual(enrolled.UserMFASettingList, ['SOFTWARE_TOKEN_MFA']);
      assert.equal(enrolled.PreferredMfaSetting, 'SOFTWARE_TOKEN_MFA');
    });
  });
});
