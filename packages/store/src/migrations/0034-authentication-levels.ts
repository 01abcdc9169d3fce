import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** How each login was proven, and the level that its tokens name. Logins of earlier releases say nothing. */
export async function migrateAuthenticationLevels(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const [column, type] of [
    ['methods', types.text],
    ['level', types.integer],
    ['acr', types.text],
  ] as const) {
    await database.schema.alterTable('logins').addColumn(column, type.$castTo<never>()).execute();
  }
}
