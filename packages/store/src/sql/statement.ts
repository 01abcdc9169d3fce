import {
  type CompiledQuery,
  type Expression,
  type Kysely,
  type OperationNodeSource,
  type RawBuilder,
  sql,
} from 'kysely';
import { createPlaceholders, Placeholder, type Placeholders } from './placeholder.ts';
import type { Tables } from './tables.ts';

/** A Kysely query that compiles and returns rows. */
interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** A query that can be part of another one. */
type Subquery = Compilable<unknown> & OperationNodeSource;

/** Syntax that differs between dialects. */
export interface DialectSql {
  /** Ends a query for rows to change: locks them and skips those that another write has locked. */
  readonly lockSkippingLocked: RawBuilder<unknown>;
  /** Ends a query for rows to change: waits for a write that has locked one, and reads the row as that write left it. */
  readonly lockWaiting: RawBuilder<unknown>;
  /** Ends a query for users who must not change until the write ends. */
  readonly lockUsers: RawBuilder<unknown>;
  /** Ends a query for rows that new rows will reference: keeps them, and skips those that another write deletes. */
  readonly lockOwners: RawBuilder<unknown>;
  /** The functions that create a JSON array of a group's rows, and a JSON object of names and values. */
  readonly jsonArrayOf: RawBuilder<unknown>;
  readonly jsonObject: RawBuilder<unknown>;
  /** The database server's time in milliseconds since the epoch; null if it has no clock. */
  readonly serverNowMs: RawBuilder<number | null>;
  /** Makes a statement fail if it changes no row; undefined if the caller knows the count at once. */
  readonly failUnlessChanged: ((change: Subquery) => RawBuilder<unknown>) | undefined;
  /** Joins two writing statements; undefined if the dialect cannot. */
  readonly joinStatements: ((first: Subquery, second: Subquery) => RawBuilder<unknown>) | undefined;
}

/**
 * A query that is built and compiled once for each database and then only bound, because building one takes several times what SQLite
 * needs to run it. `build` receives a placeholder for each parameter, never its value.
 */
export interface Statement<Parameters extends object, Row> {
  readonly build: (
    database: Kysely<Tables>,
    parameters: Placeholders<Parameters>,
    phrases: DialectSql,
  ) => Compilable<Row>;
}

/** Two independent writing statements with the same parameters. */
export interface StatementPair<Parameters extends object> {
  readonly build: (
    database: Kysely<Tables>,
    parameters: Placeholders<Parameters>,
    phrases: DialectSql,
  ) => readonly [Subquery, Subquery];
}

/** A statement that changes a row and returns it, or finds none to change. */
export interface ChangeStatement<Parameters extends object> {
  readonly build: (database: Kysely<Tables>, parameters: Placeholders<Parameters>, phrases: DialectSql) => Subquery;
}

/** The result of a statement: its rows, and the number of changed rows if it returns none. */
export interface StatementOutcome<Row> {
  readonly rows: readonly Row[];
  readonly changes: number;
}

/** Runs statements, directly or within a transaction. */
export interface Executor {
  run<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<StatementOutcome<Row>>;
}

/** Runs statements within a write. Statements from one turn of the event loop share a round trip if the database is remote. */
export interface Writer extends Executor {
  /** Whether no other write runs until this one ends. Locking rows is then unnecessary. */
  readonly isExclusive: boolean;
  /**
   * Enqueues a statement whose result the write does not need. It runs after earlier statements, together with the next one or with the
   * commit. If it fails, the write fails.
   * @returns resolves when it has ended, successfully or not; only measurements wait for it
   */
  enqueue<Parameters extends object>(statement: Statement<Parameters, unknown>, parameters: Parameters): Promise<void>;
  /**
   * Enqueues a statement like {@link enqueue} that must change a row. If it changes none, because another write has changed the row since
   * it was read, the write fails and is repeated where possible.
   */
  enqueueChange<Parameters extends object>(change: ChangeStatement<Parameters>, parameters: Parameters): Promise<void>;
  /** Enqueues both statements of a pair like {@link enqueue}, joined into one if the dialect can. */
  enqueueBoth<Parameters extends object>(pair: StatementPair<Parameters>, parameters: Parameters): Promise<void>;
}

/** The limit of a query for one row. Not a parameter, because SQLite would plan such a query again each time. */
export const LIMIT_ONE = sql.lit(1);

/** Defines a statement. */
export function defineStatement<Parameters extends object, Row>(
  build: Statement<Parameters, Row>['build'],
): Statement<Parameters, Row> {
  return { build };
}

/** Defines a statement that must change a row. */
export function defineChange<Parameters extends object>(
  build: ChangeStatement<Parameters>['build'],
): ChangeStatement<Parameters> {
  return { build };
}

/** Defines a pair of statements. */
export function defineStatementPair<Parameters extends object>(
  build: StatementPair<Parameters>['build'],
): StatementPair<Parameters> {
  return { build };
}

/** The new value of a column: the given value, which may be null, or the current one if none is given. */
export function setOrUnchanged<Value>(
  isSet: Expression<boolean>,
  value: Expression<Value>,
  column: string,
): RawBuilder<Value> {
  return sql`case when ${isSet} = true then ${value} else ${sql.ref(column)} end`;
}

function requireStorableText(value: string, name: string): string {
  if (value.includes('\0') || !value.isWellFormed()) {
    throw new RangeError(`${name} must be well-formed text without NUL: no PostgreSQL could keep it`);
  }
  return value;
}

function bindValue(slot: unknown, parameters: Readonly<Record<string, unknown>>): unknown {
  if (!(slot instanceof Placeholder)) return slot;
  const value = parameters[slot.name];
  if (value === undefined) throw new TypeError(`${slot.name} must be given`);
  return typeof value === 'string' ? requireStorableText(value, slot.name) : value;
}

function bindParameters<Row>(
  { query, queryId, sql, parameters: slots }: CompiledQuery<Row>,
  parameters: object,
): CompiledQuery<Row> {
  const values = parameters as Readonly<Record<string, unknown>>;
  return { query, queryId, sql, parameters: slots.map((slot) => bindValue(slot, values)) };
}

/** The compiled statements of one database. */
export class CompiledStatements {
  readonly #database: Kysely<Tables>;
  readonly #phrases: DialectSql;
  // Keyed by statements, which are constants of this package.
  readonly #compiled = new WeakMap<object, CompiledQuery>();
  readonly #compiledPairs = new WeakMap<object, readonly CompiledQuery[]>();

  constructor(database: Kysely<Tables>, phrases: DialectSql) {
    this.#database = database;
    this.#phrases = phrases;
  }

  /**
   * Binds a statement's parameters.
   * @throws TypeError if a parameter is missing, RangeError if a text contains NUL or half a surrogate pair
   */
  bind<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): CompiledQuery<Row> {
    return bindParameters(this.#compile(statement), parameters);
  }

  /**
   * Binds a pair's parameters, as one statement or two.
   * @throws TypeError, RangeError as {@link bind}
   */
  bindBoth<Parameters extends object>(
    pair: StatementPair<Parameters>,
    parameters: Parameters,
  ): readonly CompiledQuery[] {
    return this.#compileBoth(pair).map((compiled) => bindParameters(compiled, parameters));
  }

  /**
   * Binds the parameters of a statement that must change a row.
   * @throws TypeError, RangeError as {@link bind}
   */
  bindChange<Parameters extends object>(change: ChangeStatement<Parameters>, parameters: Parameters): CompiledQuery {
    return bindParameters(this.#compileChange(change), parameters);
  }

  /** The texts of a statement or a pair, with placeholders for values. */
  listTexts(
    statement: ChangeStatement<object> | Statement<object, unknown> | StatementPair<object>,
  ): readonly string[] {
    // They are constants of this package, and only one of the two maps contains each.
    const pair = this.#compiledPairs.get(statement);
    return (pair ?? [this.#compile(statement as Statement<object, unknown>)]).map((compiled) => compiled.sql);
  }

  #compileChange<Parameters extends object>(change: ChangeStatement<Parameters>): CompiledQuery {
    const known = this.#compiled.get(change);
    if (known !== undefined) return known;
    const { failUnlessChanged } = this.#phrases;
    const built = change.build(this.#database, createPlaceholders<Parameters>(), this.#phrases);
    const compiled = failUnlessChanged ? failUnlessChanged(built).compile(this.#database) : built.compile();
    this.#compiled.set(change, compiled);
    return compiled;
  }

  #compileBoth<Parameters extends object>(pair: StatementPair<Parameters>): readonly CompiledQuery[] {
    const known = this.#compiledPairs.get(pair);
    if (known !== undefined) return known;
    const { joinStatements } = this.#phrases;
    const [first, second] = pair.build(this.#database, createPlaceholders<Parameters>(), this.#phrases);
    const compiled = joinStatements
      ? [joinStatements(first, second).compile(this.#database)]
      : [first, second].map((part) => part.compile());
    this.#compiledPairs.set(pair, compiled);
    return compiled;
  }

  #compile<Parameters extends object, Row>(statement: Statement<Parameters, Row>): CompiledQuery<Row> {
    const known = this.#compiled.get(statement);
    if (known !== undefined) return known as CompiledQuery<Row>;
    const compiled = statement.build(this.#database, createPlaceholders<Parameters>(), this.#phrases).compile();
    this.#compiled.set(statement, compiled);
    return compiled;
  }
}
