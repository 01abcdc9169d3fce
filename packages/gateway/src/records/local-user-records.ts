/** What the gateway keeps of a user: only what the provider does not. Keyed by pool and `sub`. */
export interface LocalUserRecord {
  readonly userPoolId: string;
  readonly sub: string;
  readonly username: string;
  readonly passwordResetRequired: boolean;
  readonly isWebauthnEnabled: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A user as a request names him. */
export type LocalUserIdentity = Pick<LocalUserRecord, 'userPoolId' | 'sub' | 'username'>;

/** What the gateway keeps of users. */
export interface LocalUserRecords {
  /** Makes the record of a user on first sight; later sights only move the user name. */
  upsert(user: LocalUserIdentity, nowMs: number): Promise<LocalUserRecord>;
  find(userPoolId: string, sub: string): Promise<LocalUserRecord | undefined>;
  /** Sets the flag; the record is made where there is none. */
  setPasswordResetRequired(user: LocalUserIdentity, isRequired: boolean, nowMs: number): Promise<void>;
  /** Sets the flag of a user that was seen before. */
  setWebauthnEnabled(userPoolId: string, sub: string, isEnabled: boolean, nowMs: number): Promise<void>;
  /** Removes the record of a user with those of its devices and passkeys. */
  delete(userPoolId: string, sub: string): Promise<void>;
}
