import { type Executor, statement } from '../statement.ts';

const trySession = (spent: boolean) =>
  statement((db, p: { id: string; expiresAtMs: number }) =>
    db
      .insertInto('sessions')
      .values({ id: p.id, tries: 1, spent, expires_at_ms: p.expiresAtMs })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((eb) => ({ tries: eb('sessions.tries', '+', 1), spent }))
          .where('sessions.spent', '=', false),
      )
      .returning('tries'),
  );

const reserveSession = trySession(false);
const reserveAndSpendSession = trySession(true);

const unspendSession = statement((db, p: { id: string }) =>
  db.updateTable('sessions').set({ spent: false }).where('id', '=', p.id),
);

const spendSession = statement((db, p: { id: string }) =>
  db.updateTable('sessions').set({ spent: true }).where('id', '=', p.id).where('spent', '=', false).returning('id'),
);

/** Challenge sessions: how often each was answered, and whether it is spent. */
export const sessions = {
  async reserve(executor: Executor, id: string, expiresAtMs: number): Promise<number | undefined> {
    return (await executor.run(reserveSession, { id, expiresAtMs })).rows[0]?.tries;
  },

  /** True for exactly one caller; false also for a session that nobody has tried to answer. */
  async spend(executor: Executor, id: string): Promise<boolean> {
    return (await executor.run(spendSession, { id })).rows.length === 1;
  },

  async reserveAndSpend(executor: Executor, id: string, expiresAtMs: number): Promise<number | undefined> {
    return (await executor.run(reserveAndSpendSession, { id, expiresAtMs })).rows[0]?.tries;
  },

  async unspend(executor: Executor, id: string): Promise<void> {
    await executor.run(unspendSession, { id });
  },
};
