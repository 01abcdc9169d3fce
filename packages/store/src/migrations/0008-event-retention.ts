import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/**
 * The retention of events from anonymous requests, and of aggregated ones. The new indexes contain only these rows, so other events cost as
 * much as before.
 */
export async function migrateEventRetention(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  const text = types.text.$castTo<never>();
  await database.schema.alterTable('events').addColumn('retention', text).execute();
  await database.schema.alterTable('events').addColumn('count', types.integer.$castTo<never>()).execute();
  await database.schema.alterTable('deliveries').addColumn('retention', text).execute();
  await sql`update events set retention = 'bounded'
    where actor_kind = 'anonymous' or type in ('password.reset_requested', 'user.signed_up') and actor_kind = 'user'`.execute(
    database,
  );
  await sql`create index events_by_retention_id on events (retention, id) where retention is not null`.execute(
    database,
  );
  await sql`create index deliveries_by_retention_event_id on deliveries (retention, event_id, webhook_id)
    where retention is not null`.execute(database);
}
