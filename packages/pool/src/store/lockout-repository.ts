import type { LockoutRecord } from './records.ts';

/** The lock of a subject that has failures; one that ended long ago, too. */
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
   * The locks of those of two subjects that have failures. Waits for a write that is counting a failure of the first subject; until this write
   * ends, no other counts one. A subject without a row cannot be held: nothing was counted for it, or its row was swept.
   * @param shared is read, but not held
   */
  holdLocks(poolId: string, subject: string, shared: string): Promise<readonly SubjectLock[]>;
  /**
   * Counts a failure of a subject and tells how many there are now; undefined while the subject is locked, then nothing is counted.
   * Failures older than `forgetBeforeMs` do not count any more.
   * @param longestMs no lock lasts longer: one that ends later was made by a clock that has been set back since, and is none
   */
  countFailure(
    poolId: string,
    subject: string,
    nowMs: number,
    forgetBeforeMs: number,
    longestMs?: number,
  ): Promise<number | undefined>;
  /**
   * Counts a failure of a subject that others share, if {@link countFailure} counted one of `ofSubject` just before. Both may be issued in
   * one turn.
   * @returns as {@link countFailure}; undefined also where that counted nothing
   */
  countSharedFailure(
    poolId: string,
    subject: string,
    ofSubject: string,
    nowMs: number,
    forgetBeforeMs: number,
    longestMs?: number,
  ): Promise<number | undefined>;
  /** Locks a subject out. Only after {@link countFailure} in the same write. */
  lockOut(poolId: string, subject: string, lockedUntilMs: number): Promise<void>;
  /**
   * Forgets the failures of a subject. False while it is locked out, then nothing changes.
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
