/** A page of a list: the rows and where the next page starts, undefined on the last one. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor: string | undefined;
}
