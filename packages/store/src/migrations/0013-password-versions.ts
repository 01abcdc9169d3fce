import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/**
 * Lets a login detect that the password has changed. Existing passwords, and those set by replicas of the previous version, have no
 * version.
 */
export async function migratePasswordVersions(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await database.schema.alterTable('credentials').addColumn('version', types.text.$castTo<never>()).execute();
}
