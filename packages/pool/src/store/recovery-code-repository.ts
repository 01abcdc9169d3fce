/** Reads recovery codes of users. */
export interface RecoveryCodeReads {
  /** Returns the number of a user's unused codes. */
  count(poolId: string, username: string): Promise<number>;
}

/** Reads and writes recovery codes of users. */
export interface RecoveryCodeRepository extends RecoveryCodeReads {
  /** Replaces all recovery codes of a user with these keyed digests. Of several concurrent sets, exactly one is kept as a whole. */
  replace(poolId: string, username: string, digestsHex: readonly string[], nowMs: number): Promise<void>;
  /** Consumes a recovery code. True for exactly one caller. */
  use(poolId: string, username: string, digestHex: string): Promise<boolean>;
}
