import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** What a login knows its password again by. Passwords of before, and those that a replica of the version before sets, have none. */
export async function migratePasswordVersions(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await database.schema.alterTable('credentials').addColumn('version', types.text.$castTo<never>()).execute();
}
