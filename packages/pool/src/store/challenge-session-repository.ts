/** Stores how often challenge sessions were answered, and whether they are spent. */
export interface ChallengeSessionRepository {
  /**
   * Reserves an attempt on a challenge session. Counts it and returns the number of attempts including this one; undefined if the session
   * is already spent. The row is created with the first attempt.
   */
  reserve(id: string, expiresAtMs: number): Promise<number | undefined>;
  /** Spends a session. True for exactly one caller. False also for a session that was never answered. */
  spend(id: string): Promise<boolean>;
  /** Does both at once: counts an attempt and spends the session; undefined if it is already spent. */
  reserveAndSpend(id: string, expiresAtMs: number): Promise<number | undefined>;
  /** Undoes the spending, but not the counting. Only after {@link reserveAndSpend} in the same write. */
  unspend(id: string): Promise<void>;
}
