import type { EventFilter, EventPage } from '@poolgate/gateway/records';
import { sql } from 'kysely';
import type { Placeholders } from '../sql/placeholder.ts';
import { toPage, toRowLimit } from '../sql/row-pages.ts';
import { defineStatement, type Executor } from '../sql/statement.ts';

type AuditEvent = EventPage['rows'][number];

const COLUMNS = [
  'id',
  'at_ms as atMs',
  'type',
  'outcome',
  'user_pool_id as userPoolId',
  'client_id as clientId',
  'actor_kind as actorKind',
  'actor_id as actorId',
  'sub',
  'username',
  'request_id as requestId',
  'source_address as sourceAddress',
  'details',
  'count',
] as const;

interface EventQuery {
  readonly userPoolId: string;
  readonly before: string;
  readonly limit: number;
  readonly sub: string;
  readonly type: string;
}

// Later events have greater ids, so sorting by id sorts by time, and every index contains the id.
const selectEvents = (bySub: boolean, byType: boolean) =>
  defineStatement((db, p: Placeholders<EventQuery>) =>
    db
      .selectFrom('events')
      .select(COLUMNS)
      .where('user_pool_id', '=', p.userPoolId)
      .where('id', '<', p.before)
      .$if(bySub, (query) => query.where('sub', '=', p.sub))
      // If both are given, the user decides: a user has few events, a type may have millions.
      .$if(byType, (query) =>
        bySub ? query.where(sql<boolean>`type || '' = ${p.type}`) : query.where('type', '=', p.type),
      )
      .orderBy('id', 'desc')
      .limit(p.limit),
  );

const BY_FILTER = {
  pool: selectEvents(false, false),
  sub: selectEvents(true, false),
  type: selectEvents(false, true),
  subAndType: selectEvents(true, true),
};

function findPageStatement({ sub, type }: EventFilter) {
  if (sub === undefined) return type === undefined ? BY_FILTER.pool : BY_FILTER.type;
  return type === undefined ? BY_FILTER.sub : BY_FILTER.subAndType;
}

interface EventPageRow extends Omit<AuditEvent, 'type' | 'outcome' | 'actor' | 'user' | 'details' | 'count'> {
  readonly type: string;
  readonly outcome: string;
  readonly actorKind: string;
  readonly actorId: string | null;
  readonly sub: string | null;
  readonly username: string | null;
  readonly details: string;
  readonly count: number | null;
}

function toEvent({ actorKind, actorId, sub, username, count, ...row }: EventPageRow): AuditEvent {
  return {
    ...row,
    type: row.type as AuditEvent['type'],
    outcome: row.outcome as AuditEvent['outcome'],
    actor: { kind: actorKind as AuditEvent['actor']['kind'], id: actorId },
    // A sub without a username belongs to a failed attempt to act as that user.
    user: sub === null || username === null ? null : { sub, username },
    details: JSON.parse(row.details) as Record<string, string>,
    ...(count === null ? {} : { count }),
  };
}

// A noncharacter that sorts after every id.
const END = '\u{10ffff}';

/**
 * Reads events after the cursor, newest first, with one indexed read.
 * @throws RangeError for a limit below 1
 */
export async function readEventPage(
  reads: Executor,
  filter: EventFilter,
  limit: number,
  cursor: string | undefined,
): Promise<EventPage> {
  const { rows } = await reads.run(findPageStatement(filter), {
    userPoolId: filter.userPoolId,
    before: cursor ?? END,
    limit: toRowLimit(limit),
    sub: filter.sub ?? '',
    type: filter.type ?? '',
  });
  return toPage(rows.map(toEvent), limit, (event) => event.id);
}
