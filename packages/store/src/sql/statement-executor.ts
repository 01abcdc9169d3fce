import type { CompiledQuery } from 'kysely';
import type {
  ChangeStatement,
  CompiledStatements,
  Statement,
  StatementOutcome,
  StatementPair,
  Writer,
} from './statement.ts';

/** Turns an error of the driver into one of ours. The only place where driver errors are read. */
export type TranslateError = (error: unknown) => Error;

/** What runs compiled queries: a database, or a transaction of one. */
export interface QueryRunner {
  runQuery<Row>(query: CompiledQuery<Row>): Promise<StatementOutcome<Row>>;
}

/** Runs the compiled statements of a dialect, and remembers whether one failed. */
export abstract class StatementExecutor implements Writer {
  protected readonly statements: CompiledStatements;
  readonly #translate: TranslateError;
  #failure: Error | undefined;
  #hasEnded = false;

  constructor(statements: CompiledStatements, translate: TranslateError) {
    this.statements = statements;
    this.#translate = translate;
  }

  abstract run<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<StatementOutcome<Row>>;

  abstract enqueue<Parameters extends object>(
    statement: Statement<Parameters, unknown>,
    parameters: Parameters,
  ): Promise<void>;

  abstract enqueueChange<Parameters extends object>(
    change: ChangeStatement<Parameters>,
    parameters: Parameters,
  ): Promise<void>;

  abstract enqueueBoth<Parameters extends object>(
    pair: StatementPair<Parameters>,
    parameters: Parameters,
  ): Promise<void>;

  /** Notes that a statement failed: what its caller is to be told. */
  protected failed(error: unknown): Error {
    const translated = this.#translate(error);
    this.#failure ??= translated;
    return translated;
  }

  /** @throws TypeError once the write has ended: a late statement would run in whatever comes next on its connection */
  protected assertOpen(): void {
    if (this.#hasEnded) throw new TypeError('a write that has ended takes no more statements');
  }

  /** Refuses every further statement. */
  end(): void {
    this.#hasEnded = true;
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

/** Runs statements by way of what runs compiled queries. */
export class QueryExecutor extends StatementExecutor {
  readonly #runner: QueryRunner;

  constructor(runner: QueryRunner, statements: CompiledStatements, translate: TranslateError) {
    super(statements, translate);
    this.#runner = runner;
  }

  override async run<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<StatementOutcome<Row>> {
    return this.#execute(this.statements.bind(statement, parameters));
  }

  override enqueue<Parameters extends object>(
    statement: Statement<Parameters, unknown>,
    parameters: Parameters,
  ): Promise<void> {
    return this.#enqueueQueries([this.statements.bind(statement, parameters)]);
  }

  override enqueueChange<Parameters extends object>(
    change: ChangeStatement<Parameters>,
    parameters: Parameters,
  ): Promise<void> {
    return this.#enqueueQueries([this.statements.bindChange(change, parameters)]);
  }

  override enqueueBoth<Parameters extends object>(
    pair: StatementPair<Parameters>,
    parameters: Parameters,
  ): Promise<void> {
    return this.#enqueueQueries(this.statements.bindBoth(pair, parameters));
  }

  /** A failure is noted, and met again where the write ends. */
  async #enqueueQueries(queries: readonly CompiledQuery[]): Promise<void> {
    await Promise.allSettled(queries.map((query) => this.#execute(query)));
  }

  async #execute<Row>(query: CompiledQuery<Row>): Promise<StatementOutcome<Row>> {
    this.assertOpen();
    try {
      return await this.#runner.runQuery(query);
    } catch (error) {
      throw this.failed(error);
    }
  }
}
