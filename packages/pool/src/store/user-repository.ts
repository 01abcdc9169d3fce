import type { Page } from './page.ts';
import type { UserRecord, UserSearch, UserWithCredential } from './records.ts';

/** A user who asked for the deletion of the account. */
export interface DueDeletion extends Pick<UserRecord, 'poolId' | 'username' | 'sub'> {
  readonly deletionAtMs: number;
}

/** Reads users. */
export interface UserReads {
  /** Finds the user of a canonical name (username, sub or alias; see `UserNames`), with its password. */
  byName(poolId: string, name: string): Promise<UserWithCredential | undefined>;
  byUsername(poolId: string, username: string): Promise<UserRecord | undefined>;
  /**
   * Lists users after the cursor, sorted by username, at most `limit`. Competing registrations are not included, here and in searches and
   * counts.
   */
  list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
  /**
   * Lists users whose deletion is due, the longest waiting first, at most `limit`.
   * @param after the last one of the previous page
   */
  listDueDeletions(nowMs: number, limit: number, after?: DueDeletion): Promise<readonly DueDeletion[]>;
  /** Counts the users of a pool. It reads them all, so it must not run often. */
  count(poolId: string): Promise<number>;
  /**
   * Finds users that meet a condition after the cursor, sorted by the value, then by username, at most `limit`. It takes one indexed read
   * for any number of users.
   */
  search(poolId: string, search: UserSearch, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
}

/** The changeable parts of a user. Omitted members stay unchanged. */
export type UserChange = Partial<
  Pick<UserRecord, 'status' | 'enabled' | 'attributes' | 'mfaMethods' | 'preferredMfa' | 'deletionAtMs'>
> &
  Pick<UserRecord, 'modifiedAtMs'>;

/** Reads and writes users, their names, and what proves who they are. */
export interface UserRepository extends UserReads {
  /** Like `byName`, and locks the user. Until this write ends, no other write changes or deletes the user. */
  lockByName(poolId: string, name: string): Promise<UserWithCredential | undefined>;
  /** Inserts a user together with its names, which are all unique in the pool. */
  insert(user: UserRecord, names: readonly string[]): Promise<void>;
  update(poolId: string, username: string, change: UserChange): Promise<void>;
  /** Replaces all names of a user. */
  replaceNames(poolId: string, username: string, names: readonly string[]): Promise<void>;
  /** Deletes a user with everything that belongs to it. False if it does not exist. */
  delete(poolId: string, username: string): Promise<boolean>;
  /**
   * Deletes every credential of this user: password, passkeys, authenticators, recovery codes, devices, and codes and links that were sent.
   */
  deleteProofs(poolId: string, username: string): Promise<void>;
}
