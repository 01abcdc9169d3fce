import type { Executor, Statement } from './statement.ts';

/** Reads or writes the rows of one aggregate, directly or within a write. */
export abstract class SqlRepository {
  // Only declared: each write creates all repositories, and defining the field in each would take three times as long.
  declare protected readonly executor: Executor;

  constructor(executor: Executor) {
    this.executor = executor;
  }

  /** Returns the number in the only row of a counting statement. */
  protected async readCount<Parameters extends object>(
    statement: Statement<Parameters, { readonly count: number }>,
    parameters: Parameters,
  ): Promise<number> {
    const { rows } = await this.executor.run(statement, parameters);
    const [{ count }] = rows as unknown as readonly [{ readonly count: number }];
    return count;
  }
}
