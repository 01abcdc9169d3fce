/** What is taken of something that may be done so often in a minute. */
export interface RateCharge {
  /** Who or what is counted. */
  readonly name: string;
  /** The share of a minute that it takes, in whole milliseconds. */
  readonly costMs: number;
}

/** What may be done so often in a minute, over all replicas. Forgotten in a crash of the database's server. */
export interface RateRecords {
  /**
   * Takes of up to three allowances of a minute. Of those behind the first one nothing is taken where the first is empty.
   * @returns the names of those that had something left
   */
  take(asked: readonly RateCharge[], nowMs: number): Promise<readonly string[]>;
}
