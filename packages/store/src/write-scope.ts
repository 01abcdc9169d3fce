import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from './database.ts';
import type { Executor, Outcome, Statement } from './statement.ts';

function guarded(executor: Executor, assertOutside: () => void): Executor {
  return {
    run: async <Parameters extends object, Row>(
      statement: Statement<Parameters, Row>,
      parameters: Parameters,
    ): Promise<Outcome<Row>> => {
      assertOutside();
      return executor.run(statement, parameters);
    },
  };
}

/**
 * A write that reaches for the database itself instead of for its transaction would wait for ever on SQLite's one
 * connection, and starve the connection pool of PostgreSQL. Here it is told at once.
 */
export function withWriteScope(database: Database): Database {
  const scope = new AsyncLocalStorage<true>();
  const assertOutside = (): void => {
    if (scope.getStore()) throw new TypeError('inside a write only the transaction that it was given may be used');
  };
  return {
    ...database,
    reads: guarded(database.reads, assertOutside),
    writes: guarded(database.writes, assertOutside),
    write: async (work) => {
      assertOutside();
      return database.write((executor) => scope.run(true, () => work(executor)));
    },
    withSchema: (work) => database.withSchema(work),
    close: () => database.close(),
  };
}
