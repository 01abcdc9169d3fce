import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BackgroundFailure } from '../kernel/repeat-every.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { type StandIn, standInStore } from '../testing/stand-in-store.ts';
import { forEachDatabase } from '../testing/test-databases.ts';
import { openTestEnvironment } from '../testing/test-environment.ts';
import { openTestEventPool, type TestEventPool } from '../testing/test-events.ts';
import { addUser, openTestPoolOn, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { requireTokens } from '../testing/test-tokens.ts';

const DAY_MS = 86_400_000;
const KEEP = 'KEEP_ACCOUNT';
const LINK = /https:\/\/pool\.example\/not-me#([\w-]{43})/;

forEachDatabase((database) => {
  describe(`an account that will be deleted on ${database.name}`, () => {
    let pool: TestPool;
    let newEvents: TestEventPool['newEvents'];
    let count = 0;
    before(async () => {
      ({ pool, newEvents } = await openTestEventPool(await database.create(), {
        pool: { notMeUrl: 'https://pool.example/not-me' },
      }));
    });
    after(() => pool.close());

    const schedule = (AccessToken: string) =>
      pool.embedded.extensions.schedule_deletion?.({ AccessToken }, TEST_CALL) ?? assert.fail('it is missing');
    const waiting = async () => {
      const name = `user${count++}@example.com`;
      const username = await addUser(pool, name);
      const tokens = requireTokens(await loginByPassword(pool, name));
      const { DeletionAt } = await schedule(tokens.access);
      return { name, username, tokens, DeletionAt, user: { UserPoolId: pool.userPoolId, Username: name } };
    };
    const answer = (name: string, Session: string | undefined, ANSWER: string) =>
      pool.operations.respondToAuthChallenge(
        {
          ClientId: pool.clientId,
          ChallengeName: 'CUSTOM_CHALLENGE',
          ChallengeResponses: { USERNAME: name, ANSWER },
          ...(Session === undefined ? {} : { Session }),
        },
        TEST_CALL,
      );
    const sweep = async () => {
      await pool.embedded.startDueDeletions(({ error }) => assert.fail(String(error)))();
    };
    const exists = async ({ user }: Pick<Awaited<ReturnType<typeof waiting>>, 'user'>) =>
      pool.operations.adminGetUser(user, TEST_CALL).then(
        () => true,
        () => false,
      );

    it('ends every login, and tells the owner when it will be deleted', async () => {
      const { name, tokens, DeletionAt, user } = await waiting();
      assert.equal(DeletionAt, pool.clock.now() / 1000 + 14 * 86_400);
      await assert.rejects(pool.operations.getUser({ AccessToken: tokens.access }, TEST_CALL));
      await assert.rejects(schedule(tokens.access));
      const refresh = { ClientId: pool.clientId, RefreshToken: tokens.refresh };
      await assert.rejects(pool.operations.getTokensFromRefreshToken(refresh, TEST_CALL));
      assert.equal((await pool.operations.adminGetUser(user, TEST_CALL)).Enabled, false);
      const mail = pool.sent.filter(({ to }) => to === name).at(-1);
      assert.equal(mail?.subject, 'Your account will be deleted');
      const date = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(DeletionAt * 1000);
      assert.ok(mail?.text.includes(date) && mail.html?.includes(date), mail?.text);
      const types = (await newEvents()).map(({ type }) => type);
      assert.ok(types.includes('user.deletion_scheduled'));
    });

    it('is kept only by its user, who has proven everything before the prompt', async () => {
      const { name, user } = await waiting();
      const wrong = { ClientId: pool.clientId, AuthFlow: 'USER_PASSWORD_AUTH' } as const;
      await assertRefused(
        pool.operations.initiateAuth(
          { ...wrong, AuthParameters: { USERNAME: name, PASSWORD: 'Wrong-Horse1!' } },
          TEST_CALL,
        ),
        'NotAuthorizedException',
        'Incorrect username or password.',
      );
      const asked = await loginByPassword(pool, name);
      assert.equal(asked.AuthenticationResult, undefined);
      assert.equal(asked.ChallengeName, 'CUSTOM_CHALLENGE');
      assert.match(asked.ChallengeParameters?.[KEEP] ?? '', /^2\d{3}-/);
      await assert.rejects(answer(name, asked.Session, 'yes'), { code: 'InvalidParameterException' });
      await newEvents();
      requireTokens(await answer(name, asked.Session, KEEP));
      assert.deepEqual((await newEvents()).map(({ type }) => type).sort(), [
        'login.succeeded',
        'user.deletion_canceled',
      ]);
      await assert.rejects(answer(name, asked.Session, KEEP));
      assert.equal((await pool.operations.adminGetUser(user, TEST_CALL)).Enabled, true);
      requireTokens(await loginByPassword(pool, name));
      pool.clock.advance(15 * DAY_MS);
      await sweep();
      assert.ok(await exists({ user }));
    });

    it('is deleted when its time has come, by one of the replicas, and not before', async () => {
      const due = await waiting();
      pool.clock.advance(14 * DAY_MS - 1);
      await sweep();
      assert.ok(await exists(due));
      pool.clock.advance(1);
      await newEvents();
      await Promise.all([sweep(), sweep()]);
      assert.ok(!(await exists(due)));
      const deleted = (await newEvents()).filter(({ type }) => type === 'user.deleted');
      assert.deepEqual(
        deleted.map(({ actor, user }) => [actor.kind, user?.username]),
        [['system', due.username]],
      );
    });

    it('is kept by an administrator who enables it, and by the link of the mail, which requires a new password', async () => {
      const [enabled, disowned] = [await waiting(), await waiting()];
      await pool.operations.adminEnableUser(enabled.user, TEST_CALL);
      requireTokens(await loginByPassword(pool, enabled.name));
      const mail = pool.sent.filter(({ to }) => to === disowned.name).at(-1);
      const [, Token = ''] = LINK.exec(mail?.text ?? '') ?? [];
      await pool.embedded.extensions.disown?.({ Token }, TEST_CALL);
      pool.clock.advance(15 * DAY_MS);
      await sweep();
      assert.deepEqual([await exists(enabled), await exists(disowned)], [true, true]);
      await assert.rejects(loginByPassword(pool, disowned.name), { code: 'PasswordResetRequiredException' });
    });

    it("is deleted at once if its user deletes it with Cognito's operation", async () => {
      const name = `user${count++}@example.com`;
      await addUser(pool, name);
      const { access } = requireTokens(await loginByPassword(pool, name));
      await pool.operations.deleteUser({ AccessToken: access }, TEST_CALL);
      const login = { ClientId: pool.clientId, AuthFlow: 'USER_PASSWORD_AUTH' } as const;
      const AuthParameters = { USERNAME: name, PASSWORD };
      await assert.rejects(pool.operations.initiateAuth({ ...login, AuthParameters }, TEST_CALL));
    });
  });
});

describe('due deletions, some of which fail', () => {
  const LOST = new Error('the store is away');
  let pool: TestPool;
  let unschedule: (username: string) => Promise<void>;
  const standIns = new Map<string, StandIn>();
  const usernames: string[] = [];
  before(async () => {
    const opened = await openTestEnvironment('sqlite::memory:');
    const store = standInStore(opened.options.store, standIns);
    pool = await openTestPoolOn({ ...opened, options: { ...opened.options, store } });
    const deletionAtMs = pool.clock.now();
    for (let at = 0; at < 60; at++) {
      const { User } = await pool.operations.adminCreateUser(
        { UserPoolId: pool.userPoolId, Username: `u${at}@example.com`, MessageAction: 'SUPPRESS' },
        TEST_CALL,
      );
      usernames.push(User?.Username ?? '');
    }
    usernames.sort();
    const setDeletion = (username: string, atMs: number | null) =>
      pool.store.write(({ users }) =>
        users.update(pool.userPoolId, username, { deletionAtMs: atMs, modifiedAtMs: deletionAtMs }),
      );
    for (const username of usernames) await setDeletion(username, deletionAtMs);
    unschedule = (username) => setDeletion(username, null);
  });
  after(() => pool.close());

  const sweep = async () => {
    const failures: BackgroundFailure[] = [];
    await pool.embedded.startDueDeletions((failure) => failures.push(failure))();
    return failures;
  };
  const left = async () => (await pool.store.users.list(pool.userPoolId, 60, undefined)).rows;

  it('delete all others, report each failure once and retry it in the next run', async () => {
    const broken = new Set(usernames.slice(0, 55));
    standIns.set('in.users.delete', (call, _, username) =>
      broken.has(String(username)) ? Promise.reject(LOST) : call(),
    );
    const failures = await sweep();
    const remaining = await left();
    assert.deepEqual(
      remaining.map(({ username }) => username),
      [...broken],
    );
    assert.deepEqual(
      failures,
      remaining.map(({ sub }) => ({ task: 'due_deletions', userPoolId: pool.userPoolId, sub, error: LOST })),
    );
    standIns.clear();
    await unschedule(usernames[0] ?? '');
    assert.deepEqual(await sweep(), []);
    assert.deepEqual(
      (await left()).map(({ username }) => username),
      usernames.slice(0, 1),
    );
  });

  it('report a run that cannot start', async () => {
    standIns.set('users.listDueDeletions', () => Promise.reject(LOST));
    assert.deepEqual(await sweep(), [{ task: 'due_deletions', error: LOST }]);
    standIns.clear();
  });
});
