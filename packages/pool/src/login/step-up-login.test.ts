import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { USER_SCOPE } from '@poolgate/provider';
import type { PoolSettings } from '../store/index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { SoftwareAuthenticator } from '../testing/software-authenticator.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import {
  enterCode,
  type LoginOutput,
  respondToChallenge,
  sentCode,
  startChoiceLogin,
  startPasswordLogin,
} from '../testing/test-logins.ts';
import { answerPasskey, createAuthenticatorWithPasskey, TEST_ORIGIN, WEB_AUTHN } from '../testing/test-passkeys.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';
import { computeTestTotpCode, enrolTotp } from '../testing/test-totp.ts';

const LOA = (level: number): string => `urn:cognito:loa:${level}`;
const toward = (...levels: number[]) => ({ TARGET_ACR_VALUES: levels.map(LOA).join(' ') });
const BY_PASSWORD = { PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD };

forEachDatabase((database) => {
  describe(`logins toward a level on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create(), {
        pool: {
          mfaMethods: ['SOFTWARE_TOKEN_MFA', 'EMAIL_OTP'],
          recovery: ['admin_only'],
          firstFactors: ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'],
          webAuthn: WEB_AUTHN,
        },
      });
    });
    after(() => pool.close());
    beforeEach(async () => {
      pool.clock.advance(3_600_000);
      name = `user${users++}@example.com`;
      username = await addUser(pool, name);
    });

    const start = (more: Readonly<Record<string, string>>) => startChoiceLogin(pool, name, more);
    const byPassword = async () => requireTokens(await startPasswordLogin(pool, name));

    /** Starts a login that shows its level. */
    const leveled = async () => requireTokens(await start({ ...BY_PASSWORD, ...toward(1) }));

    function readClaims(output: LoginOutput) {
      const { access, id } = requireTokens(output);
      const [ofAccess, ofId] = [decodeTokenPart(access, 1), decodeTokenPart(id, 1)];
      for (const claim of ['acr', 'amr', 'auth_time']) assert.deepEqual(ofAccess[claim], ofId[claim], claim);
      return { acr: ofId.acr, amr: ofId.amr, authTime: ofId.auth_time };
    }

    async function enrolAuthenticator() {
      const secret = await enrolTotp(pool, (await byPassword()).access);
      pool.clock.advance(30_000);
      return () => {
        const code = computeTestTotpCode(pool, secret);
        pool.clock.advance(30_000);
        return code;
      };
    }

    async function changePool(change: Partial<PoolSettings>): Promise<() => Promise<void>> {
      const { store, userPoolId, clock } = pool;
      const found = await store.pools.byId(userPoolId);
      assert.ok(found);
      const put = (settings: PoolSettings) =>
        store.write((transaction) => transaction.pools.update(userPoolId, { settings, modifiedAtMs: clock.now() }));
      await put({ ...found.settings, ...change });
      pool.clock.advance(60_000);
      return async () => {
        await put(found.settings);
        pool.clock.advance(60_000);
      };
    }

    it('without a level have neither claim; with one they have both, also after a refresh', async () => {
      const plain = readClaims(await start(BY_PASSWORD));
      assert.deepEqual([plain.acr, plain.amr], [undefined, undefined]);
      const output = await start({ ...BY_PASSWORD, ...toward(1) });
      const first = readClaims(output);
      assert.deepEqual([first.acr, first.amr], [LOA(1), ['pwd']]);
      pool.clock.advance(600_000);
      const { refresh } = requireTokens(output);
      const refreshed = await pool.operations.initiateAuth(
        { ClientId: pool.clientId, AuthFlow: 'REFRESH_TOKEN_AUTH', AuthParameters: { REFRESH_TOKEN: refresh } },
        TEST_CALL,
      );
      const { AccessToken = '', IdToken = '' } = refreshed.AuthenticationResult ?? {};
      for (const token of [AccessToken, IdToken]) {
        const { acr, amr, auth_time: authTime } = decodeTokenPart(token, 1);
        assert.deepEqual({ acr, amr, authTime }, first);
      }
    });

    it('require every factor of it, and give tokens only at the end', async () => {
      const totp = await enrolAuthenticator();
      const choice = await start(toward(4));
      assert.equal(choice.ChallengeName, 'SELECT_CHALLENGE');
      const asked = await respondToChallenge(pool, choice, name, { ANSWER: 'PASSWORD', PASSWORD });
      assert.equal(asked.ChallengeName, 'SOFTWARE_TOKEN_MFA');
      const { acr, amr } = readClaims(await enterCode(pool, asked, username, totp()));
      assert.deepEqual([acr, amr], [LOA(4), ['pwd', 'otp', 'mfa']]);
    });

    database.itOnSqlite('reach each level with each factor', async () => {
      const email = await start({ PREFERRED_CHALLENGE: 'EMAIL_OTP', ...toward(2) });
      const byCode = readClaims(await enterCode(pool, email, name, sentCode(pool, name)));
      assert.deepEqual([byCode.acr, byCode.amr], [LOA(2), ['email_otp']]);
      for (const [attachment, method] of [
        ['platform', 'swk'],
        ['cross-platform', 'hwk'],
      ] as const) {
        const authenticator = new SoftwareAuthenticator({ origin: TEST_ORIGIN, attachment });
        await createAuthenticatorWithPasskey(pool, name, authenticator);
        const asked = await start({ PREFERRED_CHALLENGE: 'WEB_AUTHN', ...toward(3) });
        const { acr, amr } = readClaims(await answerPasskey(pool, asked, name, authenticator));
        assert.deepEqual([acr, amr], [LOA(3), [method]]);
      }
      // A code and then the password is a password with a code.
      const code = await start({ PREFERRED_CHALLENGE: 'EMAIL_OTP', ...toward(4, 3) });
      const more = await enterCode(pool, code, name, sentCode(pool, name));
      assert.deepEqual(more.AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD', 'WEB_AUTHN']);
      const both = readClaims(await respondToChallenge(pool, more, name, { ANSWER: 'PASSWORD', PASSWORD }));
      assert.deepEqual([both.acr, both.amr], [LOA(3), ['pwd', 'email_otp', 'mfa']]);
    });

    it('step up from an access token, and are as old as the proofs that count', async () => {
      const totp = await enrolAuthenticator();
      const { access, authTime } = await stepDown();
      pool.clock.advance(600_000);
      const asked = await start({ ...toward(4), ACCESS_TOKEN: access });
      assert.equal(asked.ChallengeName, 'SOFTWARE_TOKEN_MFA');
      const stepped = readClaims(await enterCode(pool, asked, username, totp()));
      assert.deepEqual(stepped, { acr: LOA(4), amr: ['pwd', 'otp', 'mfa'], authTime });
    });

    /** A login with the password alone, although an authenticator is enabled. */
    async function stepDown() {
      const restore = await changePool({ mfaConfiguration: 'OFF' });
      const output = await start({ ...BY_PASSWORD, ...toward(1) });
      await restore();
      return { access: requireTokens(output).access, authTime: readClaims(output).authTime };
    }

    database.itOnSqlite('follow the table of ACCESS_TOKEN and MAX_AGE', async () => {
      await enrolAuthenticator();
      const { access } = await stepDown();
      pool.clock.advance(100_000);
      const from = { ...toward(4), ACCESS_TOKEN: access };
      assert.equal((await start({ ...from, MAX_AGE: '3600' })).ChallengeName, 'SOFTWARE_TOKEN_MFA');
      assert.equal((await start({ ...from, MAX_AGE: '99' })).ChallengeName, 'SELECT_CHALLENGE');
      assert.equal((await start(toward(4))).ChallengeName, 'SELECT_CHALLENGE');
      assert.equal((await start({})).ChallengeName, 'SELECT_CHALLENGE');
      assert.equal((await start({ MAX_AGE: '1' })).ChallengeName, 'SELECT_CHALLENGE');
    });

    it('refuse what the guide calls an error', async () => {
      const { access } = await leveled();
      for (const [more, code] of [
        [{ ACCESS_TOKEN: access }, 'InvalidParameterException'],
        [{ TARGET_ACR_VALUES: 'urn:of:another urn:standard' }, 'InvalidParameterException'],
        [{ ...toward(1), MAX_AGE: 'soon' }, 'InvalidParameterException'],
        [{ ...toward(4), ACCESS_TOKEN: access }, 'InvalidParameterException'],
        [{ ...toward(1), ACCESS_TOKEN: access }, 'NotAuthorizedException'],
        [{ ...toward(1), ACCESS_TOKEN: `${access}x` }, 'NotAuthorizedException'],
      ] as const) {
        await assertRefused(start(more), code);
      }
      // A known name among unknown ones counts.
      requireTokens(await start({ ...BY_PASSWORD, TARGET_ACR_VALUES: `urn:of:another ${LOA(1)}` }));
      // Without a token, only the proven password may reveal which factors the user lacks.
      assert.equal((await start(toward(4))).ChallengeName, 'SELECT_CHALLENGE');
      await assertRefused(start({ ...BY_PASSWORD, ...toward(4) }), 'InvalidParameterException');
    });

    database.itOnSqlite('refuse the token of another user, client or narrower scope', async () => {
      const { access } = await leveled();
      const other = `other-${name}`;
      await addUser(pool, other);
      const from = { ...toward(3), ACCESS_TOKEN: access };
      await assertRefused(startChoiceLogin(pool, other, from), 'NotAuthorizedException');
      await assertRefused(startChoiceLogin(pool, `nobody-${name}`, from), 'NotAuthorizedException');
      const { UserPoolClient } = await pool.operations.createUserPoolClient(
        { UserPoolId: pool.userPoolId, ClientName: 'other', ExplicitAuthFlows: ['ALLOW_USER_AUTH'] },
        TEST_CALL,
      );
      const elsewhere = { ...pool, clientId: UserPoolClient?.ClientId ?? '' };
      await assertRefused(startChoiceLogin(elsewhere, name, from), 'NotAuthorizedException');
      assert.match(String(decodeTokenPart(access, 1).scope), new RegExp(USER_SCOPE.replaceAll('.', '\\.')));
    });

    it('end with the login that they step up from', async () => {
      const totp = await enrolAuthenticator();
      const { access } = await stepDown();
      const asked = await start({ ...toward(4), ACCESS_TOKEN: access });
      await pool.operations.globalSignOut({ AccessToken: access }, TEST_CALL);
      await assertRefused(enterCode(pool, asked, username, totp()), 'NotAuthorizedException');
    });

    database.itOnSqlite('require a mandatory second factor even for a lower level', async () => {
      const totp = await enrolAuthenticator();
      const { access } = await stepDown();
      for (const more of [
        { ...BY_PASSWORD, ...toward(1) },
        { ...toward(1), ACCESS_TOKEN: access },
      ]) {
        const asked = await start(more);
        assert.equal(asked.ChallengeName, 'SOFTWARE_TOKEN_MFA');
        assert.equal(readClaims(await enterCode(pool, asked, username, totp())).acr, LOA(4));
      }
    });

    database.itOnSqlite(
      'start over from a token without a level of the pool, if nothing is left to prove',
      async () => {
        const plain = await byPassword();
        assert.equal((await start({ ...toward(1), ACCESS_TOKEN: plain.access })).ChallengeName, 'SELECT_CHALLENGE');
        const { access } = await leveled();
        const restore = await changePool({ kept: { AcrConfiguration: { Level1: { AcrValue: 'urn:own:1' } } } });
        const renamed = { TARGET_ACR_VALUES: 'urn:own:1', ACCESS_TOKEN: access };
        assert.equal((await start(renamed)).ChallengeName, 'SELECT_CHALLENGE');
        const { acr } = readClaims(await start({ ...BY_PASSWORD, TARGET_ACR_VALUES: 'urn:own:1' }));
        assert.equal(acr, 'urn:own:1');
        await assertRefused(start(toward(1)), 'InvalidParameterException');
        await restore();
      },
    );

    database.itOnSqlite('are not part of the plan LITE', async () => {
      const restore = await changePool({ kept: { UserPoolTier: 'LITE' } });
      await assertRefused(start(toward(1)), 'FeatureUnavailableInTierException');
      await restore();
    });
  });
});
