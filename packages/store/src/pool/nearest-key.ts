import { type Expression, type RawBuilder, sql } from 'kysely';

/** A lookup: a table with a pool in each row, and the column to search by. */
interface KeyLookup {
  readonly table: 'names' | 'users' | 'passkeys' | 'totp_factors' | 'codes';
  readonly column: 'name' | 'username';
}

/**
 * Selects the key itself if it exists, otherwise the next one. A read for a missing key thus finds a row in the same way and discards it,
 * so its time does not reveal whether the key exists. A key after the last one finds the row that follows its first character. Many such
 * keys then find many different rows, because one that is read repeatedly would be cached and faster. That row is looked up for every key.
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
