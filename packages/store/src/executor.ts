import type { CompiledQuery, QueryResult } from 'kysely';
import type { CompiledStatements, Outcome, Statement, StatementPair, Writer } from './statement.ts';

/** Turns an error of the driver into one of ours. The only place where driver errors are read. */
export type Translate = (error: unknown) => Error;

/** What runs compiled queries: a Kysely, a transaction of one, or a connection itself. */
export interface QueryRunner {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/** Runs statements as Kysely compiled them. */
export class KyselyExecutor implements Writer {
  readonly #runner: QueryRunner;
  readonly #statements: CompiledStatements;
  readonly #translate: Translate;
  #failure: Error | undefined;

  constructor(runner: QueryRunner, statements: CompiledStatements, translate: Translate) {
    this.#runner = runner;
    this.#statements = statements;
    this.#translate = translate;
  }

  async run<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<Outcome<Row>> {
    const result = await this.#execute(this.#statements.bind(statement, parameters));
    return { rows: result.rows, changes: Number(result.numAffectedRows ?? 0) };
  }

  async runBoth<Parameters extends object>(pair: StatementPair<Parameters>, parameters: Parameters): Promise<void> {
    for (const query of this.#statements.bindBoth(pair, parameters)) await this.#execute(query);
  }

  async #execute<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    try {
      return await this.#runner.executeQuery(query);
    } catch (error) {
      const translated = this.#translate(error);
      this.#failure ??= translated;
      throw translated;
    }
  }

  /**
   * PostgreSQL gives a transaction up after any failed statement, SQLite goes on. A write that swallows such an error
   * must end alike on both, so it asks here before it commits.
   * @throws the first error of a statement that was run.
   */
  assertNothingFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}
