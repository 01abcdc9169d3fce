/** Writes what the gateway keeps of users. */
export interface LocalUserRepository {
  /** Goes with `deleteProofs` of a user: no passkey or device is left. */
  clear(poolId: string, sub: string, nowMs: number): Promise<void>;
  /** Goes with `delete` of a user: nothing of what the gateway keeps of the user is left. */
  delete(poolId: string, sub: string): Promise<void>;
}
