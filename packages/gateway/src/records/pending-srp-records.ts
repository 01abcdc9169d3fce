/**
 * A started SRP login whose answer the gateway must be able to check, or the sign-in of a device that waits for its user. Looked up by a digest; its
 * content is encrypted.
 */
export interface PendingSrpRecord {
  readonly digestHex: string;
  readonly startEncrypted: string;
  readonly expiresAtMs: number;
}

/** Started SRP logins, and sign-ins of devices. Forgotten in a crash of the database's server. */
export interface PendingSrpRecords {
  put(pending: PendingSrpRecord): Promise<void>;
  find(digestHex: string, nowMs: number): Promise<PendingSrpRecord | undefined>;
  /** Reads and removes a pending login. Defined for exactly one caller. */
  consume(digestHex: string, nowMs: number): Promise<PendingSrpRecord | undefined>;
}
