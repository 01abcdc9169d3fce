import type { CodePurpose, CodeRecord } from './records.ts';

/** Reads codes that were sent to users: one a user and purpose. */
export interface CodeReads {
  byPurpose(poolId: string, username: string, purpose: CodePurpose): Promise<CodeRecord | undefined>;
}

/** Reads and writes codes that were sent to users. */
export interface CodeRepository extends CodeReads {
  /** Sets the code of its purpose, voiding the one before. */
  put(code: CodeRecord): Promise<void>;
  /** Consumes a code. True for exactly one caller, and only while it is the current one. */
  consume(poolId: string, username: string, purpose: CodePurpose, digestHex: string): Promise<boolean>;
  /** Voids a code that was not used. */
  delete(poolId: string, username: string, purpose: CodePurpose): Promise<void>;
}
