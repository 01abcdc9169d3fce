import type { AllowanceRecord, BucketSize } from './records.ts';

/** Reads what was taken of allowances: of what may be done only so often. */
export interface AllowanceReads {
  bySubject(poolId: string, subject: string): Promise<AllowanceRecord | undefined>;
}

/** Reads and writes what was taken of allowances. */
export interface AllowanceRepository extends AllowanceReads {
  /**
   * Takes one from a subject's bucket, which holds so many and gets one more each `everyMs`. False where it is empty, then nothing
   * changes. The `expiresAtMs` of such a subject is when its bucket is full again.
   */
  takeFromBucket(poolId: string, subject: string, nowMs: number, bucket: BucketSize): Promise<boolean>;
  /**
   * Takes one from the window of a subject, and returns how many were taken, including this one. An amount of 0 takes nothing, and writes
   * and waits for the same row.
   */
  take(poolId: string, subject: string, expiresAtMs: number, amount?: 0 | 1): Promise<number>;
}
