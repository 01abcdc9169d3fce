import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { forEachDatabase } from '../testing/databases.ts';
import { enterCode, login, sentCode, startChoiceLogin } from '../testing/login.ts';
import { addUser, CALL, openTestPool, PASSWORD, type TestPool } from '../testing/pool.ts';
import { answerTo, challenge, outcome, srpLogin } from '../testing/srp-login.ts';
import { tokensOf } from '../testing/tokens.ts';
import { codeOf, enrol } from '../testing/totp.ts';
import { verifierOf, verifierPasswords } from '../testing/verifiers.ts';

const REFUSED = 'Incorrect username or password.';

forEachDatabase((database) => {
  describe(`logins that began before the password was replaced on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());
    beforeEach(async () => {
      name = `user${users++}@example.com`;
      username = await addUser(pool, name);
    });

    /** Sets the very same password again, with the salt that it has, at the time at which it was set first: nothing of it is new. */
    async function replaceBySameVerifier(accessToken: string): Promise<void> {
      const { parameters } = await challenge(pool, name);
      const PasswordVerifier = verifierOf(pool, username, parameters.SALT ?? '', PASSWORD);
      await verifierPasswords(pool).changePassword({ AccessToken: accessToken, PasswordVerifier }, CALL);
      assert.equal((await challenge(pool, name)).parameters.SALT, parameters.SALT);
    }

    it('a claim by SRP is refused, though salt and password are the same', async () => {
      const { access } = tokensOf(await srpLogin(pool, name));
      const begun = await challenge(pool, name);
      await replaceBySameVerifier(access);
      const answer = answerTo(pool, begun);
      assert.equal(await outcome(pool.operations.respondToAuthChallenge(answer, CALL)), REFUSED);
      assert.equal(await outcome(srpLogin(pool, name)), 'tokens');
    });

    it('a right code of a choice-based login is refused', async () => {
      const { access } = tokensOf(await srpLogin(pool, name));
      const begun = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
      const code = sentCode(pool, name);
      await replaceBySameVerifier(access);
      assert.notEqual(await outcome(enterCode(pool, begun, name, code)), 'tokens');
      const fresh = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
      assert.equal(await outcome(enterCode(pool, fresh, name, sentCode(pool, name))), 'tokens');
    });

    it('a second factor after the old password is refused', async () => {
      const { access } = tokensOf(await srpLogin(pool, name));
      const secret = await enrol(pool, access);
      pool.clock.advance(30_000);
      const begun = await login(pool, name);
      assert.equal(begun.ChallengeName, 'SOFTWARE_TOKEN_MFA');
      await replaceBySameVerifier(access);
      assert.notEqual(await outcome(enterCode(pool, begun, name, codeOf(pool, secret))), 'tokens');
      const fresh = await login(pool, name);
      assert.equal(await outcome(enterCode(pool, fresh, name, codeOf(pool, secret))), 'tokens');
    });

    it('a code of a login without a password is refused once there is one', async () => {
      await pool.store.write((transaction) => transaction.users.deleteProofs(pool.userPoolId, username));
      const begun = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
      const code = sentCode(pool, name);
      const password = { Password: 'Temporary-Horse3!', Permanent: false };
      await pool.operations.adminSetUserPassword({ UserPoolId: pool.userPoolId, Username: name, ...password }, CALL);
      assert.notEqual(await outcome(enterCode(pool, begun, name, code)), 'tokens');
    });
  });
});
