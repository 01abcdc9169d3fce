import type { Page } from './page.ts';
import type { PoolRecord } from './records.ts';

/** Reads user pools. */
export interface PoolRecordReads {
  byId(id: string): Promise<PoolRecord | undefined>;
  /** Returns the pool that was created first, which the gateway serves by default. */
  first(): Promise<PoolRecord | undefined>;
  /** Lists pools after the cursor, sorted by id, at most `limit`. */
  list(limit: number, cursor: string | undefined): Promise<Page<PoolRecord>>;
}

/** The changeable parts of a pool. Omitted members stay unchanged. */
export type PoolChange = Pick<PoolRecord, 'settings' | 'modifiedAtMs'> & Partial<Pick<PoolRecord, 'name'>>;

/** Reads and writes user pools. */
export interface PoolRepository extends PoolRecordReads {
  count(): Promise<number>;
  insert(pool: PoolRecord): Promise<void>;
  update(id: string, change: PoolChange): Promise<void>;
  /** Deletes a pool with its clients, users, groups, keys and messages. Its events stay. False if it does not exist. */
  delete(id: string): Promise<boolean>;
}
