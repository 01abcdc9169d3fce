import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** When a user's account is deleted, if its user asked for that. */
export async function migrateDeletions(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await database.schema.alterTable('users').addColumn('deletion_at_ms', types.integer.$castTo<never>()).execute();
  // Few users have one, and the sweep reads only those.
  await sql`create index users_by_deletion on users (deletion_at_ms) where deletion_at_ms is not null`.execute(
    database,
  );
}
