import type { LockoutReads, LockoutRecord, LockoutRepository, SharedLockout, SubjectLock } from '@poolgate/pool/store';
import { type OnConflictBuilder, sql } from 'kysely';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, type Writer } from '../sql/statement.ts';
import type { Tables } from '../sql/tables.ts';

interface Subject {
  readonly poolId: string;
  readonly subject: string;
}

interface LockTimes {
  readonly nowMs: number;
  readonly latestEndMs: number;
}

/** Used if the caller does not limit how long a lock may last. */
const ANY_LENGTH_MS = Number.MAX_SAFE_INTEGER;

/** A lock that ends later than this is ignored. */
const computeLatestEndMs = (nowMs: number, longestMs: number): number => Math.min(nowMs + longestMs, ANY_LENGTH_MS);

/** Adds the failure to those of an existing row, unless it is locked. */
function countOneMore(
  conflict: OnConflictBuilder<Tables, 'lockouts'>,
  p: Placeholders<LockTimes & { forgetBeforeMs: number }>,
) {
  return conflict
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
    .where((eb) =>
      eb.or([eb('lockouts.locked_until_ms', '<=', p.nowMs), eb('lockouts.locked_until_ms', '>', p.latestEndMs)]),
    );
}

// After `expires_at_ms` the row has no meaning: the failures are forgotten and the lock is over.
const countFailure = defineStatement(
  (db, p: Placeholders<Subject & LockTimes & { forgetBeforeMs: number; expiresAtMs: number }>) =>
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
      .onConflict((conflict) => countOneMore(conflict, p))
      .returning('failures'),
);

// Runs only after the other statement: a locked subject keeps the end of its lock, and a counted one has no lock.
const countSharedFailure = defineStatement(
  (db, p: Placeholders<Subject & LockTimes & { ofSubject: string; forgetBeforeMs: number; expiresAtMs: number }>) =>
    db
      .insertInto('lockouts')
      .columns(['pool_id', 'subject', 'failures', 'last_failure_at_ms', 'locked_until_ms', 'expires_at_ms'])
      .expression((eb) =>
        eb
          .selectFrom('lockouts as own')
          .select([
            'own.pool_id',
            sql<string>`cast(${p.subject} as text)`.as('subject'),
            sql<number>`1`.as('failures'),
            sql<number>`cast(${p.nowMs} as bigint)`.as('last_failure_at_ms'),
            sql<number>`0`.as('locked_until_ms'),
            sql<number>`cast(${p.expiresAtMs} as bigint)`.as('expires_at_ms'),
          ])
          .where('own.pool_id', '=', p.poolId)
          .where('own.subject', '=', p.ofSubject)
          .where('own.locked_until_ms', '=', 0),
      )
      .onConflict((conflict) => countOneMore(conflict, p))
      .returning('failures'),
);

const lockSubject = defineStatement((db, p: Placeholders<Subject & { lockedUntilMs: number }>) =>
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

const selectLockout = defineStatement((db, p: Placeholders<Subject>) =>
  db
    .selectFrom('lockouts')
    .select(['failures', 'locked_until_ms as lockedUntilMs'])
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject)
    .where('failures', '>', 0),
);

const selectBoth = defineStatement((db, p: Placeholders<Subject & { shared: string }>) =>
  db
    .selectFrom('lockouts')
    .select(['subject', 'locked_until_ms as lockedUntilMs'])
    .where('pool_id', '=', p.poolId)
    .where('subject', 'in', [p.subject, p.shared])
    .where('failures', '>', 0),
);

// Locks rows without failures as well, because the next failure is counted there.
const holdLockout = defineStatement((db, p: Placeholders<Subject>, phrases) =>
  db
    .selectFrom('lockouts')
    .select(['failures', 'locked_until_ms as lockedUntilMs'])
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject)
    .modifyEnd(phrases.lockWaiting),
);

// The row stays for the sweep, so that of two simultaneous correct answers both find that they may clear it.
const clearFailures = defineStatement((db, p: Placeholders<Subject & LockTimes>) =>
  db
    .updateTable('lockouts')
    .set({ failures: 0, locked_until_ms: 0, expires_at_ms: 0 })
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject)
    .where((eb) => eb.or([eb('locked_until_ms', '<=', p.nowMs), eb('locked_until_ms', '>', p.latestEndMs)]))
    .returning('subject'),
);

const unlockSubject = defineStatement((db, p: Placeholders<Subject>) =>
  db
    .updateTable('lockouts')
    .set({ failures: 0, locked_until_ms: 0, expires_at_ms: 0 })
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject),
);

/** Reads guess counters. */
export class SqlLockoutReads extends SqlRepository implements LockoutReads {
  async bySubject(poolId: string, subject: string): Promise<LockoutRecord | undefined> {
    return (await this.executor.run(selectLockout, { poolId, subject })).rows[0];
  }
}

/** Reads and writes guess counters. */
export class SqlLockoutRepository extends SqlLockoutReads implements LockoutRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  async holdLocks(poolId: string, subject: string, shared: string): Promise<readonly SubjectLock[]> {
    if (this.executor.isExclusive) {
      const { rows } = await this.executor.run(selectBoth, { poolId, subject, shared });
      return rows.toSorted((one) => (one.subject === subject ? -1 : 1));
    }
    // Together, in the order in which they are locked; the second one is read after conflicting writes have ended.
    const [own, other] = await Promise.all([
      this.executor.run(holdLockout, { poolId, subject }),
      shared === subject ? undefined : this.bySubject(poolId, shared),
    ]);
    const [held] = own.rows;
    return [
      ...(held === undefined || held.failures === 0 ? [] : [{ subject, lockedUntilMs: held.lockedUntilMs }]),
      ...(other === undefined ? [] : [{ subject: shared, lockedUntilMs: other.lockedUntilMs }]),
    ];
  }

  async countFailure(
    poolId: string,
    subject: string,
    nowMs: number,
    forgetBeforeMs: number,
    longestMs = ANY_LENGTH_MS,
  ): Promise<number | undefined> {
    const times = { nowMs, latestEndMs: computeLatestEndMs(nowMs, longestMs) };
    const expiresAtMs = nowMs + (nowMs - forgetBeforeMs);
    const { rows } = await this.executor.run(countFailure, { poolId, subject, ...times, forgetBeforeMs, expiresAtMs });
    return rows[0]?.failures;
  }

  async countSharedFailure(
    poolId: string,
    subject: string,
    ofSubject: string,
    nowMs: number,
    forgetBeforeMs: number,
    longestMs = ANY_LENGTH_MS,
  ): Promise<number | undefined> {
    const times = { nowMs, latestEndMs: computeLatestEndMs(nowMs, longestMs) };
    const expiresAtMs = nowMs + (nowMs - forgetBeforeMs);
    const count = { poolId, subject, ofSubject, ...times, forgetBeforeMs, expiresAtMs };
    return (await this.executor.run(countSharedFailure, count)).rows[0]?.failures;
  }

  async lockOut(poolId: string, subject: string, lockedUntilMs: number): Promise<void> {
    void this.executor.enqueue(lockSubject, { poolId, subject, lockedUntilMs });
  }

  async unlock(poolId: string, subject: string): Promise<void> {
    void this.executor.enqueue(unlockSubject, { poolId, subject });
  }

  async clearFailures(
    poolId: string,
    subject: string,
    nowMs: number,
    longestMs = ANY_LENGTH_MS,
    shared: SharedLockout = { subject, longestMs },
  ): Promise<boolean> {
    // Most correct answers have no failure before them, so one read by key is enough.
    const { rows: locks } = await this.executor.run(selectBoth, { poolId, subject, shared: shared.subject });
    const sharedUntilMs = locks.find((row) => row.subject === shared.subject)?.lockedUntilMs ?? 0;
    if (sharedUntilMs > nowMs && sharedUntilMs <= computeLatestEndMs(nowMs, shared.longestMs)) return false;
    if (locks.every((row) => row.subject !== subject)) return true;
    const times = { nowMs, latestEndMs: computeLatestEndMs(nowMs, longestMs) };
    const cleared = (await this.executor.run(clearFailures, { poolId, subject, ...times })).rows.length === 1;
    // A row that was swept in between is cleared as well.
    return cleared || (await this.executor.run(selectLockout, { poolId, subject })).rows.length === 0;
  }
}
