import type { Page } from './page.ts';
import type { ResourceServerRecord } from './records.ts';

/** Reads resource servers. */
export interface ResourceServerReads {
  byIdentifier(poolId: string, identifier: string): Promise<ResourceServerRecord | undefined>;
  /** Of one pool by identifier, `limit` at most, after the cursor. */
  list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<ResourceServerRecord>>;
}

/** Reads and writes resource servers. */
export interface ResourceServerRepository extends ResourceServerReads {
  /** Counts those of a pool, and locks the pool: until the write ends, no other one that counts them adds to them. */
  lockAndCount(poolId: string): Promise<number>;
  /** Rejects with `ConflictError` where the identifier is taken. */
  insert(server: ResourceServerRecord): Promise<void>;
  /** False where there is no such server. */
  update(
    poolId: string,
    identifier: string,
    change: Pick<ResourceServerRecord, 'name' | 'scopes' | 'modifiedAtMs'>,
  ): Promise<boolean>;
  /** False where there is no such server. */
  delete(poolId: string, identifier: string): Promise<boolean>;
}
