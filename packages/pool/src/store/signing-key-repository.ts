import type { SigningKeyRecord } from './records.ts';

/** Reads the keys that sign a pool's tokens. */
export interface SigningKeyReads {
  /** Lists all keys of a pool, oldest first, then by id. */
  listOf(poolId: string): Promise<readonly SigningKeyRecord[]>;
}

/** Reads and writes the keys that sign a pool's tokens. */
export interface SigningKeyRepository extends SigningKeyReads {
  insert(key: SigningKeyRecord): Promise<void>;
  /** Retires all active keys of a pool except the named ones. */
  retireExcept(poolId: string, exceptKids: readonly string[], nowMs: number): Promise<void>;
}
