import type { AllowanceRecord, BucketSize } from './records.ts';

/** Reads the use of allowances, which limit how often something may happen. */
export interface AllowanceReads {
  bySubject(poolId: string, subject: string): Promise<AllowanceRecord | undefined>;
}

/** Reads and writes the use of allowances. */
export interface AllowanceRepository extends AllowanceReads {
  /**
   * Takes one from a subject's bucket of the given size, which refills by one each `everyMs`. False if it is empty, in which case nothing
   * changes. The `expiresAtMs` of such a subject is when its bucket is full again.
   */
  takeFromBucket(poolId: string, subject: string, nowMs: number, bucket: BucketSize): Promise<boolean>;
  /**
   * Takes one from a subject's window, and returns how many were taken including this one. An amount of 0 takes nothing, but writes and
   * waits for the same row.
   */
  take(poolId: string, subject: string, expiresAtMs: number, amount?: 0 | 1): Promise<number>;
}
