/** Writes what becomes of challenge sessions: how often each was answered, and whether it is spent. */
export interface ChallengeSessionRepository {
  /**
   * Reserves an attempt on a challenge session: counts one try and tells how many there were, this one included;
   * undefined where the session is spent already. The row appears with the first attempt.
   */
  reserve(id: string, expiresAtMs: number): Promise<number | undefined>;
  /** Spends a session. True for exactly one caller; false also for a session that nobody has tried to answer. */
  spend(id: string): Promise<boolean>;
  /** Both at once: counts one try of a session and spends it; undefined where it is spent already. */
  reserveAndSpend(id: string, expiresAtMs: number): Promise<number | undefined>;
  /** Undoes the spending, and not the counting. Only after {@link reserveAndSpend} in the same write. */
  unspend(id: string): Promise<void>;
}
