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

/** Anything of Kysely that compiles to a query of rows. */
interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

/** One that can be a part of another one. */
type Subquery = Compilable<unknown> & OperationNodeSource;

/** What dialects say differently inside a statement. */
export interface DialectSql {
  /** Ends a query for rows that are to be changed: locks them, and passes over those that another write holds. */
  readonly lockSkippingLocked: RawBuilder<unknown>;
  /** Ends a query for rows that are to be changed: waits for a write that holds one, and reads it as that write left it. */
  readonly lockWaiting: RawBuilder<unknown>;
  /** Ends a query of users who must stay as they are until the write ends. */
  readonly lockUsers: RawBuilder<unknown>;
  /** Ends a query of rows that others are about to belong to: they stay, and those that another write deletes are passed over. */
  readonly lockOwners: RawBuilder<unknown>;
  /** The functions that make a JSON array of the rows of a group, and a JSON object of names and values. */
  readonly jsonArrayOf: RawBuilder<unknown>;
  readonly jsonObject: RawBuilder<unknown>;
  /** The time of the database server in milliseconds since the epoch; null where it has no clock of its own. */
  readonly serverNowMs: RawBuilder<number | null>;
  /** Makes a statement that changes rows fail where it changes none; undefined where that is known at once. */
  readonly failUnlessChanged: ((change: Subquery) => RawBuilder<unknown>) | undefined;
  /** Makes one statement of two that write; undefined where the dialect has no such. */
  readonly joinStatements: ((first: Subquery, second: Subquery) => RawBuilder<unknown>) | undefined;
}

/**
 * A query that is built and compiled once for each database and then only bound: building one costs several times
 * what SQLite needs to run it. `build` is given a placeholder for each parameter, never its value.
 */
export interface Statement<Parameters extends object, Row> {
  readonly build: (
    database: Kysely<Tables>,
    parameters: Placeholders<Parameters>,
    phrases: DialectSql,
  ) => Compilable<Row>;
}

/** Two statements that write, of the same parameters. Neither needs what the other does. */
export interface StatementPair<Parameters extends object> {
  readonly build: (
    database: Kysely<Tables>,
    parameters: Placeholders<Parameters>,
    phrases: DialectSql,
  ) => readonly [Subquery, Subquery];
}

/** A statement that changes a row and gives it back, or finds none to change. */
export interface ChangeStatement<Parameters extends object> {
  readonly build: (database: Kysely<Tables>, parameters: Placeholders<Parameters>, phrases: DialectSql) => Subquery;
}

/** What a statement did: the rows that it gave back, and how many it changed where it gives none back. */
export interface StatementOutcome<Row> {
  readonly rows: readonly Row[];
  readonly changes: number;
}

/** Runs statements: on the database, or inside one transaction of it. */
export interface Executor {
  run<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): Promise<StatementOutcome<Row>>;
}

/**
 * Runs statements inside one write. Those that are issued in one turn of the event loop share a round trip where the database is
 * reached over a network.
 */
export interface Writer extends Executor {
  /**
   * Issues a statement whose outcome nothing in the write depends on. It runs after those issued before it, and travels with the next one
   * or with the commit. If it fails, the write fails.
   * @returns resolves when it has ended, however it did: for measurements, nothing else waits for it
   */
  enqueue<Parameters extends object>(statement: Statement<Parameters, unknown>, parameters: Parameters): Promise<void>;
  /**
   * Issues a statement like {@link enqueue} that must change a row. If it changes none, because another write was faster since the row was
   * read, the write fails, and is run again where that can happen.
   */
  enqueueChange<Parameters extends object>(change: ChangeStatement<Parameters>, parameters: Parameters): Promise<void>;
  /** Issues both statements of a pair like {@link enqueue}; they are one statement where the dialect can join them. */
  enqueueBoth<Parameters extends object>(pair: StatementPair<Parameters>, parameters: Parameters): Promise<void>;
}

/** The limit of a query for one row. No parameter: SQLite would plan such a query anew each time. */
export const LIMIT_ONE = sql.lit(1);

/** Names a statement. */
export function defineStatement<Parameters extends object, Row>(
  build: Statement<Parameters, Row>['build'],
): Statement<Parameters, Row> {
  return { build };
}

/** Names a statement that must change a row. */
export function defineChange<Parameters extends object>(
  build: ChangeStatement<Parameters>['build'],
): ChangeStatement<Parameters> {
  return { build };
}

/** Names a pair of statements. */
export function defineStatementPair<Parameters extends object>(
  build: StatementPair<Parameters>['build'],
): StatementPair<Parameters> {
  return { build };
}

/** What a change sets a column to: the value, null as well, where it names one; else what the column has. */
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
  // Keyed by statements, which are constants of this package, and kept by the database that compiles them.
  readonly #compiled = new WeakMap<object, CompiledQuery>();
  readonly #compiledPairs = new WeakMap<object, readonly CompiledQuery[]>();

  constructor(database: Kysely<Tables>, phrases: DialectSql) {
    this.#database = database;
    this.#phrases = phrases;
  }

  /**
   * A statement with its parameters, ready to run.
   * @throws TypeError where a parameter is missing, RangeError where a text holds NUL or half a surrogate pair.
   */
  bind<Parameters extends object, Row>(
    statement: Statement<Parameters, Row>,
    parameters: Parameters,
  ): CompiledQuery<Row> {
    return bindParameters(this.#compile(statement), parameters);
  }

  /**
   * A pair with its parameters, as one statement or as two.
   * @throws TypeError, RangeError as {@link bind}.
   */
  bindBoth<Parameters extends object>(
    pair: StatementPair<Parameters>,
    parameters: Parameters,
  ): readonly CompiledQuery[] {
    return this.#compileBoth(pair).map((compiled) => bindParameters(compiled, parameters));
  }

  /**
   * A statement that must change a row, with its parameters.
   * @throws TypeError, RangeError as {@link bind}.
   */
  bindChange<Parameters extends object>(change: ChangeStatement<Parameters>, parameters: Parameters): CompiledQuery {
    return bindParameters(this.#compileChange(change), parameters);
  }

  /** The texts of a statement or a pair, with placeholders for values. */
  listTexts(
    statement: ChangeStatement<object> | Statement<object, unknown> | StatementPair<object>,
  ): readonly string[] {
    // They are constants of this package, and only one of the two maps has met a constant that has run.
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
