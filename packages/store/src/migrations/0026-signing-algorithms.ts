import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** The algorithm of a key, and the coordinates of keys on a curve. All existing keys are RSA keys. */
export async function migrateSigningAlgorithms(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const [column, before] of [
    ['algorithm', 'RS256'],
    ['x', ''],
    ['y', ''],
  ] as const) {
    await database.schema
      .alterTable('signing_keys')
      .addColumn(column, types.text.$castTo<never>(), (definition) => definition.notNull().defaultTo(sql.lit(before)))
      .execute();
  }
}
