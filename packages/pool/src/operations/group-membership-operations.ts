import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { toCognitoUser } from '../identity/cognito-user.ts';
import { lockUser, requireUser } from '../identity/user-records.ts';
import { recordEvent } from '../kernel/audit-events.ts';
import type { ClockPort, EventPorts, MacPorts, StorePort, StoreReads, Transaction } from '../kernel/ports.ts';
import { readPage } from '../settings/page-tokens.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort, SettingsPorts } from '../settings/settings-ports.ts';
import type { PoolTransaction } from '../store/pool-store.ts';
import type { PoolRecord, UserRecord } from '../store/records.ts';
import { MAX_GROUPS_OF_USER, requireGroup, toCognitoGroup } from '../users/group-rules.ts';
import type { OperationTable } from './operation-table.ts';

type MembershipOperation =
  | 'adminAddUserToGroup'
  | 'adminListGroupsForUser'
  | 'adminRemoveUserFromGroup'
  | 'listUsersInGroup';

/** Operations on group memberships. The caller was already authorized. */
export const groupMembershipOperations: OperationTable<MembershipOperation> = {
  adminAddUserToGroup: (ports, input) => changeMembership(ports, input, addMember),
  adminListGroupsForUser: listGroupsForUser,
  adminRemoveUserFromGroup: (ports, input) => changeMembership(ports, input, removeMember),
  listUsersInGroup,
};

/** A user and a group as read in the write that changes the membership. */
interface GroupMembership {
  readonly ports: EventPorts;
  readonly pool: PoolRecord;
  readonly user: UserRecord;
  readonly groupName: string;
}

/** Adding or removing a user twice is not an error. Tokens contain the change from the next refresh on. */
async function changeMembership(
  ports: EventPorts & SettingsPorts & StorePort,
  input: Input<'AdminAddUserToGroup'>,
  write: (transaction: PoolTransaction, membership: GroupMembership) => Promise<void>,
): Promise<Readonly<Record<never, never>>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user } = await requireUser(ports, pool, input.Username);
  await requireGroup(ports.store, pool, input.GroupName);
  await ports.store.write(async (transaction) => {
    const current = await lockUser(transaction, pool, user.username);
    const { name: groupName } = await requireGroup(transaction, pool, input.GroupName);
    await write(transaction, { ports, pool, user: current.user, groupName });
  });
  return {};
}

async function addMember(
  transaction: Transaction<'events' | 'groups'>,
  { ports, pool, user, groupName }: GroupMembership,
): Promise<void> {
  const isIn = user.groups.some(({ name }) => name === groupName);
  if (!isIn && user.groups.length >= MAX_GROUPS_OF_USER) {
    throw new ProviderError('InvalidParameterException', `A user can be in ${MAX_GROUPS_OF_USER} groups at most.`);
  }
  if (!(await transaction.groups.addMember(pool.id, groupName, user.username, ports.clock.now()))) return;
  await recordEvent(ports, transaction, { type: 'group.user_added', pool, user, details: { group: groupName } });
}

async function removeMember(
  transaction: Transaction<'events' | 'groups'>,
  { ports, pool, user, groupName }: GroupMembership,
): Promise<void> {
  if (!(await transaction.groups.removeMember(pool.id, groupName, user.username))) return;
  await recordEvent(ports, transaction, { type: 'group.user_removed', pool, user, details: { group: groupName } });
}

/** Sorted by name. */
async function listGroupsForUser(
  ports: MacPorts & ClockPort & SettingsCachePort & StoreReads<'groups' | 'pools' | 'users'>,
  input: Input<'AdminListGroupsForUser'>,
): Promise<Output<'AdminListGroupsForUser'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { user } = await requireUser(ports, pool, input.Username);
  const page = { limit: input.Limit, token: input.NextToken };
  const { rows, nextToken } = await readPage(ports, pool, `groups-of\n${user.username}`, page, (limit, cursor) =>
    ports.store.groups.listOf(pool.id, user.username, limit, cursor),
  );
  return { Groups: rows.map(toCognitoGroup), ...(nextToken === undefined ? {} : { NextToken: nextToken }) };
}

/** Sorted by username. */
async function listUsersInGroup(
  ports: MacPorts & ClockPort & SettingsCachePort & StoreReads<'groups' | 'pools'>,
  input: Input<'ListUsersInGroup'>,
): Promise<Output<'ListUsersInGroup'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const { name } = await requireGroup(ports.store, pool, input.GroupName);
  const page = { limit: input.Limit, token: input.NextToken };
  const { rows, nextToken } = await readPage(ports, pool, `members\n${name}`, page, (limit, cursor) =>
    ports.store.groups.listMembers(pool.id, name, limit, cursor),
  );
  return {
    Users: rows.map((user) => toCognitoUser(user)),
    ...(nextToken === undefined ? {} : { NextToken: nextToken }),
  };
}
