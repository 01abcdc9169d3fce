import type { EventRecord } from '@poolgate/pool/store';
import { sql } from 'kysely';
import { defineStatement, type Executor, type Statement } from '../sql/statement.ts';
import { deleteAll } from '../sql/sweep.ts';

interface BoundedTable {
  readonly table: 'events' | 'deliveries';
  /** The id column, which increases with time. */
  readonly id: string;
  readonly retention: NonNullable<EventRecord['retention']>;
}

type DeleteOldest = Statement<{ most: number; limit: number }, unknown>;

/** Deletes rows from anonymous requests that exceed the limit, oldest first, a limited number at a time. */
function createDeleteOldest({ table, id, retention }: BoundedTable): DeleteOldest {
  return defineStatement((db, p) => {
    const [name, column, kind] = [sql.table(table), sql.ref(id), sql.lit(retention)];
    const kept = sql`select ${column} from ${name} where retention = ${kind} order by ${column} desc limit 1 offset ${p.most}`;
    const query = sql`delete from ${name} where retention = ${kind} and ${column} in (select ${column} from ${name}
      where retention = ${kind} and ${column} <= (${kept}) order by ${column} limit ${p.limit})`;
    return { compile: () => query.compile(db) };
  });
}

const DELETIONS_OF_OLDEST = [
  createDeleteOldest({ table: 'events', id: 'id', retention: 'bounded' }),
  createDeleteOldest({ table: 'deliveries', id: 'event_id', retention: 'bounded' }),
];

const deleteOldestCounted = createDeleteOldest({ table: 'deliveries', id: 'event_id', retention: 'counted' });

/** How many failures for unknown usernames may wait for webhooks. */
const MOST_COUNTED_DELIVERIES = 1_000;

/** Limits how many failures for unknown usernames wait for webhooks. The oldest are deleted first. */
export async function limitCountedDeliveries(writes: Executor): Promise<void> {
  await deleteAll(writes, deleteOldestCounted, { most: MOST_COUNTED_DELIVERIES });
}

/** Limits the rows that anonymous requests leave in the audit log and in its deliveries. */
export async function limitAnonymousEvents(writes: Executor, most: number): Promise<void> {
  for (const cut of DELETIONS_OF_OLDEST) await deleteAll(writes, cut, { most });
}
