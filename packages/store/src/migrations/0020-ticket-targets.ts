import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** The address that a browser requested, so that the callback needs only the ticket. Tickets of the previous version have none. */
export async function migrateTicketTargets(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await database.schema.alterTable('web_tickets').addColumn('return_to', types.text.$castTo<never>()).execute();
}
