import type { Kysely } from 'kysely';

/** The living logins of a user lie beside each other, so that a login that is one too many is found without a look at those that ended. */
export async function migrateSessions(database: Kysely<unknown>): Promise<void> {
  await database.schema.dropIndex('logins_by_pool_id_username_created_at_ms_desc_id').execute();
  await database.schema
    .createIndex('logins_by_pool_id_username_revoked_at_ms_created_at_ms_desc_id')
    .on('logins')
    .columns(['pool_id', 'username', 'revoked_at_ms', 'created_at_ms desc', 'id'])
    .execute();
}
