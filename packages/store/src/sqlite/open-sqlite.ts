/** SQLite in WAL mode with full durability. Writes that arrive together share one commit, and callers get their result only after it. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { ColumnTypes, Database, DatabaseFiles, SchemaAccess } from '../sql/database.ts';
import { CompiledStatements, type Executor } from '../sql/statement.ts';
import { StoreRefused, StoreUnavailable } from '../sql/store-errors.ts';
import type { Tables } from '../sql/tables.ts';
import { FifoLock } from './fifo-lock.ts';
import { createIdentityCheck } from './file-identity.ts';
import { GroupCommit, type OperationKind } from './group-commit.ts';
import { RepeatedReads } from './repeated-reads.ts';
import {
  createNodeSqliteDialect,
  NodeSqliteConnection,
  type SharedConnection,
  TransactionControl,
} from './sqlite-dialect.ts';
import { SQLITE_SQL } from './sqlite-dialect-sql.ts';
import { translateFileError, translateSqliteError } from './sqlite-errors.ts';
import { SqliteExecutor } from './sqlite-executor.ts';
import { createFileIfMissing } from './sqlite-file.ts';
import { copyDatabase, replaceRows } from './sqlite-snapshot.ts';

const BUSY_TIMEOUT_MS = 5_000;

// A full check reads the whole file. For a larger file it would delay the start; its errors appear when the damaged parts are read.
const MAX_BYTES_CHECKED = 16 * 1024 * 1024;

const COLUMN_TYPES: ColumnTypes = {
  text: sql`text`,
  integer: sql`integer`,
  flag: sql`integer`,
  tableOptions: sql`strict, without rowid`,
  longRowOptions: sql`strict`,
  forgettable: [],
};

function createSchemaAccess(kysely: Kysely<Tables>): SchemaAccess {
  return {
    kysely,
    translate: translateSqliteError,
    columnTypes: COLUMN_TYPES,
    tableNames: sql`select name from sqlite_schema where type = 'table'`,
    currentSchema: undefined,
    columns: sql`select m.name as table_name, c.name as column_name, c.cid + 1 as place, c.pk as key_place, 0 as is_flag
      from sqlite_schema as m join pragma_table_info(m.name) as c where m.type = 'table' and m.name not like 'sqlite_%'`,
    owners: sql`select m.name as table_name, f."table" as owner
      from sqlite_schema as m join pragma_foreign_key_list(m.name) as f where m.type = 'table'`,
    // The transaction began by taking the write lock.
    snapshot: undefined,
    lockSchema: undefined,
  };
}

let schemaQueue: Promise<unknown> = Promise.resolve();

/**
 * Runs one at a time in this process, because waiting for SQLite's write lock blocks the thread, and with it another store of the same
 * process that holds the lock.
 */
function runInSequence<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = schemaQueue.then(work);
  schemaQueue = turn.catch(() => {});
  return turn;
}

function assertIntactDatabase(database: DatabaseSync, path: string): void {
  database.prepare('select count(*) from sqlite_schema').get();
  if (statSync(path).size > MAX_BYTES_CHECKED) return;
  const verdict = Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0];
  if (verdict !== 'ok') throw new StoreRefused('store_corrupt', 'the database file is damaged');
}

function configureConnection(database: DatabaseSync): void {
  database.exec(
    'pragma synchronous = full; pragma temp_store = memory; pragma trusted_schema = off; pragma cell_size_check = on',
  );
}

function connectMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  configureConnection(database);
  return database;
}

function connectFile(path: string): DatabaseSync {
  createFileIfMissing(path);
  const database = new DatabaseSync(path);
  try {
    // Not set in the constructor, because Node before 22.16 does not know the option.
    database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const mode = database.prepare('pragma journal_mode = wal').get()?.journal_mode;
    if (mode !== 'wal') throw new StoreUnavailable('this file system cannot hold a write-ahead log');
    configureConnection(database);
    assertIntactDatabase(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function connect(path: string | undefined): DatabaseSync {
  try {
    return path === undefined ? connectMemory() : connectFile(resolve(path));
  } catch (error) {
    throw translateFileError(error);
  }
}

/** The steps of a plan, indented by depth. */
function readPlan(database: DatabaseSync, text: string): readonly string[] {
  return database
    .prepare(`explain query plan ${text}`)
    .all()
    .map(({ detail }) => String(detail));
}

/** Runs single statements. They wait only while another user holds the connection for more than one statement. */
function createWaitingExecutor(turns: FifoLock, executor: Executor): Executor {
  return {
    run: (statement, parameters) =>
      turns.isFree
        ? executor.run(statement, parameters)
        : turns.runExclusive(() => executor.run(statement, parameters)),
  };
}

function createDatabaseFiles(database: DatabaseSync, turns: FifoLock): DatabaseFiles {
  const runAlone = (work: () => void): Promise<void> =>
    turns.runExclusive(async () => {
      try {
        work();
      } catch (error) {
        throw translateFileError(error);
      }
    });
  return {
    copyTo: (path) => runAlone(() => copyDatabase(database, path)),
    replaceRows: (path, tables) => runAlone(() => replaceRows(database, path, tables)),
  };
}

/**
 * Opens a SQLite database: a file, or memory if no path is given.
 *
 * One connection serves reads and writes. `node:sqlite` runs every statement on this thread, so a second connection would not help anything
 * that waits. A group of writes runs without a break, so reads wait for one commit at most and never see half of it.
 * @throws StoreRefused, StoreUnavailable
 */
export function openSqlite(path: string | undefined): Database {
  const database = connect(path);
  const isInPlace = path === undefined ? () => true : createIdentityCheck(path);
  const connection = new NodeSqliteConnection(database);
  const control = new TransactionControl(database);
  const shared: SharedConnection = { connection, control, lock: new FifoLock() };
  const kysely = new Kysely<Tables>({ dialect: createNodeSqliteDialect(shared) });
  const statements = new CompiledStatements(kysely, SQLITE_SQL);
  const group = new GroupCommit<NodeSqliteConnection>({
    control,
    withConnection: (work) => shared.lock.runExclusive(() => work(connection)),
    translate: translateSqliteError,
  });
  const single = (kind: OperationKind): Executor => ({
    run: (statement, parameters) =>
      group.submit((target) => new SqliteExecutor(target, statements).run(statement, parameters), kind),
  });
  return {
    reads: createWaitingExecutor(shared.lock, new SqliteExecutor(connection, statements)),
    writes: single('statement'),
    deferredWrites: single('briefStatement'),
    write: (work) =>
      group.submit(async (target) => {
        const executor = new SqliteExecutor(target, statements, new RepeatedReads());
        try {
          const result = await work(executor);
          executor.assertNothingFailed();
          return result;
        } finally {
          executor.end();
        }
      }, 'transaction'),
    withSchema: (work) => runInSequence(() => work(createSchemaAccess(kysely))),
    explain: (statement) =>
      shared.lock.runExclusive(async () =>
        statements.listTexts(statement).map((text) => ({ sql: text, plan: readPlan(database, text) })),
      ),
    server: async () => undefined,
    files: createDatabaseFiles(database, shared.lock),
    isInPlace,
    close: async () => {
      await group.close();
      await shared.lock.runExclusive(async () => database.close());
    },
  };
}
