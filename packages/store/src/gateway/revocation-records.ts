import type { RevocationRecord, RevocationRecords } from '@poolgate/gateway/records';
import type { Kysely } from 'kysely';
import type { Database } from '../sql/database.ts';
import { createListPlaceholders, type ListParameters, memoizeByKey, toListParameters } from '../sql/list-parameters.ts';
import type { Placeholders } from '../sql/placeholder.ts';
import { defineStatement, type Executor } from '../sql/statement.ts';
import type { Tables } from '../sql/tables.ts';

const upsertRevocation = defineStatement((db, p: Placeholders<RevocationRecord>) =>
  db
    .insertInto('endings')
    .values({
      user_pool_id: p.userPoolId,
      subject: p.subject,
      ended_at_ms: p.endedAtMs,
      expires_at_ms: p.expiresAtMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_pool_id', 'subject']).doUpdateSet((eb) => ({
        ended_at_ms: eb
          .case()
          .when('endings.ended_at_ms', '<', eb.ref('excluded.ended_at_ms'))
          .then(eb.ref('excluded.ended_at_ms'))
          .else(eb.ref('endings.ended_at_ms'))
          .end(),
        expires_at_ms: eb
          .case()
          .when('endings.expires_at_ms', '<', eb.ref('excluded.expires_at_ms'))
          .then(eb.ref('excluded.expires_at_ms'))
          .else(eb.ref('endings.expires_at_ms'))
          .end(),
      })),
    ),
);

// A request reads three or fewer, an import a batch.
const selectRevocations = memoizeByKey((count: number) =>
  defineStatement((db, p: Placeholders<ListParameters & { readonly userPoolId: string; readonly nowMs: number }>) =>
    db
      .selectFrom('endings')
      .select(['user_pool_id as userPoolId', 'subject', 'ended_at_ms as endedAtMs', 'expires_at_ms as expiresAtMs'])
      .where('user_pool_id', '=', p.userPoolId)
      .where('subject', 'in', createListPlaceholders(p, count))
      .where('expires_at_ms', '>', p.nowMs)
      .orderBy('subject'),
  ),
);

/** Selects when a subject was revoked, as part of another statement; null if no revocation is in force. */
export function selectRevokedAtMs(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  p: Placeholders<{ readonly userPoolId: string; readonly subject: string; readonly nowMs: number }>,
) {
  return db
    .selectFrom('endings')
    .select('ended_at_ms')
    .where('user_pool_id', '=', p.userPoolId)
    .where('subject', '=', p.subject)
    .where('endings.expires_at_ms', '>', p.nowMs);
}

/** Writes a revocation, either separately or within a write of the pool. */
export async function recordRevocation(executor: Executor, revocation: RevocationRecord): Promise<void> {
  await executor.run(upsertRevocation, revocation);
}

/** Stores revocations of tokens that have not expired. */
export function createRevocationRecords({ reads, writes }: Pick<Database, 'reads' | 'writes'>): RevocationRecords {
  return {
    record: (revocation) => recordRevocation(writes, revocation),
    async listBySubjects(userPoolId, subjects, nowMs) {
      if (subjects.length === 0) return [];
      const parameters = { ...toListParameters(subjects), userPoolId, nowMs };
      return (await reads.run(selectRevocations(subjects.length), parameters)).rows;
    },
  };
}
