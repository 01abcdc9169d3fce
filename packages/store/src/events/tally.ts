import type { EventRecord } from '@poolgate/pool/store';
import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { byBytes } from '../pages.ts';
import type { Placeholders } from '../placeholder.ts';
import { statement, type Writer } from '../statement.ts';
import { countedId } from './counted-events.ts';

/** What is told about failures of names that nobody has. */
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
  'count',
] as const;

interface Failure {
  readonly userPoolId: string;
  readonly atMs: number;
  readonly type: EventRecord['type'];
  readonly outcome: EventRecord['outcome'];
  readonly clientId: string | null;
  readonly actorKind: string;
  readonly requestId: string;
  readonly sourceAddress: string;
  readonly details: string;
  readonly expiresAtMs: number;
  /** Null where it is one failure. */
  readonly count: number | null;
}

// The choice is materialised: run more than once, as a plan may run a subquery, it would choose others each time.
const takeCounted = statement((db, p: Placeholders<{ limit: number }>, phrases) =>
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
    .returning(KEPT_DETAILS)
    .$castTo<Failure>(),
);

const addToHour = statement((db, p: Placeholders<Omit<Failure, 'count'> & { id: string; count: number }>) =>
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

interface Hour {
  readonly id: string;
  readonly last: Failure;
  readonly count: number;
}

/** In the order of their ids, so that two who count at once wait for each other and never block each other for good. */
function byHour(failures: readonly Failure[]): readonly Hour[] {
  const hours = new Map<string, Hour>();
  for (const failure of failures) {
    const hourMs = failure.atMs - (failure.atMs % HOUR_MS);
    const id = countedId(hourMs, failure);
    const before = hours.get(id);
    const last = before !== undefined && before.last.atMs > failure.atMs ? before.last : failure;
    hours.set(id, { id, last, count: (before?.count ?? 0) + (failure.count ?? 1) });
  }
  return [...hours.values()].toSorted((one, other) => byBytes(one.id, other.id));
}

async function tallySome(writer: Writer, limit: number): Promise<number> {
  const { rows } = await writer.run(takeCounted, { limit });
  for (const { id, last, count } of byHour(rows)) {
    const atMs = last.atMs - (last.atMs % HOUR_MS);
    await writer.run(addToHour, { ...last, atMs, id, count });
  }
  return rows.length;
}

const FAILURES_PER_WRITE = 500;

/** Adds up the failures of names that nobody has in one record for each hour and kind. Whoever does so at once counts none twice. */
export async function tallyFailures({ write }: Pick<Database, 'write'>): Promise<void> {
  while ((await write((writer) => tallySome(writer, FAILURES_PER_WRITE))) === FAILURES_PER_WRITE);
}
