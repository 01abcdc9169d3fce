import { sql } from 'kysely';
import { type Executor, type Statement, statement } from '../statement.ts';
import { deleteAll } from '../sweep.ts';

interface BoundedTable {
  readonly table: 'events' | 'deliveries';
  /** The id that later rows have greater ones of. */
  readonly id: string;
}

type DeleteOldest = Statement<{ most: number; limit: number }, unknown>;

/** Deletes rows that anonymous requests caused and that have so many newer ones, the oldest first, a limited number at once. */
function deleteOldest({ table, id }: BoundedTable): DeleteOldest {
  return statement((db, p) => {
    const [name, column] = [sql.table(table), sql.ref(id)];
    const kept = sql`select ${column} from ${name} where retention = 'bounded' order by ${column} desc limit 1 offset ${p.most}`;
    const query = sql`delete from ${name} where retention = 'bounded' and ${column} in (select ${column} from ${name}
      where retention = 'bounded' and ${column} <= (${kept}) order by ${column} limit ${p.limit})`;
    return { compile: () => query.compile(db) };
  });
}

const DELETIONS_OF_OLDEST = [
  deleteOldest({ table: 'events', id: 'id' }),
  deleteOldest({ table: 'deliveries', id: 'event_id' }),
];

/** Bounds what anonymous requests leave in the audit log, and on its way to webhooks, to so many rows. */
export async function limitAnonymousEvents(writes: Executor, most: number): Promise<void> {
  for (const cut of DELETIONS_OF_OLDEST) await deleteAll(writes, cut, { most });
}
