import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** Whether a rule of the provider linked an account. Earlier links count as made by a person. */
export async function migrateRuleLinks(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await database.schema
    .alterTable('federated_identities')
    .addColumn('is_by_rule', types.flag.$castTo<never>(), (column) => column.notNull().defaultTo(false))
    .execute();
}
