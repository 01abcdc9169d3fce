import type { FederatedIdentityRecord } from './records.ts';

/** Distinguishes an account at an identity provider from all others. */
export type FederatedIdentityKey = Pick<FederatedIdentityRecord, 'providerName' | 'attribute' | 'value'>;

/** Reads the accounts at other identity providers that sign users in. */
export interface FederatedIdentityReads {
  byKey(poolId: string, key: FederatedIdentityKey): Promise<FederatedIdentityRecord | undefined>;
  /** Lists a user's identities, oldest first. */
  listOf(poolId: string, username: string): Promise<readonly FederatedIdentityRecord[]>;
}

/** Reads and writes federated identities. */
export interface FederatedIdentityRepository extends FederatedIdentityReads {
  /** Rejects with `ConflictError` if the account already signs in a user. */
  insert(identity: FederatedIdentityRecord): Promise<void>;
  /** False if the identity does not exist. */
  delete(poolId: string, key: FederatedIdentityKey): Promise<boolean>;
  /** Deletes what was linked to a user after the user was created. */
  deleteLinksOf(poolId: string, username: string): Promise<void>;
}
