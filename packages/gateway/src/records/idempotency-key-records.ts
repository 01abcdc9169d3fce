/** A request with an `Idempotency-Key`, and its response once it exists. */
export interface IdempotencyRecord {
  /** Keyed digest of admin key, route and key, hex. */
  readonly digestHex: string;
  /** Digest of the request, because the same key with another request is an error. */
  readonly requestDigestHex: string;
  /** Encrypted status and body; null while the first request runs. */
  readonly answerEncrypted: string | null;
  readonly expiresAtMs: number;
}

/** Stores requests with an `Idempotency-Key`. */
export interface IdempotencyRecords {
  /**
   * Claims a key. Undefined for exactly one caller, who handles the request; all others get that caller's record. A claim without a
   * response lapses when it expires.
   */
  claim(claim: IdempotencyRecord, nowMs: number): Promise<IdempotencyRecord | undefined>;
  /** Stores the response of a claim until it expires. An existing response stays. */
  storeAnswer(digestHex: string, answerEncrypted: string, expiresAtMs: number): Promise<void>;
  /** Releases a claim, so that the request can be repeated. A claim with a response stays. */
  release(digestHex: string): Promise<void>;
}
