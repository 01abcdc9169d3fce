import type { Page } from './page.ts';
import type { UserRecord, UserSearch, UserWithCredential } from './records.ts';

/** Reads users. */
export interface UserReads {
  /** The user whom a canonical name means (user name, sub, or alias; see `UserNames`), with its password. */
  byName(poolId: string, name: string): Promise<UserWithCredential | undefined>;
  byUsername(poolId: string, username: string): Promise<UserRecord | undefined>;
  /** Users by user name, `limit` at most, after the cursor. Who registered aside is not among them, here and in what searches or counts. */
  list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
  /** How many users a pool has. It counts them: not for what happens often. */
  count(poolId: string): Promise<number>;
  /**
   * Users that meet a condition, `limit` at most, after the cursor: by the value, then by user name. One indexed read,
   * however many users there are.
   */
  search(poolId: string, search: UserSearch, limit: number, cursor: string | undefined): Promise<Page<UserRecord>>;
}

/** What of a user may change; what is not named stays. */
export type UserChange = Partial<
  Pick<UserRecord, 'status' | 'enabled' | 'attributes' | 'mfaMethods' | 'preferredMfa'>
> &
  Pick<UserRecord, 'modifiedAtMs'>;

/** Reads and writes users, the names under which they are found, and what proves who they are. */
export interface UserRepository extends UserReads {
  /** As `byName`, and locks the user: until the write ends, no other one changes or deletes it. */
  lockByName(poolId: string, name: string): Promise<UserWithCredential | undefined>;
  /** Inserts a user together with the names under which it is found; all of them are unique in the pool. */
  insert(user: UserRecord, names: readonly string[]): Promise<void>;
  update(poolId: string, username: string, change: UserChange): Promise<void>;
  /** Replaces all names of a user. */
  replaceNames(poolId: string, username: string, names: readonly string[]): Promise<void>;
  /** Deletes a user with everything that belongs to it. False where there is none. */
  delete(poolId: string, username: string): Promise<boolean>;
  /**
   * Takes away everything by which somebody could prove to be this user: password, passkeys, authenticators, recovery codes, devices,
   * codes and links that were sent.
   */
  deleteProofs(poolId: string, username: string): Promise<void>;
}
