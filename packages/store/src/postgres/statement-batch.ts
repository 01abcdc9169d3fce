import pg from 'pg';

const INT8_OID = 20;

/** 64-bit integers here are counts and times below 2^53. */
export const COLUMN_PARSERS: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
};

/** A statement with its values, as texts. */
export interface BatchStatement {
  readonly sql: string;
  readonly values: readonly (string | null)[];
}

/** What the server answered to one statement. */
export interface BatchResult {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly changes: number;
}

/** What became of a batch: the results of the statements that ran, in order, and why the next one failed. The server skips those behind it. */
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
 * Several statements that go to the server together: Parse, Bind, Describe and Execute for each, and one Sync. It is one round trip and,
 * outside a transaction, one transaction. `pg` runs it like a query of its own.
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
      // Thrown into the driver it would end the process.
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

  /** After an error of the server, which answers nothing more of the batch, and where the connection is lost. */
  handleError(error: unknown): void {
    this.#settle({ results: this.#results, failure: error });
  }

  handleReadyForQuery(): void {
    if (this.#unreadable === undefined) this.#settle({ results: this.#results });
    else this.#settle({ results: [], failure: this.#unreadable });
  }
}
