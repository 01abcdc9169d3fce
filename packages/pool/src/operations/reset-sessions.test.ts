import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import {
  addUser,
  createCallFromNewAddress,
  createVerifiedEmail,
  inviteUser,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword } from '../testing/test-srp-logins.ts';
import { createVerifier, getVerifierPasswords } from '../testing/test-verifiers.ts';

const HOUR_MS = 3_600_000;
const FRESH = 'Another-Horse2!';
const MISMATCH = 'CodeMismatchException';
const LIMIT = 'LimitExceededException';

const requireResetSessions = ({ embedded }: TestPool) =>
  embedded.extensions.reset_sessions ?? assert.fail('no reset sessions');

interface AskedCode {
  readonly session: string;
  readonly code: string;
}

/** What `/password/forgot` returns to the requesting browser, and the code that the owner receives. */
async function ask(pool: TestPool, Username: string, call = createCallFromNewAddress()): Promise<AskedCode> {
  const { Session } = await requireResetSessions(pool).forgotPassword({ ClientId: pool.clientId, Username }, call);
  const code = pool.sent.findLast(({ to, code }) => to === Username && code !== undefined)?.code ?? '';
  return { session: Session, code };
}

interface Attempt {
  readonly session?: string;
  readonly code: string;
  readonly password?: string;
}

function reset(
  pool: TestPool,
  Username: string,
  { session, code, password = FRESH }: Attempt,
  call: CallContext = TEST_CALL,
) {
  const input = { ClientId: pool.clientId, Username, ConfirmationCode: code, Password: password };
  return requireResetSessions(pool).confirmForgotPassword(
    { ...input, ...(session === undefined ? {} : { Session: session }) },
    call,
  );
}

const wrong = (code: string) => (code === '00000000' ? '00000001' : '00000000');

/** Guesses without a session, each from its own network. */
async function guess(pool: TestPool, name: string, times: number, expected = MISMATCH): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await assertRefused(reset(pool, name, { code: 'x' }, createCallFromNewAddress()), expected);
  }
}

forEachDatabase((database) => {
  describe(`the session of a password reset on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());

    database.itOnSqlite(
      'keeps its code valid whatever codes strangers request, and without it only the newest code works',
      async () => {
        const name = 'owner@example.com';
        await addUser(pool, name);
        const own = await ask(pool, name);
        const strangers = await ask(pool, name);
        assert.notEqual(own.session, strangers.session);
        await assertRefused(reset(pool, name, { code: own.code }), MISMATCH);
        await assertRefused(reset(pool, name, { session: own.session, code: strangers.code }), MISMATCH);
        await assertRefused(reset(pool, name, { session: strangers.session, code: own.code }), MISMATCH);
        assert.ok((await reset(pool, name, own)).Session);
        assert.equal(await describeOutcome(loginByPassword(pool, name, FRESH)), 'tokens');
      },
    );

    it('works once, and no earlier code works after it', async () => {
      const name = 'once@example.com';
      await addUser(pool, name);
      const asked = [await ask(pool, name), await ask(pool, name), await ask(pool, name)];
      const [first, second, third] = asked as [AskedCode, AskedCode, AskedCode];
      const twice = await Promise.allSettled([reset(pool, name, first), reset(pool.replica(), name, first)]);
      const refused = twice.filter((entry) => entry.status === 'rejected');
      assert.deepEqual(
        refused.map(({ reason }) => reason.code),
        ['ExpiredCodeException'],
      );
      for (const late of [first, second]) await assertRefused(reset(pool, name, late), 'ExpiredCodeException');
      await assertRefused(reset(pool, name, { code: third.code }), MISMATCH);
      const again = await ask(pool, name);
      await reset(pool, name, { code: again.code });
      await assertRefused(reset(pool, name, again), 'ExpiredCodeException');
    });

    it('logs in the person who requested the code: once, and only with this password', async () => {
      const name = 'straight@example.com';
      await addUser(pool, name);
      const logIn = (Session = '', from: TestPool = pool) =>
        from.embedded.operations.initiateAuth(
          { AuthFlow: 'USER_AUTH', ClientId: pool.clientId, Session, AuthParameters: { USERNAME: name } },
          TEST_CALL,
        );
      const { Session } = await reset(pool, name, await ask(pool, name));
      const twice = await Promise.allSettled([logIn(Session), logIn(Session, pool.replica())]);
      assert.deepEqual(twice.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
      const { Session: none } = await reset(pool, name, { code: (await ask(pool, name)).code });
      assert.equal(none, undefined, 'a code without its session');
      const { Session: outdated } = await reset(pool, name, await ask(pool, name));
      await reset(pool, name, await ask(pool, name));
      await assertRefused(logIn(outdated), 'NotAuthorizedException');
      const { Session: late } = await reset(pool, name, await ask(pool, name));
      pool.clock.advance(3 * 60_000);
      await assertRefused(logIn(late), 'NotAuthorizedException');
    });

    database.itOnSqlite('lasts as long as its code, and only a right code reveals that it expired', async () => {
      const name = 'late@example.com';
      await addUser(pool, name);
      const asked = await ask(pool, name);
      pool.clock.advance(HOUR_MS - 1);
      await assertRefused(reset(pool, name, { ...asked, password: 'weak' }), 'InvalidPasswordException');
      pool.clock.advance(1);
      await assertRefused(reset(pool, name, { ...asked, code: wrong(asked.code) }), MISMATCH);
      await assertRefused(reset(pool, name, asked), 'ExpiredCodeException');
    });

    it('allows ten wrong codes of its own, in parallel or not, which lock no other session', async () => {
      const name = 'guessed@example.com';
      await addUser(pool, name);
      const own = await ask(pool, name);
      const strangers = await ask(pool, name);
      const tries = Array.from({ length: 14 }, () => reset(pool, name, { ...strangers, code: wrong(strangers.code) }));
      const codes = (await Promise.allSettled(tries)).map((entry) => (entry as PromiseRejectedResult).reason.code);
      assert.equal(codes.filter((code) => code === MISMATCH).length, 10);
      assert.equal(codes.filter((code) => code === LIMIT).length, 4);
      await assertRefused(reset(pool, name, strangers), LIMIT);
      assert.ok((await reset(pool, name, own)).Session);
    });

    database.itOnSqlite(
      'works after guesses without a session used up their hundred, for unknown names alike',
      async () => {
        const name = 'hundred@example.com';
        await addUser(pool, name);
        const own = await ask(pool, name);
        for (const who of [name, 'no-hundred@example.com']) {
          if (who !== name) await ask(pool, who);
          await guess(pool, who, 100);
          const refusal = await assertRefused(reset(pool, who, { code: own.code }), LIMIT);
          assert.equal(refusal.retryAfterSeconds, 3_600);
          await ask(pool, who);
          await guess(pool, who, 1);
        }
        assert.ok((await reset(pool, name, own)).Session);
      },
    );

    database.itOnSqlite('is bound to its user and client, and an altered one is refused', async () => {
      const name = 'bound@example.com';
      const username = await addUser(pool, name);
      await addUser(pool, 'other@example.com');
      const asked = await ask(pool, name);
      const invalid = async (attempt: Attempt, who = name) => {
        const { reason } = await assertRefused(reset(pool, who, attempt), 'NotAuthorizedException');
        assert.equal(reason, 'invalid_session');
      };
      await invalid(asked, 'other@example.com');
      await invalid(asked, 'nobody@example.com');
      await invalid({ ...asked, session: `${asked.session.slice(0, -2)}AA` });
      await invalid({ ...asked, session: 'none' });
      assert.ok((await reset(pool, username, asked)).Session, 'the user name itself names the same user');
    });

    database.itOnSqlite(
      'sets no password once the contact of its code is no longer verified as the user’s',
      async () => {
        const name = 'moved@example.com';
        await addUser(pool, name);
        const asked = await ask(pool, name);
        const UserAttributes = createVerifiedEmail('elsewhere@example.com');
        const user = { UserPoolId: pool.userPoolId, Username: name };
        const { Username = '' } = await pool.operations.adminGetUser(user, TEST_CALL);
        await pool.operations.adminUpdateUserAttributes({ ...user, UserAttributes }, TEST_CALL);
        await assertRefused(reset(pool, Username, asked), 'NotAuthorizedException');
      },
    );

    database.itOnSqlite('accepts a verifier as well', async () => {
      const name = 'verifier@example.com';
      const username = await addUser(pool, name);
      const asked = await ask(pool, name);
      const verifiers = getVerifierPasswords(pool);
      const PasswordVerifier = createVerifier(pool, username, 'ab'.repeat(16), FRESH);
      const input = { ClientId: pool.clientId, Username: name, PasswordVerifier };
      const wrongly = { ...input, ConfirmationCode: wrong(asked.code), Session: asked.session };
      await assertRefused(verifiers.confirmForgotPassword(wrongly, TEST_CALL), MISMATCH);
      await verifiers.confirmForgotPassword({ ...wrongly, ConfirmationCode: asked.code }, TEST_CALL);
      assert.equal(await describeOutcome(loginByPassword(pool, name, FRESH)), 'tokens');
    });

    database.itOnSqlite('allows five codes per hour from one network, whether the user exists or not', async () => {
      const known = 'resent@example.com';
      await addUser(pool, known);
      const codes = async (name: string, other: string | undefined): Promise<number> => {
        const call = createCallFromNewAddress();
        const input = { ClientId: pool.clientId, Username: name };
        let Session = other;
        for (let sent = 0; ; sent += 1) {
          try {
            ({ Session } = await requireResetSessions(pool).forgotPassword(
              { ...input, ...(Session && { Session }) },
              call,
            ));
            if (other !== undefined) Session = other;
          } catch (refusal) {
            assert.equal((refusal as { readonly code?: string }).code, LIMIT);
            return sent;
          }
        }
      };
      for (const name of [known, 'never@example.com']) assert.equal(await codes(name, undefined), 5, name);
      const { session } = await ask(pool, known);
      for (const name of ['one@example.com', 'two@example.com']) {
        assert.equal(await codes(name, session), 2, 'a session of another user');
        assert.equal(await codes(`x${name}`, 'none'), 2, 'no session');
      }
    });

    database.itOnSqlite('allows no more codes once its code has expired', async () => {
      const name = 'overdue@example.com';
      await addUser(pool, name);
      const { session: Session } = await ask(pool, name);
      pool.clock.advance(HOUR_MS);
      const call = createCallFromNewAddress();
      const input = { ClientId: pool.clientId, Username: name, Session };
      for (let at = 0; at < 2; at += 1) await requireResetSessions(pool).forgotPassword(input, call);
      await assertRefused(requireResetSessions(pool).forgotPassword(input, call), LIMIT);
    });

    database.itOnSqlite('of a decoy user has the same form, and its guesses cost the same', async () => {
      await addUser(pool, 'known@example.com');
      await inviteUser(pool, 'invited@example.com');
      const seen = async (name: string) => {
        const { session } = await ask(pool, name);
        const answers: unknown[] = [session.length];
        const note = async (attempt: Attempt, call?: CallContext) => {
          const refusal = await reset(pool, name, attempt, call).catch((error: Record<string, unknown>) => error);
          const { code, message, retryAfterSeconds } = refusal as Record<string, unknown>;
          answers.push([code, message, retryAfterSeconds]);
        };
        for (let at = 0; at < 12; at += 1) await note({ session, code: 'x' });
        for (let at = 0; at < 12; at += 1) await note({ code: 'x' });
        await note({ code: 'x' }, createCallFromNewAddress());
        return answers;
      };
      const known = await seen('known@example.com');
      for (const name of ['nobody@example.com', 'invited@example.com']) assert.deepEqual(await seen(name), known);
    });

    database.itOnSqlite('ends the lockout of the password, so that the owner signs in with the new one', async () => {
      const name = 'locked@example.com';
      await addUser(pool, name);
      for (let at = 0; at < 5; at += 1) await describeOutcome(loginByPassword(pool, name, 'Wrong-Horse1!'));
      assert.equal(await describeOutcome(loginByPassword(pool, name, PASSWORD)), 'Password attempts exceeded');
      await reset(pool, name, await ask(pool, name));
      assert.equal(await describeOutcome(loginByPassword(pool, name, FRESH)), 'tokens');
    });
  });
});
