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
import type { RepeatedReads } from './repeated-reads.ts';
import type { NodeSqliteConnection } from './sqlite-dialect.ts';
import { translateSqliteError } from './sqlite-errors.ts';

const ENDED = Promise.resolve();

/** Runs statements on a connection of `node:sqlite`, which is synchronous, so nothing has to be awaited. */
export class SqliteExecutor extends StatementExecutor {
  /** Within a write. */
  override readonly isExclusive = true;
  readonly #connection: NodeSqliteConnection;
  readonly #repeatedReads: RepeatedReads | undefined;

  /** @param repeatedReads for a write; undefined outside of one, where anything may change between two reads */
  constructor(connection: NodeSqliteConnection, statements: CompiledStatements, repeatedReads?: RepeatedReads) {
    super(statements, translateSqliteError);
    this.#connection = connection;
    this.#repeatedReads = repeatedReads;
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
    const reads = this.#repeatedReads;
    const isRead = query.query.kind === 'SelectQueryNode';
    const known = isRead ? reads?.find(query) : reads?.forget();
    if (known !== undefined) return known as StatementOutcome<Row>;
    try {
      const outcome = this.#connection.execute<Row>(query);
      if (isRead) reads?.remember(query, outcome);
      return outcome;
    } catch (error) {
      throw this.failed(error);
    }
  }
}
