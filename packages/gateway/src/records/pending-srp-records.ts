/**
 * A started SRP login whose answer the gateway must verify, or the sign-in of a device that waits for its user. It is found by a digest;
 * its content is encrypted.
 */
export interface PendingSrpRecord {
  readonly digestHex: string;
  readonly startEncrypted: string;
  readonly expiresAtMs: number;
}

/** Stores started SRP logins and device sign-ins. They may be lost if the database server crashes. */
export interface PendingSrpRecords {
  put(pending: PendingSrpRecord): Promise<void>;
  find(digestHex: string, nowMs: number): Promise<PendingSrpRecord | undefined>;
  /** Reads and removes a pending login. Defined for exactly one caller. */
  consume(digestHex: string, nowMs: number): Promise<PendingSrpRecord | undefined>;
}
