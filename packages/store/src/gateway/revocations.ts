import type { RevocationRecord } from '@poolgate/gateway/records';
import { type Items, listParameters, listPlaceholders, statementByCount } from '../lists.ts';
import { type Executor, statement } from '../statement.ts';

const upsertRevocation = statement((db, p: RevocationRecord) =>
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

// A request asks for three or fewer, an import for a batch.
const selectRevocations = statementByCount((count) =>
  statement((db, p: Items & { readonly userPoolId: string; readonly nowMs: number }) =>
    db
      .selectFrom('endings')
      .select(['user_pool_id as userPoolId', 'subject', 'ended_at_ms as endedAtMs', 'expires_at_ms as expiresAtMs'])
      .where('user_pool_id', '=', p.userPoolId)
      .where('subject', 'in', listPlaceholders(p, count))
      .where('expires_at_ms', '>', p.nowMs)
      .orderBy('subject'),
  ),
);

/** What ended before its tokens expired. */
export const revocations = {
  async record(writes: Executor, ending: RevocationRecord): Promise<void> {
    await writes.run(upsertRevocation, ending);
  },

  async among(
    reads: Executor,
    userPoolId: string,
    subjects: readonly string[],
    nowMs: number,
  ): Promise<readonly RevocationRecord[]> {
    if (subjects.length === 0) return [];
    return (await reads.run(selectRevocations(subjects.length), { ...listParameters(subjects), userPoolId, nowMs }))
      .rows;
  },
};
