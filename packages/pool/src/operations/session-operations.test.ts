import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { toSessionId } from '../sessions/session-ids.ts';
import { assertRefused } from '../testing/assert-refused.ts';
import { addUser, openTestPool, PASSWORD, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';

const NO_LOGIN = ['ResourceNotFoundException', 'Login does not exist.'] as const;
const MONTH_MS = 30 * 86_400_000;

describe('sessions with Cognito’s operations', () => {
  let pool: TestPool;
  let count = 0;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
    await track(true);
  });
  after(() => pool.close());

  const track = (isTracked: boolean) =>
    pool.operations.setUserPoolSessionConfiguration(
      {
        UserPoolId: pool.userPoolId,
        UserSessionTracking: isTracked ? 'ENABLED' : 'DISABLED',
        TokenSession: { MaxPerUser: 100 },
      },
      TEST_CALL,
    );
  const someone = async () => {
    const name = `user${count++}@example.com`;
    await addUser(pool, name);
    return { UserPoolId: pool.userPoolId, Username: name };
  };
  const loginFrom = async ({ Username }: { readonly Username: string }, sourceAddress: string) => {
    pool.clock.advance(1_000);
    const AuthParameters = { USERNAME: Username, PASSWORD };
    const login = { ClientId: pool.clientId, AuthFlow: 'USER_PASSWORD_AUTH', AuthParameters } as const;
    const { access, refresh } = requireTokens(
      await pool.operations.initiateAuth(login, { requestId: 'test', sourceAddress }),
    );
    return {
      access,
      refresh,
      id: toSessionId(String(decodeTokenPart(access, 1).origin_jti)),
      at: pool.clock.now() / 1000,
    };
  };
  const own = async (AccessToken: string) =>
    (await pool.operations.listUserSessions({ AccessToken }, TEST_CALL)).Sessions ?? [];
  const revoke = (AccessToken: string, SessionId: string) =>
    pool.operations.revokeUserSession({ AccessToken, SessionId }, TEST_CALL);
  const isAlive = (AccessToken: string) =>
    pool.operations.getUser({ AccessToken }, TEST_CALL).then(
      () => true,
      () => false,
    );

  it('are listed newest first, with place and time, and the current one marked', async () => {
    const user = await someone();
    const first = await loginFrom(user, '192.0.2.1');
    const second = await loginFrom(user, '2001:db8::1');
    pool.clock.advance(60_000);
    await pool.operations.getTokensFromRefreshToken(
      { ClientId: pool.clientId, RefreshToken: first.refresh },
      TEST_CALL,
    );
    const all = { SessionType: 'TOKEN', ClientId: pool.clientId, DeviceType: 'unknown' };
    const newer = { ...all, SessionId: second.id, CreateDate: second.at, LastActiveDate: second.at };
    const older = { ...all, SessionId: first.id, CreateDate: first.at, LastActiveDate: pool.clock.now() / 1000 };
    assert.deepEqual(await own(second.access), [
      { ...newer, LastIPAddress: '2001:db8::1', IsCurrentSession: true },
      { ...older, LastIPAddress: '192.0.2.1', IsCurrentSession: false },
    ]);
    const listed = await pool.operations.adminListUserSessions(user, TEST_CALL);
    assert.deepEqual(listed, {
      Sessions: [
        { ...newer, LastIPAddress: '2001:db8::1', IsCurrentSession: false },
        { ...older, LastIPAddress: '192.0.2.1', IsCurrentSession: false },
      ],
    });
  });

  it('are listed in pages of 125, each with a token for the next that works only for its user', async () => {
    const user = await someone();
    const { access } = await loginFrom(user, '192.0.2.1');
    const of = await pool.store.logins.byId(String(decodeTokenPart(access, 1).origin_jti));
    const template = of ?? assert.fail();
    const ids = Array.from({ length: 125 }, () => randomUUID());
    await pool.store.write(async ({ logins }) => {
      for (const id of ids) await logins.insert({ ...template, id });
    });
    const { Sessions: first = [], NextToken = '' } = await pool.operations.listUserSessions(
      { AccessToken: access },
      TEST_CALL,
    );
    const second = await pool.operations.adminListUserSessions({ ...user, NextToken }, TEST_CALL);
    assert.deepEqual([first.length, second.Sessions?.length, second.NextToken], [125, 1, undefined]);
    const listed = [...first, ...(second.Sessions ?? [])].map(({ SessionId }) => SessionId);
    assert.deepEqual(new Set(listed), new Set([template.id, ...ids].map(toSessionId)));
    const other = await loginFrom(await someone(), '192.0.2.2');
    const foreign = pool.operations.listUserSessions({ AccessToken: other.access, NextToken }, TEST_CALL);
    await assertRefused(foreign, 'InvalidParameterException');
  });

  it('are not listed after they ended or expired', async () => {
    const user = await someone();
    await loginFrom(user, '192.0.2.1');
    pool.clock.advance(MONTH_MS);
    const ended = await loginFrom(user, '192.0.2.2');
    await pool.operations.revokeToken({ ClientId: pool.clientId, Token: ended.refresh }, TEST_CALL);
    const { access, id } = await loginFrom(user, '192.0.2.3');
    assert.deepEqual(
      (await own(access)).map(({ SessionId }) => SessionId),
      [id],
    );
  });

  it('end one by one: their tokens are refused, and the others continue', async () => {
    const user = await someone();
    const [lost, kept] = [await loginFrom(user, '192.0.2.1'), await loginFrom(user, '192.0.2.2')];
    assert.deepEqual(await revoke(kept.access, lost.id), {});
    assert.deepEqual([await isAlive(lost.access), await isAlive(kept.access)], [false, true]);
    await assertRefused(revoke(kept.access, lost.id), ...NO_LOGIN);
    const itself = await assertRefused(revoke(kept.access, kept.id), 'InvalidParameterException');
    assert.equal(itself.message, 'The current session cannot be revoked.');
    assert.ok(await isAlive(kept.access));
    assert.deepEqual(await pool.operations.adminRevokeUserSession({ ...user, SessionId: kept.id }, TEST_CALL), {});
    assert.equal(await isAlive(kept.access), false);
  });

  it('of another user look like unknown ones', async () => {
    const [ada, eve] = [await someone(), await someone()];
    const victim = await loginFrom(ada, '192.0.2.1');
    const { access } = await loginFrom(eve, '192.0.2.2');
    for (const SessionId of [victim.id, 'tkn0000000000000000000000000', '', 'x', `${victim.id}0`]) {
      const { reason } = await assertRefused(revoke(access, SessionId), ...NO_LOGIN);
      assert.equal(reason, 'login_not_found');
      await assertRefused(pool.operations.adminRevokeUserSession({ ...eve, SessionId }, TEST_CALL), ...NO_LOGIN);
    }
    assert.ok(await isAlive(victim.access));
    const nobody = { ...ada, Username: 'nobody@example.com' };
    await assertRefused(pool.operations.adminListUserSessions(nobody, TEST_CALL), 'UserNotFoundException');
    await assertRefused(
      pool.operations.adminRevokeUserSession({ ...nobody, SessionId: victim.id }, TEST_CALL),
      'UserNotFoundException',
    );
  });

  it('are neither listed nor ended if the pool does not track them', async () => {
    const user = await someone();
    const [lost, { access }] = [await loginFrom(user, '192.0.2.1'), await loginFrom(user, '192.0.2.2')];
    await track(false);
    const off = 'OperationNotEnabledException';
    await assertRefused(own(access), off);
    await assertRefused(revoke(access, lost.id), off);
    await assertRefused(pool.operations.adminListUserSessions(user, TEST_CALL), off);
    await assertRefused(pool.operations.adminRevokeUserSession({ ...user, SessionId: lost.id }, TEST_CALL), off);
    assert.ok(await isAlive(lost.access));
    await track(true);
    assert.equal((await own(access)).length, 2);
  });
});
