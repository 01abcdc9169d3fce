import type { ChallengeSessionRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../placeholder.ts';
import { Repository } from '../repository.ts';
import { statement } from '../statement.ts';

const trySession = (spent: boolean) =>
  statement((db, p: Placeholders<{ id: string; expiresAtMs: number }>) =>
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

const unspendSession = statement((db, p: Placeholders<{ id: string }>) =>
  db.updateTable('sessions').set({ spent: false }).where('id', '=', p.id),
);

const spendSession = statement((db, p: Placeholders<{ id: string }>) =>
  db.updateTable('sessions').set({ spent: true }).where('id', '=', p.id).where('spent', '=', false).returning('id'),
);

/** Writes challenge sessions: how often each was answered, and whether it is spent. */
export class DatabaseChallengeSessions extends Repository implements ChallengeSessionRepository {
  async reserve(id: string, expiresAtMs: number): Promise<number | undefined> {
    return (await this.executor.run(reserveSession, { id, expiresAtMs })).rows[0]?.tries;
  }

  /** True for exactly one caller; false also for a session that nobody has tried to answer. */
  async spend(id: string): Promise<boolean> {
    return (await this.executor.run(spendSession, { id })).rows.length === 1;
  }

  async reserveAndSpend(id: string, expiresAtMs: number): Promise<number | undefined> {
    return (await this.executor.run(reserveAndSpendSession, { id, expiresAtMs })).rows[0]?.tries;
  }

  async unspend(id: string): Promise<void> {
    await this.executor.run(unspendSession, { id });
  }
}
