import type { CompiledQuery } from 'kysely';
import type {
  ChangeStatement,
  CompiledStatements,
  Statement,
  StatementOutcome,
  StatementPair,
} from '../sql/statement.ts';
import { StatementExecutor } from '../sql/statement-executor.ts';
import { ROW_CHANGED, StoreUnavailable } from '../sql/store-errors.ts';
import type { NodeSqliteConnection } from './sqlite-dialect.ts';
import { translateSqliteError } from './sqlite-errors.ts';

const ENDED = Promise.resolve();

/** Runs statements on a connection of `node:sqlite`, which is synchronous, so nothing has to be awaited. */
export class SqliteExecutor extends StatementExecutor {
  readonly #connection: NodeSqliteConnection;

  constructor(connection: NodeSqliteConnection, statements: CompiledStatements) {
    super(statements, translateSqliteError);
    this.#connection = connection;
  }

  override async run<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<StatementOutcome<Row>> {
    return this.#execute(this.statements.bind(statement, parameters));
  }

  // Not async, so that errors are thrown where the statement is issued.
  override enqueue<Parameters extends object>(
    statement: Statement<Parameters, unknown>,
    parameters: Parameters,
  ): Promise<void> {
    this.#execute(this.statements.bind(statement, parameters));
    return ENDED;
  }

  // A write has the database to itself, so what it has read cannot change before it writes.
  override enqueueChange<Parameters extends object>(
    change: ChangeStatement<Parameters>,
    parameters: Parameters,
  ): Promise<void> {
    const { rows } = this.#execute(this.statements.bindChange(change, parameters));
    if (rows.length === 0) throw this.failed(new StoreUnavailable(ROW_CHANGED));
    return ENDED;
  }

  override enqueueBoth<Parameters extends object>(
    pair: StatementPair<Parameters>,
    parameters: Parameters,
  ): Promise<void> {
    for (const query of this.statements.bindBoth(pair, parameters)) this.#execute(query);
    return ENDED;
  }

  #execute<Row>(query: CompiledQuery<Row>): StatementOutcome<Row> {
    this.assertOpen();
    try {
      return this.#connection.execute(query);
    } catch (error) {
      throw this.failed(error);
    }
  }
}
