import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** The browser in which a login started, as it names itself. */
export async function migrateLoginBrowsers(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await database.schema.alterTable('logins').addColumn('user_agent', types.text.$castTo<never>()).execute();
}
