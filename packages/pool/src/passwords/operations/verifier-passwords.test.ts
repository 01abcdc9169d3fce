import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PasswordVerifier, RefusedPasswordList } from '@poolgate/provider';
import { COGNITO_GROUP } from '@poolgate/srp';
import { sourceNetworks } from '../../messages/source-network.ts';
import { openTestContext } from '../../testing/context.ts';
import { forEachDatabase } from '../../testing/databases.ts';
import { addUser, CALL, openTestPool, openTestPoolOn, PASSWORD, type TestPool } from '../../testing/pool.ts';
import { assertRefused } from '../../testing/refusal.ts';
import { challenge, outcome, passwordLogin, srpLogin } from '../../testing/srp-login.ts';
import { tokensOf } from '../../testing/tokens.ts';
import { verifierOf, verifierPasswords } from '../../testing/verifiers.ts';

const FRESH = 'Another-Horse2!';

function codeFor({ sent }: TestPool, to: string): string {
  return sent.findLast((message) => message.to === to && message.code !== undefined)?.code ?? '';
}

forEachDatabase((database) => {
  describe(`passwords that are set by a verifier on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());
    const signUp = async (Username: string, UserIdForSrp: string, PasswordVerifier: PasswordVerifier) =>
      verifierPasswords(pool).signUp({ ClientId: pool.clientId, Username, UserIdForSrp, PasswordVerifier }, CALL);

    it('sign a user up, once, under the identity that was given for it', async () => {
      const { UserIdForSrp, SaltHex } = await verifierPasswords(pool).start({ ClientId: pool.clientId }, CALL);
      const verifier = verifierOf(pool, UserIdForSrp, SaltHex, PASSWORD);
      const { UserSub } = await signUp('ada@example.com', UserIdForSrp, verifier);
      assert.equal(UserSub, UserIdForSrp);
      const confirmation = { Username: 'ada@example.com', ConfirmationCode: codeFor(pool, 'ada@example.com') };
      await pool.operations.confirmSignUp({ ClientId: pool.clientId, ...confirmation }, CALL);
      assert.equal(await outcome(srpLogin(pool, 'ada@example.com')), 'tokens');
      assert.equal(await outcome(passwordLogin(pool, 'ada@example.com')), 'tokens');
      await assertRefused(signUp('bob@example.com', UserIdForSrp, verifier), 'InvalidParameterException');
    });

    it('refuse an identity that the pool did not give, or gave too long ago', async () => {
      const { UserIdForSrp, SaltHex } = await verifierPasswords(pool).start({ ClientId: pool.clientId }, CALL);
      const verifier = verifierOf(pool, UserIdForSrp, SaltHex, PASSWORD);
      const chosen = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
      const invalid = ['InvalidParameterException', 'Invalid UserIdForSrp given.'] as const;
      await assertRefused(signUp('eve@example.com', chosen, verifier), ...invalid);
      pool.clock.advance(31 * 60_000);
      await assertRefused(signUp('eve@example.com', UserIdForSrp, verifier), 'InvalidParameterException');
    });

    it('refuse weak and undecodable verifiers and salts', async () => {
      const { UserIdForSrp, SaltHex } = await verifierPasswords(pool).start({ ClientId: pool.clientId }, CALL);
      const good = verifierOf(pool, UserIdForSrp, SaltHex, PASSWORD);
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
      await pool.operations.forgotPassword({ ClientId: pool.clientId, Username: name }, CALL);
      const reset = await verifierPasswords(pool).start({ ClientId: pool.clientId, Username: name }, CALL);
      assert.equal(reset.UserIdForSrp, username);
      const PasswordVerifier = verifierOf(pool, username, reset.SaltHex, FRESH);
      const request = {
        ClientId: pool.clientId,
        Username: name,
        ConfirmationCode: codeFor(pool, name),
        PasswordVerifier,
      };
      await verifierPasswords(pool).confirmForgotPassword(request, CALL);
      const mails = () => pool.sent.filter(({ subject }) => subject === 'Your password was changed').length;
      const before = mails();
      const { access: AccessToken } = tokensOf(await srpLogin(pool, name, FRESH));
      const other = tokensOf(await srpLogin(pool, name, FRESH)).access;
      const again = await verifierPasswords(pool).start({ ClientId: pool.clientId, Username: name }, CALL);
      assert.notEqual(again.SaltHex, reset.SaltHex);
      const changed = verifierOf(pool, username, again.SaltHex, PASSWORD);
      await verifierPasswords(pool).changePassword({ AccessToken, PasswordVerifier: changed }, CALL);
      assert.equal(mails(), before + 1);
      assert.equal(await outcome(srpLogin(pool, name, PASSWORD)), 'tokens');
      assert.equal((await pool.operations.getUser({ AccessToken }, CALL)).Username, username);
      await assertRefused(pool.operations.getUser({ AccessToken: other }, CALL), 'NotAuthorizedException');
    });

    it('show for a name that nobody has the identity that a login would show', async () => {
      const Username = 'nobody@example.com';
      const { UserIdForSrp } = await verifierPasswords(pool).start({ ClientId: pool.clientId, Username }, CALL);
      const { parameters } = await challenge(pool, Username);
      assert.equal(UserIdForSrp, parameters.USER_ID_FOR_SRP);
    });

    it('have the name that a user chooses as identity, in the pool’s way of writing, where users choose one', async () => {
      const named = await openTestPool(await database.create(), {
        pool: { usernameAttributes: [], requiredAttributes: [], autoVerifiedAttributes: [] },
      });
      try {
        const { start, signUp: enter } = verifierPasswords(named);
        const ClientId = named.clientId;
        const none = 'Missing required parameter Username';
        await assertRefused(start({ ClientId }, CALL), 'InvalidParameterException', none);
        const { UserIdForSrp, SaltHex } = await start({ ClientId, Username: 'Ada' }, CALL);
        assert.equal(UserIdForSrp, 'ada');
        assert.match(SaltHex, /^[0-9a-f]{24,32}$/);
        const PasswordVerifier = verifierOf(named, UserIdForSrp, SaltHex, PASSWORD);
        const sent = { ClientId, Username: 'Ada', PasswordVerifier };
        const invalid = ['InvalidParameterException', 'Invalid UserIdForSrp given.'] as const;
        for (const UserIdForSrp of ['Ada', 'bob'])
          await assertRefused(enter({ ...sent, UserIdForSrp }, CALL), ...invalid);
        const { UserConfirmed } = await enter({ ...sent, UserIdForSrp: 'ada' }, CALL);
        assert.equal(UserConfirmed, false);
      } finally {
        await named.close();
      }
    });

    it('are looked up in the lists of refused passwords by the first digits of their digests', async () => {
      const range = (List: RefusedPasswordList, Prefix: string, on = pool) =>
        verifierPasswords(on).range({ ClientId: on.clientId, List, Prefix }, CALL);
      assert.ok((await range('common', '5BAA6')).Suffixes.includes('1E4C9B93F3F0682250B6CF8331B7EE68FD8'));
      await assertRefused(range('leaked', '21BD1'), 'UnsupportedOperationException');
      const opened = await openTestContext(await database.create());
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
        assert.deepEqual(asked, [['21BD1', sourceNetworks(CALL.sourceAddress)]]);
        await assertRefused(range('common', '5BAA6', lax), 'UnsupportedOperationException');
        const { passwordPolicy } = (await lax.embedded.describe(lax.userPoolId)) ?? {};
        assert.deepEqual([passwordPolicy?.refuseCommon, passwordPolicy?.refuseLeaked], [false, true]);
      } finally {
        await lax.close();
      }
    });

    it('are refused where the pool takes none', async () => {
      const closed = await openTestPool(await database.create(), { pool: { verifierPasswords: false } });
      try {
        await assertRefused(
          verifierPasswords(closed).start({ ClientId: closed.clientId }, CALL),
          'UnsupportedOperationException',
        );
        const range = { ClientId: closed.clientId, List: 'common', Prefix: '5BAA6' } as const;
        await assertRefused(verifierPasswords(closed).range(range, CALL), 'UnsupportedOperationException');
      } finally {
        await closed.close();
      }
    });
  });
});
