import type { Database } from './database.ts';
import type { Executor } from './statement.ts';
import type { StoreUnavailable } from './store-errors.ts';

/** Counts writes that may have failed for lack of space. Smaller ones may still succeed. */
export interface RefusedWriteCount {
  /** The number since the database was opened. */
  readonly count: number;
}

/** Wraps a database and counts its writes that failed for lack of space. */
export function countRefusedWrites(database: Database): {
  readonly database: Database;
  readonly refused: RefusedWriteCount;
} {
  const refused = { count: 0 };
  const noticed = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    try {
      return await write();
    } catch (error) {
      if ((error as Partial<StoreUnavailable> | undefined)?.mayLackRoom) refused.count += 1;
      throw error;
    }
  };
  const executor = (inner: Executor): Executor => ({
    run: (statement, parameters) => noticed(() => inner.run(statement, parameters)),
  });
  return {
    database: {
      ...database,
      writes: executor(database.writes),
      deferredWrites: executor(database.deferredWrites),
      write: (work, options) => noticed(() => database.write(work, options)),
    },
    refused,
  };
}
