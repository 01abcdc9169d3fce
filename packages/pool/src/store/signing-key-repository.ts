import type { SigningKeyRecord } from './records.ts';

/** Reads the keys that sign a pool's tokens. */
export interface SigningKeyReads {
  /** All keys of a pool, oldest first (same instant: by id). */
  listOf(poolId: string): Promise<readonly SigningKeyRecord[]>;
}

/** Reads and writes the keys that sign a pool's tokens. */
export interface SigningKeyRepository extends SigningKeyReads {
  insert(key: SigningKeyRecord): Promise<void>;
  /** Retires every key of a pool that is still active, apart from the named ones. */
  retireExcept(poolId: string, exceptKids: readonly string[], nowMs: number): Promise<void>;
}
