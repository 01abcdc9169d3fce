/** The facts about a table that a copy needs. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns of its key, in key order. */
  readonly key: readonly string[];
  /** Boolean columns, if the database has a boolean type. */
  readonly flags: ReadonlySet<string>;
}
