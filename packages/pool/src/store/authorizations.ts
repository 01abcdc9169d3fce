import type { AuthorizationCodeRecord, AuthorizationRequestRecord } from './records.ts';

/** Reads what browsers are about to be let into, and the codes that they were given for it. */
export interface AuthorizationReads {
  /** A request that has not expired. */
  request(digestHex: string, nowMs: number): Promise<AuthorizationRequestRecord | undefined>;
  /** A code, also one that was used or has expired, for as long as it is kept. */
  code(digestHex: string): Promise<AuthorizationCodeRecord | undefined>;
}

/** Reads and writes authorization requests and codes. */
export interface AuthorizationRepository extends AuthorizationReads {
  insertRequest(request: AuthorizationRequestRecord): Promise<void>;
  /** Consumes a request. True for exactly one caller, and only before it expires. */
  takeRequest(digestHex: string, nowMs: number): Promise<boolean>;
  insertCode(code: AuthorizationCodeRecord): Promise<void>;
  /**
   * Uses a code up, noting the login that its tokens come from; null where it gives none.
   * @returns true for exactly one caller, and only before it expires
   */
  useCode(digestHex: string, tokenLoginId: string | null, nowMs: number): Promise<boolean>;
}
