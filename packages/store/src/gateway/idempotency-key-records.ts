import type { IdempotencyRecord, IdempotencyRecords } from '@poolgate/gateway/records';
import type { Database } from '../sql/database.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement } from '../sql/statement.ts';

const claimKey = defineStatement((db, p: Placeholders<IdempotencyRecord & { nowMs: number }>) =>
  db
    .insertInto('idempotency_keys')
    .values({
      digest_hex: p.digestHex,
      request_digest_hex: p.requestDigestHex,
      answer_sealed: p.answerEncrypted,
      expires_at_ms: p.expiresAtMs,
    })
    .onConflict((conflict) =>
      conflict
        .column('digest_hex')
        .doUpdateSet((eb) => ({
          request_digest_hex: eb.ref('excluded.request_digest_hex'),
          answer_sealed: eb.ref('excluded.answer_sealed'),
          expires_at_ms: eb.ref('excluded.expires_at_ms'),
        }))
        .where('idempotency_keys.expires_at_ms', '<=', p.nowMs),
    )
    .returning('digest_hex'),
);

const selectKey = defineStatement((db, p: Placeholders<{ digestHex: string }>) =>
  db
    .selectFrom('idempotency_keys')
    .select([
      'digest_hex as digestHex',
      'request_digest_hex as requestDigestHex',
      'answer_sealed as answerEncrypted',
      'expires_at_ms as expiresAtMs',
    ])
    .where('digest_hex', '=', p.digestHex),
);

const answerKey = defineStatement(
  (db, p: Placeholders<{ digestHex: string; answerEncrypted: string; expiresAtMs: number }>) =>
    db
      .updateTable('idempotency_keys')
      .set({ answer_sealed: p.answerEncrypted, expires_at_ms: p.expiresAtMs })
      .where('digest_hex', '=', p.digestHex)
      .where('answer_sealed', 'is', null),
);

const releaseKey = defineStatement((db, p: Placeholders<{ digestHex: string }>) =>
  db.deleteFrom('idempotency_keys').where('digest_hex', '=', p.digestHex).where('answer_sealed', 'is', null),
);

/** Stores requests with an `Idempotency-Key`. */
export function createIdempotencyRecords({ reads, writes }: Pick<Database, 'reads' | 'writes'>): IdempotencyRecords {
  return {
    async claim(claim, nowMs) {
      while (true) {
        const isClaimed = (await writes.run(claimKey, { ...claim, nowMs })).rows.length === 1;
        if (isClaimed) return undefined;
        const taken = (await reads.run(selectKey, { digestHex: claim.digestHex })).rows[0];
        if (taken !== undefined) return taken;
        // The claim was released in between, so the next caller gets it.
      }
    },
    async storeAnswer(digestHex, answerEncrypted, expiresAtMs) {
      await writes.run(answerKey, { digestHex, answerEncrypted, expiresAtMs });
    },
    async release(digestHex) {
      await writes.run(releaseKey, { digestHex });
    },
  };
}
