import assert from 'node:assert/strict';
import { TEST_CALL } from '../../../packages/pool/src/testing/test-pool.ts';
import { decodeTokenPart } from '../../../packages/pool/src/testing/test-tokens.ts';
import type { Case, Subject } from '../subject.ts';
import { assertNow, assertRefuses, confirmed, loggedIn } from '../users.ts';

let made = 0;

async function group(subject: Subject, more: { readonly Precedence?: number } = {}) {
  const GroupName = `group-${Date.now().toString(36)}-${made++}`;
  const { Group } = await subject.operations.createGroup(
    { UserPoolId: subject.userPoolId, GroupName, ...more },
    TEST_CALL,
  );
  return { GroupName, Group, named: { UserPoolId: subject.userPoolId, GroupName } };
}

async function membership(subject: Subject) {
  const user = await confirmed(subject);
  const { GroupName, named } = await group(subject);
  const member = { ...user.identifiers, GroupName };
  await subject.operations.adminAddUserToGroup(member, TEST_CALL);
  return { user, member, named, GroupName };
}

const readNewClaims = async (subject: Subject, user: Parameters<typeof loggedIn>[1]) =>
  decodeTokenPart((await loggedIn(subject, user)).access, 1);

/** Groups and their members. */
export const GROUP_CASES = {
  AdminAddUserToGroup: [
    {
      does: 'shows in the tokens of the next login',
      async run(subject) {
        const { user, member, GroupName } = await membership(subject);
        assert.deepEqual(await subject.operations.adminAddUserToGroup(member, TEST_CALL), {});
        assert.deepEqual((await readNewClaims(subject, user))['cognito:groups'], [GroupName]);
      },
    },
    {
      does: 'refuses a group that is not there',
      async run(subject) {
        const { identifiers } = await confirmed(subject);
        const act = subject.operations.adminAddUserToGroup({ ...identifiers, GroupName: 'nonesuch' }, TEST_CALL);
        await assertRefuses(act, 'ResourceNotFoundException', 'group_not_found');
      },
    },
  ],
  AdminListGroupsForUser: [
    {
      does: 'lists the groups of a user',
      async run(subject) {
        const { user, GroupName } = await membership(subject);
        const { Groups = [] } = await subject.operations.adminListGroupsForUser(user.identifiers, TEST_CALL);
        assert.deepEqual(
          Groups.map((each) => each.GroupName),
          [GroupName],
        );
      },
    },
  ],
  AdminRemoveUserFromGroup: [
    {
      does: 'takes a user out',
      async run(subject) {
        const { user, member } = await membership(subject);
        assert.deepEqual(await subject.operations.adminRemoveUserFromGroup(member, TEST_CALL), {});
        assert.equal('cognito:groups' in (await readNewClaims(subject, user)), false);
      },
    },
  ],
  CreateGroup: [
    {
      does: 'makes a group, once',
      async run(subject) {
        const { Group, GroupName, named } = await group(subject, { Precedence: 3 });
        assert.deepEqual([Group?.GroupName, Group?.Precedence], [GroupName, 3]);
        assertNow(subject, Group?.CreationDate);
        await assertRefuses(subject.operations.createGroup(named, TEST_CALL), 'GroupExistsException');
      },
    },
    {
      does: 'refuses a name that no group can have',
      async run({ operations, userPoolId }) {
        const act = operations.createGroup({ UserPoolId: userPoolId, GroupName: 'two words' }, TEST_CALL);
        await assertRefuses(act, 'InvalidParameterException');
      },
    },
  ],
  DeleteGroup: [
    {
      does: 'deletes a group, and what its members had of it',
      async run(subject) {
        const { user, named } = await membership(subject);
        assert.deepEqual(await subject.operations.deleteGroup(named, TEST_CALL), {});
        await assertRefuses(
          subject.operations.getGroup(named, TEST_CALL),
          'ResourceNotFoundException',
          'group_not_found',
        );
        assert.equal('cognito:groups' in (await readNewClaims(subject, user)), false);
      },
    },
  ],
  GetGroup: [
    {
      does: 'shows a group',
      async run(subject) {
        const { Group, named } = await group(subject, { Precedence: 0 });
        assert.deepEqual((await subject.operations.getGroup(named, TEST_CALL)).Group, Group);
      },
    },
  ],
  ListGroups: [
    {
      does: 'lists groups in pages',
      async run(subject) {
        await group(subject);
        await group(subject);
        const { operations, userPoolId: UserPoolId } = subject;
        const first = await operations.listGroups({ UserPoolId, Limit: 1 }, TEST_CALL);
        assert.ok(first.NextToken);
        const second = await operations.listGroups({ UserPoolId, Limit: 1, NextToken: first.NextToken }, TEST_CALL);
        assert.notEqual(first.Groups?.[0]?.GroupName, second.Groups?.[0]?.GroupName);
      },
    },
  ],
  ListUsersInGroup: [
    {
      does: 'lists the members',
      async run(subject) {
        const { user, named } = await membership(subject);
        const { Username } = await subject.operations.adminGetUser(user.identifiers, TEST_CALL);
        const { Users = [] } = await subject.operations.listUsersInGroup(named, TEST_CALL);
        assert.deepEqual(
          Users.map((each) => each.Username),
          [Username],
        );
      },
    },
  ],
  UpdateGroup: [
    {
      does: 'changes what is given',
      async run(subject) {
        const { named } = await group(subject, { Precedence: 7 });
        const { Group } = await subject.operations.updateGroup({ ...named, Description: 'They write' }, TEST_CALL);
        assert.deepEqual([Group?.Description, Group?.Precedence], ['They write', 7]);
      },
    },
  ],
} as const satisfies Readonly<Record<string, readonly Case[]>>;
