import type { Kysely } from 'kysely';
import type { ColumnTypes } from '../sql/database.ts';
import { createTables, type TableShape } from './create-tables.ts';

/** Without an owner, because an Amazon pool has no row here. */
export const WEB_SESSIONS_TABLE: TableShape = {
  columns: {
    id_digest_hex: 'text',
    family_id: 'text',
    user_pool_id: 'text',
    sub: 'text',
    origin_jti: 'text?',
    content_sealed: 'text',
    stays_signed_in: 'flag',
    created_at_ms: 'integer',
    seen_at_ms: 'integer',
    ends_at_ms: 'integer',
    expires_at_ms: 'integer',
    tokens_expire_at_ms: 'integer',
    refreshed_at_ms: 'integer',
    lease_id: 'text?',
    lease_until_ms: 'integer',
  },
  key: ['id_digest_hex'],
  indexes: [['family_id'], ['expires_at_ms']],
};

const TABLES: Readonly<Record<string, TableShape>> = {
  web_sessions: WEB_SESSIONS_TABLE,
  web_tickets: {
    columns: {
      digest_hex: 'text',
      family_id: 'text',
      origin: 'text',
      browser_digest_hex: 'text',
      expires_at_ms: 'integer',
    },
    key: ['digest_hex'],
    indexes: [['expires_at_ms']],
  },
};

/** Browser sessions, and the tickets that identify them to applications on other hosts. */
export async function migrateWebSessions(database: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTables(database, TABLES, types);
}
