/** A request with an `Idempotency-Key`, and its answer once there is one. */
export interface IdempotencyRecord {
  /** Keyed digest of admin key, route and key, hex. */
  readonly digestHex: string;
  /** Digest of the request: the same key with another request is a mistake. */
  readonly requestDigestHex: string;
  /** Status and body, encrypted; null while the first request runs. */
  readonly answerEncrypted: string | null;
  readonly expiresAtMs: number;
}

/** Requests with an `Idempotency-Key`. */
export interface IdempotencyRecords {
  /**
   * Claims a key. Undefined for exactly one caller, who does the work; everybody else gets the record of that one.
   * A claim without an answer lapses with its expiry.
   */
  claim(claim: IdempotencyRecord, nowMs: number): Promise<IdempotencyRecord | undefined>;
  /** Keeps the answer of a claim until it expires. An answer that is there stays. */
  storeAnswer(digestHex: string, answerEncrypted: string, expiresAtMs: number): Promise<void>;
  /** Gives a claim up, so that the request may be made again. One that has its answer stays. */
  release(digestHex: string): Promise<void>;
}
