import type { EndingRecord } from '@poolgate/gateway/records';
import { byCount, type Items, itemsOf, slotsOf } from '../lists.ts';
import { type Executor, statement } from '../statement.ts';

const upsertEnding = statement((db, p: EndingRecord) =>
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
const selectEndings = byCount((count) =>
  statement((db, p: Items & { readonly userPoolId: string; readonly nowMs: number }) =>
    db
      .selectFrom('endings')
      .select(['user_pool_id as userPoolId', 'subject', 'ended_at_ms as endedAtMs', 'expires_at_ms as expiresAtMs'])
      .where('user_pool_id', '=', p.userPoolId)
      .where('subject', 'in', slotsOf(p, count))
      .where('expires_at_ms', '>', p.nowMs)
      .orderBy('subject'),
  ),
);

/** What ended before its tokens expired. */
export const endings = {
  async end(writes: Executor, ending: EndingRecord): Promise<void> {
    await writes.run(upsertEnding, ending);
  },

  async among(
    reads: Executor,
    userPoolId: string,
    subjects: readonly string[],
    nowMs: number,
  ): Promise<readonly EndingRecord[]> {
    if (subjects.length === 0) return [];
    return (await reads.run(selectEndings(subjects.length), { ...itemsOf(subjects), userPoolId, nowMs })).rows;
  },
};
