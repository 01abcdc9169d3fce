import type { BrandingRecord } from './records.ts';

/** Identifies the brandings of an app client, or of all clients of a pool. */
export type BrandingOwner = Pick<BrandingRecord, 'poolId' | 'clientId'>;

/** Identifies a branding by its owner and kind. */
export type BrandingKey = BrandingOwner & Pick<BrandingRecord, 'kind'>;

/** Reads brandings. */
export interface BrandingReads {
  byKey(key: BrandingKey): Promise<BrandingRecord | undefined>;
  byId(poolId: string, id: string): Promise<BrandingRecord | undefined>;
  /** The brandings of an owner without their content, sorted by kind. */
  listOf(owner: BrandingOwner): Promise<readonly Omit<BrandingRecord, 'content'>[]>;
}

/** Reads and writes brandings. */
export interface BrandingRepository extends BrandingReads {
  /** Rejects with `ConflictError` if the owner has a branding of this kind. */
  insert(branding: BrandingRecord): Promise<void>;
  /** False if the branding does not exist. */
  update(key: BrandingKey, change: Pick<BrandingRecord, 'content' | 'modifiedAtMs'>): Promise<boolean>;
  /** False if the branding does not exist. */
  delete(key: BrandingKey): Promise<boolean>;
}
