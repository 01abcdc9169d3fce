/** The gateway's data about a user, limited to what the provider does not store. Keyed by pool and `sub`. */
export interface LocalUserRecord {
  readonly userPoolId: string;
  readonly sub: string;
  readonly username: string;
  readonly passwordResetRequired: boolean;
  readonly isWebauthnEnabled: boolean;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** A user as a request identifies them. */
export type LocalUserIdentity = Pick<LocalUserRecord, 'userPoolId' | 'sub' | 'username'>;

/** Stores the gateway's data about users. */
export interface LocalUserRecords {
  /** Creates the record of a user on first sight. Later calls only update the username. */
  upsert(user: LocalUserIdentity, nowMs: number): Promise<LocalUserRecord>;
  find(userPoolId: string, sub: string): Promise<LocalUserRecord | undefined>;
  /** Sets the flag, and creates the record if it does not exist. */
  setPasswordResetRequired(user: LocalUserIdentity, isRequired: boolean, nowMs: number): Promise<void>;
  /** Sets the flag of a known user. */
  setWebauthnEnabled(userPoolId: string, sub: string, isEnabled: boolean, nowMs: number): Promise<void>;
  /** Deletes the records of a user and of their devices and passkeys. */
  delete(userPoolId: string, sub: string): Promise<void>;
}
