import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { secureRandom, startClient } from '@poolgate/srp';
import { openSslEngine } from '@poolgate/srp/openssl';
import { assertRefused } from '../testing/assert-refused.ts';
import { createCallJournal } from '../testing/call-journal.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { createRememberedDevice } from '../testing/test-devices.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import {
  countOutcomes,
  createOtherCode,
  enterCode,
  type LoginOutput,
  proveDevice,
  respondToChallenge,
  sentCode,
  startChoiceLogin,
} from '../testing/test-logins.ts';
import { WEB_AUTHN } from '../testing/test-passkeys.ts';
import {
  addUser,
  inviteUser,
  openTestPool,
  openTestPoolOn,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { computeSrpAnswer, describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';
import { enrolTotp } from '../testing/test-totp.ts';

const WRONG = 'Incorrect username or password.';
const WRONG_CODE = 'Invalid code or auth state for the user.';
const LOCKED = 'Attempt limit exceeded, please try after some time.';
const BY_EMAIL = { PREFERRED_CHALLENGE: 'EMAIL_OTP' };
const ALL = ['PASSWORD_SRP', 'PASSWORD', 'EMAIL_OTP'];

forEachDatabase((database) => {
  describe(`choice-based logins on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let username: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());
    beforeEach(async () => {
      pool.clock.advance(3_600_000);
      name = `user${users++}@example.com`;
      username = await addUser(pool, name);
    });

    database.itOnSqlite('list what the user can log in with, without factors that have no challenge yet', async () => {
      const asked = await startChoiceLogin(pool, name);
      assert.equal(asked.ChallengeName, 'SELECT_CHALLENGE');
      assert.deepEqual([asked.AvailableChallenges, asked.ChallengeParameters], [ALL, {}]);
      for (const call of [
        () => startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'WEB_AUTHN' }),
        () => startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'SMS_OTP' }),
      ]) {
        assert.equal((await assertRefused(call(), 'InvalidParameterException')).reason, 'challenge_mismatch');
      }
    });

    it('accept the password: chosen with it, chosen first, and answered at once', async () => {
      requireTokens(await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD }));
      const asked = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'PASSWORD' });
      assert.equal(asked.ChallengeName, 'PASSWORD');
      requireTokens(await respondToChallenge(pool, asked, name, { PASSWORD }));
      requireTokens(
        await respondToChallenge(pool, await startChoiceLogin(pool, name), name, { ANSWER: 'PASSWORD', PASSWORD }),
      );
      requireTokens(await respondToChallenge(pool, await startChoiceLogin(pool, name), name, { PASSWORD }, 'PASSWORD'));
      const chosen = await respondToChallenge(pool, await startChoiceLogin(pool, name), name, { ANSWER: 'PASSWORD' });
      requireTokens(await respondToChallenge(pool, chosen, name, { PASSWORD }));
      for (const call of [
        () => startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: 'wrong' }),
        () =>
          startChoiceLogin(pool, name).then((step) =>
            respondToChallenge(pool, step, name, { ANSWER: 'PASSWORD', PASSWORD: 'wrong' }),
          ),
      ]) {
        await assertRefused(call(), 'NotAuthorizedException', WRONG);
      }
    });

    it('accept the password by SRP: preferred, chosen, and answered at once', async () => {
      const first = () => startClient({ engine: openSslEngine, random: secureRandom });
      const ways: readonly ((SRP_A: string) => Promise<LoginOutput>)[] = [
        (SRP_A) => startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'PASSWORD_SRP', SRP_A }),
        async (SRP_A) =>
          respondToChallenge(pool, await startChoiceLogin(pool, name), name, { ANSWER: 'PASSWORD_SRP', SRP_A }),
        async (SRP_A) => respondToChallenge(pool, await startChoiceLogin(pool, name), name, { SRP_A }, 'PASSWORD_SRP'),
        async (SRP_A) =>
          respondToChallenge(pool, await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'PASSWORD_SRP' }), name, {
            SRP_A,
          }),
      ];
      for (const way of ways) {
        const start = first();
        const output = await way(start.srpAHex);
        assert.equal(output.ChallengeName, 'PASSWORD_VERIFIER');
        const answer = computeSrpAnswer(pool, { start, parameters: output.ChallengeParameters ?? {}, output });
        requireTokens(await pool.operations.respondToAuthChallenge(answer, TEST_CALL));
      }
      await assertRefused(
        startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'PASSWORD_SRP', SRP_A: '0' }),
        'InvalidParameterException',
      );
    });

    database.itOnSqlite('accept a code of eight digits by email: preferred and chosen', async () => {
      for (const way of [
        () => startChoiceLogin(pool, name, BY_EMAIL),
        async () => respondToChallenge(pool, await startChoiceLogin(pool, name), name, { ANSWER: 'EMAIL_OTP' }),
      ]) {
        const asked = await way();
        assert.equal(asked.ChallengeName, 'EMAIL_OTP');
        assert.deepEqual(asked.AvailableChallenges, ALL);
        assert.deepEqual(asked.ChallengeParameters, {
          CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL',
          CODE_DELIVERY_DESTINATION: 'u***@e***',
        });
        const code = sentCode(pool, name);
        assert.match(code, /^\d{8}$/);
        await assertRefused(enterCode(pool, asked, name, createOtherCode(code)), 'CodeMismatchException', WRONG_CODE);
        requireTokens(await enterCode(pool, asked, name, code));
        await assertRefused(enterCode(pool, asked, name, code), 'NotAuthorizedException');
      }
    });

    it('give one token set for 50 identical parallel right codes', async () => {
      const asked = await startChoiceLogin(pool, name, BY_EMAIL);
      const code = sentCode(pool, name);
      const replica = pool.replica();
      const calls = Array.from({ length: 50 }, (_, i) =>
        describeOutcome(enterCode(i % 2 ? pool : replica, asked, name, code)),
      );
      assert.equal(countOutcomes(await Promise.all(calls)).tokens, 1);
    });

    database.itOnSqlite('check ten codes, and new codes do not reset the count', async () => {
      const outcomes: string[] = [];
      for (let sends = 0; sends < 3; sends++) {
        const asked = await startChoiceLogin(pool, name, BY_EMAIL);
        const code = sentCode(pool, name);
        for (let i = 1; i <= 4; i++)
          outcomes.push(await describeOutcome(enterCode(pool, asked, name, createOtherCode(code, i))));
      }
      assert.deepEqual(countOutcomes(outcomes), { [WRONG_CODE]: 10, [LOCKED]: 2 });
      const asked = await startChoiceLogin(pool, name, BY_EMAIL);
      assert.equal(await describeOutcome(enterCode(pool, asked, name, sentCode(pool, name))), LOCKED);
    });

    database.itOnSqlite('bind a code to its session and purpose', async () => {
      const first = await startChoiceLogin(pool, name, BY_EMAIL);
      const code = sentCode(pool, name);
      const second = await startChoiceLogin(pool, name, BY_EMAIL);
      await assertRefused(enterCode(pool, second, name, code), 'CodeMismatchException', WRONG_CODE);
      requireTokens(await enterCode(pool, first, name, code));
    });

    database.itOnSqlite('invalidate a code after the address was changed', async () => {
      const asked = await startChoiceLogin(pool, name, BY_EMAIL);
      const user = await pool.store.users.byUsername(pool.userPoolId, username);
      const attributes = { ...user?.attributes, email: `moved-${name}` };
      await pool.store.write((transaction) =>
        transaction.users.update(pool.userPoolId, username, { attributes, modifiedAtMs: pool.clock.now() }),
      );
      const code = sentCode(pool, name);
      await assertRefused(enterCode(pool, asked, name, code), 'CodeMismatchException', WRONG_CODE);
    });

    database.itOnSqlite('accept a code for up to ten minutes, however long a session lasts', async () => {
      const patient = await openTestPool(await database.create(), { client: { authSessionSeconds: 900 } });
      await addUser(patient, name);
      const [early, code] = [await startChoiceLogin(patient, name, BY_EMAIL), sentCode(patient, name)];
      patient.clock.advance(599_000);
      requireTokens(await enterCode(patient, early, name, code));
      const [late, old] = [await startChoiceLogin(patient, name, BY_EMAIL), sentCode(patient, name)];
      patient.clock.advance(600_000);
      await assertRefused(enterCode(patient, late, name, old), 'ExpiredCodeException');
      await patient.close();
    });

    database.itOnSqlite('do not offer codes to users with a second factor, and accept none from them', async () => {
      await enrolTotp(pool, requireTokens(await loginByPassword(pool, name)).access);
      assert.deepEqual((await startChoiceLogin(pool, name)).AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD']);
      const before = pool.sent.length;
      const asked = await startChoiceLogin(pool, name, BY_EMAIL);
      assert.equal(asked.ChallengeName, 'EMAIL_OTP');
      assert.equal(pool.sent.length, before);
      const next = await startChoiceLogin(pool, name, { PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD });
      assert.equal(next.ChallengeName, 'SOFTWARE_TOKEN_MFA');
    });

    database.itOnSqlite('offer only passwords if a second factor is required', async () => {
      const strict = await openTestPool(await database.create(), { pool: { mfaConfiguration: 'ON' } });
      await addUser(strict, name);
      for (const who of [name, `no${name}`]) {
        assert.deepEqual((await startChoiceLogin(strict, who)).AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD']);
        assert.equal((await startChoiceLogin(strict, who, BY_EMAIL)).ChallengeName, 'EMAIL_OTP');
      }
      assert.equal(strict.sent.length, 0);
      await strict.close();
    });

    database.itOnSqlite('give a user with a temporary password no way but the password', async () => {
      const guest = `guest-${name}`;
      await inviteUser(pool, guest);
      const asked = await startChoiceLogin(pool, guest);
      assert.deepEqual(asked.AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD']);
      const before = pool.sent.length;
      await startChoiceLogin(pool, guest, BY_EMAIL);
      assert.equal(pool.sent.length, before);
      const next = await respondToChallenge(pool, asked, guest, { ANSWER: 'PASSWORD', PASSWORD });
      assert.equal(next.ChallengeName, 'NEW_PASSWORD_REQUIRED');
    });

    database.itOnSqlite('give a user whose password is to be reset no tokens for a code', async () => {
      const asked = await startChoiceLogin(pool, name, BY_EMAIL);
      await change({ status: 'RESET_REQUIRED' });
      await assertRefused(enterCode(pool, asked, name, sentCode(pool, name)), 'PasswordResetRequiredException');
    });

    database.itOnSqlite('give a disabled user no tokens for a code', async () => {
      const asked = await startChoiceLogin(pool, name, BY_EMAIL);
      await change({ enabled: false });
      await assertRefused(
        enterCode(pool, asked, name, sentCode(pool, name)),
        'NotAuthorizedException',
        'User is disabled.',
      );
    });

    function change(what: { readonly status?: 'RESET_REQUIRED'; readonly enabled?: boolean }): Promise<void> {
      return pool.store.write((transaction) =>
        transaction.users.update(pool.userPoolId, username, { ...what, modifiedAtMs: pool.clock.now() }),
      );
    }

    database.itOnSqlite('bind a choice and a code to their user', async () => {
      const other = await addUser(pool, `other${name}`);
      await assertRefused(
        respondToChallenge(pool, await startChoiceLogin(pool, name), other, { ANSWER: 'EMAIL_OTP' }),
        'NotAuthorizedException',
      );
      const asked = await startChoiceLogin(pool, name, BY_EMAIL);
      await assertRefused(enterCode(pool, asked, other, sentCode(pool, name)), 'NotAuthorizedException');
      requireTokens(await enterCode(pool, asked, name, sentCode(pool, name)));
    });

    database.itOnSqlite('accept no answer out of order', async () => {
      const list = await startChoiceLogin(pool, name);
      const asked = await startChoiceLogin(pool, name, BY_EMAIL);
      const code = { EMAIL_OTP_CODE: sentCode(pool, name) };
      for (const call of [
        () => respondToChallenge(pool, list, name, code, 'EMAIL_OTP'),
        () => respondToChallenge(pool, asked, name, { PASSWORD }, 'PASSWORD'),
        () => respondToChallenge(pool, asked, name, { ANSWER: 'PASSWORD', PASSWORD }, 'SELECT_CHALLENGE'),
        () => respondToChallenge(pool, list, name, { SOFTWARE_TOKEN_MFA_CODE: '000000' }, 'SOFTWARE_TOKEN_MFA'),
        () => respondToChallenge(pool, list, name, {}, 'MFA_SETUP'),
        () => respondToChallenge(pool, list, name, { ANSWER: 'SMS_MFA' }),
        () => respondToChallenge(pool, list, name, { ANSWER: 'constructor' }),
      ]) {
        assert.equal((await assertRefused(call(), 'InvalidParameterException')).reason, 'challenge_mismatch');
      }
      requireTokens(await enterCode(pool, asked, name, code.EMAIL_OTP_CODE));
    });

    database.itOnSqlite('ask a remembered device for its proof, whenever its key was named', async () => {
      const device = await createRememberedDevice(pool, name);
      const key = { DEVICE_KEY: device.key };
      const byCode = await startChoiceLogin(pool, name, { ...BY_EMAIL, ...key });
      const list = await startChoiceLogin(pool, name, key);
      for (const asked of [
        await enterCode(pool, byCode, name, sentCode(pool, name)),
        await respondToChallenge(pool, list, name, { ANSWER: 'PASSWORD', PASSWORD }),
      ]) {
        requireTokens(await proveDevice(pool, asked, username, device));
      }
    });

    database.itOnSqlite('confirm an unconfirmed user and the address with the code', async () => {
      const { operations, clientId: ClientId } = pool;
      await operations.signUp({ ClientId, Username: `new-${name}`, Password: PASSWORD }, TEST_CALL);
      const asked = await startChoiceLogin(pool, `new-${name}`, BY_EMAIL);
      requireTokens(await enterCode(pool, asked, `new-${name}`, sentCode(pool, `new-${name}`)));
      const found = await pool.store.users.byName(pool.userPoolId, `new-${name}`);
      assert.deepEqual([found?.user.status, found?.user.attributes.email_verified], ['CONFIRMED', 'true']);
    });

    it('continue from a confirmed sign-up without another proof, once, for that user', async () => {
      const { operations, clientId: ClientId } = pool;
      const Username = `new-${name}`;
      await operations.signUp({ ClientId, Username, Password: PASSWORD }, TEST_CALL);
      const ConfirmationCode = sentCode(pool, Username);
      const { Session = '' } = await operations.confirmSignUp({ ClientId, Username, ConfirmationCode }, TEST_CALL);
      await assertRefused(
        startChoiceLogin(pool, name, {}, Session),
        'NotAuthorizedException',
        'Invalid session for the user.',
      );
      const list = await startChoiceLogin(pool, Username);
      const wrongKind = await assertRefused(
        startChoiceLogin(pool, Username, {}, list.Session),
        'InvalidParameterException',
      );
      assert.equal(wrongKind.reason, 'challenge_mismatch');
      const calls = Array.from({ length: 10 }, () => describeOutcome(startChoiceLogin(pool, Username, {}, Session)));
      assert.equal(countOutcomes(await Promise.all(calls)).tokens, 1);
    });

    database.itOnSqlite('end the session of a confirmed sign-up on time', async () => {
      const { operations, clientId: ClientId } = pool;
      const Username = `new-${name}`;
      await operations.signUp({ ClientId, Username, Password: PASSWORD }, TEST_CALL);
      const ConfirmationCode = sentCode(pool, Username);
      const { Session = '' } = await operations.confirmSignUp({ ClientId, Username, ConfirmationCode }, TEST_CALL);
      pool.clock.advance(180_000);
      await assertRefused(startChoiceLogin(pool, Username, {}, Session), 'NotAuthorizedException');
    });

    database.itOnSqlite('accept SMS codes if the pool does', async () => {
      const mobile = await openTestPool(await database.create(), {
        pool: { usernameAttributes: ['phone_number'], firstFactors: ['PASSWORD', 'SMS_OTP'], requiredAttributes: [] },
      });
      await addUser(mobile, '+15551234567');
      const asked = await startChoiceLogin(mobile, '+15551234567');
      assert.deepEqual(asked.AvailableChallenges, ['PASSWORD_SRP', 'PASSWORD', 'SMS_OTP']);
      const code = await respondToChallenge(mobile, asked, '+15551234567', { ANSWER: 'SMS_OTP' });
      assert.equal(code.ChallengeParameters?.CODE_DELIVERY_DESTINATION, '+*******4567');
      requireTokens(await enterCode(mobile, code, '+15551234567', sentCode(mobile, '+15551234567')));
      await mobile.close();
    });
  });

  describe(`choice-based logins of unknown names, on ${database.name}`, () => {
    let opened: TestEnvironment;
    let pool: TestPool;
    let take: () => readonly string[];
    before(async () => {
      opened = await openTestEnvironment(await database.create());
      const journal = createCallJournal(opened);
      take = journal.takeEntries;
      pool = await openTestPoolOn(journal.opened);
      await addUser(pool, 'ada@example.com');
    });
    after(() => opened.close());
    beforeEach(async () => {
      pool.clock.advance(3_600_000);
      await describeOutcome(loginByPassword(pool, 'warm-up@example.com'));
      take();
    });

    it('list what most users have, the same each time and on every replica', async () => {
      const lists = new Map<string, unknown>();
      for (let i = 0; i < 80; i++) {
        const name = `nobody${i}@example.com`;
        lists.set(name, (await startChoiceLogin(pool, name)).AvailableChallenges);
        assert.deepEqual(
          (await startChoiceLogin(pool.replica(), name.toUpperCase())).AvailableChallenges,
          lists.get(name),
        );
      }
      const rare = [...lists.values()]
        .map((list) => JSON.stringify(list))
        .filter((list) => list !== JSON.stringify(ALL));
      // One in 600 has no codes. Six of those are less likely than one in ten million.
      assert.ok(rare.length < 6, rare.join());
      for (const list of rare) assert.equal(list, JSON.stringify(ALL.slice(0, 2)));
    });

    database.itOnSqlite('are challenged like users: the same form, the same work, and nothing sent', async () => {
      const known = await startChoiceLogin(pool, 'ada@example.com', BY_EMAIL);
      const knownWork = take();
      const before = pool.sent.length;
      const unknown = await startChoiceLogin(pool, 'eve@example.com', BY_EMAIL);
      assert.deepEqual(take(), knownWork);
      assert.equal(pool.sent.length, before);
      assert.equal(unknown.ChallengeName, known.ChallengeName);
      assert.deepEqual(Object.keys(unknown), Object.keys(known));
      // A salt is an integer. For users and decoys, one in sixteen is a digit shorter.
      assert.ok(Math.abs((unknown.Session?.length ?? 0) - (known.Session?.length ?? 99)) <= 4);
      assert.equal(unknown.ChallengeParameters?.CODE_DELIVERY_DESTINATION, 'e***@e***');
    });

    database.itOnSqlite(
      'start with a passkey or a password like users, with reads only, because a write would lock only a user',
      async () => {
        const { firstFactors } = (await pool.embedded.setUp({ userPoolId: pool.userPoolId })).pool.settings;
        const withPasskeys = { webAuthn: WEB_AUTHN, firstFactors: ['PASSWORD', 'EMAIL_OTP', 'WEB_AUTHN'] } as const;
        await pool.embedded.setUp({ userPoolId: pool.userPoolId, ...withPasskeys });
        await startChoiceLogin(pool, 'warm-up@example.com');
        for (const PREFERRED_CHALLENGE of ['WEB_AUTHN', 'PASSWORD', 'PASSWORD_SRP']) {
          take();
          const known = await startChoiceLogin(pool, 'ada@example.com', { PREFERRED_CHALLENGE });
          const knownWork = take();
          const unknown = await startChoiceLogin(pool, 'eve@example.com', { PREFERRED_CHALLENGE });
          assert.equal(known.ChallengeName, PREFERRED_CHALLENGE);
          assert.equal(unknown.ChallengeName, PREFERRED_CHALLENGE);
          assert.deepEqual(take(), knownWork);
          assert.ok(!knownWork.includes('write'), knownWork.join());
        }
        await pool.embedded.setUp({ userPoolId: pool.userPoolId, webAuthn: null, firstFactors });
      },
    );

    database.itOnSqlite('are refused and locked like users', async () => {
      const answers = { known: [] as unknown[], unknown: [] as unknown[] };
      for (const [kind, name] of [
        ['known', 'ada@example.com'],
        ['unknown', 'eve@example.com'],
      ] as const) {
        const asked = await startChoiceLogin(pool, name, BY_EMAIL);
        for (let i = 0; i < 12; i++) {
          take();
          const error = await assertRefused(
            enterCode(pool, asked, name, '00000000'),
            i < 10 ? 'CodeMismatchException' : 'NotAuthorizedException',
          );
          answers[kind].push([error.code, error.message, error.reason, error.retryAfterSeconds, take()]);
        }
      }
      assert.deepEqual(answers.unknown, answers.known);
    });

    database.itOnSqlite('get as many codes as users, with the same refusal', async () => {
      const ends: unknown[] = [];
      for (const name of ['ada@example.com', 'eve@example.com']) {
        for (let i = 0; i < 5; i++) await startChoiceLogin(pool, name, BY_EMAIL);
        const { code, message, retryAfterSeconds } = await assertRefused(
          startChoiceLogin(pool, name, BY_EMAIL),
          'LimitExceededException',
        );
        ends.push([code, message, retryAfterSeconds]);
      }
      assert.deepEqual(ends[0], ends[1]);
      assert.equal(pool.sent.filter(({ to }) => to === 'eve@example.com').length, 0);
    });

    database.itOnSqlite('accept no password', async () => {
      const list = await startChoiceLogin(pool, 'eve@example.com');
      assert.equal(
        await describeOutcome(respondToChallenge(pool, list, 'eve@example.com', { ANSWER: 'PASSWORD', PASSWORD })),
        WRONG,
      );
    });
  });
});
