/** The audit log. An event is written in the same transaction as its change, with a delivery for each subscribed webhook. */
import type { EventRecord } from '@poolgate/pool/store';
import { sql } from 'kysely';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatementPair, type Writer } from '../sql/statement.ts';

interface EventRow extends Omit<EventRecord, 'actor' | 'user' | 'details' | 'retention' | 'standInSub' | 'count'> {
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly sub: string | null;
  readonly username: string | null;
  readonly details: string;
  readonly retention: string | null;
  readonly deliveryRetention: string | null;
  readonly deliveryExpiresAtMs: number;
  /** The event as JSON, for webhooks. */
  readonly event: string;
  /** The type as it appears in a webhook's list. */
  readonly listed: string;
}

// Cheap without webhooks, but required in any case: a delivery exists if and only if its event exists.
const appendEvent = defineStatementPair((db, p: Placeholders<EventRow>, phrases) => [
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
  }),
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
          sql<string>`cast(${p.id} as text)`.as('event_id'),
          sql<string>`cast(${p.event} as text)`.as('event'),
          sql<number>`0`.as('tries'),
          sql<number>`cast(${p.atMs} as bigint)`.as('next_try_at_ms'),
          sql<number>`0`.as('leased_until_ms'),
          sql<number>`cast(${p.deliveryExpiresAtMs} as bigint)`.as('expires_at_ms'),
          sql<string | null>`cast(${p.deliveryRetention} as text)`.as('retention'),
        ])
        .where(sql<boolean>`(webhooks.events = '[]' or replace(webhooks.events, ${p.listed}, '') <> webhooks.events)`)
        .modifyEnd(phrases.lockOwners),
    ),
]);

const HOUR_MS = 60 * 60 * 1_000;

/**
 * How long to retry the delivery of an event that an anonymous request caused. This keeps strangers from filling the table while a receiver
 * is down.
 */
const DELIVERY_MS: Readonly<Record<NonNullable<EventRecord['retention']>, number>> = {
  bounded: 24 * HOUR_MS,
  counted: HOUR_MS,
};

/** Writes an event, and a delivery for each webhook that subscribes to its type. */
export async function appendEventAndDeliveries(writer: Writer, record: EventRecord): Promise<void> {
  const { expiresAtMs, retention, standInSub, ...event } = record;
  const deliveryMs = retention === undefined ? Number.POSITIVE_INFINITY : DELIVERY_MS[retention];
  void writer.enqueueBoth(appendEvent, {
    ...record,
    retention: retention ?? null,
    deliveryRetention: retention ?? null,
    deliveryExpiresAtMs: Math.min(expiresAtMs, event.atMs + deliveryMs),
    actorKind: event.actor.kind,
    actorId: event.actor.id,
    sub: event.user?.sub ?? standInSub ?? null,
    username: event.user?.username ?? null,
    details: JSON.stringify(event.details),
    event: JSON.stringify(event),
    listed: JSON.stringify(event.type),
  });
}
