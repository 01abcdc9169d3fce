import { type Input, type Output, ProviderError } from '@poolgate/provider';
import { recordEvent } from '../kernel/audit-events.ts';
import type { ClockPort, EventPorts, MacPorts, StoreReads, StoreWrites } from '../kernel/ports.ts';
import { lockForUpdate } from '../kernel/write-locks.ts';
import { readPage } from '../settings/page-tokens.ts';
import { requirePool } from '../settings/pools-and-clients.ts';
import type { SettingsCachePort } from '../settings/settings-ports.ts';
import type { GroupRecord } from '../store/records.ts';
import { isConflictError } from '../store/store-error-guards.ts';
import {
  checkGroup,
  groupNotFoundError,
  MAX_GROUPS,
  requireGroup,
  toCognitoGroup,
  toGroupChange,
} from '../users/group-rules.ts';
import type { OperationTable } from './operation-table.ts';

type GroupOperation = 'createGroup' | 'deleteGroup' | 'getGroup' | 'listGroups' | 'updateGroup';

/** Operations with which administrators manage groups. The caller was already authorized. */
export const groupOperations: OperationTable<GroupOperation> = {
  createGroup,
  deleteGroup,
  async getGroup(ports, input) {
    const pool = await requirePool(ports, input.UserPoolId);
    return { Group: toCognitoGroup(await requireGroup(ports.store, pool, input.GroupName)) };
  },
  listGroups,
  updateGroup,
};

async function createGroup(
  ports: EventPorts & SettingsCachePort & StoreReads<'pools'> & StoreWrites<'events' | 'groups' | 'locks'>,
  input: Input<'CreateGroup'>,
): Promise<Output<'CreateGroup'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  checkGroup(input);
  const nowMs = ports.clock.now();
  const none = { description: null, precedence: null, roleArn: null };
  const times = { createdAtMs: nowMs, modifiedAtMs: nowMs };
  const group: GroupRecord = { poolId: pool.id, name: input.GroupName, ...none, ...toGroupChange(input), ...times };
  try {
    await ports.store.write(async (transaction) => {
      await lockForUpdate(transaction, `groups:${pool.id}`, nowMs);
      if ((await transaction.groups.lockAndCount(pool.id)) >= MAX_GROUPS) throw tooManyGroupsError();
      await transaction.groups.insert(group);
      await recordEvent(ports, transaction, { type: 'group.created', pool, details: { group: group.name } });
    });
  } catch (cause) {
    if (!isConflictError(cause)) throw cause;
    throw new ProviderError('GroupExistsException', 'A group with the name already exists.', { cause });
  }
  return { Group: toCognitoGroup(group) };
}

function tooManyGroupsError(): ProviderError {
  return new ProviderError('LimitExceededException', `A user pool can have ${MAX_GROUPS} groups at most.`);
}

async function updateGroup(
  ports: EventPorts & SettingsCachePort & StoreReads<'pools'> & StoreWrites<'events' | 'groups'>,
  input: Input<'UpdateGroup'>,
): Promise<Output<'UpdateGroup'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  checkGroup(input);
  const change = { ...toGroupChange(input), modifiedAtMs: ports.clock.now() };
  const group = await ports.store.write(async (transaction) => {
    if (!(await transaction.groups.update(pool.id, input.GroupName, change))) throw groupNotFoundError();
    await recordEvent(ports, transaction, { type: 'group.updated', pool, details: { group: input.GroupName } });
    return requireGroup(transaction, pool, input.GroupName);
  });
  return { Group: toCognitoGroup(group) };
}

async function deleteGroup(
  ports: EventPorts & SettingsCachePort & StoreReads<'groups' | 'pools'> & StoreWrites<'events' | 'groups'>,
  input: Input<'DeleteGroup'>,
): Promise<Output<'DeleteGroup'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  await requireGroup(ports.store, pool, input.GroupName);
  await ports.store.write(async (transaction) => {
    if (!(await transaction.groups.delete(pool.id, input.GroupName))) throw groupNotFoundError();
    await recordEvent(ports, transaction, { type: 'group.deleted', pool, details: { group: input.GroupName } });
  });
  return {};
}

/** Sorted by name. */
async function listGroups(
  ports: MacPorts & ClockPort & SettingsCachePort & StoreReads<'groups' | 'pools'>,
  input: Input<'ListGroups'>,
): Promise<Output<'ListGroups'>> {
  const pool = await requirePool(ports, input.UserPoolId);
  const page = { limit: input.Limit, token: input.NextToken };
  const { rows, nextToken } = await readPage(ports, pool, 'groups', page, (limit, cursor) =>
    ports.store.groups.list(pool.id, limit, cursor),
  );
  return { Groups: rows.map(toCognitoGroup), ...(nextToken === undefined ? {} : { NextToken: nextToken }) };
}
