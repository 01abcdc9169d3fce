import { type Expression, type RawBuilder, sql } from 'kysely';

/** What is looked up: a table with a pool in each row, and the column by which its rows are found. */
interface KeyLookup {
  readonly table: 'names' | 'users' | 'passkeys' | 'totp_factors' | 'codes';
  readonly column: 'name' | 'username';
}

/**
 * The key itself where there is such a row, else the next one: a read for a key that nobody has finds a row in the same way, as near at hand,
 * and throws it away. So its time does not tell whether the key exists. A key behind the last one finds the row of what follows its first
 * character, so that many such keys find many rows: one that is read again and again is at hand sooner. That row is looked up for every key.
 */
export function selectNearestKey(
  { table, column }: KeyLookup,
  p: { readonly poolId: Expression<string>; readonly key: Expression<string> },
): RawBuilder<string> {
  const [rows, key] = [sql.table(table), sql.ref(column)];
  const ofPool = sql`select min(${key}) from ${rows} where pool_id = ${p.poolId}`;
  const from = (first: Expression<string>) => sql`(${ofPool} and ${key} >= ${first})`;
  const later = from(sql`substr(${p.key}, 2)`);
  return sql`case when ${later} is null then coalesce(${from(p.key)}, (${ofPool})) else coalesce(${from(p.key)}, ${later}) end`;
}
