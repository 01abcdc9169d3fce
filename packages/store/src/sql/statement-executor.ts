import type { CompiledQuery } from 'kysely';
import type {
  ChangeStatement,
  CompiledStatements,
  Statement,
  StatementOutcome,
  StatementPair,
  Writer,
} from './statement.ts';

/** Translates a driver error to one of ours. Only this function reads driver errors. */
export type TranslateError = (error: unknown) => Error;

/** Runs compiled queries: a database, or a transaction. */
export interface QueryRunner {
  runQuery<Row>(query: CompiledQuery<Row>): Promise<StatementOutcome<Row>>;
}

/** Runs a dialect's compiled statements, and remembers whether one failed. */
export abstract class StatementExecutor implements Writer {
  protected readonly statements: CompiledStatements;
  readonly #translate: TranslateError;
  #failure: Error | undefined;
  #hasEnded = false;

  constructor(statements: CompiledStatements, translate: TranslateError) {
    this.statements = statements;
    this.#translate = translate;
  }

  abstract readonly isExclusive: boolean;

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

  /** Records that a statement failed, and returns the error for its caller. */
  protected failed(error: unknown): Error {
    const translated = this.#translate(error);
    this.#failure ??= translated;
    return translated;
  }

  /** @throws TypeError after the write has ended; a late statement would run in the next transaction of its connection */
  protected assertOpen(): void {
    if (this.#hasEnded) throw new TypeError('a write that has ended takes no more statements');
  }

  /** Refuses all later statements. */
  end(): void {
    this.#hasEnded = true;
  }

  /**
   * PostgreSQL aborts a transaction after a failed statement, while SQLite continues. A write that swallows such an error must end the same
   * way on both, so it calls this before the commit.
   * @throws the first error of a statement
   */
  assertNothingFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }
}

/** Runs statements on a query runner. */
export class QueryExecutor extends StatementExecutor {
  override readonly isExclusive = false;
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

  /** A failure is recorded and thrown at the end of the write. */
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
