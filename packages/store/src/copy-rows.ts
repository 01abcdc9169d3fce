import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { CopiedTable } from './sql/copied-table.ts';
import type { Tables } from './sql/tables.ts';

/** A row with values that both databases support: a flag is 0 or 1. */
type Row = Readonly<Record<string, string | number | null>>;

const ROWS_AT_ONCE = 200;

function toPlainRow(row: Readonly<Record<string, unknown>>, { columns }: CopiedTable): Row {
  return Object.fromEntries(
    columns.map((name) => {
      const value = row[name] ?? null;
      if (value === null || typeof value === 'string' || typeof value === 'number') return [name, value];
      if (typeof value === 'boolean') return [name, value ? 1 : 0];
      throw new TypeError(`${name} has a value of a kind that is not known`);
    }),
  );
}

/** Reads all rows of a table in the order of its key, page by page. */
export async function* readPages(kysely: Kysely<Tables>, table: CopiedTable): AsyncGenerator<readonly Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  let last: Row | undefined;
  for (;;) {
    const after =
      last === undefined ? sql`` : sql`where (${key}) > (${sql.join(table.key.map((name) => last?.[name]))})`;
    const { rows } = await sql<Readonly<Record<string, unknown>>>`select * from ${sql.table(table.name)} ${after}
      order by ${key} limit ${sql.lit(ROWS_AT_ONCE)}`.execute(kysely);
    const page = rows.map((row) => toPlainRow(row, table));
    if (page.length > 0) yield page;
    if (page.length < ROWS_AT_ONCE) return;
    last = page.at(-1);
  }
}

/** Inserts rows, with flags in this database's form. */
export async function insertRows(kysely: Kysely<Tables>, table: CopiedTable, rows: readonly Row[]): Promise<void> {
  const toWrite = (name: string, value: Row[string] | undefined): unknown =>
    value !== null && table.flags.has(name) ? value === 1 : value;
  const values = rows.map((row) => sql`(${sql.join(table.columns.map((column) => toWrite(column, row[column])))})`);
  const columns = sql.join(table.columns.map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(values)}`.execute(kysely);
}

/** Returns the number of rows of a table and a digest of their content, in the order of its key. */
export async function digestTable(
  kysely: Kysely<Tables>,
  table: CopiedTable,
): Promise<{ readonly rows: number; readonly digestHex: string }> {
  const hash = createHash('sha256');
  let rows = 0;
  for await (const page of readPages(kysely, table)) {
    rows += page.length;
    for (const row of page) hash.update(`${JSON.stringify(table.columns.map((name) => row[name]))}\n`);
  }
  return { rows, digestHex: hash.digest('hex') };
}
