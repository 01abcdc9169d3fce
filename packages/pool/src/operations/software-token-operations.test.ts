import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Output } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import {
  answerTotp,
  associateTotp,
  computeTestTotpCode,
  computeWrongTotpCode,
  enrolTotp,
  verifyTotp,
} from '../testing/test-totp.ts';

const MISMATCH = ['EnableSoftwareTokenMFAException', 'Code mismatch'] as const;
const USED = ['ExpiredCodeException', 'Your software token has already been used once.'] as const;
const STEP_MS = 30_000;

forEachDatabase((database) => {
  describe(`authenticators on ${database.name}`, () => {
    let pool: TestPool;
    let count = 0;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());

    /** A user without factors, and a valid access token. */
    const someone = async () => {
      const name = `user${count++}@example.com`;
      const username = await addUser(pool, name);
      return { name, username, access: requireTokens(await loginByPassword(pool, name)).access };
    };
    const login = (name: string) => loginByPassword(pool, name);
    const show = async (name: string, code: string, at = pool) => answerTotp(at, await login(name), name, code);

    database.itOnSqlite('shows a secret of 256 bits, accepts its code, and requires codes once turned on', async () => {
      const { name, access } = await someone();
      const secretCode = await associateTotp(pool, access);
      assert.match(secretCode, /^[A-Z2-7]{52}$/);
      assert.deepEqual(await verifyTotp(pool, access, computeTestTotpCode(pool, secretCode)), { Status: 'SUCCESS' });
      requireTokens(await login(name));
      const settings = { SoftwareTokenMfaSettings: { Enabled: true } };
      await pool.operations.setUserMFAPreference({ AccessToken: access, ...settings }, TEST_CALL);
      pool.clock.advance(STEP_MS);
      requireTokens(await show(name, computeTestTotpCode(pool, secretCode)));
    });

    database.itOnSqlite('names an authenticator as the user does, or Authenticator', async () => {
      const { name, username, access } = await someone();
      const fetchDeviceName = async () => (await login(name)).ChallengeParameters?.FRIENDLY_DEVICE_NAME;
      await enrolTotp(pool, access);
      assert.equal(await fetchDeviceName(), 'Authenticator');
      for (const [given, expected] of [
        ['My phone 📱', 'My phone 📱'],
        ['', 'Authenticator'],
      ] as const) {
        const secretCode = await associateTotp(pool, access);
        await verifyTotp(pool, access, computeTestTotpCode(pool, secretCode), given);
        assert.equal((await pool.store.authenticators.byState(pool.userPoolId, username, 'active'))?.name, expected);
        assert.equal(await fetchDeviceName(), expected);
      }
      const secretCode = await associateTotp(pool, access);
      for (const bad of ['a\u0000', 'x'.repeat(1025)]) {
        await assertRefused(
          verifyTotp(pool, access, computeTestTotpCode(pool, secretCode), bad),
          'InvalidParameterException',
        );
      }
    });

    database.itOnSqlite('an unverified secret logs no one in, and does not replace the active one', async () => {
      const { name, access } = await someone();
      const works = await enrolTotp(pool, access);
      const waits = await associateTotp(pool, access);
      pool.clock.advance(STEP_MS);
      await assertRefused(show(name, computeTestTotpCode(pool, waits)), 'CodeMismatchException');
      await assertRefused(verifyTotp(pool, access, computeWrongTotpCode(pool, waits)), ...MISMATCH);
      requireTokens(await show(name, computeTestTotpCode(pool, works)));
      pool.clock.advance(STEP_MS);
      await verifyTotp(pool, access, computeTestTotpCode(pool, waits));
      pool.clock.advance(STEP_MS);
      await assertRefused(show(name, computeTestTotpCode(pool, works)), 'CodeMismatchException');
      requireTokens(await show(name, computeTestTotpCode(pool, waits)));
    });

    database.itOnSqlite('a second pending secret replaces the first', async () => {
      const { access } = await someone();
      const first = await associateTotp(pool, access);
      const second = await associateTotp(pool, access);
      await assertRefused(verifyTotp(pool, access, computeTestTotpCode(pool, first)), ...MISMATCH);
      await verifyTotp(pool, access, computeTestTotpCode(pool, second));
      await assertRefused(
        verifyTotp(pool, access, computeTestTotpCode(pool, second)),
        'SoftwareTokenMFANotFoundException',
      );
    });

    it('the code that enrolled an authenticator logs no one in, on any replica, and the next one does once', async () => {
      const { name, access } = await someone();
      const secretCode = await enrolTotp(pool, access);
      const replica = pool.replica();
      for (const at of [pool, replica]) {
        await assertRefused(show(name, computeTestTotpCode(pool, secretCode), at), ...USED);
        await assertRefused(show(name, computeTestTotpCode(pool, secretCode, -1), at), ...USED);
      }
      const next = computeTestTotpCode(pool, secretCode, 1);
      requireTokens(await show(name, next));
      for (const waitMs of [0, 1_000, STEP_MS]) {
        pool.clock.advance(waitMs);
        await assertRefused(show(name, next, replica), ...USED);
      }
    });

    it('a time step is not accepted twice because the authenticator was replaced', async () => {
      const { name, access } = await someone();
      const old = await enrolTotp(pool, access);
      const ahead = computeTestTotpCode(pool, old, 1);
      requireTokens(await show(name, ahead));
      const secretCode = await associateTotp(pool, access);
      await verifyTotp(pool, access, computeTestTotpCode(pool, secretCode, -1));
      for (const steps of [-1, 0, 1])
        await assertRefused(show(name, computeTestTotpCode(pool, secretCode, steps)), ...USED);
      pool.clock.advance(2 * STEP_MS);
      requireTokens(await show(name, computeTestTotpCode(pool, secretCode)));
    });

    it('one of twenty equal parallel codes at two replicas logs in', async () => {
      const { name, access } = await someone();
      const secretCode = await enrolTotp(pool, access);
      pool.clock.advance(STEP_MS);
      const code = computeTestTotpCode(pool, secretCode);
      const replica = pool.replica();
      const logins = await Promise.all(Array.from({ length: 20 }, () => login(name)));
      const answers = await Promise.allSettled(
        logins.map((challenged, index) => answerTotp(index % 2 ? pool : replica, challenged, name, code)),
      );
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    });

    it('a hundred parallel wrong codes are ten guesses, and the right one is refused until the lockout ends', async () => {
      const { name, access } = await someone();
      const secretCode = await associateTotp(pool, access);
      const replica = pool.replica();
      const answers = await Promise.allSettled(
        Array.from({ length: 100 }, (_, index) => {
          const code = computeWrongTotpCode(pool, secretCode, index * 5_000);
          return verifyTotp(index % 2 ? pool : replica, access, code);
        }),
      );
      const codes = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.code : 'taken'));
      assert.equal(codes.filter((code) => code === MISMATCH[0]).length, 10);
      assert.equal(codes.filter((code) => code === 'LimitExceededException').length, 90);
      const locked = await assertRefused(
        verifyTotp(pool, access, computeTestTotpCode(pool, secretCode)),
        'LimitExceededException',
      );
      assert.deepEqual([locked.reason, locked.retryAfterSeconds], ['locked', 900]);
      pool.clock.advance(15 * 60_000);
      const { access: later } = requireTokens(await login(name));
      await enrolTotp(pool, later);
    });

    database.itOnSqlite('a pending secret lasts exactly 15 minutes', async () => {
      const { access } = await someone();
      const inTime = await associateTotp(pool, access);
      pool.clock.advance(15 * 60_000 - 1);
      assert.deepEqual(await verifyTotp(pool, access, computeTestTotpCode(pool, inTime)), { Status: 'SUCCESS' });
      const tooLate = await associateTotp(pool, access);
      pool.clock.advance(15 * 60_000);
      await assertRefused(
        verifyTotp(pool, access, computeTestTotpCode(pool, tooLate)),
        'SoftwareTokenMFANotFoundException',
      );
      const again = await associateTotp(pool, access);
      assert.deepEqual(await verifyTotp(pool, access, computeTestTotpCode(pool, again)), { Status: 'SUCCESS' });
    });

    database.itOnSqlite(
      "wrong login codes stay counted after the user's own enrollment, whose wrong codes are counted separately",
      async () => {
        const { name, access } = await someone();
        const secretCode = await enrolTotp(pool, access);
        for (let tries = 0; tries < 9; tries++) {
          await assertRefused(show(name, computeWrongTotpCode(pool, secretCode)), 'CodeMismatchException');
        }
        const waits = await associateTotp(pool, access);
        await verifyTotp(pool, access, computeTestTotpCode(pool, waits));
        const next = await associateTotp(pool, access);
        for (let tries = 0; tries < 10; tries++) {
          await assertRefused(verifyTotp(pool, access, computeWrongTotpCode(pool, next)), ...MISMATCH);
        }
        const { reason } = await assertRefused(
          verifyTotp(pool, access, computeTestTotpCode(pool, next)),
          'LimitExceededException',
        );
        assert.equal(reason, 'locked');
        pool.clock.advance(STEP_MS);
        await assertRefused(show(name, computeWrongTotpCode(pool, waits)), 'CodeMismatchException');
        await assert.rejects(show(name, computeTestTotpCode(pool, waits)), { reason: 'locked' });
      },
    );

    database.itOnSqlite('accepts either an access token or a session', async () => {
      const { access } = await someone();
      for (const proof of [{}, { AccessToken: access, Session: 'x'.repeat(20) }]) {
        const one = ['InvalidParameterException', 'Either AccessToken or Session must be provided.'] as const;
        await assertRefused(pool.operations.associateSoftwareToken(proof, TEST_CALL), ...one);
        const answer = { ...proof, UserCode: '000000' };
        await assertRefused(pool.operations.verifySoftwareToken(answer, TEST_CALL), ...one);
      }
      const foreign = { Session: 'x'.repeat(20) };
      await assertRefused(pool.operations.associateSoftwareToken(foreign, TEST_CALL), 'NotAuthorizedException');
    });
  });

  describe(`pools without authenticators on ${database.name}`, () => {
    database.itOnSqlite('allow no enrollment', async () => {
      for (const settings of [{ mfaConfiguration: 'OFF' }, { mfaMethods: [] }] as const) {
        const pool = await openTestPool(await database.create(), { pool: settings });
        await addUser(pool, 'ada@example.com');
        const { access } = requireTokens(await loginByPassword(pool, 'ada@example.com'));
        const none = [
          'SoftwareTokenMFANotFoundException',
          'Software Token MFA has not been enabled by the userPool',
        ] as const;
        const calls = [() => associateTotp(pool, access), () => verifyTotp(pool, access, '000000')];
        for (const call of calls) assert.equal((await assertRefused(call(), ...none)).reason, 'flow_disabled');
        await pool.close();
      }
    });
  });

  describe(`authenticators set up during a login on ${database.name}`, () => {
    let pool: TestPool;
    let count = 0;
    before(async () => {
      pool = await openTestPool(await database.create(), { pool: { mfaConfiguration: 'ON' } });
    });
    after(() => pool.close());

    const start = async () => {
      const name = `user${count++}@example.com`;
      await addUser(pool, name);
      const challenged = await loginByPassword(pool, name);
      assert.equal(challenged.ChallengeName, 'MFA_SETUP');
      assert.deepEqual(JSON.parse(challenged.ChallengeParameters?.MFAS_CAN_SETUP ?? ''), ['SOFTWARE_TOKEN_MFA']);
      return { name, session: challenged.Session ?? '' };
    };
    const associateBy = (Session: string) => pool.operations.associateSoftwareToken({ Session }, TEST_CALL);
    const verifyBy = (Session: string, UserCode: string) =>
      pool.operations.verifySoftwareToken({ Session, UserCode }, TEST_CALL);
    const finish = (name: string, Session: string): Promise<Output<'RespondToAuthChallenge'>> =>
      pool.operations.respondToAuthChallenge(
        { ClientId: pool.clientId, ChallengeName: 'MFA_SETUP', Session, ChallengeResponses: { USERNAME: name } },
        TEST_CALL,
      );
    /** Continues up to the verified code. */
    const prove = async (session: string) => {
      const { SecretCode = '', Session: waiting = '' } = await associateBy(session);
      await assertRefused(verifyBy(waiting, computeWrongTotpCode(pool, SecretCode)), ...MISMATCH);
      const { Status, Session: proven = '' } = await verifyBy(waiting, computeTestTotpCode(pool, SecretCode));
      assert.equal(Status, 'SUCCESS');
      return { secretCode: SecretCode, waiting, proven };
    };

    database.itOnSqlite('are turned on and preferred, and required from the next login on', async () => {
      const { name, session } = await start();
      const { secretCode, proven } = await prove(session);
      assert.equal(pool.sent.at(-1)?.subject, 'Your sign-in methods were changed');
      assert.equal(pool.sent.at(-1)?.to, name);
      const { access } = requireTokens(await finish(name, proven));
      const user = await pool.operations.getUser({ AccessToken: access }, TEST_CALL);
      assert.deepEqual(user.UserMFASettingList, ['SOFTWARE_TOKEN_MFA']);
      assert.equal(user.PreferredMfaSetting, 'SOFTWARE_TOKEN_MFA');
      await assertRefused(
        answerTotp(pool, await loginByPassword(pool, name), name, computeTestTotpCode(pool, secretCode)),
        ...USED,
      );
      pool.clock.advance(STEP_MS);
      requireTokens(
        await answerTotp(pool, await loginByPassword(pool, name), name, computeTestTotpCode(pool, secretCode)),
      );
    });

    database.itOnSqlite('accept each session once, and no session ends the login before the code', async () => {
      const { name, session } = await start();
      await assert.rejects(finish(name, session));
      const { secretCode, waiting, proven } = await prove((await loginByPassword(pool, name)).Session ?? '');
      for (const old of [waiting, session]) {
        await assertRefused(associateBy(old), 'NotAuthorizedException');
        await assertRefused(verifyBy(old, computeTestTotpCode(pool, secretCode)), 'NotAuthorizedException');
        await assert.rejects(finish(name, old));
      }
      requireTokens(await finish(name, proven));
      await assertRefused(finish(name, proven), 'NotAuthorizedException');
    });

    database.itOnSqlite('cannot be replaced with the password alone', async () => {
      const { name, session } = await start();
      const { Session: early = '', SecretCode = '' } = await associateBy(session);
      const honest = await prove((await loginByPassword(pool, name)).Session ?? '');
      requireTokens(await finish(name, honest.proven));
      await assertRefused(verifyBy(early, computeTestTotpCode(pool, SecretCode)), 'NotAuthorizedException');
      const challenged = await loginByPassword(pool, name);
      assert.equal(challenged.ChallengeName, 'SOFTWARE_TOKEN_MFA');
      await assert.rejects(associateBy(challenged.Session ?? ''), { reason: 'challenge_mismatch' });
    });

    it('are set up once, for ten parallel logins with a right code', async () => {
      const { name } = await start();
      const logins = await Promise.all(Array.from({ length: 10 }, () => loginByPassword(pool, name)));
      const sessions: string[] = [];
      let secret = '';
      for (const { Session = '' } of logins) {
        const { SecretCode = '', Session: waiting = '' } = await associateBy(Session);
        sessions.push(waiting);
        secret = SecretCode;
      }
      const code = computeTestTotpCode(pool, secret);
      const answers = await Promise.allSettled(sessions.map((session) => verifyBy(session, code)));
      assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    });

    database.itOnSqlite('are not set up with an expired session, or after the password was changed', async () => {
      const { name, session } = await start();
      const Password = 'Another-Horse2!';
      const user = { UserPoolId: pool.userPoolId, Username: name };
      await pool.operations.adminSetUserPassword({ ...user, Password, Permanent: true }, TEST_CALL);
      await assertRefused(associateBy(session), 'NotAuthorizedException');
      await pool.operations.adminSetUserPassword({ ...user, Password: PASSWORD, Permanent: true }, TEST_CALL);
      const { Session: late = '' } = await loginByPassword(pool, name);
      pool.clock.advance(180_000);
      await assertRefused(
        associateBy(late),
        'NotAuthorizedException',
        'Invalid session for the user, session is expired.',
      );
    });
  });
});
