import type { AuthorizationCodeRecord, UserRecord } from './records.ts';

/** A code with its user. */
export interface CodeWithUser {
  readonly code: AuthorizationCodeRecord;
  readonly user: UserRecord | undefined;
}

/** Reads authorization codes. */
export interface AuthorizationReads {
  /** Returns a code while it is stored, even if it was used or has expired. */
  code(digestHex: string): Promise<AuthorizationCodeRecord | undefined>;
  /** The same, with its user. */
  codeWithUser(digestHex: string): Promise<CodeWithUser | undefined>;
}

/** Reads and writes authorization codes. */
export interface AuthorizationRepository extends AuthorizationReads {
  insertCode(code: AuthorizationCodeRecord): Promise<void>;
  /**
   * Consumes a code, recording the login of its tokens; null if it issues none.
   * @returns true for exactly one caller, and only before it expires
   */
  useCode(digestHex: string, tokenLoginId: string | null, nowMs: number): Promise<boolean>;
}
