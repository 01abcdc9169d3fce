import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from './database.ts';
import { StoreUnavailable } from './errors.ts';
import type { Executor, Outcome, Statement } from './statement.ts';

function guarded(executor: Executor, assertOpen: () => void): Executor {
  return {
    run: async <Parameters extends object, Row>(
      statement: Statement<Parameters, Row>,
      parameters: Parameters,
    ): Promise<Outcome<Row>> => {
      assertOpen();
      return executor.run(statement, parameters);
    },
  };
}

/**
 * Guards a database against two uses. After its close everything is refused. And a write that reaches for the
 * database itself instead of for its transaction, which would wait for ever on SQLite's one connection and starve the
 * connection pool of PostgreSQL, is told at once.
 */
export function gated(database: Database): Database {
  const insideWrite = new AsyncLocalStorage<true>();
  let closing: Promise<void> | undefined;
  const assertOpen = (): void => {
    if (closing !== undefined) throw new StoreUnavailable('it is closed');
    if (insideWrite.getStore())
      throw new TypeError('inside a write only the transaction that it was given may be used');
  };
  return {
    reads: guarded(database.reads, assertOpen),
    writes: guarded(database.writes, assertOpen),
    write: async (work) => {
      assertOpen();
      return database.write((executor) => insideWrite.run(true, () => work(executor)));
    },
    withSchema: (work) => database.withSchema(work),
    close: () => {
      closing ??= database.close();
      return closing;
    },
  };
}
