import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PasswordBlocklist, PasswordVerifier } from '@poolgate/provider';
import { COGNITO_GROUP } from '@poolgate/srp';
import { listSourceNetworks } from '../kernel/source-network.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { addUser, openTestPool, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp, startSrpLogin } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { createVerifier, getVerifierPasswords } from '../testing/test-verifiers.ts';

const FRESH = 'Another-Horse2!';

function codeFor({ sent }: TestPool, to: string): string {
  return sent.findLast((message) => message.to === to && message.code !== undefined)?.code ?? '';
}

describe('passwords that are set with a verifier', () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());
  const signUp = async (Username: string, UserIdForSrp: string, PasswordVerifier: PasswordVerifier) =>
    getVerifierPasswords(pool).signUp({ ClientId: pool.clientId, Username, UserIdForSrp, PasswordVerifier }, TEST_CALL);

  it('sign a user up once, under the identity that was issued for it', async () => {
    const { UserIdForSrp, SaltHex } = await getVerifierPasswords(pool).start({ ClientId: pool.clientId }, TEST_CALL);
    const verifier = createVerifier(pool, UserIdForSrp, SaltHex, PASSWORD);
    const { UserSub } = await signUp('ada@example.com', UserIdForSrp, verifier);
    assert.equal(UserSub, UserIdForSrp);
    const confirmation = { Username: 'ada@example.com', ConfirmationCode: codeFor(pool, 'ada@example.com') };
    await pool.operations.confirmSignUp({ ClientId: pool.clientId, ...confirmation }, TEST_CALL);
    assert.equal(await describeOutcome(loginBySrp(pool, 'ada@example.com')), 'tokens');
    assert.equal(await describeOutcome(loginByPassword(pool, 'ada@example.com')), 'tokens');
    await assertRefused(signUp('bob@example.com', UserIdForSrp, verifier), 'InvalidParameterException');
  });

  it('refuse an identity that the pool did not issue, or issued too long ago', async () => {
    const { UserIdForSrp, SaltHex } = await getVerifierPasswords(pool).start({ ClientId: pool.clientId }, TEST_CALL);
    const verifier = createVerifier(pool, UserIdForSrp, SaltHex, PASSWORD);
    const chosen = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
    const invalid = ['InvalidParameterException', 'Invalid UserIdForSrp given.'] as const;
    await assertRefused(signUp('eve@example.com', chosen, verifier), ...invalid);
    pool.clock.advance(31 * 60_000);
    await assertRefused(signUp('eve@example.com', UserIdForSrp, verifier), 'InvalidParameterException');
  });

  it('refuse weak and undecodable verifiers and salts', async () => {
    const { UserIdForSrp, SaltHex } = await getVerifierPasswords(pool).start({ ClientId: pool.clientId }, TEST_CALL);
    const good = createVerifier(pool, UserIdForSrp, SaltHex, PASSWORD);
    const N = COGNITO_GROUP.modulus;
    const weak = [0n, 1n, N - 1n, N, N + 5n].map((value) => value.toString(16));
    for (const VerifierHex of [...weak, '', 'xyz', '-1', `${good.VerifierHex}${'0'.repeat(900)}`]) {
      const call = signUp('eve@example.com', UserIdForSrp, { ...good, VerifierHex });
      await assertRefused(call, 'InvalidParameterException');
    }
    for (const Salt of ['', '07', 'ff'.repeat(65), 'salt']) {
      await assertRefused(
        signUp('eve@example.com', UserIdForSrp, { ...good, SaltHex: Salt }),
        'InvalidParameterException',
      );
    }
  });

  it('reset and change a password', async () => {
    const name = 'grace@example.com';
    const username = await addUser(pool, name);
    await pool.operations.forgotPassword({ ClientId: pool.clientId, Username: name }, TEST_CALL);
    const reset = await getVerifierPasswords(pool).start({ ClientId: pool.clientId, Username: name }, TEST_CALL);
    assert.equal(reset.UserIdForSrp, username);
    const PasswordVerifier = createVerifier(pool, username, reset.SaltHex, FRESH);
    const request = {
      ClientId: pool.clientId,
      Username: name,
      ConfirmationCode: codeFor(pool, name),
      PasswordVerifier,
    };
    await getVerifierPasswords(pool).confirmForgotPassword(request, TEST_CALL);
    const mails = () => pool.sent.filter(({ subject }) => subject === 'Your password was changed').length;
    const before = mails();
    const { access: AccessToken } = requireTokens(await loginBySrp(pool, name, FRESH));
    const other = requireTokens(await loginBySrp(pool, name, FRESH)).access;
    const again = await getVerifierPasswords(pool).start({ ClientId: pool.clientId, Username: name }, TEST_CALL);
    assert.notEqual(again.SaltHex, reset.SaltHex);
    const changed = createVerifier(pool, username, again.SaltHex, PASSWORD);
    await getVerifierPasswords(pool).changePassword({ AccessToken, PasswordVerifier: changed }, TEST_CALL);
    assert.equal(mails(), before + 1);
    assert.equal(await describeOutcome(loginBySrp(pool, name, PASSWORD)), 'tokens');
    assert.equal((await pool.operations.getUser({ AccessToken }, TEST_CALL)).Username, username);
    await assertRefused(pool.operations.getUser({ AccessToken: other }, TEST_CALL), 'NotAuthorizedException');
  });

  it('show an unknown name the identity that a login would show', async () => {
    const Username = 'nobody@example.com';
    const { UserIdForSrp } = await getVerifierPasswords(pool).start({ ClientId: pool.clientId, Username }, TEST_CALL);
    const { parameters } = await startSrpLogin(pool, Username);
    assert.equal(UserIdForSrp, parameters.USER_ID_FOR_SRP);
  });

  it('use the name that a user chooses as identity, in the pool’s spelling, if users choose one', async () => {
    const named = await openTestPool('sqlite::memory:', {
      pool: { usernameAttributes: [], requiredAttributes: [], autoVerifiedAttributes: [] },
    });
    try {
      const { start, signUp: enter } = getVerifierPasswords(named);
      const ClientId = named.clientId;
      const none = 'Missing required parameter Username';
      await assertRefused(start({ ClientId }, TEST_CALL), 'InvalidParameterException', none);
      const { UserIdForSrp, SaltHex } = await start({ ClientId, Username: 'Ada' }, TEST_CALL);
      assert.equal(UserIdForSrp, 'ada');
      assert.match(SaltHex, /^[0-9a-f]{24,32}$/);
      const PasswordVerifier = createVerifier(named, UserIdForSrp, SaltHex, PASSWORD);
      const sent = { ClientId, Username: 'Ada', PasswordVerifier };
      const invalid = ['InvalidParameterException', 'Invalid UserIdForSrp given.'] as const;
      for (const UserIdForSrp of ['Ada', 'bob'])
        await assertRefused(enter({ ...sent, UserIdForSrp }, TEST_CALL), ...invalid);
      const { UserConfirmed } = await enter({ ...sent, UserIdForSrp: 'ada' }, TEST_CALL);
      assert.equal(UserConfirmed, false);
    } finally {
      await named.close();
    }
  });

  it('are looked up in the lists of refused passwords by the first digits of their digests', async () => {
    const range = (List: PasswordBlocklist, Prefix: string, on = pool) =>
      getVerifierPasswords(on).range({ ClientId: on.clientId, List, Prefix }, TEST_CALL);
    assert.ok((await range('common', '5BAA6')).Suffixes.includes('1E4C9B93F3F0682250B6CF8331B7EE68FD8'));
    await assertRefused(range('leaked', '21BD1'), 'UnsupportedOperationException');
    const opened = await openTestEnvironment('sqlite::memory:');
    const asked: unknown[] = [];
    const leakedRange = async (...given: readonly unknown[]) => {
      asked.push(given);
      return ['A'.repeat(35)];
    };
    const ports = { ...opened.options, isBreached: async () => false, leakedRange };
    const lax = await openTestPoolOn(
      { ...opened, options: ports },
      { pool: { newPasswords: { refuseCommon: false, refuseTemporaryAgain: false } } },
    );
    try {
      assert.deepEqual(await range('leaked', '21BD1', lax), { Suffixes: ['A'.repeat(35)] });
      assert.deepEqual(asked, [['21BD1', listSourceNetworks(TEST_CALL.sourceAddress)]]);
      await assertRefused(range('common', '5BAA6', lax), 'UnsupportedOperationException');
      const { passwordPolicy } = (await lax.embedded.describe(lax.userPoolId)) ?? {};
      assert.deepEqual([passwordPolicy?.refuseCommon, passwordPolicy?.refuseLeaked], [false, true]);
    } finally {
      await lax.close();
    }
  });

  it('are refused if the pool accepts none', async () => {
    const closed = await openTestPool('sqlite::memory:', { pool: { verifierPasswords: false } });
    try {
      await assertRefused(
        getVerifierPasswords(closed).start({ ClientId: closed.clientId }, TEST_CALL),
        'UnsupportedOperationException',
      );
      const range = { ClientId: closed.clientId, List: 'common', Prefix: '5BAA6' } as const;
      await assertRefused(getVerifierPasswords(closed).range(range, TEST_CALL), 'UnsupportedOperationException');
    } finally {
      await closed.close();
    }
  });
});
