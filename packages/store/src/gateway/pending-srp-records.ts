import type { PendingSrpRecord, PendingSrpRecords } from '@poolgate/gateway/records';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

const COLUMNS = ['digest_hex as digestHex', 'sealed as startEncrypted', 'expires_at_ms as expiresAtMs'] as const;

const upsertPending = defineStatement((db, p: Placeholders<PendingSrpRecord>) =>
  db
    .insertInto('pending_srp')
    .values({ digest_hex: p.digestHex, sealed: p.startEncrypted, expires_at_ms: p.expiresAtMs })
    .onConflict((conflict) =>
      conflict.column('digest_hex').doUpdateSet((eb) => ({
        sealed: eb.ref('excluded.sealed'),
        expires_at_ms: eb.ref('excluded.expires_at_ms'),
      })),
    ),
);

const selectPending = defineStatement((db, p: Placeholders<{ digestHex: string; nowMs: number }>) =>
  db
    .selectFrom('pending_srp')
    .select(COLUMNS)
    .where('digest_hex', '=', p.digestHex)
    .where('expires_at_ms', '>', p.nowMs),
);

const deletePending = defineStatement((db, p: Placeholders<{ digestHex: string; nowMs: number }>) =>
  db
    .deleteFrom('pending_srp')
    .where('digest_hex', '=', p.digestHex)
    .where('expires_at_ms', '>', p.nowMs)
    .returning(COLUMNS),
);

/** Stores started SRP logins. They may be lost if the database server crashes. */
export function createPendingSrpRecords({
  reads,
  writes,
  deferredWrites,
}: Pick<Database, 'reads' | 'writes' | 'deferredWrites'>): PendingSrpRecords {
  return {
    async put(pending) {
      await deferredWrites.run(upsertPending, pending);
    },
    async find(digestHex, nowMs) {
      return (await reads.run(selectPending, { digestHex, nowMs })).rows[0];
    },
    async consume(digestHex, nowMs) {
      return (await writes.run(deletePending, { digestHex, nowMs })).rows[0];
    },
  };
}
