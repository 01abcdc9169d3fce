import type { DeliveryRecord, DeliveryRecords } from '@poolgate/gateway/records';
import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { assertLimit, compareByBytes } from '../sql/row-pages.ts';
import { defineStatement } from '../sql/statement.ts';

const COLUMNS = [
  'webhook_id as webhookId',
  'event',
  'tries',
  'next_try_at_ms as nextTryAtMs',
  'dead_at_ms as deadAtMs',
  'last_failure as lastFailure',
] as const;

interface DeliveryId {
  readonly webhookId: string;
  readonly eventId: string;
}

// Materialized, because a plan may run a subquery more than once and would then choose and lock different rows each time.
const leaseDeliveries = defineStatement(
  (db, p: Placeholders<{ nowMs: number; leasedUntilMs: number; limit: number }>, phrases) =>
    db
      .with(
        (due) => due('due').materialized(),
        (cte) =>
          cte
            .selectFrom('deliveries')
            .select(['webhook_id', 'event_id'])
            .where('dead_at_ms', 'is', null)
            .where('next_try_at_ms', '<=', p.nowMs)
            .where('leased_until_ms', '<=', p.nowMs)
            .orderBy('next_try_at_ms')
            .orderBy('event_id')
            .orderBy('webhook_id')
            .limit(p.limit)
            .modifyEnd(phrases.lockSkippingLocked),
      )
      .updateTable('deliveries')
      .set({ leased_until_ms: p.leasedUntilMs })
      .where(sql<boolean>`(webhook_id, event_id) in (select webhook_id, event_id from due)`)
      .returning(COLUMNS),
);

const deleteDelivery = defineStatement((db, p: Placeholders<DeliveryId>) =>
  db.deleteFrom('deliveries').where('webhook_id', '=', p.webhookId).where('event_id', '=', p.eventId),
);

const postponeDelivery = defineStatement((db, p: Placeholders<DeliveryId & { nextTryAtMs: number; failure: string }>) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      tries: eb('tries', '+', 1),
      next_try_at_ms: p.nextTryAtMs,
      leased_until_ms: 0,
      last_failure: p.failure,
    }))
    .where('webhook_id', '=', p.webhookId)
    .where('event_id', '=', p.eventId)
    .where('dead_at_ms', 'is', null),
);

const deadLetterDelivery = defineStatement((db, p: Placeholders<DeliveryId & { nowMs: number; failure: string }>) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({ tries: eb('tries', '+', 1), dead_at_ms: p.nowMs, last_failure: p.failure }))
    .where('webhook_id', '=', p.webhookId)
    .where('event_id', '=', p.eventId)
    .where('dead_at_ms', 'is', null),
);

const selectDead = defineStatement((db, p: Placeholders<{ webhookId: string; limit: number }>) =>
  db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('webhook_id', '=', p.webhookId)
    .where('dead_at_ms', 'is not', null)
    .orderBy('dead_at_ms', 'desc')
    .orderBy('event_id', 'desc')
    .limit(p.limit),
);

function toDelivery(row: Omit<DeliveryRecord, 'event'> & { readonly event: string }): DeliveryRecord {
  return { ...row, event: JSON.parse(row.event) as DeliveryRecord['event'] };
}

function compareByNextTry(one: DeliveryRecord, other: DeliveryRecord): number {
  return (
    one.nextTryAtMs - other.nextTryAtMs ||
    compareByBytes(one.event.id, other.event.id) ||
    compareByBytes(one.webhookId, other.webhookId)
  );
}

/** Stores pending and failed webhook deliveries. */
export function createDeliveryRecords({ reads, writes }: Pick<Database, 'reads' | 'writes'>): DeliveryRecords {
  return {
    async lease(nowMs, leasedUntilMs, limit) {
      assertLimit(limit);
      // An update returns its rows in any order.
      const { rows } = await writes.run(leaseDeliveries, { nowMs, leasedUntilMs, limit });
      return rows.map(toDelivery).toSorted(compareByNextTry);
    },
    async finish(webhookId, eventId) {
      await writes.run(deleteDelivery, { webhookId, eventId });
    },
    async postpone(webhookId, eventId, nextTryAtMs, failure) {
      await writes.run(postponeDelivery, { webhookId, eventId, nextTryAtMs, failure });
    },
    async deadLetter(webhookId, eventId, nowMs, failure) {
      await writes.run(deadLetterDelivery, { webhookId, eventId, nowMs, failure });
    },
    async listDead(webhookId, limit) {
      assertLimit(limit);
      return (await reads.run(selectDead, { webhookId, limit })).rows.map(toDelivery);
    },
  };
}
