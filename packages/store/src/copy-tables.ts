import { migrate } from './migrations/migrate.ts';
import type { CopiedTable } from './sql/copied-table.ts';
import type { SchemaAccess } from './sql/database.ts';

interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  /** The position of the column, from 1. */
  readonly place: number;
  /** The position in the key, from 1; 0 for columns outside of it. */
  readonly key_place: number;
  readonly is_flag: number;
}

const KEPT_BY_THE_SCHEMA = /^poolgate_migration/;

let ownTables: Promise<ReadonlySet<string>> | undefined;

/**
 * The names of the store's tables. A database can also contain tables of other applications, which must not be touched.
 * Migrates an empty database once, so it must not be called inside `withSchema`.
 */
export function listOwnTables(): Promise<ReadonlySet<string>> {
  ownTables ??= readOwnTables();
  return ownTables;
}

async function readOwnTables(): Promise<ReadonlySet<string>> {
  const { openSqlite } = await import('./sqlite/open-sqlite.ts');
  const database = openSqlite(undefined);
  try {
    return await database.withSchema(async (access) => {
      await migrate(access);
      const names = (await access.tableNames.execute(access.kysely)).rows.map(({ name }) => name);
      return new Set(names.filter((name) => !KEPT_BY_THE_SCHEMA.test(name)));
    });
  } finally {
    await database.close();
  }
}

/**
 * The store's tables in a database, owners before the tables that reference them.
 * @param own the names from `listOwnTables`
 */
export async function listCopiedTables(
  { kysely, columns, owners }: SchemaAccess,
  own: ReadonlySet<string>,
): Promise<readonly CopiedTable[]> {
  const rows: readonly ColumnRow[] = (await columns.execute(kysely)).rows;
  const names = [...new Set(rows.map((row) => row.table_name))].filter((name) => own.has(name)).sort();
  const owned = (await owners.execute(kysely)).rows;
  return sortOwnersFirst(names, owned).map((name) => toCopiedTable(name, rows));
}

function toCopiedTable(name: string, all: readonly ColumnRow[]): CopiedTable {
  const rows = all.filter((row) => row.table_name === name).sort((one, other) => one.place - other.place);
  const key = rows.filter((row) => row.key_place > 0).sort((one, other) => one.key_place - other.key_place);
  return {
    name,
    // Sorted by name, because databases may have added columns in different orders.
    columns: rows.map((row) => row.column_name).sort(),
    key: key.map((row) => row.column_name),
    flags: new Set(rows.filter((row) => row.is_flag === 1).map((row) => row.column_name)),
  };
}

function sortOwnersFirst(
  names: readonly string[],
  owned: readonly { readonly table_name: string; readonly owner: string }[],
): readonly string[] {
  const ordered: string[] = [];
  const met = new Set<string>();
  const add = (name: string): void => {
    if (met.has(name)) return;
    met.add(name);
    for (const { table_name, owner } of owned) if (table_name === name && names.includes(owner)) add(owner);
    ordered.push(name);
  };
  for (const name of names) add(name);
  return ordered;
}
