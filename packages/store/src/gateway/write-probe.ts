import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../sql/database.ts';
import type { RefusedWriteCount } from '../sql/refused-writes.ts';
import { defineStatement } from '../sql/statement.ts';

// A row that changes each time, so that something is written. A sweep may delete it.
const writeLittle = defineStatement((db) =>
  db
    .insertInto('rates')
    .values({ name: 'readiness', whole_at_ms: 0 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ whole_at_ms: sql<number>`rates.whole_at_ms + 1` })),
);

/** A sign-up writes more than any other request of users: about fifty pages in all its transactions. */
const ROWS = 64;

/** Makes the text so long that no SQLite page holds two rows, and PostgreSQL still accepts it as a key. */
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
 * Checks whether a database accepts writes. A small write costs almost nothing, but a full disk may still have room for it at the end of
 * the write-ahead log or in a page. So once a write has failed for lack of space, the probe must store as much as a request writes.
 * @returns a function that rejects as the writes do
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
    // Random text, which PostgreSQL cannot compress and other replicas do not share.
    await writes.run(writeMuch, { text: randomBytes(TEXT_BYTES).toString('base64') });
    await writes.run(removeMuch, {});
    refusedBefore = count;
  };
}
