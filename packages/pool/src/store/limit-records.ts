/** The state of a guess counter. */
export interface LockoutRecord {
  readonly failures: number;
  /** Until then, guesses are refused; 0 if not locked. */
  readonly lockedUntilMs: number;
}

/** The use of an allowance. */
export interface AllowanceRecord {
  /** How many were taken since it was full. */
  readonly taken: number;
  /** When it is full again. */
  readonly expiresAtMs: number;
}

/** A bucket that limits how often something may happen: it starts full, and refills by one after each interval. */
export interface BucketSize {
  readonly most: number;
  readonly everyMs: number;
}
