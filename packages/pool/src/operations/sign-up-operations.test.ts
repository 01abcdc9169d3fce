import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import type { Input } from '@poolgate/provider';
import { createPool, SendFailure } from '../index.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import {
  addUser,
  createCallFromNewAddress,
  openTestPool,
  PASSWORD,
  TEST_CALL,
  type TestPool,
} from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginBySrp } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const MISMATCH = 'Invalid verification code provided, please try again.';
const HOUR_MS = 3_600_000;

type SignUp = Partial<Input<'SignUp'>>;

function signUp({ operations, clientId }: TestPool, Username: string, more: SignUp = {}) {
  return operations.signUp({ ClientId: clientId, Username, Password: PASSWORD, ...more }, createCallFromNewAddress());
}

function confirm({ operations, clientId }: TestPool, Username: string, ConfirmationCode: string, SecretHash?: string) {
  const hash = SecretHash === undefined ? {} : { SecretHash };
  return operations.confirmSignUp({ ClientId: clientId, Username, ConfirmationCode, ...hash }, TEST_CALL);
}

function codeFor({ sent }: TestPool, to: string): string {
  const code = sent.findLast((message) => message.to === to)?.code;
  assert.match(code ?? '', /^\d{8}$/);
  return code ?? '';
}

/** The address as in the last message, in whatever spelling. */
function lastTo({ sent }: TestPool, address: string): string {
  return sent.findLast(({ to }) => to.toLowerCase() === address)?.to ?? '';
}

function otherCode(code: string): string {
  return code === '00000000' ? '00000001' : '00000000';
}

/** Everything that a caller sees of an error. */
async function shown(call: Promise<unknown>): Promise<unknown> {
  try {
    return await call;
  } catch (error) {
    const { name, code, message, reason, retryAfterSeconds } = error as Record<string, unknown>;
    return { name, code, message, reason, retryAfterSeconds };
  }
}

forEachDatabase((database) => {
  describe(`sign-up on ${database.name}`, () => {
    let pool: TestPool;
    before(async () => {
      pool = await openTestPool(await database.create());
    });
    after(() => pool.close());

    database.itOnSqlite('sends a code, which confirms the user and the address', async () => {
      const output = await signUp(pool, 'Ada@Example.com', { UserAttributes: [{ Name: 'name', Value: 'Ada' }] });
      assert.deepEqual(output, {
        UserConfirmed: false,
        UserSub: output.UserSub,
        CodeDeliveryDetails: { Destination: 'a***@e***', DeliveryMedium: 'EMAIL', AttributeName: 'email' },
        Session: output.Session,
      });
      assert.match(output.UserSub, /^[0-9a-f-]{36}$/);
      assert.equal(await describeOutcome(loginByPassword(pool, 'ada@example.com')), 'User is not confirmed.');
      const confirmed = await confirm(pool, 'ada@example.com', codeFor(pool, 'Ada@Example.com'));
      assert.deepEqual(Object.keys(confirmed), ['Session']);
      for (const name of ['ada@example.com', 'ADA@EXAMPLE.COM', output.UserSub]) {
        assert.equal(await describeOutcome(loginBySrp(pool, name)), 'tokens');
      }
      const { operations, userPoolId } = pool;
      const user = await operations.adminGetUser({ UserPoolId: userPoolId, Username: 'ada@example.com' }, TEST_CALL);
      assert.equal(user.Username, output.UserSub);
      assert.equal(user.UserStatus, 'CONFIRMED');
      assert.deepEqual(Object.fromEntries(user.UserAttributes?.map(({ Name, Value }) => [Name, Value]) ?? []), {
        sub: output.UserSub,
        name: 'Ada',
        email: 'Ada@Example.com',
        email_verified: 'true',
      });
    });

    it('in parallel with one password creates one user, in any spelling', async () => {
      const racers = await Promise.all(
        ['race@example.com', 'RACE@example.com', 'race@example.com', 'Race@example.com'].map((name) =>
          signUp(pool, name),
        ),
      );
      assert.equal(new Set(racers.map(({ UserSub }) => UserSub)).size, 1);
      const { clientId: ClientId } = pool;
      await pool.operations.resendConfirmationCode({ ClientId, Username: 'race@example.com' }, TEST_CALL);
      await confirm(pool, 'race@example.com', codeFor(pool, lastTo(pool, 'race@example.com')));
      assert.equal(await describeOutcome(loginByPassword(pool, 'race@example.com')), 'tokens');
    });

    database.itOnSqlite('refuses weak passwords, bad names and unknown attributes, and stores nothing', async () => {
      const attribute = (Name: string, Value: string): SignUp => ({ UserAttributes: [{ Name, Value }] });
      const name = 'weak@example.com';
      await assertRefused(
        signUp(pool, name, { Password: 'Short1!' }),
        'InvalidPasswordException',
        'Password did not conform with policy: Password not long enough',
      );
      await assertRefused(signUp(pool, 'ada'), 'InvalidParameterException', 'Username should be an email.');
      await assertRefused(signUp(pool, name, attribute('email', 'other@example.com')), 'InvalidParameterException');
      await assertRefused(signUp(pool, name, attribute('custom:foo', 'x')), 'InvalidParameterException');
      await assertRefused(signUp(pool, name, attribute('email_verified', 'true')), 'NotAuthorizedException');
      await assertRefused(signUp(pool, name, attribute('sub', 'x')), 'NotAuthorizedException');
      await signUp(pool, name);
    });

    database.itOnSqlite('tricks with recipients reach no one', async () => {
      const before = pool.sent.length;
      for (const name of [
        '"a@evil.example"@b.cd',
        'a@b.cd,c@evil.example',
        'a@b.cd\r\nBcc:c@evil.example',
        'a＠b.cd',
      ]) {
        await assertRefused(signUp(pool, name), 'InvalidParameterException');
      }
      assert.equal(pool.sent.length, before);
    });

    database.itOnSqlite('accepts a code once, within its day, for its user', async () => {
      await signUp(pool, 'late@example.com');
      await signUp(pool, 'other@example.com');
      await assertRefused(
        confirm(pool, 'late@example.com', codeFor(pool, 'other@example.com')),
        'CodeMismatchException',
      );
      const code = codeFor(pool, 'late@example.com');
      pool.clock.advance(24 * HOUR_MS - 1);
      await confirm(pool, 'other@example.com', codeFor(pool, 'other@example.com'));
      pool.clock.advance(1);
      await assertRefused(confirm(pool, 'late@example.com', code), 'ExpiredCodeException');
      await assertRefused(
        confirm(pool, 'other@example.com', codeFor(pool, 'other@example.com')),
        'CodeMismatchException',
      );
    });

    it('confirms for one of many who send the right code in parallel', async () => {
      await signUp(pool, 'many@example.com');
      const code = codeFor(pool, 'many@example.com');
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) => shown(confirm(i % 2 ? pool : pool.replica(), 'many@example.com', code))),
      );
      assert.equal(answers.filter((answer) => (answer as { readonly Session?: string }).Session).length, 1);
    });

    it('checks ten codes of a user in 15 minutes, for any number in parallel', async () => {
      await signUp(pool, 'guess@example.com');
      const wrong = otherCode(codeFor(pool, 'guess@example.com'));
      const replica = pool.replica();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => shown(confirm(i % 2 ? pool : replica, 'guess@example.com', wrong))),
      );
      const messages = answers.map((answer) => (answer as Error).message);
      assert.equal(messages.filter((message) => message === MISMATCH).length, 10);
      const right = codeFor(pool, 'guess@example.com');
      const locked = await assertRefused(confirm(pool, 'guess@example.com', right), 'LimitExceededException');
      assert.deepEqual([locked.reason, locked.retryAfterSeconds], ['locked', 900]);
      pool.clock.advance(900_001);
      await confirm(pool, 'guess@example.com', right);
    });

    it('does not distinguish unknown, unconfirmed and confirmed users', async () => {
      await signUp(pool, 'new@example.com');
      await addUser(pool, 'old@example.com');
      const wrong = otherCode(codeFor(pool, 'new@example.com'));
      for (let attempt = 0; attempt < 12; attempt++) {
        const [first, ...others] = await Promise.all(
          ['new@example.com', 'old@example.com', 'nobody@example.com'].map((name) => shown(confirm(pool, name, wrong))),
        );
        for (const other of others) assert.deepEqual(other, first, `attempt ${attempt}`);
      }
    });

    database.itOnSqlite('stores neither password nor code in plain text', async () => {
      await signUp(pool, 'clear@example.com');
      const found = await pool.store.users.byName(pool.userPoolId, 'clear@example.com');
      const record = await pool.store.codes.byPurpose(pool.userPoolId, found?.user.username ?? '', 'sign_up');
      assert.ok(found?.credential && record);
      const kept = JSON.stringify([found, record]);
      for (const secret of [PASSWORD, codeFor(pool, 'clear@example.com')]) assert.equal(kept.includes(secret), false);
    });
  });

  describe(`sign-up with a client secret on ${database.name}`, () => {
    const clientSecret = 'secret0123456789secret0123456789';
    let pool: TestPool;
    const hashFor = (name: string) =>
      createHmac('sha256', clientSecret)
        .update(name + pool.clientId)
        .digest('base64');
    before(async () => {
      pool = await openTestPool(await database.create(), {
        clientSecret,
        client: { preventUserExistenceErrors: false },
      });
    });
    after(() => pool.close());

    database.itOnSqlite('requires the right secret hash', async () => {
      const name = 'ada@example.com';
      const absent = await assertRefused(signUp(pool, name), 'NotAuthorizedException');
      assert.match(absent.message, /is configured with secret but SECRET_HASH was not received$/);
      const bad = await assertRefused(signUp(pool, name, { SecretHash: hashFor('eve') }), 'NotAuthorizedException');
      assert.match(bad.message, /^Unable to verify secret hash for client /);
      assert.deepEqual([absent.reason, bad.reason], ['client_secret', 'client_secret']);
      await signUp(pool, name, { SecretHash: hashFor(name) });
      await confirm(pool, name, codeFor(pool, name), hashFor(name));
    });

    database.itOnSqlite('explains errors if users are not hidden', async () => {
      const [known, unknown] = ['ada@example.com', 'nobody@example.com'];
      await assertRefused(
        confirm(pool, unknown, '000000', hashFor(unknown)),
        'UserNotFoundException',
        'Username/client id combination not found.',
      );
      await assertRefused(
        confirm(pool, known, '000000', hashFor(known)),
        'NotAuthorizedException',
        'User cannot be confirmed. Current status is CONFIRMED',
      );
    });
  });

  describe(`sign-up on a pool with aliases on ${database.name}`, () => {
    let pool: TestPool;
    const email = (Value: string): SignUp => ({ UserAttributes: [{ Name: 'email', Value }] });
    before(async () => {
      pool = await openTestPool(await database.create(), {
        pool: { usernameAttributes: [], aliasAttributes: ['email', 'preferred_username'] },
      });
    });
    after(() => pool.close());

    database.itOnSqlite('makes an address a name once it is verified, for one user only', async () => {
      await signUp(pool, 'Ada', email('shared@example.com'));
      await signUp(pool, 'eve', email('shared@example.com'));
      const [adas, eves] = pool.sent.slice(-2).map(({ code }) => code ?? '');
      assert.equal(await pool.store.users.byName(pool.userPoolId, 'shared@example.com'), undefined);
      await confirm(pool, 'ada', adas ?? '');
      assert.equal(await describeOutcome(loginBySrp(pool, 'Shared@example.com')), 'tokens');
      await assertRefused(
        confirm(pool, 'eve', eves ?? ''),
        'AliasExistsException',
        'An account with the email already exists.',
      );
      const forced = {
        ClientId: pool.clientId,
        Username: 'eve',
        ConfirmationCode: eves ?? '',
        ForceAliasCreation: true,
      };
      await pool.operations.confirmSignUp(forced, TEST_CALL);
      const owner = await pool.store.users.byName(pool.userPoolId, 'shared@example.com');
      assert.equal(owner?.user.username, 'eve');
      assert.equal((await pool.store.users.byUsername(pool.userPoolId, 'ada'))?.attributes.email_verified, 'false');
      assert.equal(await describeOutcome(loginBySrp(pool, 'ada')), 'tokens');
    });

    database.itOnSqlite('lets no user take the address of another as a preferred username', async () => {
      const address = 'grace@example.com';
      const preferred = (Value: string) => [{ Name: 'preferred_username', Value }];
      await signUp(pool, 'mallory', email('mallory@example.com'));
      await confirm(pool, 'mallory', pool.sent.at(-1)?.code ?? '');
      const AccessToken = requireTokens(await loginBySrp(pool, 'mallory')).access;
      for (const name of [address, 'Grace\uff20example.com', String.fromCodePoint(0x10400).repeat(2048)]) {
        const UserAttributes = preferred(name);
        await assertRefused(
          pool.operations.updateUserAttributes({ AccessToken, UserAttributes }, TEST_CALL),
          'InvalidParameterException',
        );
      }
      await pool.operations.updateUserAttributes({ AccessToken, UserAttributes: preferred('Countess') }, TEST_CALL);
      assert.equal(await describeOutcome(loginBySrp(pool, 'countess')), 'tokens');
      await signUp(pool, 'grace', email(address));
      await confirm(pool, 'grace', pool.sent.at(-1)?.code ?? '');
      assert.equal((await pool.store.users.byName(pool.userPoolId, address))?.user.username, 'grace');
    });

    database.itOnSqlite('refuses usernames that look like an address', async () => {
      await assertRefused(
        signUp(pool, 'a@b.cd', email('a@b.cd')),
        'InvalidParameterException',
        'Username cannot be of email format, since user pool is configured for email alias.',
      );
      await assertRefused(
        signUp(pool, 'grace'),
        'InvalidParameterException',
        'Attributes did not conform to the schema: email: The attribute is required\n',
      );
    });
  });

  describe(`sign-up under a closed or broken set-up on ${database.name}`, () => {
    database.itOnSqlite('is refused if only administrators create users', async () => {
      const pool = await openTestPool(await database.create(), { pool: { onlyAdminsCreateUsers: true } });
      await assertRefused(
        signUp(pool, 'ada@example.com'),
        'NotAuthorizedException',
        'SignUp is not permitted for this user pool',
      );
      await pool.close();
    });

    database.itOnSqlite('succeeds if the code cannot be sent, which operators can see', async () => {
      const opened = await openTestEnvironment(await database.create());
      const sender = { immediate: true, send: () => Promise.reject(new SendFailure('no_such_mailbox', 'refused')) };
      const pool = createPool({ ...opened.options, senders: { email: sender } });
      const { client, pool: served } = await pool.setUp();
      const input = { ClientId: client.id, Username: 'ada@example.com', Password: PASSWORD };
      assert.equal((await pool.operations.signUp(input, TEST_CALL)).UserConfirmed, false);
      const dead = await pool.deadMessages(served.id, 10);
      assert.deepEqual(
        dead.map(({ channel, lastFailure }) => [channel, lastFailure]),
        [['email', 'no_such_mailbox']],
      );
      await opened.close();
    });

    database.itOnSqlite('is refused before anything is written if nothing can be sent', async () => {
      const opened = await openTestEnvironment(await database.create());
      const { operations, setUp, listUsers } = createPool({ ...opened.options, senders: {} });
      const { client, pool: served } = await setUp();
      const input = { ClientId: client.id, Username: 'ada@example.com', Password: PASSWORD };
      await assertRefused(operations.signUp(input, TEST_CALL), 'UnsupportedOperationException');
      assert.deepEqual((await listUsers(served.id, 10)).rows, []);
      await opened.close();
    });

    database.itOnSqlite('is refused for a client that does not exist', async () => {
      const pool = await openTestPool(await database.create());
      const input = { ClientId: 'nobody', Username: 'ada@example.com', Password: PASSWORD };
      const refusal = await assertRefused(
        pool.operations.signUp(input, TEST_CALL),
        'ResourceNotFoundException',
        'User pool client nobody does not exist.',
      );
      assert.equal(refusal.reason, 'client_not_found');
      await pool.close();
    });
  });
});
