import type { CompiledQuery, QueryResult } from 'kysely';
import type { CompiledStatements, Statement, StatementOutcome, StatementPair, Writer } from './statement.ts';

/** Turns an error of the driver into one of ours. The only place where driver errors are read. */
export type TranslateError = (error: unknown) => Error;

/** What runs compiled queries: a Kysely or a transaction of one. */
interface QueryRunner {
  executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/** Runs the compiled statements of a dialect, and remembers whether one failed. */
export abstract class StatementExecutor implements Writer {
  protected readonly statements: CompiledStatements;
  readonly #translate: TranslateError;
  #failure: Error | undefined;

  constructor(statements: CompiledStatements, translate: TranslateError) {
    this.statements = statements;
    this.#translate = translate;
  }

  abstract run<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<StatementOutcome<Row>>;

  abstract runBoth<Parameters extends object>(pair: StatementPair<Parameters>, parameters: Parameters): Promise<void>;

  /** Notes that a statement failed: what its caller is to be told. */
  protected failed(error: unknown): Error {
    const translated = this.#translate(error);
    this.#failure ??= translated;
    return translated;
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

/** Runs statements through Kysely. */
export class KyselyExecutor extends StatementExecutor {
  readonly #runner: QueryRunner;

  constructor(runner: QueryRunner, statements: CompiledStatements, translate: TranslateError) {
    super(statements, translate);
    this.#runner = runner;
  }

  override async run<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<StatementOutcome<Row>> {
    const result = await this.#execute(this.statements.bind(statement, parameters));
    return { rows: result.rows, changes: Number(result.numAffectedRows ?? 0) };
  }

  override async runBoth<Parameters extends object>(
    pair: StatementPair<Parameters>,
    parameters: Parameters,
  ): Promise<void> {
    for (const query of this.statements.bindBoth(pair, parameters)) await this.#execute(query);
  }

  async #execute<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
    try {
      return await this.#runner.executeQuery(query);
    } catch (error) {
      throw this.failed(error);
    }
  }
}
