import type { GroupChange, GroupReads, GroupRecord, GroupRepository, Page, UserRecord } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { toPage, toRowLimit } from '../sql/row-pages.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, setOrUnchanged, type Writer } from '../sql/statement.ts';
import { lockPool } from './sql-pool-repository.ts';
import { selectUserColumns, toUser } from './user-rows.ts';

const COLUMNS = [
  'groups.pool_id as poolId',
  'groups.name',
  'groups.description',
  'groups.precedence',
  'groups.role_arn as roleArn',
  'groups.created_at_ms as createdAtMs',
  'groups.modified_at_ms as modifiedAtMs',
] as const;

interface GroupId {
  readonly poolId: string;
  readonly name: string;
}

interface Membership {
  readonly poolId: string;
  readonly groupName: string;
  readonly username: string;
}

const selectGroup = defineStatement((db, p: Placeholders<GroupId>) =>
  db.selectFrom('groups').select(COLUMNS).where('pool_id', '=', p.poolId).where('name', '=', p.name),
);

const selectGroups = defineStatement((db, p: Placeholders<{ poolId: string; after: string; limit: number }>) =>
  db
    .selectFrom('groups')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('name', '>', p.after)
    .orderBy('name')
    .limit(p.limit),
);

const countGroups = defineStatement((db, p: Placeholders<{ poolId: string }>) =>
  db
    .selectFrom('groups')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('pool_id', '=', p.poolId),
);

function toGroupValues(p: Placeholders<GroupRecord>) {
  return {
    pool_id: p.poolId,
    name: p.name,
    description: p.description,
    precedence: p.precedence,
    role_arn: p.roleArn,
    created_at_ms: p.createdAtMs,
    modified_at_ms: p.modifiedAtMs,
  };
}

const insertGroup = defineStatement((db, p: Placeholders<GroupRecord>) =>
  db.insertInto('groups').values(toGroupValues(p)),
);

const insertMissingGroup = defineStatement((db, p: Placeholders<GroupRecord>) =>
  db
    .insertInto('groups')
    .values(toGroupValues(p))
    .onConflict((conflict) => conflict.columns(['pool_id', 'name']).doNothing()),
);

interface ChangeRow extends GroupId {
  readonly setsDescription: boolean;
  readonly description: string | null;
  readonly setsPrecedence: boolean;
  readonly precedence: number | null;
  readonly setsRoleArn: boolean;
  readonly roleArn: string | null;
  readonly modifiedAtMs: number;
}

const updateGroup = defineStatement((db, p: Placeholders<ChangeRow>) =>
  db
    .updateTable('groups')
    .set({
      description: setOrUnchanged(p.setsDescription, p.description, 'description'),
      precedence: setOrUnchanged(p.setsPrecedence, p.precedence, 'precedence'),
      role_arn: setOrUnchanged(p.setsRoleArn, p.roleArn, 'role_arn'),
      modified_at_ms: p.modifiedAtMs,
    })
    .where('pool_id', '=', p.poolId)
    .where('name', '=', p.name)
    .returning('name'),
);

const deleteGroup = defineStatement((db, p: Placeholders<GroupId>) =>
  db.deleteFrom('groups').where('pool_id', '=', p.poolId).where('name', '=', p.name).returning('name'),
);

const insertMembership = defineStatement((db, p: Placeholders<Membership & { nowMs: number }>) =>
  db
    .insertInto('memberships')
    .values({ pool_id: p.poolId, username: p.username, group_name: p.groupName, created_at_ms: p.nowMs })
    .onConflict((conflict) => conflict.columns(['pool_id', 'username', 'group_name']).doNothing())
    .returning('username'),
);

const deleteMembership = defineStatement((db, p: Placeholders<Membership>) =>
  db
    .deleteFrom('memberships')
    .where('pool_id', '=', p.poolId)
    .where('username', '=', p.username)
    .where('group_name', '=', p.groupName)
    .returning('username'),
);

const selectMembers = defineStatement(
  (db, p: Placeholders<Omit<Membership, 'username'> & { after: string; limit: number }>, phrases) =>
    db
      .selectFrom('memberships as members')
      .innerJoin('users', (join) =>
        join.onRef('users.pool_id', '=', 'members.pool_id').onRef('users.username', '=', 'members.username'),
      )
      .select(selectUserColumns(phrases))
      .where('members.pool_id', '=', p.poolId)
      .where('members.group_name', '=', p.groupName)
      .where('members.username', '>', p.after)
      .orderBy('members.username')
      .limit(p.limit),
);

const selectGroupsOfUser = defineStatement(
  (db, p: Placeholders<Omit<Membership, 'groupName'> & { after: string; limit: number }>) =>
    db
      .selectFrom('memberships')
      .innerJoin('groups', (join) =>
        join.onRef('groups.pool_id', '=', 'memberships.pool_id').onRef('groups.name', '=', 'memberships.group_name'),
      )
      .select(COLUMNS)
      .where('memberships.pool_id', '=', p.poolId)
      .where('memberships.username', '=', p.username)
      .where('memberships.group_name', '>', p.after)
      .orderBy('memberships.group_name')
      .limit(p.limit),
);

// No name sorts before the empty text.
const toPagePosition = (limit: number, cursor: string | undefined) => ({
  after: cursor ?? '',
  limit: toRowLimit(limit),
});

/** Reads groups and their members. */
export class SqlGroupReads extends SqlRepository implements GroupReads {
  async byName(poolId: string, name: string): Promise<GroupRecord | undefined> {
    return (await this.executor.run(selectGroup, { poolId, name })).rows[0];
  }

  async list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<GroupRecord>> {
    const { rows } = await this.executor.run(selectGroups, { poolId, ...toPagePosition(limit, cursor) });
    return toPage(rows, limit, (group) => group.name);
  }

  async listMembers(
    poolId: string,
    groupName: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<UserRecord>> {
    const { rows } = await this.executor.run(selectMembers, { poolId, groupName, ...toPagePosition(limit, cursor) });
    return toPage(rows.map(toUser), limit, (user) => user.username);
  }

  async listOf(
    poolId: string,
    username: string,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<GroupRecord>> {
    const { rows } = await this.executor.run(selectGroupsOfUser, {
      poolId,
      username,
      ...toPagePosition(limit, cursor),
    });
    return toPage(rows, limit, (group) => group.name);
  }
}

/** Reads and writes groups and their members. Pages are sorted by name; limits below 1 throw a RangeError. */
export class SqlGroupRepository extends SqlGroupReads implements GroupRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  /** Until this write ends, no other write that counted the groups can add one, so a limit holds. */
  async lockAndCount(poolId: string): Promise<number> {
    await lockPool(this.executor, poolId);
    return this.readCount(countGroups, { poolId });
  }

  async insert(group: GroupRecord): Promise<void> {
    await this.executor.run(insertGroup, group);
  }

  async insertIfMissing(group: GroupRecord): Promise<void> {
    await this.executor.run(insertMissingGroup, group);
  }

  async update(poolId: string, name: string, change: GroupChange): Promise<boolean> {
    const { rows } = await this.executor.run(updateGroup, {
      poolId,
      name,
      setsDescription: change.description !== undefined,
      description: change.description ?? null,
      setsPrecedence: change.precedence !== undefined,
      precedence: change.precedence ?? null,
      setsRoleArn: change.roleArn !== undefined,
      roleArn: change.roleArn ?? null,
      modifiedAtMs: change.modifiedAtMs,
    });
    return rows.length === 1;
  }

  async delete(poolId: string, name: string): Promise<boolean> {
    return (await this.executor.run(deleteGroup, { poolId, name })).rows.length === 1;
  }

  async addMember(poolId: string, groupName: string, username: string, nowMs: number): Promise<boolean> {
    return (await this.executor.run(insertMembership, { poolId, groupName, username, nowMs })).rows.length === 1;
  }

  async removeMember(poolId: string, groupName: string, username: string): Promise<boolean> {
    return (await this.executor.run(deleteMembership, { poolId, groupName, username })).rows.length === 1;
  }
}
