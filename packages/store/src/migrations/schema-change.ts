import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** Changes the schema. All pending changes run in one transaction. */
export type SchemaChange = (database: Kysely<unknown>, types: ColumnTypes) => Promise<void>;
