/** The name that a user gave to a passkey. */
export interface LocalPasskeyRecord {
  readonly userPoolId: string;
  readonly sub: string;
  /** Base64url. */
  readonly credentialId: string;
  readonly name: string;
  readonly updatedAtMs: number;
}

/** The names that users gave to passkeys. */
export interface LocalPasskeyRecords {
  /** Names or renames a passkey. */
  put(passkey: LocalPasskeyRecord): Promise<void>;
  /** The names that a user gave, ordered by credential id: one indexed read. */
  list(userPoolId: string, sub: string): Promise<readonly LocalPasskeyRecord[]>;
  delete(userPoolId: string, sub: string, credentialId: string): Promise<boolean>;
}
