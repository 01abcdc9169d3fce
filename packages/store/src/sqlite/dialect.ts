import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
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

interface Prepared {
  readonly statement: StatementSync;
  readonly givesRows: boolean;
}

// Statements are named constants of this package; only lists of varying length add more.
const MOST_PREPARED = 500;

function bindable(value: unknown): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : (value as SQLInputValue);
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, givesRows } = this.#prepare(query.sql);
    const parameters = query.parameters.map(bindable);
    if (!givesRows) return { numAffectedRows: BigInt(statement.run(...parameters).changes), rows: [] };
    // Rows come without a prototype, which no deep comparison with a literal would accept.
    return { rows: statement.all(...parameters).map((row) => ({ ...row }) as Row) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new TypeError('rows are not streamed');
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= MOST_PREPARED) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, givesRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** The transaction control of one SQLite connection. */
export class TransactionControl {
  readonly #database: DatabaseSync;
  readonly #savepoint: StatementSync;
  readonly #release: StatementSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#savepoint = database.prepare('savepoint operation');
    this.#release = database.prepare('release operation');
  }

  /** Takes the write lock at once: a deferred transaction that read first could not wait for it (SQLITE_BUSY_SNAPSHOT). */
  begin(): void {
    this.#database.exec('begin immediate');
  }

  commit(): void {
    this.#database.exec('commit');
  }

  /** SQLite has rolled back by itself after some errors (disk full, I/O); then there is nothing to do. */
  rollback(): void {
    if (this.#database.isTransaction) this.#database.exec('rollback');
  }

  get isOpen(): boolean {
    return this.#database.isTransaction;
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

function createDriver(database: DatabaseSync, control: TransactionControl): Driver {
  const connection = new NodeSqliteConnection(database);
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => control.begin(),
    commitTransaction: async () => control.commit(),
    rollbackTransaction: async () => control.rollback(),
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  };
}

class NodeSqliteAdapter extends SqliteAdapter {
  /** A migration that dies halfway leaves nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely on one connection of `node:sqlite`. Kysely's own lock keeps its users apart: who holds the connection, holds it alone. */
export function nodeSqliteDialect(database: DatabaseSync, control: TransactionControl): Dialect {
  return {
    createAdapter: () => new NodeSqliteAdapter(),
    createDriver: () => createDriver(database, control),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}
