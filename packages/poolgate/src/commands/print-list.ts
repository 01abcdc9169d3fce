import type { Invocation, Terminal } from '../command-line/command.ts';
import { toJsonLine, toSingleLine } from '../process/one-line.ts';

/** A list for people and for programs. */
export interface Listing<Row> {
  /** The column names, for people. */
  readonly columns: readonly string[];
  /** Written to standard error if the list is empty. */
  readonly empty: string;
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
  /** The cells of a row, in the order of the columns. */
  cells(row: Row): readonly (string | undefined)[];
  /** The same row for programs. */
  facts(row: Row): Readonly<Record<string, unknown>>;
}

/**
 * Prints one row a line: with column names and tabs, or as JSON with `--json`. Users' texts cannot control the terminal. Standard output
 * contains only rows and their header, so that an empty list stays empty there.
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
