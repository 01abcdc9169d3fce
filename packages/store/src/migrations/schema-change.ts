import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';

/** Changes the schema. Runs in one transaction with all that are pending. */
export type SchemaChange = (database: Kysely<unknown>, types: ColumnTypes) => Promise<void>;
