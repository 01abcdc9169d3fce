import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CallContext } from '@poolgate/provider';
import { assertRefused } from './testing/assert-refused.ts';
import { openTestEventPool, summarizeEvent, type TestEventPool } from './testing/test-events.ts';
import { sentCode } from './testing/test-logins.ts';
import { addUser, createCallFromNewAddress, PASSWORD, TEST_CALL, type TestPool } from './testing/test-pool.ts';
import { loginByPassword } from './testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from './testing/test-tokens.ts';

const NEW_PASSWORD = 'Another-Horse2!';
const AS_ADMIN: CallContext = { ...TEST_CALL, actor: { kind: 'admin', id: 'key1' } };

describe('events of accounts and groups', () => {
  let pool: TestPool;
  let newEvents: TestEventPool['newEvents'];
  let count = 0;
  before(async () => {
    ({ pool, newEvents } = await openTestEventPool('sqlite::memory:', {
      pool: { autoVerifiedAttributes: ['email'] },
    }));
  });
  after(() => pool.close());

  const someone = async () => {
    const name = `user${count++}@example.com`;
    const username = await addUser(pool, name);
    const login = async () => {
      const { access } = requireTokens(await loginByPassword(pool, name));
      return { access, id: String(decodeTokenPart(access, 1).origin_jti) };
    };
    await newEvents();
    return { name, username, user: { UserPoolId: pool.userPoolId, Username: name }, login };
  };
  const told = async (call: () => Promise<unknown>) => {
    await newEvents();
    await call();
    const events = (await newEvents()).filter(({ type }) => !type.startsWith('message.'));
    return events.map(summarizeEvent);
  };

  it('report groups and members that changed, and nothing if nothing changed', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const { user, username } = await someone();
    const group = { UserPoolId, GroupName: 'staff' };
    const by = { outcome: 'success', actor: 'admin' };
    const groupEvent = (type: string) => [{ ...by, type, username: null, group: 'staff' }];
    const memberEvent = (type: string) => [{ ...by, type, username, group: 'staff' }];
    const member = { ...user, GroupName: 'staff' };
    assert.deepEqual(await told(() => operations.createGroup(group, AS_ADMIN)), groupEvent('group.created'));
    assert.deepEqual(
      await told(() => operations.updateGroup({ ...group, Precedence: 1 }, AS_ADMIN)),
      groupEvent('group.updated'),
    );
    assert.deepEqual(
      await told(() => operations.adminAddUserToGroup(member, AS_ADMIN)),
      memberEvent('group.user_added'),
    );
    assert.deepEqual(await told(() => operations.adminAddUserToGroup(member, AS_ADMIN)), []);
    assert.deepEqual(
      await told(() => operations.adminRemoveUserFromGroup(member, AS_ADMIN)),
      memberEvent('group.user_removed'),
    );
    assert.deepEqual(await told(() => operations.adminRemoveUserFromGroup(member, AS_ADMIN)), []);
    assert.deepEqual(await told(() => operations.deleteGroup(group, AS_ADMIN)), groupEvent('group.deleted'));
    assert.deepEqual(
      await told(() => assertRefused(operations.deleteGroup(group, AS_ADMIN), 'ResourceNotFoundException')),
      [],
    );
  });

  it('report when all logins of a user end, who ended them, and which one is kept', async () => {
    const { user, username, login } = await someone();
    const event = { type: 'login.all_ended', outcome: 'success', username };
    const own = { ...event, actor: 'user' };
    const { access } = await login();
    assert.deepEqual(await told(() => pool.operations.globalSignOut({ AccessToken: access }, TEST_CALL)), [own]);
    assert.deepEqual(await told(() => pool.operations.adminUserGlobalSignOut(user, AS_ADMIN)), [
      { ...event, actor: 'admin' },
    ]);
    const [other, kept] = [await login(), await login()];
    const endOthers = async () => pool.embedded.extensions.end_other_logins?.({ AccessToken: kept.access }, TEST_CALL);
    await newEvents();
    assert.deepEqual(await endOthers(), { Ended: [other.id], OwnEnded: false });
    assert.deepEqual((await newEvents()).map(summarizeEvent), [{ ...own, kept: kept.id }]);
    assert.deepEqual(await told(endOthers), []);
    await assertRefused(pool.operations.getUser({ AccessToken: other.access }, TEST_CALL), 'NotAuthorizedException');
    await pool.operations.getUser({ AccessToken: kept.access }, TEST_CALL);
  });

  it('report the request for a reset and its completion', async () => {
    const { name, username } = await someone();
    const by = { ClientId: pool.clientId, Username: name };
    const event = { outcome: 'success', username };
    const asked = await told(() => pool.operations.forgotPassword(by, createCallFromNewAddress()));
    assert.deepEqual(
      asked.map(({ type, username: of }) => [type, of]),
      [['password.reset_requested', username]],
    );
    const answer = { ...by, ConfirmationCode: sentCode(pool, name), Password: NEW_PASSWORD };
    const done = await told(() => pool.operations.confirmForgotPassword(answer, createCallFromNewAddress()));
    assert.deepEqual(
      done
        .map(({ type, outcome, username: of }) => ({ type, outcome, username: of }))
        .filter(({ type }) => type === 'password.reset'),
      [{ ...event, type: 'password.reset' }],
    );
  });

  it('report a registration and what confirms it', async () => {
    const name = `user${count++}@example.com`;
    const by = { ClientId: pool.clientId, Username: name };
    const UserAttributes = [{ Name: 'email', Value: name }];
    const up = await told(() =>
      pool.operations.signUp({ ...by, Password: PASSWORD, UserAttributes }, createCallFromNewAddress()),
    );
    assert.deepEqual(
      up.map(({ type, outcome }) => [type, outcome]),
      [['user.signed_up', 'success']],
    );
    const done = await told(() =>
      pool.operations.confirmSignUp({ ...by, ConfirmationCode: sentCode(pool, name) }, createCallFromNewAddress()),
    );
    assert.deepEqual(
      done.map(({ type, outcome }) => [type, outcome]),
      [['user.confirmed', 'success']],
    );
    const other = `user${count++}@example.com`;
    const attributes = [{ Name: 'email', Value: other }];
    const another = { ClientId: pool.clientId, Username: other, Password: PASSWORD, UserAttributes: attributes };
    await pool.operations.signUp(another, createCallFromNewAddress());
    const confirmed = await told(() =>
      pool.operations.adminConfirmSignUp({ UserPoolId: pool.userPoolId, Username: other }, AS_ADMIN),
    );
    assert.deepEqual(
      confirmed.map(({ type, actor }) => [type, actor]),
      [['user.confirmed', 'admin']],
    );
  });

  it('report when a user is disabled, enabled and deleted, by the user or an administrator', async () => {
    const { user, username, login } = await someone();
    const event = (type: string, actor: string) => [{ type, outcome: 'success', actor, username }];
    assert.deepEqual(
      await told(() => pool.operations.adminDisableUser(user, AS_ADMIN)),
      event('user.disabled', 'admin'),
    );
    assert.deepEqual(await told(() => pool.operations.adminEnableUser(user, AS_ADMIN)), event('user.enabled', 'admin'));
    const { access } = await login();
    assert.deepEqual(
      await told(() => pool.operations.deleteUser({ AccessToken: access }, TEST_CALL)),
      event('user.deleted', 'user'),
    );
    const other = await someone();
    const [gone] = await told(() => pool.operations.adminDeleteUser(other.user, AS_ADMIN));
    assert.deepEqual(gone, { type: 'user.deleted', outcome: 'success', actor: 'admin', username: other.username });
  });
});
