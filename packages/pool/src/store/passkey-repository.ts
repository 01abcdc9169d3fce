import type { PasskeyRecord } from './records.ts';

/** Reads passkeys of users. */
export interface PasskeyReads {
  byCredentialId(poolId: string, credentialId: string): Promise<PasskeyRecord | undefined>;
  /** All passkeys of a user, oldest first (same instant: by credential id). */
  listOf(poolId: string, username: string): Promise<readonly PasskeyRecord[]>;
}

/** A use of a passkey: the key and counter that its answer was compared with, and the new counter. */
export type PasskeyUse = { readonly fromCounter: number } & Pick<
  PasskeyRecord,
  'counter' | 'isBackedUp' | 'publicKey' | 'username'
> & { readonly lastUsedAtMs: number };

/** Reads and writes passkeys of users. */
export interface PasskeyRepository extends PasskeyReads {
  /** As `listOf`, and locks the user: until the write ends, no other one that lists them so adds to them. */
  lockAndListOf(poolId: string, username: string): Promise<readonly PasskeyRecord[]>;
  /** Inserts a passkey; a credential id that the pool has already rejects with `ConflictError`. */
  insert(passkey: PasskeyRecord): Promise<void>;
  /**
   * Records a use. Read in the same write that the passkey is the one that the answer was compared with: where another write was faster
   * since, this one fails, and is run again where that can happen.
   */
  use(poolId: string, credentialId: string, use: PasskeyUse): Promise<void>;
  /** False where the user has no such passkey. */
  delete(poolId: string, username: string, credentialId: string): Promise<boolean>;
}
