import type { Kysely } from 'kysely';

/** Indexes a user's active logins together, so that finding one that exceeds the limit does not read ended logins. */
export async function migrateSessions(database: Kysely<unknown>): Promise<void> {
  await database.schema.dropIndex('logins_by_pool_id_username_created_at_ms_desc_id').execute();
  await database.schema
    .createIndex('logins_by_pool_id_username_revoked_at_ms_created_at_ms_desc_id')
    .on('logins')
    .columns(['pool_id', 'username', 'revoked_at_ms', 'created_at_ms desc', 'id'])
    .execute();
}
