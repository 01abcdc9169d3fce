import { sql } from 'kysely';
import type { Placeholders } from './placeholder.ts';
import type { Executor } from './statement.ts';
import { defineStatement } from './statement.ts';

/** How full the queues of the store are, and what its server takes for the time. */
export interface StoreFigures {
  /** Messages that wait for their delivery, and those that were given up and are kept to be seen. */
  readonly messages: Queue;
  /** The same of events for webhooks. */
  readonly deliveries: Queue;
  /** Milliseconds since the epoch by the clock of the database server; null where there is none. */
  readonly serverNowMs: number | null;
  /** Null where no file of this process holds the database. */
  readonly fileBytes: FileBytes | null;
}

/** How large the files of a database are. */
export interface FileBytes {
  readonly database: number;
  /** The write-ahead log: it grows for as long as something reads without an end. */
  readonly log: number;
}

/** A queue, and what was given up. */
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

/** Looks how full the queues are. What is given up is swept, so that there is little to count. */
export async function readStoreFigures(reads: Executor): Promise<Omit<StoreFigures, 'fileBytes'>> {
  const none = { waiting: 0, dead: 0 };
  const [messages = none] = (await reads.run(countMessages, {})).rows;
  const [deliveries = none] = (await reads.run(countDeliveries, {})).rows;
  const [clock] = (await reads.run(readServerClock, {})).rows;
  return { messages: { ...messages }, deliveries: { ...deliveries }, serverNowMs: clock?.nowMs ?? null };
}
