import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** What a key signs with, and the coordinates of one on a curve. Every key before was of RSA. */
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
