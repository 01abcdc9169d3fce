/** A page of a list: its rows, and the start of the next page, undefined on the last one. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | undefined;
}
