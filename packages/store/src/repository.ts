import type { Executor } from './statement.ts';

/** What reads or writes the rows of one aggregate: on the database, or inside one write of it. */
export abstract class Repository {
  // Only declared: each write makes all repositories, and to define the field of each would take three times as long.
  declare protected readonly executor: Executor;

  constructor(executor: Executor) {
    this.executor = executor;
  }
}
