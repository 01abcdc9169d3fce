import type { Executor, Statement } from './statement.ts';

/** What reads or writes the rows of one aggregate: on the database, or inside one write of it. */
export abstract class SqlRepository {
  // Only declared: each write makes all repositories, and to define the field of each would take three times as long.
  declare protected readonly executor: Executor;

  constructor(executor: Executor) {
    this.executor = executor;
  }

  /** The number in the only row of a statement that counts. */
  protected async readCount<Parameters extends object>(
    statement: Statement<Parameters, { readonly count: number }>,
    parameters: Parameters,
  ): Promise<number> {
    const { rows } = await this.executor.run(statement, parameters);
    const [{ count }] = rows as unknown as readonly [{ readonly count: number }];
    return count;
  }
}
