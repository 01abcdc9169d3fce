import { type Expression, type RawBuilder, sql } from 'kysely';

/** What is looked up: a table with a pool in each row, and the column by which its rows are found. */
interface Lookup {
  readonly table: 'names' | 'users' | 'passkeys' | 'totp_factors';
  readonly column: 'name' | 'username';
}

/**
 * The key itself where there is such a row, else the next one, behind the last one the first: a read for a key that nobody has finds a row
 * in the same way, as near at hand, and throws it away. So its time does not tell whether the key exists, wherever the key sorts.
 */
export function nearestKey(
  { table, column }: Lookup,
  p: { readonly poolId: Expression<string>; readonly key: Expression<string> },
): RawBuilder<string> {
  const [rows, key] = [sql.table(table), sql.ref(column)];
  const ofPool = sql`select min(${key}) from ${rows} where pool_id = ${p.poolId}`;
  return sql`coalesce((${ofPool} and ${key} >= ${p.key}), (${ofPool}))`;
}
