import type { Kysely } from 'kysely';

/** Authorization requests now wait in the browser's address, because anyone can create them. None is stored. */
export async function removeAuthorizationRequests(database: Kysely<unknown>): Promise<void> {
  await database.schema.dropTable('authorization_requests').execute();
}
