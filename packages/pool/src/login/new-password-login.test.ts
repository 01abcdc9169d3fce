import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { Output } from '@poolgate/provider';
import { forEachDatabase } from '../testing/test-databases.ts';
import { inviteUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { describeOutcome, loginByPassword, loginByPasswordAsAdmin, loginBySrp } from '../testing/test-srp-logins.ts';

const NEW_PASSWORD = 'Brand-New-Horse2!';
const WRONG = 'Incorrect username or password.';
const SPENT = 'Invalid session for the user, session can only be used once.';

forEachDatabase((database) => {
  describe(`a temporary password on ${database.name}`, () => {
    let pool: TestPool;
    let name: string;
    let users = 0;
    before(async () => {
      pool = await openTestPool(await database.create(), { pool: { requiredAttributes: ['email', 'name'] } });
    });
    after(() => pool.close());
    beforeEach(async () => {
      name = `guest${users++}@example.com`;
      await inviteGuest(name);
    });

    async function inviteGuest(Username: string): Promise<void> {
      const { operations, userPoolId: UserPoolId } = pool;
      const UserAttributes = [{ Name: 'name', Value: 'Guest' }];
      const guest = { UserPoolId, Username, TemporaryPassword: PASSWORD, UserAttributes };
      await operations.adminCreateUser({ ...guest, MessageAction: 'SUPPRESS' }, TEST_CALL);
    }

    function answer(
      { Session = '' }: Output<'InitiateAuth'>,
      responses: Readonly<Record<string, string>> = {},
      username = name,
    ) {
      return pool.operations.respondToAuthChallenge(
        {
          ClientId: pool.clientId,
          ChallengeName: 'NEW_PASSWORD_REQUIRED',
          Session,
          ChallengeResponses: { USERNAME: username, NEW_PASSWORD, ...responses },
        },
        TEST_CALL,
      );
    }

    database.itOnSqlite('leads to NEW_PASSWORD_REQUIRED and no tokens, at every entry point', async () => {
      for (const login of [loginByPassword, loginBySrp, loginByPasswordAsAdmin]) {
        const output = await login(pool, name);
        assert.equal(output.ChallengeName, 'NEW_PASSWORD_REQUIRED');
        assert.equal(output.AuthenticationResult, undefined);
        assert.match(output.Session ?? '', /^.{20,2048}$/);
        const { USER_ID_FOR_SRP, requiredAttributes, userAttributes } = output.ChallengeParameters ?? {};
        assert.match(USER_ID_FOR_SRP ?? '', /^[0-9a-f-]{36}$/);
        assert.deepEqual(JSON.parse(requiredAttributes ?? ''), []);
        assert.deepEqual(JSON.parse(userAttributes ?? ''), { email: name, name: 'Guest' });
      }
    });

    database.itOnSqlite('is replaced by the new one: then the old one is wrong, and the user confirmed', async () => {
      assert.equal(await describeOutcome(answer(await loginByPassword(pool, name))), 'tokens');
      assert.equal(await describeOutcome(loginByPassword(pool, name)), WRONG);
      assert.equal(await describeOutcome(loginBySrp(pool, name, NEW_PASSWORD)), 'tokens');
      const user = await pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username: name }, TEST_CALL);
      assert.equal(user.UserStatus, 'CONFIRMED');
    });

    database.itOnSqlite('cannot become the permanent one, nor can a weak one; the session stays valid', async () => {
      const challenged = await loginByPassword(pool, name);
      for (const bad of [PASSWORD, 'short', 'no-upper-case-1!', 'NoSymbols11']) {
        await assert.rejects(answer(challenged, { NEW_PASSWORD: bad }), { code: 'InvalidPasswordException' });
      }
      assert.equal(await describeOutcome(answer(challenged)), 'tokens');
    });

    database.itOnSqlite('cannot be guessed endlessly in the session', async () => {
      const challenged = await loginByPassword(pool, name);
      for (let i = 0; i < 20; i++) await describeOutcome(answer(challenged, { NEW_PASSWORD: PASSWORD }));
      assert.equal(await describeOutcome(answer(challenged)), SPENT);
    });

    database.itOnSqlite('does not change the lockout, whatever is answered', async () => {
      const challenged = await loginByPassword(pool, name);
      for (let i = 0; i < 10; i++) await describeOutcome(answer(challenged, { NEW_PASSWORD: 'weak' }));
      assert.equal(await describeOutcome(answer(challenged)), 'tokens');
    });

    it('is consumed by its answer: exactly one of 20 parallel ones gets tokens, and a later one none', async () => {
      const challenged = await loginByPassword(pool, name);
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => describeOutcome(answer(challenged))));
      assert.equal(outcomes.filter((one) => one === 'tokens').length, 1, outcomes.join());
      assert.equal(await describeOutcome(answer(challenged)), SPENT);
    });

    database.itOnSqlite('is refused with the session of another user', async () => {
      await inviteGuest('other@example.com');
      const challenged = await loginByPassword(pool, name);
      await assert.rejects(answer(challenged, {}, 'other@example.com'), {
        code: 'NotAuthorizedException',
        message: 'Invalid session for the user.',
        reason: 'invalid_session',
      });
      assert.equal(await describeOutcome(answer(challenged)), 'tokens');
    });

    database.itOnSqlite('lasts as long as the session setting says', async () => {
      const inTime = await loginByPassword(pool, name);
      pool.clock.advance(179_000);
      assert.equal(await describeOutcome(answer(inTime)), 'tokens');
      await resetTemporary();
      const late = await loginByPassword(pool, name);
      pool.clock.advance(181_000);
      await assert.rejects(answer(late), {
        code: 'NotAuthorizedException',
        message: 'Invalid session for the user, session is expired.',
        reason: 'invalid_session',
      });
    });

    async function resetTemporary(password = PASSWORD): Promise<void> {
      const input = { UserPoolId: pool.userPoolId, Username: name, Password: password, Permanent: false };
      await pool.operations.adminSetUserPassword(input, TEST_CALL);
    }

    database.itOnSqlite('ends its sessions when it is replaced by another temporary one', async () => {
      const challenged = await loginByPassword(pool, name);
      await resetTemporary('Another-Temporary3!');
      assert.equal(await describeOutcome(answer(challenged)), 'Invalid session for the user.');
    });

    database.itOnSqlite('is refused once it has expired, which only the right password reveals', async () => {
      pool.clock.advance(7 * 86_400_000);
      await assert.rejects(loginByPassword(pool, name), {
        message: 'Temporary password has expired and must be reset by an administrator.',
        reason: 'temporary_password_expired',
      });
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'wrong')), WRONG);
    });

    database.itOnSqlite('ends its pending login when the user is disabled, and changes nothing', async () => {
      const challenged = await loginByPassword(pool, name);
      const username = challenged.ChallengeParameters?.USER_ID_FOR_SRP ?? '';
      const setEnabled = (enabled: boolean) =>
        pool.store.write((transaction) =>
          transaction.users.update(pool.userPoolId, username, { enabled, modifiedAtMs: pool.clock.now() }),
        );
      await setEnabled(false);
      assert.equal(await describeOutcome(answer(challenged)), 'User is disabled.');
      await setEnabled(true);
      assert.equal(await describeOutcome(answer(challenged)), SPENT);
      assert.equal((await loginByPassword(pool, name)).ChallengeName, 'NEW_PASSWORD_REQUIRED');
    });
  });

  describe(`missing attributes with a new password on ${database.name}`, () => {
    let pool: TestPool;
    let challenged: Output<'InitiateAuth'>;
    before(async () => {
      pool = await openTestPool(await database.create(), { pool: { requiredAttributes: [] } });
      await inviteUser(pool, 'guest@example.com');
      const record = await pool.store.pools.byId(pool.userPoolId);
      assert.ok(record);
      const settings = { ...record.settings, requiredAttributes: ['email', 'name'] };
      await pool.store.write((transaction) =>
        transaction.pools.update(pool.userPoolId, { settings, modifiedAtMs: pool.clock.now() }),
      );
      pool.clock.advance(10_000);
      challenged = await loginByPassword(pool, 'guest@example.com');
    });
    after(() => pool.close());

    function answer(responses: Readonly<Record<string, string>>) {
      const ChallengeResponses = { USERNAME: 'guest@example.com', NEW_PASSWORD, ...responses };
      const { Session = '' } = challenged;
      const input = { ClientId: pool.clientId, ChallengeName: 'NEW_PASSWORD_REQUIRED' as const, Session };
      return pool.operations.respondToAuthChallenge({ ...input, ChallengeResponses }, TEST_CALL);
    }

    database.itOnSqlite('are requested, and refused while they are missing, wrong or taken', async () => {
      assert.equal(challenged.ChallengeParameters?.requiredAttributes, '["userAttributes.name"]');
      assert.equal(await describeOutcome(answer({})), 'Invalid attributes given, name is missing');
      const taken = { 'userAttributes.name': 'Ada', 'userAttributes.email': 'eve@example.com' };
      assert.equal(await describeOutcome(answer(taken)), 'Cannot modify an already provided email');
      for (const key of ['sub', 'phone_number_verified', 'custom:team', '__proto__']) {
        const more = { 'userAttributes.name': 'Ada', [`userAttributes.${key}`]: 'true' };
        await assert.rejects(answer(more), { name: 'ProviderError' }, key);
      }
    });

    it('are written together with the password', async () => {
      const given = { 'userAttributes.name': 'Ada', 'userAttributes.phone_number': '+15551234567' };
      assert.equal(await describeOutcome(answer(given)), 'tokens');
      const query = { UserPoolId: pool.userPoolId, Username: 'guest@example.com' };
      const { UserAttributes = [] } = await pool.operations.adminGetUser(query, TEST_CALL);
      const { sub: _, ...attributes } = Object.fromEntries(UserAttributes.map(({ Name, Value }) => [Name, Value]));
      assert.deepEqual(attributes, {
        email: 'guest@example.com',
        email_verified: 'true',
        name: 'Ada',
        phone_number: '+15551234567',
        phone_number_verified: 'false',
      });
    });
  });
});
