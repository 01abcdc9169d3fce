import type { ConsoleSessionRecord, ConsoleSessionRecords } from '@poolgate/gateway/records';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

type Row = Omit<ConsoleSessionRecord, 'scopes'> & { readonly scopes: string };

const insertSession = defineStatement((db, p: Placeholders<Row>) =>
  db.insertInto('console_sessions').values({
    id_digest_hex: p.idDigestHex,
    key_id: p.keyId,
    key_digest_hex: p.keyDigestHex,
    scopes: p.scopes,
    network: p.network,
    created_at_ms: p.createdAtMs,
    seen_at_ms: p.seenAtMs,
    ends_at_ms: p.endsAtMs,
    expires_at_ms: p.expiresAtMs,
  }),
);

const selectSession = defineStatement((db, p: Placeholders<{ idDigestHex: string; nowMs: number }>) =>
  db
    .selectFrom('console_sessions')
    .select([
      'id_digest_hex as idDigestHex',
      'key_id as keyId',
      'key_digest_hex as keyDigestHex',
      'scopes',
      'network',
      'created_at_ms as createdAtMs',
      'seen_at_ms as seenAtMs',
      'ends_at_ms as endsAtMs',
      'expires_at_ms as expiresAtMs',
    ])
    .where('id_digest_hex', '=', p.idDigestHex)
    .where('expires_at_ms', '>', p.nowMs),
);

const touchSession = defineStatement(
  (db, p: Placeholders<{ idDigestHex: string; seenAtMs: number; expiresAtMs: number }>) =>
    db
      .updateTable('console_sessions')
      .set({ seen_at_ms: p.seenAtMs, expires_at_ms: p.expiresAtMs })
      .where('id_digest_hex', '=', p.idDigestHex)
      .where('seen_at_ms', '<', p.seenAtMs),
);

const deleteSession = defineStatement((db, p: Placeholders<{ idDigestHex: string }>) =>
  db.deleteFrom('console_sessions').where('id_digest_hex', '=', p.idDigestHex).returning('id_digest_hex'),
);

/** Stores console sessions. */
export function createConsoleSessionRecords({
  reads,
  writes,
}: Pick<Database, 'reads' | 'writes'>): ConsoleSessionRecords {
  return {
    async insert(session) {
      await writes.run(insertSession, { ...session, scopes: JSON.stringify(session.scopes) });
    },
    async find(idDigestHex, nowMs) {
      const [row] = (await reads.run(selectSession, { idDigestHex, nowMs })).rows;
      return row && { ...row, scopes: JSON.parse(row.scopes) as ConsoleSessionRecord['scopes'] };
    },
    async touch(idDigestHex, seenAtMs, expiresAtMs) {
      await writes.run(touchSession, { idDigestHex, seenAtMs, expiresAtMs });
    },
    async end(idDigestHex) {
      return (await writes.run(deleteSession, { idDigestHex })).rows.length === 1;
    },
  };
}
