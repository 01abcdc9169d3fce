import type { Invocation, Terminal } from '../command-line/command.ts';
import { toJsonLine, toSingleLine } from '../process/one-line.ts';

/** A list for people and for programs. */
export interface Listing<Row> {
  /** The names of the columns, for people. */
  readonly columns: readonly string[];
  /** Said on standard error where there is no row. */
  readonly empty: string;
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
  /** The cells of a row, in the order of the columns. */
  cells(row: Row): readonly (string | undefined)[];
  /** The same for programs. */
  facts(row: Row): Readonly<Record<string, unknown>>;
}

/**
 * Prints a row a line: below the names of the columns, with tabs between, or as JSON where `--json` asks for it.
 * What users wrote speaks to no terminal. Standard output has rows and their header only, so that an empty list stays empty there.
 */
export async function printList<Row>(list: Listing<Row>, invocation: Invocation, terminal: Terminal): Promise<void> {
  const isJson = invocation.has('json');
  let count = 0;
  for await (const row of list.rows) {
    if (count === 0 && !isJson) terminal.out(list.columns.join('\t'));
    terminal.out(
      isJson
        ? toJsonLine(list.facts(row))
        : list
            .cells(row)
            .map((cell = '') => toSingleLine(cell))
            .join('\t'),
    );
    await terminal.waitForDrain?.();
    count += 1;
  }
  if (count === 0) terminal.err(list.empty);
}
