import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { compareByBytes } from '../sql/row-pages.ts';
import { defineStatement, type Writer } from '../sql/statement.ts';

/** The details that are kept about a failure for an unknown username. */
const KEPT_DETAILS = [
  'user_pool_id as userPoolId',
  'at_ms as atMs',
  'type',
  'outcome',
  'client_id as clientId',
  'actor_kind as actorKind',
  'request_id as requestId',
  'source_address as sourceAddress',
  'details',
  'expires_at_ms as expiresAtMs',
] as const;

interface Failure {
  readonly userPoolId: string;
  readonly atMs: number;
  readonly type: string;
  readonly outcome: string;
  readonly clientId: string | null;
  readonly actorKind: string;
  readonly requestId: string;
  readonly sourceAddress: string;
  readonly details: string;
  readonly expiresAtMs: number;
}

// Materialized, because a plan may run a subquery more than once and would then choose different rows each time.
const takeCounted = defineStatement((db, p: Placeholders<{ limit: number }>, phrases) =>
  db
    .with(
      (counted) => counted('counted').materialized(),
      (cte) =>
        cte
          .selectFrom('events')
          .select('id')
          .where('retention', '=', sql.lit('counted'))
          .orderBy('id')
          .limit(p.limit)
          .modifyEnd(phrases.lockSkippingLocked),
    )
    .deleteFrom('events')
    .where(sql<boolean>`id in (select id from counted)`)
    .returning(KEPT_DETAILS),
);

const addToHour = defineStatement((db, p: Placeholders<Failure & { id: string; count: number }>) =>
  db
    .insertInto('events')
    .values({
      id: p.id,
      user_pool_id: p.userPoolId,
      at_ms: p.atMs,
      type: p.type,
      outcome: p.outcome,
      client_id: p.clientId,
      actor_kind: p.actorKind,
      actor_id: null,
      sub: null,
      username: null,
      request_id: p.requestId,
      source_address: p.sourceAddress,
      details: p.details,
      expires_at_ms: p.expiresAtMs,
      retention: 'bounded',
      count: p.count,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        count: sql<number>`events.count + excluded.count`,
        request_id: eb.ref('excluded.request_id'),
        source_address: eb.ref('excluded.source_address'),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
      })),
    ),
);

const HOUR_MS = 60 * 60 * 1_000;

/** Returns the id of an hour's record: a UUID version 7 (RFC 9562 section 5.7) that is the same for the same hour and facts. */
function createHourId(hourMs: number, { userPoolId, type, outcome, clientId, details }: Failure): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([userPoolId, type, outcome, clientId, details]))
    .digest();
  digest.writeUIntBE(hourMs, 0, 6);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x70, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

interface HourlyFailures {
  readonly id: string;
  readonly last: Failure;
  readonly count: number;
}

/** Sorted by id, so that concurrent writers wait for each other and never deadlock. */
function groupByHour(failures: readonly Failure[]): readonly HourlyFailures[] {
  const hours = new Map<string, HourlyFailures>();
  for (const failure of failures) {
    const hourMs = failure.atMs - (failure.atMs % HOUR_MS);
    const id = createHourId(hourMs, failure);
    const before = hours.get(id);
    const last = before !== undefined && before.last.atMs > failure.atMs ? before.last : failure;
    hours.set(id, { id, last, count: (before?.count ?? 0) + 1 });
  }
  return [...hours.values()].toSorted((one, other) => compareByBytes(one.id, other.id));
}

async function aggregateBatch(writer: Writer, limit: number): Promise<number> {
  const { rows } = await writer.run(takeCounted, { limit });
  for (const { id, last, count } of groupByHour(rows)) {
    const atMs = last.atMs - (last.atMs % HOUR_MS);
    await writer.run(addToHour, { ...last, atMs, id, count });
  }
  return rows.length;
}

const FAILURES_PER_WRITE = 500;

/**
 * Aggregates failures for unknown usernames into one record for each hour and kind. Replicas that do so at the same time count no failure
 * twice.
 */
export async function aggregateFailuresByHour({ write }: Pick<Database, 'write'>): Promise<void> {
  while ((await write((writer) => aggregateBatch(writer, FAILURES_PER_WRITE))) === FAILURES_PER_WRITE);
}
