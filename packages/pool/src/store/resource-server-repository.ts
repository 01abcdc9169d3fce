import type { Page } from './page.ts';
import type { ResourceServerRecord } from './records.ts';

/** Reads resource servers. */
export interface ResourceServerReads {
  byIdentifier(poolId: string, identifier: string): Promise<ResourceServerRecord | undefined>;
  /** Lists a pool's resource servers after the cursor, sorted by identifier, at most `limit`. */
  list(poolId: string, limit: number, cursor: string | undefined): Promise<Page<ResourceServerRecord>>;
}

/** Reads and writes resource servers. */
export interface ResourceServerRepository extends ResourceServerReads {
  /** Counts a pool's resource servers and locks the pool. Until this write ends, no other write that counts them can add one. */
  lockAndCount(poolId: string): Promise<number>;
  /** Rejects with `ConflictError` if the identifier is taken. */
  insert(server: ResourceServerRecord): Promise<void>;
  /** False if the server does not exist. */
  update(
    poolId: string,
    identifier: string,
    change: Pick<ResourceServerRecord, 'name' | 'scopes' | 'modifiedAtMs'>,
  ): Promise<boolean>;
  /** False if the server does not exist. */
  delete(poolId: string, identifier: string): Promise<boolean>;
}
