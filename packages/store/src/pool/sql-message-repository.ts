import type { MessageReads, MessageRecord, MessageRepository } from '@poolgate/pool/store';
import type { Placeholders } from '../sql/placeholder.ts';
import { assertLimit, compareByBytes } from '../sql/row-pages.ts';
import { SqlRepository } from '../sql/sql-repository.ts';
import { defineStatement } from '../sql/statement.ts';

const COLUMNS = [
  'id',
  'pool_id as poolId',
  'channel',
  'sealed as contentEncrypted',
  'tries',
  'next_try_at_ms as nextTryAtMs',
  'leased_until_ms as leasedUntilMs',
  'handed_over as handedOver',
  'expires_at_ms as expiresAtMs',
  'dead_at_ms as deadAtMs',
  'last_failure as lastFailure',
  'created_at_ms as createdAtMs',
] as const;

const insertMessage = defineStatement((db, p: Placeholders<MessageRecord>) =>
  db.insertInto('messages').values({
    id: p.id,
    pool_id: p.poolId,
    channel: p.channel,
    sealed: p.contentEncrypted,
    tries: p.tries,
    next_try_at_ms: p.nextTryAtMs,
    leased_until_ms: p.leasedUntilMs,
    handed_over: p.handedOver,
    expires_at_ms: p.expiresAtMs,
    dead_at_ms: p.deadAtMs,
    last_failure: p.lastFailure,
    created_at_ms: p.createdAtMs,
  }),
);

// Materialized, because a plan may run a subquery more than once and would then choose and lock different rows each time.
const leaseMessages = defineStatement(
  (db, p: Placeholders<{ nowMs: number; leasedUntilMs: number; limit: number }>, phrases) =>
    db
      .with(
        (due) => due('due').materialized(),
        (cte) =>
          cte
            .selectFrom('messages')
            .select('id')
            .where('dead_at_ms', 'is', null)
            .where('next_try_at_ms', '<=', p.nowMs)
            .where('leased_until_ms', '<=', p.nowMs)
            .orderBy('created_at_ms')
            .orderBy('id')
            .limit(p.limit)
            .modifyEnd(phrases.lockSkippingLocked),
      )
      .updateTable('messages')
      .set({ leased_until_ms: p.leasedUntilMs })
      .where('id', 'in', (eb) => eb.selectFrom('due').select('due.id'))
      .returning(COLUMNS),
);

// Counted here and not on failure, because an attempt that a crash interrupted is also an attempt.
const handOverMessage = defineStatement((db, p: Placeholders<{ id: string; leasedUntilMs: number }>) =>
  db
    .updateTable('messages')
    .set((eb) => ({ handed_over: true, tries: eb('tries', '+', 1) }))
    .where('id', '=', p.id)
    .where('leased_until_ms', '=', p.leasedUntilMs)
    .where('dead_at_ms', 'is', null)
    .returning('id'),
);

const deleteMessage = defineStatement((db, p: Placeholders<{ id: string }>) =>
  db.deleteFrom('messages').where('id', '=', p.id),
);

const postponeMessage = defineStatement((db, p: Placeholders<{ id: string; nextTryAtMs: number; failure: string }>) =>
  db
    .updateTable('messages')
    .set({ next_try_at_ms: p.nextTryAtMs, leased_until_ms: 0, handed_over: false, last_failure: p.failure })
    .where('id', '=', p.id)
    .where('dead_at_ms', 'is', null),
);

const deadLetterMessage = defineStatement((db, p: Placeholders<{ id: string; nowMs: number; failure: string }>) =>
  db
    .updateTable('messages')
    .set({ sealed: '', dead_at_ms: p.nowMs, leased_until_ms: 0, last_failure: p.failure })
    .where('id', '=', p.id)
    .where('dead_at_ms', 'is', null),
);

const selectDead = defineStatement((db, p: Placeholders<{ poolId: string; limit: number }>) =>
  db
    .selectFrom('messages')
    .select(COLUMNS)
    .where('pool_id', '=', p.poolId)
    .where('dead_at_ms', 'is not', null)
    .orderBy('dead_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

type Row = Omit<MessageRecord, 'channel' | 'handedOver'> & {
  readonly channel: string;
  readonly handedOver: boolean | 0 | 1;
};

function toMessage(row: Row): MessageRecord {
  return { ...row, channel: row.channel as MessageRecord['channel'], handedOver: Boolean(row.handedOver) };
}

function compareByAge(one: MessageRecord, other: MessageRecord): number {
  return one.createdAtMs - other.createdAtMs || compareByBytes(one.id, other.id);
}

/** Reads pending and failed messages. */
export class SqlMessageReads extends SqlRepository implements MessageReads {
  async listDead(poolId: string, limit: number): Promise<readonly MessageRecord[]> {
    assertLimit(limit);
    return (await this.executor.run(selectDead, { poolId, limit })).rows.map(toMessage);
  }
}

/** Reads and writes pending and failed messages. */
export class SqlMessageRepository extends SqlMessageReads implements MessageRepository {
  async enqueue(message: MessageRecord): Promise<void> {
    await this.executor.run(insertMessage, message);
  }

  /** Includes expired messages. The caller marks them as failed, so that this is visible. */
  async lease(nowMs: number, leasedUntilMs: number, limit: number): Promise<readonly MessageRecord[]> {
    assertLimit(limit);
    // An update returns its rows in any order.
    return (await this.executor.run(leaseMessages, { nowMs, leasedUntilMs, limit })).rows
      .map(toMessage)
      .toSorted(compareByAge);
  }

  async handOver(id: string, leasedUntilMs: number): Promise<boolean> {
    return (await this.executor.run(handOverMessage, { id, leasedUntilMs })).rows.length === 1;
  }

  async delete(id: string): Promise<void> {
    await this.executor.run(deleteMessage, { id });
  }

  async postpone(id: string, nextTryAtMs: number, failure: string): Promise<void> {
    await this.executor.run(postponeMessage, { id, nextTryAtMs, failure });
  }

  async deadLetter(id: string, nowMs: number, failure: string): Promise<void> {
    await this.executor.run(deadLetterMessage, { id, nowMs, failure });
  }
}
