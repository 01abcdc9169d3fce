import type { CodePurpose, CodeRecord } from './records.ts';

/** Reads codes that were sent to users: one a user and purpose. */
export interface CodeReads {
  byPurpose(poolId: string, username: string, purpose: CodePurpose): Promise<CodeRecord | undefined>;
}

/** A row that is written in place of a code, for a name that gets none. Nothing reads it. */
export interface DecoyCode {
  /** The key of the row among the guess counters. */
  readonly subject: string;
  /** Until then the row stays. */
  readonly expiresAtMs: number;
}

/** Reads and writes codes that were sent to users. */
export interface CodeRepository extends CodeReads {
  /**
   * Sets the code of its purpose, voiding the one before.
   * @param decoy is written in place of the code, which voids none. The same statement writes either, so its time does not tell which.
   */
  put(code: CodeRecord, decoy?: DecoyCode): Promise<void>;
  /** Consumes a code. True for exactly one caller, and only while it is the current one. */
  consume(poolId: string, username: string, purpose: CodePurpose, digestHex: string): Promise<boolean>;
  /** Voids a code that was not used. */
  delete(poolId: string, username: string, purpose: CodePurpose): Promise<void>;
}
