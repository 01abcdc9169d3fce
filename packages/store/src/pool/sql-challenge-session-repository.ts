import type { ChallengeSessionRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement, type Writer } from '../sql/statement.ts';

const createAttempt = (spent: boolean) =>
  defineStatement((db, p: Placeholders<{ id: string; expiresAtMs: number }>) =>
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

const reserveSession = createAttempt(false);
const reserveAndSpendSession = createAttempt(true);

const unspendSession = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.updateTable('sessions').set({ spent: false }).where('id', '=', p.id),
);

const spendSession = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.updateTable('sessions').set({ spent: true }).where('id', '=', p.id).where('spent', '=', false).returning('id'),
);

/** Stores challenge sessions: how often each was answered, and whether it is spent. */
export class SqlChallengeSessionRepository extends SqlRepository implements ChallengeSessionRepository {
  declare protected readonly executor: Writer;

  constructor(writer: Writer) {
    super(writer);
  }

  async reserve(id: string, expiresAtMs: number): Promise<number | undefined> {
    return (await this.executor.run(reserveSession, { id, expiresAtMs })).rows[0]?.tries;
  }

  /** True for exactly one caller. False also for a session that was never answered. */
  async spend(id: string): Promise<boolean> {
    return (await this.executor.run(spendSession, { id })).rows.length === 1;
  }

  async reserveAndSpend(id: string, expiresAtMs: number): Promise<number | undefined> {
    return (await this.executor.run(reserveAndSpendSession, { id, expiresAtMs })).rows[0]?.tries;
  }

  async unspend(id: string): Promise<void> {
    void this.executor.enqueue(unspendSession, { id });
  }
}
