import type { PasskeyRecord } from './records.ts';

/** Reads passkeys. */
export interface PasskeyReads {
  byCredentialId(poolId: string, credentialId: string): Promise<PasskeyRecord | undefined>;
  /** Lists all passkeys of a user, oldest first, then by credential id. */
  listOf(poolId: string, username: string): Promise<readonly PasskeyRecord[]>;
}

/** A use of a passkey: the key and counter with which the response was compared, and the new counter. */
export type PasskeyUse = { readonly fromCounter: number } & Pick<
  PasskeyRecord,
  'counter' | 'isBackedUp' | 'publicKey' | 'username'
> & { readonly lastUsedAtMs: number };

/** Reads and writes passkeys. */
export interface PasskeyRepository extends PasskeyReads {
  /** Like `listOf`, and locks the user. Until this write ends, no other write that lists them this way can add one. */
  lockAndListOf(poolId: string, username: string): Promise<readonly PasskeyRecord[]>;
  /** Inserts a passkey. A credential id that exists in the pool rejects with `ConflictError`. */
  insert(passkey: PasskeyRecord): Promise<void>;
  /**
   * Records a use. The caller has read in the same write that the passkey is unchanged since the comparison. If another write was faster,
   * this one fails, and is repeated where possible.
   */
  use(poolId: string, credentialId: string, use: PasskeyUse): Promise<void>;
  /** False if the user has no such passkey. */
  delete(poolId: string, username: string, credentialId: string): Promise<boolean>;
}
