/**
 * The foundation of all repositories: tables, statements, executors, errors. A repository takes its executor as a parameter, because the
 * outer connection would deadlock within a transaction.
 */
import type { WriteOptions } from '@poolgate/pool/store';
import type { Kysely, RawBuilder } from 'kysely';
import type { CopiedTable } from './copied-table.ts';
import type { ChangeStatement, Executor, Statement, StatementPair, Writer } from './statement.ts';
import type { TranslateError } from './statement-executor.ts';
import type { Tables } from './tables.ts';

/** A dialect's column types. Part of every migration. */
export interface ColumnTypes {
  /** Text that compares by bytes. */
  readonly text: RawBuilder<unknown>;
  /** Whole numbers up to 2^53. */
  readonly integer: RawBuilder<unknown>;
  readonly flag: RawBuilder<unknown>;
  /** The text after the closing parenthesis of a table. */
  readonly tableOptions: RawBuilder<unknown>;
  /**
   * The same for a table whose rows exceed a quarter of a page; undefined if it makes no difference. In a tree of whole rows, SQLite reads
   * each row that it compares with a key, including the parts on overflow pages.
   */
  readonly longRowOptions: RawBuilder<unknown> | undefined;
  /** `alter table` clauses for a table whose rows change often and may be lost in a server crash. */
  readonly forgettable: readonly RawBuilder<unknown>[];
}

/** The facts about a dialect that migrations need. */
export interface SchemaAccess {
  readonly kysely: Kysely<Tables>;
  readonly translate: TranslateError;
  readonly columnTypes: ColumnTypes;
  /** The names of the existing tables, as rows of `name`. */
  readonly tableNames: RawBuilder<{ name: string }>;
  /** The schema of unqualified names, as one row of `name`; undefined if the dialect has no schemas. */
  readonly currentSchema: RawBuilder<{ name: string }> | undefined;
  /** The columns of all tables, each with its position, its position in the key (0: none), and whether its type is boolean (1). */
  readonly columns: RawBuilder<{
    table_name: string;
    column_name: string;
    place: number;
    key_place: number;
    is_flag: number;
  }>;
  /** The owner relations between tables. */
  readonly owners: RawBuilder<{ table_name: string; owner: string }>;
  /** Gives a new transaction a snapshot for all its reads; undefined if it has one anyway. */
  readonly snapshot: RawBuilder<unknown> | undefined;
  /** Waits within a transaction until no other process migrates; undefined if beginning one does so. */
  readonly lockSchema: RawBuilder<unknown> | undefined;
}

/** A database server's description of itself. */
export interface ServerState {
  /** Whether it refuses writes, like a standby. */
  readonly isReadOnly: boolean;
  /**
   * Its time limits for a statement outside of a transaction, in milliseconds; 0 means none. They come from its role, database or settings.
   */
  readonly limits: Readonly<Record<string, number>>;
  /** Its limits for a statement in a request's transaction. */
  readonly transactionLimits: Readonly<Record<string, number>>;
}

/** A statement's text and the database's plan for it. */
export interface ExplainedStatement {
  readonly sql: string;
  /** The lines of the plan, without values; empty if the database provides none. */
  readonly plan: readonly string[];
}

/** Copies a database to and from files of the same kind. Nothing else uses the database meanwhile. */
export interface DatabaseFiles {
  /** Writes everything to an empty file. */
  copyTo(path: string): Promise<void>;
  /**
   * Replaces the rows of some tables in one transaction.
   * @param path a file with the same schema; undefined to delete the rows only
   */
  replaceRows(path: string | undefined, tables: readonly CopiedTable[]): Promise<void>;
}

/** An open database of one dialect, as shared code sees it. */
export interface Database {
  /** Runs single reads outside of transactions. They see every acknowledged write. */
  readonly reads: Executor;
  /** Runs single writing statements, each in its own transaction and durable when it resolves. */
  readonly writes: Executor;
  /**
   * Runs single writing statements for short-lived data. When it resolves, everyone sees the write and it survives the end of this process.
   * A power failure may undo it if the database avoids waiting for the disk.
   */
  readonly deferredWrites: Executor;
  /** Runs one atomic write, durable when it resolves. `work` awaits only its executor, and may run more than once. */
  write<Result>(work: (executor: Writer) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /** Gives access to the schema, without the time limits of requests. */
  withSchema<Result>(work: (access: SchemaAccess) => Promise<Result>): Promise<Result>;
  /** Returns the plan of a statement for any values. */
  explain(
    statement: ChangeStatement<object> | Statement<object, unknown> | StatementPair<object>,
  ): Promise<readonly ExplainedStatement[]>;
  /** Reads the server's state; undefined without a server. */
  server(): Promise<ServerState | undefined>;
  /** Copies whole databases between files; undefined if rows have to be read and written one page at a time. */
  readonly files: DatabaseFiles | undefined;
  /** False if the open file is no longer the one at its path, because someone deleted or replaced it. */
  isInPlace(): boolean;
  /** Finishes pending writes, then closes. */
  close(): Promise<void>;
}
