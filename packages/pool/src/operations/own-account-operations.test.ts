import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const FRESH = 'Another-Horse2!';

async function login(pool: TestPool, name: string): Promise<string> {
  return requireTokens(await loginByPassword(pool, name)).access;
}

describe("the user's own account", () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());
  const change = (AccessToken: string, PreviousPassword: string, ProposedPassword = FRESH) =>
    pool.operations.changePassword({ AccessToken, PreviousPassword, ProposedPassword }, TEST_CALL);
  const isGood = async (AccessToken: string) =>
    pool.operations.getUser({ AccessToken }, TEST_CALL).then(
      () => true,
      () => false,
    );

  it('changes its password with the old one, which ends every other login', async () => {
    await addUser(pool, 'ada@example.com');
    const [mine, other] = [await login(pool, 'ada@example.com'), await login(pool, 'ada@example.com')];
    await assertRefused(change(mine, 'Wrong-Horse1!'), 'NotAuthorizedException', 'Incorrect username or password.');
    for (const weak of ['short', 'Password1!', 'Ada@example.com1']) {
      await assertRefused(change(mine, PASSWORD, weak), 'InvalidPasswordException');
    }
    assert.deepEqual(await change(mine, PASSWORD), {});
    assert.deepEqual([await isGood(mine), await isGood(other)], [true, false]);
    assert.equal(await describeOutcome(loginBySrp(pool, 'ada@example.com', FRESH)), 'tokens');
    assert.equal(
      await describeOutcome(loginBySrp(pool, 'ada@example.com', PASSWORD)),
      'Incorrect username or password.',
    );
  });

  it('counts guesses of the old password together with those of logins', async () => {
    await addUser(pool, 'guess@example.com');
    const token = await login(pool, 'guess@example.com');
    for (let at = 0; at < 5; at += 1) await assertRefused(change(token, `Wrong-Horse${at}!`), 'NotAuthorizedException');
    await assertRefused(change(token, PASSWORD), 'LimitExceededException');
    assert.equal(await describeOutcome(loginByPassword(pool, 'guess@example.com')), 'Password attempts exceeded');
    pool.clock.advance(2_000);
    assert.deepEqual(await change(token, PASSWORD), {});
  });

  it('ends every login', async () => {
    await addUser(pool, 'out@example.com');
    const tokens = [await login(pool, 'out@example.com'), await login(pool, 'out@example.com')];
    await pool.operations.globalSignOut({ AccessToken: tokens[0] ?? '' }, TEST_CALL);
    for (const token of tokens) assert.equal(await isGood(token), false);
    const again = pool.operations.globalSignOut({ AccessToken: tokens[0] ?? '' }, TEST_CALL);
    await assertRefused(again, 'NotAuthorizedException', 'Access Token has been revoked');
  });

  it('is deleted, and its name is free again', async () => {
    const first = await addUser(pool, 'gone@example.com');
    const token = await login(pool, 'gone@example.com');
    assert.deepEqual(await pool.operations.deleteUser({ AccessToken: token }, TEST_CALL), {});
    assert.equal(await isGood(token), false);
    assert.equal(await describeOutcome(loginByPassword(pool, 'gone@example.com')), 'Incorrect username or password.');
    assert.notEqual(await addUser(pool, 'gone@example.com'), first);
    assert.equal(await isGood(token), false);
  });

  it('is disabled and enabled by an administrator; ended logins stay ended', async () => {
    await addUser(pool, 'off@example.com');
    const user = { UserPoolId: pool.userPoolId, Username: 'off@example.com' };
    const token = await login(pool, 'off@example.com');
    await pool.operations.adminDisableUser(user, TEST_CALL);
    assert.equal(await isGood(token), false);
    assert.equal(await describeOutcome(loginByPassword(pool, 'off@example.com')), 'User is disabled.');
    await pool.operations.adminEnableUser(user, TEST_CALL);
    assert.equal(await isGood(token), false);
    assert.equal(await describeOutcome(loginByPassword(pool, 'off@example.com')), 'tokens');
    await pool.operations.adminDeleteUser(user, TEST_CALL);
    await assertRefused(
      pool.operations.adminDeleteUser(user, TEST_CALL),
      'UserNotFoundException',
      'User does not exist.',
    );
  });

  it('is confirmed by an administrator once', async () => {
    const Username = 'signed-up@example.com';
    await pool.operations.signUp({ ClientId: pool.clientId, Username, Password: PASSWORD }, TEST_CALL);
    const user = { UserPoolId: pool.userPoolId, Username };
    assert.deepEqual(await pool.operations.adminConfirmSignUp(user, TEST_CALL), {});
    assert.equal(await describeOutcome(loginByPassword(pool, Username)), 'tokens');
    await assertRefused(
      pool.operations.adminConfirmSignUp(user, TEST_CALL),
      'NotAuthorizedException',
      'User cannot be confirmed. Current status is CONFIRMED',
    );
  });
});
