import { sql } from 'kysely';
import type { Placeholders } from './placeholder.ts';
import type { Executor } from './statement.ts';
import { defineStatement } from './statement.ts';

/** The lengths of the store's queues, and the server's clock. */
export interface StoreFigures {
  /** Pending messages, and failed ones that are kept for inspection. */
  readonly messages: Queue;
  /** The same for webhook deliveries. */
  readonly deliveries: Queue;
  /** The database server's clock in milliseconds since the epoch; null without a server. */
  readonly serverNowMs: number | null;
  /** Null if the database is not a file of this process. */
  readonly fileBytes: FileBytes | null;
}

/** The sizes of a database's files. */
export interface FileBytes {
  readonly database: number;
  /** The write-ahead log, which grows while a read does not end. */
  readonly log: number;
}

/** A queue and its failed entries. */
interface Queue {
  readonly waiting: number;
  readonly dead: number;
}

const selectQueue = (table: 'messages' | 'deliveries') =>
  defineStatement((db, _: Placeholders<object>) =>
    db
      .selectFrom(table)
      .select([
        sql<number>`count(*) filter (where dead_at_ms is null)`.as('waiting'),
        sql<number>`count(*) filter (where dead_at_ms is not null)`.as('dead'),
      ]),
  );

const countMessages = selectQueue('messages');
const countDeliveries = selectQueue('deliveries');

const readServerClock = defineStatement((db, _: Placeholders<object>, phrases) =>
  db.selectNoFrom(sql<number | null>`${phrases.serverNowMs}`.as('nowMs')),
);

/** Reads the lengths of the queues. Failed entries are swept, so counting them is cheap. */
export async function readStoreFigures(reads: Executor): Promise<Omit<StoreFigures, 'fileBytes'>> {
  const none = { waiting: 0, dead: 0 };
  const [messages = none] = (await reads.run(countMessages, {})).rows;
  const [deliveries = none] = (await reads.run(countDeliveries, {})).rows;
  const [clock] = (await reads.run(readServerClock, {})).rows;
  return { messages: { ...messages }, deliveries: { ...deliveries }, serverNowMs: clock?.nowMs ?? null };
}
