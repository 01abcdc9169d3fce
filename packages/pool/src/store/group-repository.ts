import type { Page } from './page.ts';
import type { GroupRecord, UserRecord } from './records.ts';

/** Reads groups and their members. */
export interface GroupReads {
  byName(poolId: string, name: string): Promise<GroupRecord | undefined>;
  /** Lists groups after the cursor, sorted by name, at most `limit`. */
  list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<GroupRecord>>;
  /** Lists the members of a group after the cursor, sorted by username, at most `limit`. */
  listMembers(poolId: string, groupName: string, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
  /** Lists a user's groups after the cursor, sorted by name, at most `limit`. */
  listOf(poolId: string, username: string, limit: number, cursor: string | undefined): Promise<Page<GroupRecord>>;
}

/** The changeable parts of a group. Omitted members stay unchanged. */
export type GroupChange = Partial<Pick<GroupRecord, 'description' | 'precedence' | 'roleArn'>> &
  Pick<GroupRecord, 'modifiedAtMs'>;

/** Reads and writes groups and their members. */
export interface GroupRepository extends GroupReads {
  /** Counts the groups of a pool and locks the pool. Until this write ends, no other write that counts them can add one. */
  lockAndCount(poolId: string): Promise<number>;
  /** Rejects with `ConflictError` if the name is taken. */
  insert(group: GroupRecord): Promise<void>;
  /** Like `insert`, and does nothing if the name is taken, also by a write that has not ended yet. */
  insertIfMissing(group: GroupRecord): Promise<void>;
  /** False if the group does not exist. */
  update(poolId: string, name: string, change: GroupChange): Promise<boolean>;
  /** Deletes a group and its memberships. False if it does not exist. */
  delete(poolId: string, name: string): Promise<boolean>;
  /** Adds a user to an existing group. False if the user was already in it. */
  addMember(poolId: string, groupName: string, username: string, nowMs: number): Promise<boolean>;
  /** False if the user was not in it. */
  removeMember(poolId: string, groupName: string, username: string): Promise<boolean>;
}
