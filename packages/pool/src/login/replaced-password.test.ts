import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { enterCode, sentCode, startChoiceLogin, startPasswordLogin } from '../testing/test-logins.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { computeSrpAnswer, describeOutcome, loginBySrp, startSrpLogin } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { computeTestTotpCode, enrolTotp } from '../testing/test-totp.ts';
import { createVerifier, getVerifierPasswords } from '../testing/test-verifiers.ts';

const REFUSED = 'Incorrect username or password.';

describe('logins that began before the password was replaced', () => {
  let pool: TestPool;
  let name: string;
  let username: string;
  let users = 0;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());
  beforeEach(async () => {
    name = `user${users++}@example.com`;
    username = await addUser(pool, name);
  });

  /** Sets the same password again, with the same salt and time, so that nothing changes. */
  async function replaceBySameVerifier(accessToken: string): Promise<void> {
    const { parameters } = await startSrpLogin(pool, name);
    const PasswordVerifier = createVerifier(pool, username, parameters.SALT ?? '', PASSWORD);
    await getVerifierPasswords(pool).changePassword({ AccessToken: accessToken, PasswordVerifier }, TEST_CALL);
    assert.equal((await startSrpLogin(pool, name)).parameters.SALT, parameters.SALT);
  }

  it('an SRP claim is refused, although salt and password are the same', async () => {
    const { access } = requireTokens(await loginBySrp(pool, name));
    const begun = await startSrpLogin(pool, name);
    await replaceBySameVerifier(access);
    const answer = computeSrpAnswer(pool, begun);
    assert.equal(await describeOutcome(pool.operations.respondToAuthChallenge(answer, TEST_CALL)), REFUSED);
    assert.equal(await describeOutcome(loginBySrp(pool, name)), 'tokens');
  });

  it('a right code of a choice-based login is refused', async () => {
    const { access } = requireTokens(await loginBySrp(pool, name));
    const begun = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
    const code = sentCode(pool, name);
    await replaceBySameVerifier(access);
    assert.notEqual(await describeOutcome(enterCode(pool, begun, name, code)), 'tokens');
    const fresh = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
    assert.equal(await describeOutcome(enterCode(pool, fresh, name, sentCode(pool, name))), 'tokens');
  });

  it('a second factor after the old password is refused', async () => {
    const { access } = requireTokens(await loginBySrp(pool, name));
    const secret = await enrolTotp(pool, access);
    pool.clock.advance(30_000);
    const begun = await startPasswordLogin(pool, name);
    assert.equal(begun.ChallengeName, 'SOFTWARE_TOKEN_MFA');
    await replaceBySameVerifier(access);
    assert.notEqual(await describeOutcome(enterCode(pool, begun, name, computeTestTotpCode(pool, secret))), 'tokens');
    const fresh = await startPasswordLogin(pool, name);
    assert.equal(await describeOutcome(enterCode(pool, fresh, name, computeTestTotpCode(pool, secret))), 'tokens');
  });

  it('a code of a login without a password is refused once there is one', async () => {
    await pool.store.write((transaction) => transaction.users.deleteProofs(pool.userPoolId, username));
    const begun = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'EMAIL_OTP' });
    const code = sentCode(pool, name);
    const password = { Password: 'Temporary-Horse3!', Permanent: false };
    await pool.operations.adminSetUserPassword({ UserPoolId: pool.userPoolId, Username: name, ...password }, TEST_CALL);
    assert.notEqual(await describeOutcome(enterCode(pool, begun, name, code)), 'tokens');
  });
});
