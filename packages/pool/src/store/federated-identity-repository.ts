import type { FederatedIdentityRecord } from './records.ts';

/** What tells one account at an identity provider from every other one. */
export type FederatedIdentityKey = Pick<FederatedIdentityRecord, 'providerName' | 'attribute' | 'value'>;

/** Reads the accounts at other identity providers that sign users in. */
export interface FederatedIdentityReads {
  byKey(poolId: string, key: FederatedIdentityKey): Promise<FederatedIdentityRecord | undefined>;
  /** Those of a user, the oldest first. */
  listOf(poolId: string, username: string): Promise<readonly FederatedIdentityRecord[]>;
}

/** Reads and writes them. */
export interface FederatedIdentityRepository extends FederatedIdentityReads {
  /** Rejects with `ConflictError` where the account already signs somebody in. */
  insert(identity: FederatedIdentityRecord): Promise<void>;
  /** False where there is no such identity. */
  delete(poolId: string, key: FederatedIdentityKey): Promise<boolean>;
}
