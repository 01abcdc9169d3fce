import type { CodePurpose, CodeRecord } from './records.ts';

/** Reads codes that were sent to users, at most one for each user and purpose. */
export interface CodeReads {
  byPurpose(poolId: string, username: string, purpose: CodePurpose): Promise<CodeRecord | undefined>;
}

/** A row that is written instead of a code, for a name that gets none. Nothing reads it. */
export interface DecoyCode {
  /** The key of the row among the guess counters. */
  readonly subject: string;
  /** When the row expires. */
  readonly expiresAtMs: number;
}

/** Reads and writes codes that were sent to users. */
export interface CodeRepository extends CodeReads {
  /**
   * Stores the code of its purpose, which invalidates the previous one.
   * @param decoy is written instead of the code and invalidates none; the same statement writes either, so its time does not reveal which
   */
  put(code: CodeRecord, decoy?: DecoyCode): Promise<void>;
  /** Consumes a code. True for exactly one caller, and only while it is the current one. */
  consume(poolId: string, username: string, purpose: CodePurpose, digestHex: string): Promise<boolean>;
  /** Invalidates an unused code. */
  delete(poolId: string, username: string, purpose: CodePurpose): Promise<void>;
}
