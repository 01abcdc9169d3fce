/**
 * What every repository builds on: tables, statements, executors, errors. A repository takes the executor as a parameter, because the
 * outer connection deadlocks inside a transaction.
 */
import type { WriteOptions } from '@poolgate/pool/store';
import type { Kysely, RawBuilder } from 'kysely';
import type { ChangeStatement, Executor, Statement, StatementPair, Writer } from './statement.ts';
import type { TranslateError } from './statement-executor.ts';
import type { Tables } from './tables.ts';

/** How a dialect writes the types of columns. Part of every migration. */
export interface ColumnTypes {
  /** Text that compares by its bytes. */
  readonly text: RawBuilder<unknown>;
  /** Whole numbers up to 2^53. */
  readonly integer: RawBuilder<unknown>;
  readonly flag: RawBuilder<unknown>;
  /** What follows the closing parenthesis of a table. */
  readonly tableOptions: RawBuilder<unknown>;
  /**
   * The same of a table whose rows are longer than a quarter of a page; undefined where there is no difference. In a tree of whole rows
   * SQLite reads each row that it compares a key with, and all that does not fit into its page from the file.
   */
  readonly longRowOptions: RawBuilder<unknown> | undefined;
  /** What `alter table` is told about a table whose rows change often and may be forgotten in a crash of the server. */
  readonly forgettable: readonly RawBuilder<unknown>[];
}

/** What migrations need to know of a dialect. */
export interface SchemaAccess {
  readonly kysely: Kysely<Tables>;
  readonly translate: TranslateError;
  readonly columnTypes: ColumnTypes;
  /** The names of the tables that are there, as rows of `name`. */
  readonly tableNames: RawBuilder<{ name: string }>;
  /** The schema that unqualified names mean, as one row of `name`; undefined where the dialect has no schemas. */
  readonly currentSchema: RawBuilder<{ name: string }> | undefined;
  /** The columns of all tables, each with its place, its place in the key (0: none), and whether it is of a type of truth values (1). */
  readonly columns: RawBuilder<{
    table_name: string;
    column_name: string;
    place: number;
    key_place: number;
    is_flag: number;
  }>;
  /** Which table's rows belong to rows of which. */
  readonly owners: RawBuilder<{ table_name: string; owner: string }>;
  /** Makes the reads of a transaction that has just begun see one moment; undefined where they do. */
  readonly snapshot: RawBuilder<unknown> | undefined;
  /** Waits inside a transaction until no other process migrates; undefined where beginning one does. */
  readonly lockSchema: RawBuilder<unknown> | undefined;
}

/** What a database server says of itself. */
export interface ServerState {
  /** Whether it takes no writes, as a standby does. */
  readonly isReadOnly: boolean;
  /** The time limits that it puts on a statement outside a transaction, in milliseconds; 0 is none. They come from its role, its database or its settings. */
  readonly limits: Readonly<Record<string, number>>;
  /** Those that it puts on a statement in a transaction of a request. */
  readonly transactionLimits: Readonly<Record<string, number>>;
}

/** The text of a statement, and how the database would go about it. */
export interface ExplainedStatement {
  readonly sql: string;
  /** Lines of the plan; none where the database gives none. They hold no values. */
  readonly plan: readonly string[];
}

/** An open database of one dialect: all that shared code knows of it. */
export interface Database {
  /** Runs single reads, outside any transaction. They see every write that was acknowledged before. */
  readonly reads: Executor;
  /** Runs single writing statements, each a transaction of its own, durable when it resolves. */
  readonly writes: Executor;
  /**
   * Runs single writing statements of what is good for minutes only. When it resolves, everybody sees it, and the death of
   * this process undoes nothing; a power failure may, where the database saves waiting for the disk by that.
   */
  readonly deferredWrites: Executor;
  /** Runs one atomic write, durable when it resolves. `work` awaits nothing but its executor, and may be run again. */
  write<Result>(work: (executor: Writer) => Promise<Result>, options?: WriteOptions): Promise<Result>;
  /** Gives access to the schema, without the time limits of requests. */
  withSchema<Result>(work: (access: SchemaAccess) => Promise<Result>): Promise<Result>;
  /** Asks how a statement would be run, for whatever values. */
  explain(
    statement: ChangeStatement<object> | Statement<object, unknown> | StatementPair<object>,
  ): Promise<readonly ExplainedStatement[]>;
  /** Asks the server how it stands; undefined where there is no server. */
  server(): Promise<ServerState | undefined>;
  /** False when the open file is no longer the one at its path, because someone deleted or replaced it. */
  isInPlace(): boolean;
  /** Finishes the writes that are under way, then closes. */
  close(): Promise<void>;
}
