import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from './database.ts';
import type { Executor } from './statement.ts';
import { StoreUnavailable } from './store-errors.ts';

/** Returns why the database must not be used now, if so. */
type RefuseUse = () => Error | undefined;

function guardExecutor(executor: Executor, refusal: RefuseUse): Executor {
  return {
    run: (statement, parameters) => {
      const refused = refusal();
      return refused === undefined ? executor.run(statement, parameters) : Promise.reject(refused);
    },
  };
}

/**
 * Prevents two kinds of misuse. After the database is closed, it refuses everything. A write that uses the database instead of its
 * transaction fails at once; otherwise it would wait forever on SQLite's only connection, and exhaust PostgreSQL's connection pool.
 */
export function guardDatabase(database: Database): Database {
  const insideWrite = new AsyncLocalStorage<true>();
  let closing: Promise<void> | undefined;
  const refusal: RefuseUse = () => {
    if (closing !== undefined) return new StoreUnavailable('it is closed');
    if (insideWrite.getStore())
      return new TypeError('inside a write only the transaction that it was given may be used');
    return undefined;
  };
  return {
    reads: guardExecutor(database.reads, refusal),
    writes: guardExecutor(database.writes, refusal),
    deferredWrites: guardExecutor(database.deferredWrites, refusal),
    write: (work, options) => {
      const refused = refusal();
      if (refused !== undefined) return Promise.reject(refused);
      return database.write((executor) => insideWrite.run(true, () => work(executor)), options);
    },
    withSchema: (work) => database.withSchema(work),
    explain: (statement) => database.explain(statement),
    server: () => database.server(),
    files: database.files,
    isInPlace: () => database.isInPlace(),
    close: () => {
      closing ??= database.close();
      return closing;
    },
  };
}
