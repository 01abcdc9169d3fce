import type { IdentityProviderRecord } from './records.ts';

/** Reads identity providers. A pool has few of them. */
export interface IdentityProviderReads {
  byName(poolId: string, name: string): Promise<IdentityProviderRecord | undefined>;
  /** All of a pool, by name. */
  listOf(poolId: string): Promise<readonly IdentityProviderRecord[]>;
}

/** Reads and writes identity providers. */
export interface IdentityProviderRepository extends IdentityProviderReads {
  /** Rejects with `ConflictError` where the name is taken. */
  insert(provider: IdentityProviderRecord): Promise<void>;
  /** False where there is no such provider. */
  update(
    poolId: string,
    name: string,
    change: Pick<IdentityProviderRecord, 'settings' | 'secretEncrypted' | 'modifiedAtMs'>,
  ): Promise<boolean>;
  /** False where there is no such provider. Identities of its users stay. */
  delete(poolId: string, name: string): Promise<boolean>;
}
