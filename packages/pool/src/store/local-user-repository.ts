/** Writes the gateway's data about users. */
export interface LocalUserRepository {
  /** Complements `deleteProofs`: deletes the gateway's data about a user's passkeys and devices. */
  clear(poolId: string, sub: string, nowMs: number): Promise<void>;
  /** Complements a user's `delete`: deletes all of the gateway's data about the user. */
  delete(poolId: string, sub: string): Promise<void>;
}
