import { sql } from 'kysely';
import type { Phrases } from '../statement.ts';

/** How SQLite says it. A write has the whole database to itself. */
export const SQLITE_PHRASES: Phrases = {
  skippingLocked: sql``,
  keepingUsers: sql``,
  keepsByLocks: false,
  keepingOwners: sql``,
  jsonArrayOf: sql`json_group_array`,
  jsonObject: sql`json_object`,
  joined: undefined,
};
