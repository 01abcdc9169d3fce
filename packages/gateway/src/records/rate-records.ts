/** The use of a rate limit. */
export interface RateCharge {
  /** The name of what is counted. */
  readonly name: string;
  /** The part of a minute that it takes, in whole milliseconds. */
  readonly costMs: number;
}

/** Stores rate limits per minute that all replicas share. They may be lost if the database server crashes. */
export interface RateRecords {
  /**
   * Takes from up to three allowances. If the first one is empty, nothing is taken from the others.
   * @returns the names of those that had something left
   */
  take(asked: readonly RateCharge[], nowMs: number): Promise<readonly string[]>;
}
