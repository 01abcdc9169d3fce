import type { EndingRecord } from '@poolgate/gateway/records';
import { type Executor, type Statement, statement } from '../statement.ts';

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

type Query = Readonly<Record<`subject${number}` | 'userPoolId', string>> & { readonly nowMs: number };
type SelectEndings = Statement<Query, EndingRecord>;

function selectEndings(count: number): SelectEndings {
  return statement((db, p) =>
    db
      .selectFrom('endings')
      .select(['user_pool_id as userPoolId', 'subject', 'ended_at_ms as endedAtMs', 'expires_at_ms as expiresAtMs'])
      .where('user_pool_id', '=', p.userPoolId)
      .where(
        'subject',
        'in',
        Array.from({ length: count }, (_, index) => p[`subject${index}`] ?? ''),
      )
      .where('expires_at_ms', '>', p.nowMs)
      .orderBy('subject'),
  );
}

/** The query for each number of subjects that was asked for: the gateway asks for one or two. */
const byCount = new Map<number, SelectEndings>();

function selectFor(count: number): SelectEndings {
  const select = byCount.get(count) ?? selectEndings(count);
  byCount.set(count, select);
  return select;
}

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
    const named = Object.fromEntries(subjects.map((subject, index) => [`subject${index}`, subject]));
    return (await reads.run(selectFor(subjects.length), { ...named, userPoolId, nowMs })).rows;
  },
};
