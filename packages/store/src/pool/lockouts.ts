import type { BucketSize, LockoutRecord } from '@poolgate/pool/store';
import { type Executor, statement } from '../statement.ts';

interface Subject {
  readonly poolId: string;
  readonly subject: string;
}

interface BucketTake {
  readonly nowMs: number;
  readonly everyMs: number;
  /** When a bucket that is full now will be full again. */
  readonly nextMs: number;
  /** A bucket that will be full only later is empty. */
  readonly latestMs: number;
}

// `expires_at_ms` is when the row says nothing any more: the failures are forgotten and the lock is over.
const countFailure = statement((db, p: Subject & { nowMs: number; forgetBeforeMs: number; expiresAtMs: number }) =>
  db
    .insertInto('lockouts')
    .values({
      pool_id: p.poolId,
      subject: p.subject,
      failures: 1,
      last_failure_at_ms: p.nowMs,
      locked_until_ms: 0,
      expires_at_ms: p.expiresAtMs,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['pool_id', 'subject'])
        .doUpdateSet((eb) => ({
          failures: eb
            .case()
            .when('lockouts.last_failure_at_ms', '<', p.forgetBeforeMs)
            .then(1)
            .else(eb('lockouts.failures', '+', 1))
            .end(),
          last_failure_at_ms: eb.ref('excluded.last_failure_at_ms'),
          locked_until_ms: 0,
          expires_at_ms: eb.ref('excluded.expires_at_ms'),
        }))
        .where('lockouts.locked_until_ms', '<=', p.nowMs),
    )
    .returning('failures'),
);

const lockSubject = statement((db, p: Subject & { lockedUntilMs: number }) =>
  db
    .updateTable('lockouts')
    .set((eb) => ({
      locked_until_ms: p.lockedUntilMs,
      expires_at_ms: eb
        .case()
        .when('expires_at_ms', '<', p.lockedUntilMs)
        .then(p.lockedUntilMs)
        .else(eb.ref('expires_at_ms'))
        .end(),
    }))
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject),
);

// A bucket is one moment, when it will be full again: each one that is taken puts that off, and an empty bucket cannot put it off.
const takeFromBucket = statement((db, p: Subject & BucketTake) =>
  db
    .insertInto('lockouts')
    .values({
      pool_id: p.poolId,
      subject: p.subject,
      failures: 1,
      last_failure_at_ms: p.nowMs,
      locked_until_ms: p.nextMs,
      expires_at_ms: p.nextMs,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['pool_id', 'subject'])
        .doUpdateSet((eb) => {
          const fullAgainMs = eb
            .case()
            .when('lockouts.locked_until_ms', '>', p.nowMs)
            .then(eb('lockouts.locked_until_ms', '+', p.everyMs))
            .else(eb.ref('excluded.locked_until_ms'))
            .end();
          return {
            failures: eb.ref('excluded.failures'),
            last_failure_at_ms: eb.ref('excluded.last_failure_at_ms'),
            locked_until_ms: fullAgainMs,
            expires_at_ms: fullAgainMs,
          };
        })
        .where('lockouts.locked_until_ms', '<=', p.latestMs),
    )
    .returning('failures'),
);

const selectLockout = statement((db, p: Subject) =>
  db
    .selectFrom('lockouts')
    .select(['failures', 'locked_until_ms as lockedUntilMs'])
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject)
    .where('failures', '>', 0),
);

// The row stays for the sweep: two right answers at once must both find that they may clear it.
const clearFailures = statement((db, p: Subject & { nowMs: number }) =>
  db
    .updateTable('lockouts')
    .set({ failures: 0, locked_until_ms: 0, expires_at_ms: 0 })
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject)
    .where('locked_until_ms', '<=', p.nowMs)
    .returning('subject'),
);

const unlockSubject = statement((db, p: Subject) =>
  db
    .updateTable('lockouts')
    .set({ failures: 0, locked_until_ms: 0, expires_at_ms: 0 })
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject),
);

/** Guess counters, and the buckets of what may be done so often. */
export const lockouts = {
  async get(executor: Executor, poolId: string, subject: string): Promise<LockoutRecord | undefined> {
    return (await executor.run(selectLockout, { poolId, subject })).rows[0];
  },

  async countFailure(
    executor: Executor,
    poolId: string,
    subject: string,
    nowMs: number,
    forgetBeforeMs: number,
  ): Promise<number | undefined> {
    const expiresAtMs = nowMs + (nowMs - forgetBeforeMs);
    const { rows } = await executor.run(countFailure, { poolId, subject, nowMs, forgetBeforeMs, expiresAtMs });
    return rows[0]?.failures;
  },

  async lock(executor: Executor, poolId: string, subject: string, lockedUntilMs: number): Promise<void> {
    await executor.run(lockSubject, { poolId, subject, lockedUntilMs });
  },

  async takeFromBucket(
    executor: Executor,
    poolId: string,
    subject: string,
    nowMs: number,
    { most, everyMs }: BucketSize,
  ): Promise<boolean> {
    const take = { nowMs, everyMs, nextMs: nowMs + everyMs, latestMs: nowMs + (most - 1) * everyMs };
    return (await executor.run(takeFromBucket, { poolId, subject, ...take })).rows.length === 1;
  },

  async unlock(executor: Executor, poolId: string, subject: string): Promise<void> {
    await executor.run(unlockSubject, { poolId, subject });
  },

  async clear(executor: Executor, poolId: string, subject: string, nowMs: number): Promise<boolean> {
    // Most logins come without a failure before them: one read by key, no write.
    if ((await executor.run(selectLockout, { poolId, subject })).rows.length === 0) return true;
    const cleared = (await executor.run(clearFailures, { poolId, subject, nowMs })).rows.length === 1;
    // Swept away in between is cleared as well.
    return cleared || (await executor.run(selectLockout, { poolId, subject })).rows.length === 0;
  },
};
