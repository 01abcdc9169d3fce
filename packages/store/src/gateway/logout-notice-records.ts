import type { LogoutNoticeRecord, LogoutNoticeRecords } from '@poolgate/gateway/records';
import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { assertLimit, compareByBytes } from '../sql/row-pages.ts';
import { defineStatement } from '../sql/statement.ts';

interface NoticeId {
  readonly clientId: string;
  readonly sessionId: string;
}

// Materialized, because a plan may run a subquery more than once and would then choose and lock different rows each time.
const leaseNotices = defineStatement(
  (db, p: Placeholders<{ nowMs: number; leasedUntilMs: number; limit: number }>, phrases) =>
    db
      .with(
        (due) => due('due').materialized(),
        (cte) =>
          cte
            .selectFrom('client_sessions')
            .select(['client_id', 'session_id'])
            .where('ended_at_ms', 'is not', null)
            .where('next_try_at_ms', '<=', p.nowMs)
            .where('leased_until_ms', '<=', p.nowMs)
            .orderBy('next_try_at_ms')
            .orderBy('session_id')
            .orderBy('client_id')
            .limit(p.limit)
            .modifyEnd(phrases.lockSkippingLocked),
      )
      .updateTable('client_sessions')
      .set({ leased_until_ms: p.leasedUntilMs })
      .where(sql<boolean>`(client_id, session_id) in (select client_id, session_id from due)`)
      .returning([
        'client_id as clientId',
        'session_id as sessionId',
        'pool_id as userPoolId',
        'sub',
        'tries',
        'next_try_at_ms as nextTryAtMs',
      ]),
);

const deleteNotice = defineStatement((db, p: Placeholders<NoticeId>) =>
  db
    .deleteFrom('client_sessions')
    .where('client_id', '=', p.clientId)
    .where('session_id', '=', p.sessionId)
    .where('ended_at_ms', 'is not', null),
);

const postponeNotice = defineStatement((db, p: Placeholders<NoticeId & { nextTryAtMs: number; failure: string }>) =>
  db
    .updateTable('client_sessions')
    .set((eb) => ({
      tries: eb('tries', '+', 1),
      next_try_at_ms: p.nextTryAtMs,
      leased_until_ms: 0,
      last_failure: p.failure,
    }))
    .where('client_id', '=', p.clientId)
    .where('session_id', '=', p.sessionId)
    .where('ended_at_ms', 'is not', null),
);

type LeasedRow = LogoutNoticeRecord & { readonly nextTryAtMs: number };

function compareByNextTry(one: LeasedRow, other: LeasedRow): number {
  return (
    one.nextTryAtMs - other.nextTryAtMs ||
    compareByBytes(one.sessionId, other.sessionId) ||
    compareByBytes(one.clientId, other.clientId)
  );
}

/** Stores the pending logout notifications of applications. */
export function createLogoutNoticeRecords({ writes }: Pick<Database, 'writes'>): LogoutNoticeRecords {
  return {
    async lease(nowMs, leasedUntilMs, limit) {
      assertLimit(limit);
      // An update returns its rows in any order.
      const { rows } = await writes.run(leaseNotices, { nowMs, leasedUntilMs, limit });
      return rows.toSorted(compareByNextTry).map(({ nextTryAtMs: _dueAt, ...notice }) => notice);
    },
    async finish({ clientId, sessionId }) {
      await writes.run(deleteNotice, { clientId, sessionId });
    },
    async postpone({ clientId, sessionId }, nextTryAtMs, failure) {
      await writes.run(postponeNotice, { clientId, sessionId, nextTryAtMs, failure });
    },
  };
}
