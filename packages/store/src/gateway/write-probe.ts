import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { RefusedWriteCount } from '../sql/refused-writes.ts';
import { defineStatement } from '../sql/statement.ts';

// A row that changes each time, so that something is written. A sweep may take it.
const writeLittle = defineStatement((db) =>
  db
    .insertInto('rates')
    .values({ name: 'readiness', whole_at_ms: 0 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ whole_at_ms: sql<number>`rates.whole_at_ms + 1` })),
);

/** A sign-up, which writes most of all that users ask for, changes some fifty pages in all its transactions. */
const ROWS = 64;

/** Makes a text so long that SQLite keeps no two rows of it in one page, and PostgreSQL takes it as a key. */
const TEXT_BYTES = 1_500;

const FIRST_NAME = 'readiness:';
const BEHIND_NAMES = 'readiness;';

const writeMuch = defineStatement<{ text: string }, unknown>((db, { text }) => {
  const query = sql`insert into rates (name, whole_at_ms)
    with recursive places (place) as (select 1 union all select place + 1 from places where place < ${sql.lit(ROWS)})
    select ${sql.lit(FIRST_NAME)} || cast(place as text) || ':' || cast(${text} as text), 0 from places`;
  return { compile: () => query.compile(db) };
});

const removeMuch = defineStatement((db) =>
  db.deleteFrom('rates').where('name', '>=', FIRST_NAME).where('name', '<', BEHIND_NAMES),
);

/**
 * Tries whether a database takes writes. A little is written, which costs next to nothing; but a full disk can have room for that, behind
 * the last entry of a write-ahead log or in a page, long after it has none for a request. So once a write was refused
 * for want of room, as much as a request writes has to be durable first.
 * @returns what rejects as the writes do
 */
export function createWriteProbe(
  { writes, deferredWrites }: Pick<Database, 'writes' | 'deferredWrites'>,
  refused: RefusedWriteCount,
): () => Promise<void> {
  let refusedBefore = 0;
  return async () => {
    const { count } = refused;
    if (count === refusedBefore) {
      await deferredWrites.run(writeLittle, {});
      return;
    }
    // Of random text, which PostgreSQL does not make shorter; and other than that of other replicas.
    await writes.run(writeMuch, { text: randomBytes(TEXT_BYTES).toString('base64') });
    await writes.run(removeMuch, {});
    refusedBefore = count;
  };
}
