import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** The admin key that created a key over HTTP. Earlier keys count as created by the operator. */
export async function migrateAdminKeyCreators(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await database.schema.alterTable('admin_keys').addColumn('created_by', types.text.$castTo<never>()).execute();
}
