import type { IdentityProviderRecord } from './records.ts';

/** Reads identity providers. A pool has few of them. */
export interface IdentityProviderReads {
  byName(poolId: string, name: string): Promise<IdentityProviderRecord | undefined>;
  /** Lists a pool's providers, sorted by name. */
  listOf(poolId: string): Promise<readonly IdentityProviderRecord[]>;
}

/** Reads and writes identity providers. */
export interface IdentityProviderRepository extends IdentityProviderReads {
  /** Rejects with `ConflictError` if the name is taken. */
  insert(provider: IdentityProviderRecord): Promise<void>;
  /** False if the provider does not exist. */
  update(
    poolId: string,
    name: string,
    change: Pick<IdentityProviderRecord, 'settings' | 'secretEncrypted' | 'modifiedAtMs'>,
  ): Promise<boolean>;
  /** False if the provider does not exist. Its users' identities stay. */
  delete(poolId: string, name: string): Promise<boolean>;
}
