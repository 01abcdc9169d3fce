import type { EventRecord } from '@poolgate/pool/store';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Placeholders } from '../placeholder.ts';
import { type DialectSql, statementPair, type Writer } from '../statement.ts';
import type { Tables } from '../tables.ts';

interface EventRow extends Omit<EventRecord, 'actor' | 'user' | 'details' | 'retention' | 'standInSub' | 'count'> {
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly sub: string | null;
  readonly username: string | null;
  readonly details: string;
  readonly retention: string | null;
  /** The id of the event itself; where it is counted, its row has another one. */
  readonly eventId: string;
  readonly deliveryExpiresAtMs: number;
  /** The event as JSON, for those to whom it is reported. */
  readonly event: string;
  /** The type as it stands in the list of a webhook. */
  readonly listed: string;
}

const insertEvent = (db: Kysely<Tables>, p: Placeholders<EventRow>) =>
  db.insertInto('events').values({
    user_pool_id: p.userPoolId,
    id: p.id,
    at_ms: p.atMs,
    type: p.type,
    outcome: p.outcome,
    client_id: p.clientId,
    actor_kind: p.actorKind,
    actor_id: p.actorId,
    sub: p.sub,
    username: p.username,
    request_id: p.requestId,
    source_address: p.sourceAddress,
    details: p.details,
    expires_at_ms: p.expiresAtMs,
    retention: p.retention,
  });

// Every index whose columns may change changes, so that it takes as long as the insertion of a row does.
const countEvent = (db: Kysely<Tables>, p: Placeholders<EventRow>) =>
  insertEvent(db, p).onConflict((conflict) =>
    conflict.column('id').doUpdateSet((eb) => ({
      count: sql<number>`coalesce(events.count, 1) + 1`,
      at_ms: eb.ref('excluded.at_ms'),
      sub: eb.ref('excluded.sub'),
      request_id: eb.ref('excluded.request_id'),
      source_address: eb.ref('excluded.source_address'),
      expires_at_ms: eb.ref('excluded.expires_at_ms'),
    })),
  );

/** How many failures of names that nobody has wait for one webhook at most. */
const MOST_COUNTED_DELIVERIES = 100;

const listens = (p: Placeholders<EventRow>) =>
  sql<boolean>`(webhooks.events = '[]' or replace(webhooks.events, ${p.listed}, '') <> webhooks.events)`;

// By the retention and not by the webhook, of which any number of other deliveries may wait.
const hasRoom = sql<boolean>`(select count(*) from deliveries as waiting
  where waiting.retention = 'counted' and waiting.webhook_id || '' = webhooks.id) < ${sql.lit(MOST_COUNTED_DELIVERIES)}`;

const insertDeliveries = (
  db: Kysely<Tables>,
  p: Placeholders<EventRow>,
  { lockOwners }: Pick<DialectSql, 'lockOwners'>,
  isDelivered: RawBuilder<boolean>,
) =>
  db
    .insertInto('deliveries')
    .columns([
      'webhook_id',
      'event_id',
      'event',
      'tries',
      'next_try_at_ms',
      'leased_until_ms',
      'expires_at_ms',
      'retention',
    ])
    .expression((eb) =>
      eb
        .selectFrom('webhooks')
        .select([
          'webhooks.id',
          sql<string>`cast(${p.eventId} as text)`.as('event_id'),
          sql<string>`cast(${p.event} as text)`.as('event'),
          sql<number>`0`.as('tries'),
          sql<number>`cast(${p.atMs} as bigint)`.as('next_try_at_ms'),
          sql<number>`0`.as('leased_until_ms'),
          sql<number>`cast(${p.deliveryExpiresAtMs} as bigint)`.as('expires_at_ms'),
          sql<string | null>`cast(${p.retention} as text)`.as('retention'),
        ])
        .where(isDelivered)
        .modifyEnd(lockOwners),
    );

// Cheap where nobody listens, and what was asked for in any case: a delivery is there if and only if its event is.
const appendEvent = statementPair((db, p: Placeholders<EventRow>, phrases) => [
  insertEvent(db, p),
  insertDeliveries(db, p, phrases, listens(p)),
]);

const appendCountedEvent = statementPair((db, p: Placeholders<EventRow>, phrases) => [
  countEvent(db, p),
  insertDeliveries(db, p, phrases, sql<boolean>`${listens(p)} and ${hasRoom}`),
]);

const HOUR_MS = 60 * 60 * 1_000;

/** How long a delivery may be under way whose event an anonymous request caused: nobody fills the table by way of a receiver that is down. */
const DELIVERY_MS: Readonly<Record<NonNullable<EventRecord['retention']>, number>> = {
  bounded: 24 * HOUR_MS,
  counted: HOUR_MS,
};

/** Writes an event, and a delivery for each webhook that listens to its type. */
export async function appendEventTo(writer: Writer, record: EventRecord): Promise<void> {
  await writer.runBoth(appendEvent, eventRow(record, record.id));
}

/**
 * Counts an event in a row, and writes a delivery of it for each webhook that listens, unless too many wait there already.
 * @param id of the row, which may count others
 */
export async function countEventIn(writer: Writer, id: string, record: EventRecord): Promise<void> {
  await writer.runBoth(appendCountedEvent, eventRow(record, id));
}

function eventRow(record: EventRecord, id: string): EventRow {
  const { expiresAtMs, retention, standInSub, ...event } = record;
  const deliveryMs = retention === undefined ? Number.POSITIVE_INFINITY : DELIVERY_MS[retention];
  return {
    ...record,
    id,
    eventId: event.id,
    retention: retention ?? null,
    deliveryExpiresAtMs: Math.min(expiresAtMs, event.atMs + deliveryMs),
    actorKind: event.actor.kind,
    actorId: event.actor.id,
    sub: event.user?.sub ?? standInSub ?? null,
    username: event.user?.username ?? null,
    details: JSON.stringify(event.details),
    event: JSON.stringify(event),
    listed: JSON.stringify(event.type),
  };
}
