import type { AuthorizationCodeRecord, UserRecord } from './records.ts';

/** A code with whom it is of. */
export interface CodeWithUser {
  readonly code: AuthorizationCodeRecord;
  readonly user: UserRecord | undefined;
}

/** Reads the codes that applications were given. */
export interface AuthorizationReads {
  /** A code, also one that was used or has expired, for as long as it is kept. */
  code(digestHex: string): Promise<AuthorizationCodeRecord | undefined>;
  /** The same, with its user. */
  codeWithUser(digestHex: string): Promise<CodeWithUser | undefined>;
}

/** Reads and writes authorization codes. */
export interface AuthorizationRepository extends AuthorizationReads {
  insertCode(code: AuthorizationCodeRecord): Promise<void>;
  /**
   * Uses a code up, noting the login that its tokens come from; null where it gives none.
   * @returns true for exactly one caller, and only before it expires
   */
  useCode(digestHex: string, tokenLoginId: string | null, nowMs: number): Promise<boolean>;
}
