import type { LockoutRecord } from './records.ts';

/** The lock of a subject with failures, even if it has ended. */
export interface SubjectLock {
  readonly subject: string;
  readonly lockedUntilMs: number;
}

/** Reads guess counters. */
export interface LockoutReads {
  bySubject(poolId: string, subject: string): Promise<LockoutRecord | undefined>;
}

/** A lock that several subjects share. */
export interface SharedLockout {
  readonly subject: string;
  /** As for {@link LockoutRepository.countFailure}. */
  readonly longestMs: number;
}

/** Reads and writes guess counters. */
export interface LockoutRepository extends LockoutReads {
  /**
   * Returns the locks of those of two subjects that have failures. It waits for a write that counts a failure of the first subject, and no
   * other write counts one until this one ends. A subject without a row cannot be locked, because nothing was counted for it or its row was
   * swept.
   * @param shared is read, but not locked
   */
  holdLocks(poolId: string, subject: string, shared: string): Promise<readonly SubjectLock[]>;
  /**
   * Counts a failure of a subject and returns the number of failures; undefined while the subject is locked, in which case nothing is
   * counted. Failures older than `forgetBeforeMs` no longer count.
   * @param longestMs the maximum duration of a lock; a longer one was written by a clock that has since been set back, and is ignored
   */
  countFailure(
    poolId: string,
    subject: string,
    nowMs: number,
    forgetBeforeMs: number,
    longestMs?: number,
  ): Promise<number | undefined>;
  /**
   * Counts a failure of a shared subject, if {@link countFailure} just counted one of `ofSubject`. Both may be issued in one turn.
   * @returns as {@link countFailure}; undefined also if that counted nothing
   */
  countSharedFailure(
    poolId: string,
    subject: string,
    ofSubject: string,
    nowMs: number,
    forgetBeforeMs: number,
    longestMs?: number,
  ): Promise<number | undefined>;
  /** Locks a subject. Only after {@link countFailure} in the same write. */
  lockOut(poolId: string, subject: string, lockedUntilMs: number): Promise<void>;
  /**
   * Forgets the failures of a subject. False while it is locked, in which case nothing changes.
   * @param longestMs as for {@link countFailure}
   * @param shared a lock that refuses too, and whose failures stay
   */
  clearFailures(
    poolId: string,
    subject: string,
    nowMs: number,
    longestMs?: number,
    shared?: SharedLockout,
  ): Promise<boolean>;
  /** Forgets the failures of a subject and ends its lock. */
  unlock(poolId: string, subject: string): Promise<void>;
}
