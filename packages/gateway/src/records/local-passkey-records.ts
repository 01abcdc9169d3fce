/** A user's name for a passkey. */
export interface LocalPasskeyRecord {
  readonly userPoolId: string;
  readonly sub: string;
  /** Base64url. */
  readonly credentialId: string;
  readonly name: string;
  readonly updatedAtMs: number;
}

/** Stores the names that users gave to passkeys. */
export interface LocalPasskeyRecords {
  /** Names or renames a passkey. */
  put(passkey: LocalPasskeyRecord): Promise<void>;
  /** Lists a user's names, sorted by credential id, with one indexed read. */
  list(userPoolId: string, sub: string): Promise<readonly LocalPasskeyRecord[]>;
  delete(userPoolId: string, sub: string, credentialId: string): Promise<boolean>;
}
