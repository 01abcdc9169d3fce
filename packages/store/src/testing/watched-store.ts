import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { migrate } from '../migrations/migrate.ts';
import { createStoreParts } from '../open-store.ts';
import type { Database } from '../sql/database.ts';
import type { Executor, StatementOutcome, Writer } from '../sql/statement.ts';
import { openSqlite } from '../sqlite/open-sqlite.ts';

/** A statement that has ended. */
interface EndedStatement {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly changes: number;
}

/** The observed statements and writes of a database. */
export interface DatabaseObservations {
  /** The number of running statements. */
  statements: number;
  /** The maximum number of simultaneous statements. */
  atOnce: number;
  /** The number of open writes. */
  openWrites: number;
  /** The number of started writes. */
  writes: number;
  ended: EndedStatement[];
}

/** Wraps a database so that each statement takes one more turn of the event loop, and records it. */
function watchDatabase(database: Database, seen: DatabaseObservations): Database {
  async function watch<Result>(parameters: object, run: () => Promise<Result>): Promise<Result> {
    seen.statements += 1;
    seen.atOnce = Math.max(seen.atOnce, seen.statements);
    try {
      const result = await run();
      await nextTurn();
      const { rows, changes }: Partial<StatementOutcome<unknown>> = result ?? {};
      seen.ended.push({ parameters: { ...parameters }, rows: rows?.length ?? 0, changes: changes ?? 0 });
      return result;
    } finally {
      seen.statements -= 1;
    }
  }
  // Nothing waits for it to end.
  function noteIssued(parameters: object, ended: Promise<void>): Promise<void> {
    seen.atOnce = Math.max(seen.atOnce, 1);
    seen.ended.push({ parameters: { ...parameters }, rows: 0, changes: 0 });
    return ended;
  }
  const executor = (inner: Executor): Executor => ({
    run: (statement, parameters) => watch(parameters, () => inner.run(statement, parameters)),
  });
  const writer = (inner: Writer): Writer => ({
    ...executor(inner),
    isExclusive: inner.isExclusive,
    enqueue: (statement, parameters) => noteIssued(parameters, inner.enqueue(statement, parameters)),
    enqueueChange: (change, parameters) => noteIssued(parameters, inner.enqueueChange(change, parameters)),
    enqueueBoth: (pair, parameters) => noteIssued(parameters, inner.enqueueBoth(pair, parameters)),
  });
  return {
    ...database,
    reads: executor(database.reads),
    writes: executor(database.writes),
    deferredWrites: executor(database.deferredWrites),
    write: async (work, options) => {
      seen.openWrites += 1;
      seen.writes += 1;
      try {
        return await database.write((inner) => work(writer(inner)), options);
      } finally {
        seen.openWrites -= 1;
      }
    },
  };
}

/** A store in memory whose statements are all observed. */
export async function createWatchedStore() {
  const opened = openSqlite(undefined);
  await opened.withSchema((access) => migrate(access));
  const seen: DatabaseObservations = { statements: 0, atOnce: 0, openWrites: 0, writes: 0, ended: [] };
  const { poolStore, records } = createStoreParts(watchDatabase(opened, seen), {});
  return {
    poolStore,
    records,
    seen,
    /** Forgets what was observed so far. */
    forget(): void {
      seen.atOnce = 0;
      seen.writes = 0;
      seen.ended = [];
    },
    /** Runs SQL outside of the store, and returns the first column of the first row. */
    run: (text: string): Promise<unknown> =>
      opened.withSchema(async ({ kysely }) => {
        const query: RawBuilder<Record<string, unknown>> = sql.raw(text);
        return Object.values((await query.execute(kysely)).rows[0] ?? {})[0];
      }),
    close: () => opened.close(),
  };
}
