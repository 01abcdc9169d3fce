import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { StatementOutcome } from '../sql/statement.ts';
import type { FifoLock } from './fifo-lock.ts';

interface PreparedStatement {
  readonly statement: StatementSync;
  /** The names of the returned columns; empty if it returns no rows. Undefined if it returns rows as objects. */
  readonly columns: readonly string[] | undefined;
}

// Statements are constants of this package; only lists of varying length add more.
const MAX_PREPARED = 500;

function bindable(value: unknown): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
}

/** All rows of a statement are objects of one shape, which costs half as much as SQLite's own objects. */
function toRow(columns: readonly string[], values: readonly SQLOutputValue[]): Record<string, SQLOutputValue> {
  const row: Record<string, SQLOutputValue> = {};
  for (let index = 0; index < columns.length; index += 1)
    row[columns[index] as string] = values[index] as SQLOutputValue;
  return row;
}

/** Whether a statement returns rows, judged by its text, for Node versions that cannot tell. */
const returnsRows = (sql: string): boolean =>
  /^\s*explain\b|\breturning\b/i.test(sql) || !/\b(insert|update|delete)\b/i.test(sql);

/** The columns that a statement returns as arrays; as objects if Node does not support arrays (before 22.16). */
function describeColumns(statement: StatementSync, sql: string): PreparedStatement['columns'] {
  const { setReturnArrays }: Partial<StatementSync> = statement;
  if (setReturnArrays === undefined) return returnsRows(sql) ? undefined : [];
  setReturnArrays.call(statement, true);
  return statement.columns().map(({ name }) => name);
}

/**
 * Whether a transaction is open. For Node versions that cannot tell (before 22.16), it tries to begin one, which fails within a
 * transaction.
 */
function isInTransaction(database: DatabaseSync): boolean {
  const { isTransaction }: Partial<DatabaseSync> = database;
  if (isTransaction !== undefined) return isTransaction;
  try {
    database.exec('begin');
  } catch {
    return true;
  }
  database.exec('rollback');
  return false;
}

/** Runs compiled queries on one connection of `node:sqlite`. */
export class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Runs a query synchronously. */
  execute<Row>(query: CompiledQuery): StatementOutcome<Row> {
    const { statement, columns } = this.#prepare(query.sql);
    const parameters = query.parameters.map(bindable);
    if (columns === undefined)
      return { rows: statement.all(...parameters).map((row) => ({ ...row }) as Row), changes: 0 };
    if (columns.length === 0) return { rows: [], changes: Number(statement.run(...parameters).changes) };
    const rows = statement.all(...parameters) as unknown as readonly (readonly SQLOutputValue[])[];
    return { rows: rows.map((values) => toRow(columns, values) as Row), changes: 0 };
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = this.execute<Row>(query);
    return { rows: [...rows], numAffectedRows: BigInt(changes) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new TypeError('rows are not streamed');
  }

  #prepare(sql: string): PreparedStatement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, columns: describeColumns(statement, sql) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** The transaction control of one SQLite connection. */
export class TransactionControl {
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;
  #isHasty = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#begin = database.prepare('begin immediate');
    this.#commit = database.prepare('commit');
    this.#savepoint = database.prepare('savepoint operation');
    this.#release = database.prepare('release operation');
  }

  /**
   * Takes the write lock at once, because a deferred transaction that has read could not wait for it (SQLITE_BUSY_SNAPSHOT).
   * @param isHasty its commit does not wait for the disk; the next one that does includes it
   */
  begin(isHasty = false): void {
    this.deferSync(isHasty);
    this.#begin.run();
  }

  /** Whether later commits, including those outside of a transaction, skip waiting for the disk. */
  deferSync(isHasty: boolean): void {
    if (isHasty === this.#isHasty) return;
    // Not prepared, because this pragma takes effect when it is compiled.
    this.#database.exec(`pragma synchronous = ${isHasty ? 'normal' : 'full'}`);
    this.#isHasty = isHasty;
  }

  commit(): void {
    this.#commit.run();
  }

  /** After some errors (disk full, I/O) SQLite has already rolled back. */
  rollback(): void {
    if (this.isOpen) this.#database.exec('rollback');
  }

  get isOpen(): boolean {
    return isInTransaction(this.#database);
  }

  savepoint(): void {
    this.#savepoint.run();
  }

  release(): void {
    this.#release.run();
  }

  undoToSavepoint(): void {
    this.#database.exec('rollback to operation; release operation');
  }
}

/** A connection and its users: Kysely, reads and groups of writes. */
export interface SharedConnection {
  readonly connection: NodeSqliteConnection;
  readonly control: TransactionControl;
  readonly lock: FifoLock;
}

function createDriver({ connection, control, lock }: SharedConnection): Driver {
  let endTurn = (): void => {};
  return {
    init: async () => {},
    acquireConnection: async () => {
      const end = await lock.acquire();
      try {
        control.deferSync(false);
      } catch (error) {
        // Without a connection, there is nothing to return.
        end();
        throw error;
      }
      endTurn = end;
      return connection;
    },
    beginTransaction: async () => control.begin(),
    commitTransaction: async () => control.commit(),
    rollbackTransaction: async () => control.rollback(),
    releaseConnection: async () => endTurn(),
    destroy: async () => {},
  };
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** A migration that fails halfway leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }

  /** There is one connection, and the lock below assigns it. If beginning failed, Kysely's own lock would be held forever. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** Kysely on a shared connection of `node:sqlite`, which it holds during its turn. */
export function createNodeSqliteDialect(shared: SharedConnection): Dialect {
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver: () => createDriver(shared),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
