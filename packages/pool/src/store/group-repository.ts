import type { Page } from './page.ts';
import type { GroupRecord, UserRecord } from './records.ts';

/** Reads groups and who is in them. */
export interface GroupReads {
  byName(poolId: string, name: string): Promise<GroupRecord | undefined>;
  /** Groups by name, `limit` at most, after the cursor. */
  list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<GroupRecord>>;
  /** The members of a group by user name, `limit` at most, after the cursor. */
  listMembers(poolId: string, groupName: string, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
  /** The groups of a user by name, `limit` at most, after the cursor. */
  listOf(poolId: string, username: string, limit: number, cursor: string | undefined): Promise<Page<GroupRecord>>;
}

/** What of a group may change; what is not named stays. */
export type GroupChange = Partial<Pick<GroupRecord, 'description' | 'precedence' | 'roleArn'>> &
  Pick<GroupRecord, 'modifiedAtMs'>;

/** Reads and writes groups and who is in them. */
export interface GroupRepository extends GroupReads {
  /** Counts the groups of a pool, and locks the pool: until the write ends, no other one that counts them adds to them. */
  lockAndCount(poolId: string): Promise<number>;
  /** Rejects with `ConflictError` where the name is taken. */
  insert(group: GroupRecord): Promise<void>;
  /** False where there is no such group. */
  update(poolId: string, name: string, change: GroupChange): Promise<boolean>;
  /** Deletes a group and its memberships. False where there is none. */
  delete(poolId: string, name: string): Promise<boolean>;
  /** Puts a user into a group that exists. False where it was in it. */
  addMember(poolId: string, groupName: string, username: string, nowMs: number): Promise<boolean>;
  /** False where it was not in it. */
  removeMember(poolId: string, groupName: string, username: string): Promise<boolean>;
}
