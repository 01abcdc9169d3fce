import type { DomainRecord } from './records.ts';

/** Reads the domains of pools. */
export interface DomainReads {
  byName(name: string): Promise<DomainRecord | undefined>;
  /** The domains of one pool, sorted by name. */
  listOf(poolId: string): Promise<readonly DomainRecord[]>;
}

/** Reads and writes the domains of pools. */
export interface DomainRepository extends DomainReads {
  /** Rejects with `ConflictError` if any pool has the name. */
  insert(domain: DomainRecord): Promise<void>;
  /** False if the pool has no such domain. */
  update(poolId: string, name: string, change: Pick<DomainRecord, 'settings' | 'modifiedAtMs'>): Promise<boolean>;
  /** False if the pool has no such domain. */
  delete(poolId: string, name: string): Promise<boolean>;
}
