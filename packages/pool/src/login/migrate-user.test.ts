import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { MigrateUserHook, MigrationLogin } from '../index.ts';
import type { PoolTransaction } from '../store/index.ts';
import { createCallJournal } from '../testing/call-journal.ts';
import { replaceWrite } from '../testing/crashing-store.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment, type TestEnvironment } from '../testing/test-environment.ts';
import { sentCode } from '../testing/test-logins.ts';
import {
  addUser,
  createCallFromNewAddress,
  openTestPoolOn,
  PASSWORD,
  TEST_CALL,
  type TestPool,
  type TestPoolOptions,
} from '../testing/test-pool.ts';
import {
  describeOutcome,
  loginByPassword,
  loginByPasswordAsAdmin,
  loginBySrp,
  loginInProcess,
} from '../testing/test-srp-logins.ts';
import { createTestTriggers, formatTriggerArn, type TestTriggers } from '../testing/test-triggers.ts';
import { countWrites } from '../testing/write-counter.ts';

const WRONG = 'Incorrect username or password.';

/** Users of the older system by name, all with the tests' password. */
const OLD: Readonly<Record<string, Awaited<ReturnType<MigrateUserHook>>>> = {
  'ada@example.com': { attributes: { name: 'Ada' } },
  'race@example.com': { attributes: {} },
  'admin@example.com': { attributes: {} },
  'choice@example.com': { attributes: {} },
  'reset@example.com': { attributes: {}, keepPassword: false },
  'odd@example.com': { attributes: { 'custom:unknown': 'x' } },
};

forEachDatabase((database) => {
  describe(`users of an older system on ${database.name}`, () => {
    let pool: TestPool;
    const asked: MigrationLogin[] = [];
    before(async () => {
      const opened = await openTestEnvironment(await database.create());
      const migrate: MigrateUserHook = async (login) => {
        asked.push(login);
        if (login.username === 'broken@example.com') throw new Error('down');
        return login.password === PASSWORD ? OLD[login.username] : undefined;
      };
      pool = await openTestPoolOn({ ...opened, options: { ...opened.options, migrate } });
    });
    after(() => pool.close());
    const get = (Username: string) =>
      pool.operations.adminGetUser({ UserPoolId: pool.userPoolId, Username }, TEST_CALL);
    const choose = (USERNAME: string, password = PASSWORD) =>
      pool.operations.initiateAuth(
        {
          ClientId: pool.clientId,
          AuthFlow: 'USER_AUTH',
          AuthParameters: { USERNAME, PREFERRED_CHALLENGE: 'PASSWORD', PASSWORD: password },
        },
        TEST_CALL,
      );

    database.itOnSqlite('are migrated at the first login with the right password, and then stored here', async () => {
      const name = 'ada@example.com';
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'Wrong-Horse1!')), WRONG);
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
      const { UserStatus, UserAttributes } = await get(name);
      assert.equal(UserStatus, 'CONFIRMED');
      assert.equal(UserAttributes?.find(({ Name }) => Name === 'name')?.Value, 'Ada');
      const { length } = asked;
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
      assert.equal(await describeOutcome(loginBySrp(pool, name)), 'tokens');
      assert.equal(asked.length, length);
    });

    database.itOnSqlite('are not migrated if the password is checked in process instead of by SRP', async () => {
      const { length } = asked;
      assert.equal(await describeOutcome(loginInProcess(pool, 'kept@example.com')), WRONG);
      assert.equal(asked.length, length);
    });

    database.itOnSqlite('are migrated at every entry point that accepts a password', async () => {
      assert.equal(await describeOutcome(loginByPasswordAsAdmin(pool, 'admin@example.com')), 'tokens');
      assert.equal(await describeOutcome(choose('choice@example.com')), 'tokens');
    });

    it('are created once, for any number of parallel logins', async () => {
      const logins = await Promise.all(
        Array.from({ length: 4 }, () => describeOutcome(loginByPassword(pool, 'race@example.com'))),
      );
      assert.deepEqual(logins, Array(4).fill('tokens'));
    });

    database.itOnSqlite('must set another password if the old one is not kept', async () => {
      const name = 'reset@example.com';
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'Password reset required for the user');
      assert.equal((await get(name)).UserStatus, 'RESET_REQUIRED');
      assert.equal(await describeOutcome(loginByPassword(pool, name, 'Wrong-Horse1!')), WRONG);
    });

    database.itOnSqlite(
      'are unknown if the older system does not know them, fails, or returns invalid data',
      async () => {
        for (const name of ['nobody@example.com', 'broken@example.com', 'odd@example.com']) {
          assert.equal(await describeOutcome(loginByPassword(pool, name)), WRONG);
          assert.equal(await describeOutcome(choose(name)), WRONG);
        }
      },
    );

    database.itOnSqlite(
      'cause as many calls for a name that exists here, and the response changes nothing',
      async () => {
        await addUser(pool, 'known@example.com', 'Another-Horse2!');
        const count = async (name: string) => {
          const { length } = asked;
          assert.equal(await describeOutcome(loginByPassword(pool, name, 'Wrong-Horse1!')), WRONG);
          return asked.length - length;
        };
        assert.equal(await count('known@example.com'), await count('unknown@example.com'));
        assert.equal(await describeOutcome(loginByPassword(pool, 'known@example.com', 'Another-Horse2!')), 'tokens');
      },
    );

    it('are guessed there no more often than here, however many guess in parallel', async () => {
      const { length } = asked;
      await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          describeOutcome(loginByPassword(pool, 'guess@example.com', `Wrong-Horse${at}!`)),
        ),
      );
      assert.ok(asked.length - length <= 5, String(asked.length - length));
    });
  });
});

describe('migration of a user from an older system', () => {
  const opened: TestEnvironment[] = [];
  after(() => Promise.all(opened.map((one) => one.close())));

  /** A pool with a trigger or a hook, and its events about successful and failed migrations. */
  async function open(
    { triggers, migrate }: { readonly triggers?: TestTriggers; readonly migrate?: MigrateUserHook },
    options: TestPoolOptions = {},
  ) {
    const one = await openTestEnvironment('sqlite::memory:');
    opened.push(one);
    const counting = countWrites(one);
    const ports = {
      ...counting.opened.options,
      ...(triggers && { triggers: triggers.invoker }),
      ...(migrate && { migrate }),
    };
    const kept = triggers && { LambdaConfig: { UserMigration: formatTriggerArn('UserMigration') } };
    const pool = await openTestPoolOn(
      { ...counting.opened, options: ports },
      { ...options, pool: { ...options.pool, ...(kept && { kept }) } },
    );
    const seen = new Set<string>();
    const told = async () => {
      const { rows } = await one.records.events.page({ userPoolId: pool.userPoolId }, 1000, undefined);
      const fresh = rows.filter(({ id, type }) => !seen.has(id) && type === 'user.migrated');
      for (const { id } of fresh) seen.add(id);
      return fresh.map(({ outcome: end, clientId, user, details }) => {
        assert.equal(clientId, pool.clientId);
        return [end, user?.username, details];
      });
    };
    return { pool, told, mostAtOnce: counting.mostAtOnce };
  }
  const failed = (reason: string) => [['failure', undefined, { reason }]];
  const findUser = async ({ store, userPoolId }: TestPool, name: string) => store.users.byName(userPoolId, name);
  const verified = (email: string) => ({ email, email_verified: 'true' });

  describe('with a trigger', () => {
    const triggers = createTestTriggers();
    let pool: TestPool;
    let told: Awaited<ReturnType<typeof open>>['told'];
    let mostAtOnce: () => number;
    before(async () => {
      const newPasswords = { refuseTemporaryAgain: true, refuseCommon: false };
      ({ pool, told, mostAtOnce } = await open({ triggers }, { pool: { newPasswords } }));
    });
    const answer = (response: object): void => {
      triggers.takeEvents();
      triggers.functions.UserMigration = (event) => ({ ...event, response });
    };
    const asked = () =>
      triggers.takeEvents().map(({ triggerSource, userName, request }) => ({ triggerSource, userName, ...request }));

    it('is recorded, and the user is as the trigger says', async () => {
      const name = 'ada@example.com';
      answer({ userAttributes: { ...verified(name), name: 'Ada' }, finalUserStatus: 'CONFIRMED' });
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
      assert.equal(mostAtOnce(), 1);
      const source = 'UserMigration_Authentication';
      assert.deepEqual(asked(), [{ triggerSource: source, userName: name, password: PASSWORD, validationData: {} }]);
      const found = await findUser(pool, name);
      assert.deepEqual(await told(), [['success', found?.user.username, {}]]);
      assert.deepEqual([found?.user.status, found?.user.attributes.name], ['CONFIRMED', 'Ada']);
      assert.equal(found?.credential?.temporaryUntilMs, null);
      assert.equal(await describeOutcome(loginBySrp(pool, name)), 'tokens');
    });

    it('treats a password that is not kept as temporary, so it cannot be set again', async () => {
      const name = 'reset@example.com';
      answer({ userAttributes: verified(name) });
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'Password reset required for the user');
      assert.equal((await findUser(pool, name))?.credential?.temporaryUntilMs, pool.clock.now());
      const user = { ClientId: pool.clientId, Username: name };
      await pool.operations.forgotPassword(user, TEST_CALL);
      const confirmation = { ...user, ConfirmationCode: sentCode(pool, name) };
      await assert.rejects(pool.operations.confirmForgotPassword({ ...confirmation, Password: PASSWORD }, TEST_CALL), {
        code: 'InvalidPasswordException',
      });
    });

    it('accepts a user who forgot the password without one', async () => {
      const name = 'forgetful@example.com';
      answer({ userAttributes: verified(name), finalUserStatus: 'RESET_REQUIRED' });
      await pool.operations.forgotPassword({ ClientId: pool.clientId, Username: name }, TEST_CALL);
      assert.deepEqual(asked(), [
        { triggerSource: 'UserMigration_ForgotPassword', userName: name, validationData: {} },
      ]);
      const found = await findUser(pool, name);
      assert.deepEqual([found?.user.attributes.email, found?.credential], [name, undefined]);
      assert.equal((await told()).at(0)?.[0], 'success');
    });

    it('does not happen if the trigger refuses or finds no one, and is reported if it fails or returns invalid data', async () => {
      const name = 'nobody@example.com';
      const refuse = () => {
        triggers.functions.UserMigration = () => {
          throw new Error('no');
        };
      };
      for (const [prepare, events] of [
        [() => answer({}), []],
        [refuse, []],
        [() => answer({ userAttributes: [] }), failed('trigger_failed')],
        [() => delete triggers.functions.UserMigration, failed('trigger_failed')],
        [() => answer({ userAttributes: { 'custom:unknown': 'x' } }), failed('invalid_attributes')],
      ] as const) {
        await told();
        pool.clock.advance(3_600_000);
        prepare();
        assert.equal(await describeOutcome(loginByPassword(pool, name)), WRONG);
        assert.equal(mostAtOnce(), 1);
        assert.deepEqual(await told(), events);
        await pool.operations.forgotPassword({ ClientId: pool.clientId, Username: name }, TEST_CALL);
        assert.equal(await findUser(pool, name), undefined);
        assert.deepEqual(await told(), events);
      }
    });

    it('replaces only a registration in which nothing is verified', async () => {
      const signUp = (Username: string) =>
        pool.operations.signUp({ ClientId: pool.clientId, Username, Password: 'Another-Horse2!' }, TEST_CALL);
      const name = 'registered@example.com';
      await signUp(name);
      answer({ userAttributes: verified(name), finalUserStatus: 'CONFIRMED' });
      assert.equal(await describeOutcome(loginByPassword(pool, name)), 'tokens');
      const known = 'known@example.com';
      await addUser(pool, known, 'Another-Horse2!');
      answer({ userAttributes: verified(known), finalUserStatus: 'CONFIRMED' });
      assert.equal(await describeOutcome(loginByPassword(pool, known)), WRONG);
      assert.equal(asked().length, 1);
    });

    it('is not tried for an impossible password, or for a right one', async () => {
      answer({});
      for (const password of [` ${PASSWORD}`, `${PASSWORD} `, 'x'.repeat(257)]) {
        assert.equal(await describeOutcome(loginByPassword(pool, 'nobody2@example.com', password)), WRONG);
      }
      assert.equal(await describeOutcome(loginByPassword(pool, 'ada@example.com')), 'tokens');
      assert.deepEqual(asked(), []);
      assert.equal(await describeOutcome(loginByPassword(pool, 'nobody2@example.com', 'x'.repeat(256))), WRONG);
      assert.equal(asked().length, 1);
    });
  });

  it('is tried five times per name and network for a forgotten password, for every name with the same statements', async () => {
    const triggers = createTestTriggers({
      UserMigration: () => {
        throw new Error('no');
      },
    });
    const { opened: noted, takeEntries } = createCallJournal(await openTestEnvironment('sqlite::memory:'));
    opened.push(noted);
    const ports = { ...noted.options, triggers: triggers.invoker };
    const kept = { LambdaConfig: { UserMigration: formatTriggerArn('UserMigration') } };
    const pool = await openTestPoolOn({ ...noted, options: ports }, { pool: { kept } });
    await addUser(pool, 'known@example.com');
    /** How often the trigger was called, and the statements of each request. */
    const forget = async (Username: string, call = TEST_CALL) => {
      triggers.takeEvents();
      const statements: string[] = [];
      for (let times = 0; times < 7; times += 1) {
        takeEntries();
        await pool.operations.forgotPassword({ ClientId: pool.clientId, Username }, call).catch(() => {});
        statements.push(takeEntries().join());
      }
      return { asked: triggers.takeEvents().length, statements };
    };
    // The first request fills the caches.
    await forget('first@example.com');
    const known = await forget('known@example.com');
    assert.equal(known.asked, 5);
    assert.deepEqual(await forget('nobody@example.com'), known);
    assert.equal((await forget('known@example.com', createCallFromNewAddress())).asked, 5);
    pool.clock.advance(12 * 60_000);
    assert.equal((await forget('known@example.com')).asked, 1);
  });

  it('takes an address from its owner only if the trigger says so', async () => {
    const triggers = createTestTriggers();
    const settings = { usernameAttributes: [], aliasAttributes: ['email'], requiredAttributes: [] } as const;
    const { pool } = await open({ triggers }, { pool: settings });
    const owner = { UserPoolId: pool.userPoolId, Username: 'owner' };
    const email = 'shared@example.com';
    const UserAttributes = [
      { Name: 'email', Value: email },
      { Name: 'email_verified', Value: 'true' },
    ];
    await pool.operations.adminCreateUser({ ...owner, UserAttributes, MessageAction: 'SUPPRESS' }, TEST_CALL);
    for (const [forceAliasCreation, ends, ownerOfAddress] of [
      [false, WRONG, 'owner'],
      [true, 'tokens', 'ada'],
    ] as const) {
      triggers.functions.UserMigration = (event) => ({
        ...event,
        response: { userAttributes: verified(email), finalUserStatus: 'CONFIRMED', forceAliasCreation },
      });
      assert.equal(await describeOutcome(loginByPassword(pool, 'ada')), ends);
      assert.equal((await findUser(pool, email))?.user.username, ownerOfAddress);
    }
  });

  it('is tried as often as passwords are: the fifth wrong one locks, and that is recorded', async () => {
    const one = await openTestEnvironment('sqlite::memory:');
    opened.push(one);
    let asked = 0;
    const migrate: MigrateUserHook = async () => {
      asked += 1;
      return undefined;
    };
    const pool = await openTestPoolOn({ ...one, options: { ...one.options, migrate } });
    for (let guesses = 0; guesses < 7; guesses++) await describeOutcome(loginByPassword(pool, 'ada@example.com'));
    assert.equal(asked, 5);
    const { rows } = await one.records.events.page({ userPoolId: pool.userPoolId }, 1000, undefined);
    const locks = rows.filter(({ type }) => type === 'user.locked').map(({ details }) => details.guesses);
    assert.deepEqual(locks.sort(), ['migration', 'password']);
  });

  it('is reported if the hook fails, before the login continues', async () => {
    const { pool, told, mostAtOnce } = await open({ migrate: () => Promise.reject(new Error('down')) });
    assert.equal(await describeOutcome(loginByPassword(pool, 'ada@example.com')), WRONG);
    assert.equal(mostAtOnce(), 1);
    assert.deepEqual(await told(), failed('hook_failed'));
  });

  it('does not count as a wrong password if the store fails', async () => {
    const one = await openTestEnvironment('sqlite::memory:');
    opened.push(one);
    const down = new Error('down');
    const { store } = one.options;
    const without = (transaction: PoolTransaction) =>
      new Proxy(transaction, {
        get: (target, key) => (key === 'credentials' ? { put: () => Promise.reject(down) } : Reflect.get(target, key)),
      });
    const failing = replaceWrite(store, (work) => store.write((transaction) => work(without(transaction))));
    const migrate: MigrateUserHook = async () => ({ attributes: {} });
    const pool = await openTestPoolOn(one);
    const broken = await openTestPoolOn({ ...one, options: { ...one.options, store: failing, migrate } });
    await assert.rejects(loginByPassword(broken, 'ada@example.com'), down);
    assert.equal(await findUser(pool, 'ada@example.com'), undefined);
  });

  it('costs nothing without an older system', async () => {
    const { opened: noted, takeEntries } = createCallJournal(await openTestEnvironment('sqlite::memory:'));
    opened.push(noted);
    const pool = await openTestPoolOn(noted);
    await addUser(pool, 'ada@example.com');
    takeEntries();
    assert.equal(await describeOutcome(loginByPassword(pool, 'ada@example.com', 'Wrong-Horse1!')), WRONG);
    assert.equal(takeEntries().filter((entry) => entry === 'write').length, 1);
  });
});
