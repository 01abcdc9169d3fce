import type { Page } from './page.ts';
import type { PoolRecord } from './records.ts';

/** Reads user pools. */
export interface PoolRecordReads {
  byId(id: string): Promise<PoolRecord | undefined>;
  /** The pool that was made first: the one that the gateway serves by default. */
  first(): Promise<PoolRecord | undefined>;
  /** Pools by id, `limit` at most, after the cursor. */
  list(limit: number, cursor: string | undefined): Promise<Page<PoolRecord>>;
}

/** What of a pool may change; what is not named stays. */
export type PoolChange = Pick<PoolRecord, 'settings' | 'modifiedAtMs'> & Partial<Pick<PoolRecord, 'name'>>;

/** Reads and writes user pools. */
export interface PoolRepository extends PoolRecordReads {
  count(): Promise<number>;
  insert(pool: PoolRecord): Promise<void>;
  update(id: string, change: PoolChange): Promise<void>;
  /** Deletes a pool with everything that belongs to it: clients, users, groups, keys, messages. Its events stay. False where there is none. */
  delete(id: string): Promise<boolean>;
}
