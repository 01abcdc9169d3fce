/** Reads recovery codes of users. */
export interface RecoveryCodeReads {
  /** How many a user has left. */
  count(poolId: string, username: string): Promise<number>;
}

/** Reads and writes recovery codes of users. */
export interface RecoveryCodeRepository extends RecoveryCodeReads {
  /** Replaces all recovery codes of a user by these keyed digests. Of several sets that come at once one stays, whole. */
  replace(poolId: string, username: string, digestsHex: readonly string[], nowMs: number): Promise<void>;
  /** Uses up a recovery code. True for exactly one caller. */
  use(poolId: string, username: string, digestHex: string): Promise<boolean>;
}
