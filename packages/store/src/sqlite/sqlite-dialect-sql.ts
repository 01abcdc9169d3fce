import { sql } from 'kysely';
import type { DialectSql } from '../sql/statement.ts';

/** SQLite's syntax. A write has the whole database to itself. */
export const SQLITE_SQL: DialectSql = {
  lockSkippingLocked: sql``,
  lockWaiting: sql``,
  lockUsers: sql``,
  failUnlessChanged: undefined,
  lockOwners: sql``,
  jsonArrayOf: sql`json_group_array`,
  jsonObject: sql`json_object`,
  serverNowMs: sql`null`,
  joinStatements: undefined,
};
