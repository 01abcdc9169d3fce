import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertRefused } from '../testing/assert-refused.ts';
import { addUser, openTestPool, TEST_CALL, type TestPool } from '../testing/test-pool.ts';
import { loginByPassword } from '../testing/test-srp-logins.ts';
import { decodeTokenPart, requireTokens } from '../testing/test-tokens.ts';

function make({ operations, userPoolId }: TestPool, GroupName: string, more = {}) {
  return operations.createGroup({ UserPoolId: userPoolId, GroupName, ...more }, TEST_CALL);
}

function member(pool: TestPool, GroupName: string, Username: string) {
  return { UserPoolId: pool.userPoolId, GroupName, Username };
}

async function logInForClaims(pool: TestPool, name: string) {
  const { access, id } = requireTokens(await loginByPassword(pool, name));
  return { access: decodeTokenPart(access, 1), id: decodeTokenPart(id, 1) };
}

describe('groups', () => {
  let pool: TestPool;
  before(async () => {
    pool = await openTestPool('sqlite::memory:');
  });
  after(() => pool.close());

  it("are created, changed, shown and deleted in Cognito's form", async () => {
    const UserPoolId = pool.userPoolId;
    const RoleArn = 'arn:aws:iam::123456789012:role/writers';
    const { Group } = await make(pool, 'writers', { Description: 'They write', Precedence: 0, RoleArn });
    const seconds = pool.clock.now() / 1000;
    const times = { LastModifiedDate: seconds, CreationDate: seconds };
    assert.deepEqual(Group, {
      GroupName: 'writers',
      UserPoolId,
      Description: 'They write',
      RoleArn,
      Precedence: 0,
      ...times,
    });
    await assertRefused(make(pool, 'writers'), 'GroupExistsException', 'A group with the name already exists.');
    pool.clock.advance(5_000);
    const changed = await pool.operations.updateGroup({ UserPoolId, GroupName: 'writers', Precedence: 3 }, TEST_CALL);
    assert.deepEqual(changed.Group, { ...Group, Precedence: 3, LastModifiedDate: seconds + 5 });
    assert.deepEqual(await pool.operations.getGroup({ UserPoolId, GroupName: 'writers' }, TEST_CALL), changed);
    await pool.operations.deleteGroup({ UserPoolId, GroupName: 'writers' }, TEST_CALL);
    for (const call of [pool.operations.getGroup, pool.operations.deleteGroup, pool.operations.updateGroup]) {
      const refusal = await assertRefused(
        call({ UserPoolId, GroupName: 'writers' }, TEST_CALL),
        'ResourceNotFoundException',
        'Group not found.',
      );
      assert.equal(refusal.reason, 'group_not_found');
    }
  });

  it('refuse invalid names and values', async () => {
    for (const name of ['', 'two words', 'x'.repeat(129), 'a\n']) {
      await assertRefused(make(pool, name), 'InvalidParameterException');
    }
    for (const more of [
      { Precedence: -1 },
      { Precedence: 1.5 },
      { RoleArn: 'writers' },
      { Description: 'x'.repeat(2049) },
    ]) {
      await assertRefused(make(pool, 'bad', more), 'InvalidParameterException');
    }
  });

  it('contain users once, and appear in the tokens of the next login', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const username = await addUser(pool, 'ada@example.com');
    await make(pool, 'readers');
    await make(pool, 'admins', { Precedence: 1, RoleArn: 'arn:aws:iam::123456789012:role/admins' });
    assert.ok(!('cognito:groups' in (await logInForClaims(pool, 'ada@example.com')).access));
    for (const group of ['readers', 'admins', 'admins']) {
      assert.deepEqual(await operations.adminAddUserToGroup(member(pool, group, 'ada@example.com'), TEST_CALL), {});
    }
    const { access, id } = await logInForClaims(pool, 'ada@example.com');
    assert.deepEqual(access['cognito:groups'], ['admins', 'readers']);
    assert.deepEqual(id['cognito:groups'], ['admins', 'readers']);
    assert.equal(id['cognito:preferred_role'], 'arn:aws:iam::123456789012:role/admins');
    const { Users } = await operations.listUsersInGroup({ UserPoolId, GroupName: 'admins' }, TEST_CALL);
    assert.deepEqual(
      Users?.map(({ Username }) => Username),
      [username],
    );
    const own = await operations.adminListGroupsForUser({ UserPoolId, Username: 'ada@example.com' }, TEST_CALL);
    assert.deepEqual(own.Groups?.map(({ GroupName }) => GroupName).sort(), ['admins', 'readers']);
    await operations.adminRemoveUserFromGroup(member(pool, 'admins', 'ada@example.com'), TEST_CALL);
    await operations.adminRemoveUserFromGroup(member(pool, 'admins', 'ada@example.com'), TEST_CALL);
    assert.deepEqual((await logInForClaims(pool, 'ada@example.com')).access['cognito:groups'], ['readers']);
  });

  it('need an existing group and user', async () => {
    const { adminAddUserToGroup, adminRemoveUserFromGroup, listUsersInGroup } = pool.operations;
    await make(pool, 'there');
    await addUser(pool, 'there@example.com');
    for (const call of [adminAddUserToGroup, adminRemoveUserFromGroup]) {
      await assertRefused(call(member(pool, 'nowhere', 'there@example.com'), TEST_CALL), 'ResourceNotFoundException');
      await assertRefused(call(member(pool, 'there', 'nobody@example.com'), TEST_CALL), 'UserNotFoundException');
    }
    const nowhere = listUsersInGroup({ UserPoolId: pool.userPoolId, GroupName: 'nowhere' }, TEST_CALL);
    await assertRefused(nowhere, 'ResourceNotFoundException');
  });

  it('are listed page by page, with tokens only for this list', async () => {
    const { operations, userPoolId: UserPoolId } = pool;
    const names: (string | undefined)[] = [];
    let NextToken: string | undefined;
    do {
      const page = await operations.listGroups({ UserPoolId, Limit: 2, ...(NextToken && { NextToken }) }, TEST_CALL);
      names.push(...(page.Groups ?? []).map(({ GroupName }) => GroupName));
      NextToken = page.NextToken;
      const other =
        NextToken && operations.listUsersInGroup({ UserPoolId, GroupName: 'readers', NextToken }, TEST_CALL);
      if (other) await assertRefused(other, 'InvalidParameterException');
    } while (NextToken !== undefined);
    assert.deepEqual(names, ['admins', 'readers', 'there']);
  });

  it('are limited to a hundred per user', async () => {
    await addUser(pool, 'joiner@example.com');
    for (let at = 0; at < 100; at += 1) {
      await make(pool, `many-${at}`);
      await pool.operations.adminAddUserToGroup(member(pool, `many-${at}`, 'joiner@example.com'), TEST_CALL);
    }
    const again = pool.operations.adminAddUserToGroup(member(pool, 'many-7', 'joiner@example.com'), TEST_CALL);
    assert.deepEqual(await again, {});
    const more = pool.operations.adminAddUserToGroup(member(pool, 'there', 'joiner@example.com'), TEST_CALL);
    await assertRefused(more, 'InvalidParameterException');
  });
});
