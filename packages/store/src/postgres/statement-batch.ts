import pg from 'pg';

const INT8_OID = 20;

/** 64-bit integers here are counts and times below 2^53. */
export const COLUMN_PARSERS: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
};

/** A statement with its values as text. */
export interface BatchStatement {
  readonly sql: string;
  readonly values: readonly (string | null)[];
}

/** The server's result of a statement. */
export interface BatchResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changes: number;
}

/**
 * The outcome of a batch: the results of the statements that ran, in order, and why the next one failed. The server skips all later ones.
 */
export interface BatchOutcome {
  readonly results: readonly BatchResult[];
  readonly failure?: unknown;
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

const CHANGES = /^(?:INSERT \d+|UPDATE|DELETE|MERGE) (\d+)$/;

/**
 * Several statements that are sent to the server together: Parse, Bind, Describe and Execute for each, and one Sync. They take one round
 * trip and, outside of a transaction, form one transaction. `pg` runs the batch like its own queries.
 * @see https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class StatementBatch implements pg.Submittable {
  /** Never rejects. */
  readonly outcome: Promise<BatchOutcome>;
  readonly #statements: readonly BatchStatement[];
  readonly #onStatementEnd: () => void;
  readonly #settle: (outcome: BatchOutcome) => void;
  readonly #results: BatchResult[] = [];
  #columns: readonly Column[] = [];
  #rows: Record<string, unknown>[] = [];
  #unreadable: unknown;

  /** @param onStatementEnd called after each statement that ran */
  constructor(statements: readonly BatchStatement[], onStatementEnd: () => void) {
    this.#statements = statements;
    this.#onStatementEnd = onStatementEnd;
    const { promise, resolve } = Promise.withResolvers<BatchOutcome>();
    this.outcome = promise;
    this.#settle = resolve;
  }

  submit(connection: pg.Connection): void {
    // One packet for all of them.
    connection.stream.cork();
    for (const { sql, values } of this.#statements) {
      connection.parse({ name: '', text: sql, types: [] }, true);
      connection.bind({ values: [...values] }, true);
      connection.describe({ type: 'P' }, true);
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly pg.FieldDef[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: COLUMN_PARSERS.getTypeParser(dataTypeID, 'text'),
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    try {
      let index = 0;
      for (const { name, parse } of this.#columns) {
        const text = fields[index] ?? null;
        row[name] = text === null ? null : parse(text);
        index += 1;
      }
    } catch (error) {
      // Thrown in the driver, it would end the process.
      this.#unreadable ??= error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#results.push({ rows: this.#rows, changes: Number(CHANGES.exec(text)?.[1] ?? 0) });
    this.#columns = [];
    this.#rows = [];
    this.#onStatementEnd();
  }

  /** Called after a server error, which ends the batch, and when the connection is lost. */
  handleError(error: unknown): void {
    this.#settle({ results: this.#results, failure: error });
  }

  handleReadyForQuery(): void {
    if (this.#unreadable === undefined) this.#settle({ results: this.#results });
    else this.#settle({ results: [], failure: this.#unreadable });
  }
}
