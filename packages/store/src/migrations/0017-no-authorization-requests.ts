import type { Kysely } from 'kysely';

/** Requests of applications wait in the address of the browser that brought them: anybody can bring some, so none is kept here. */
export async function removeAuthorizationRequests(database: Kysely<unknown>): Promise<void> {
  await database.schema.dropTable('authorization_requests').execute();
}
