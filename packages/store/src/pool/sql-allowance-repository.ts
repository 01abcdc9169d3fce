import type { AllowanceReads, AllowanceRecord, AllowanceRepository, BucketSize } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

interface Subject {
  readonly poolId: string;
  readonly subject: string;
}

interface BucketTake {
  readonly nowMs: number;
  readonly everyMs: number;
  /** The next time at which a full bucket would be full again. */
  readonly nextMs: number;
  /** A bucket that is full only after this time is empty. */
  readonly latestMs: number;
}

const selectAllowance = defineStatement((db, p: Placeholders<Subject>) =>
  db
    .selectFrom('allowances')
    .select(['taken', 'expires_at_ms as expiresAtMs'])
    .where('pool_id', '=', p.poolId)
    .where('subject', '=', p.subject),
);

// A bucket is stored as the time when it will be full again. Each use postpones that time, and an empty bucket cannot postpone it further.
const takeFromBucket = defineStatement((db, p: Placeholders<Subject & BucketTake>) =>
  db
    .insertInto('allowances')
    .values({ pool_id: p.poolId, subject: p.subject, taken: 1, expires_at_ms: p.nextMs })
    .onConflict((conflict) =>
      conflict
        .columns(['pool_id', 'subject'])
        .doUpdateSet((eb) => {
          const isFull = eb('allowances.expires_at_ms', '<=', p.nowMs);
          return {
            taken: eb
              .case()
              .when(isFull)
              .then(1)
              .else(eb('allowances.taken', '+', 1))
              .end(),
            expires_at_ms: eb
              .case()
              .when(isFull)
              .then(eb.ref('excluded.expires_at_ms'))
              .else(eb('allowances.expires_at_ms', '+', p.everyMs))
              .end(),
          };
        })
        .where('allowances.expires_at_ms', '<=', p.latestMs),
    )
    .returning('taken'),
);

const takeFromWindow = defineStatement((db, p: Placeholders<Subject & { amount: number; expiresAtMs: number }>) =>
  db
    .insertInto('allowances')
    .values({ pool_id: p.poolId, subject: p.subject, taken: p.amount, expires_at_ms: p.expiresAtMs })
    .onConflict((conflict) =>
      conflict.columns(['pool_id', 'subject']).doUpdateSet((eb) => ({
        taken: eb('allowances.taken', '+', eb.ref('excluded.taken')),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
      })),
    )
    .returning('taken as count'),
);

/** Reads the use of allowances. */
export class SqlAllowanceReads extends SqlRepository implements AllowanceReads {
  async bySubject(poolId: string, subject: string): Promise<AllowanceRecord | undefined> {
    return (await this.executor.run(selectAllowance, { poolId, subject })).rows[0];
  }
}

/** Reads and writes the use of allowances. */
export class SqlAllowanceRepository extends SqlAllowanceReads implements AllowanceRepository {
  async takeFromBucket(
    poolId: string,
    subject: string,
    nowMs: number,
    { most, everyMs }: BucketSize,
  ): Promise<boolean> {
    const take = { nowMs, everyMs, nextMs: nowMs + everyMs, latestMs: nowMs + (most - 1) * everyMs };
    return (await this.executor.run(takeFromBucket, { poolId, subject, ...take })).rows.length === 1;
  }

  async take(poolId: string, subject: string, expiresAtMs: number, amount: 0 | 1 = 1): Promise<number> {
    return this.readCount(takeFromWindow, { poolId, subject, expiresAtMs, amount });
  }
}
