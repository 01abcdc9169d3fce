import type { DatabaseSync } from 'node:sqlite';
import type { CopiedTable } from '../sql/copied-table.ts';

const ATTACHED = 'snapshot';

const quote = (name: string): string => `"${name}"`;

/** Copies a whole database to an empty file, as one consistent state. */
export function copyDatabase(database: DatabaseSync, path: string): void {
  database.prepare('vacuum into ?').run(path);
}

/**
 * Deletes the rows of some tables, and inserts those of another database with the same schema, in one transaction.
 * @param path the file of the other database; undefined to leave the tables empty
 */
export function replaceRows(database: DatabaseSync, path: string | undefined, tables: readonly CopiedTable[]): void {
  // Neither can be done within a transaction. The rows of a snapshot fit together, and checking each would take most of the time.
  database.exec('pragma foreign_keys = off');
  try {
    if (path !== undefined) database.prepare(`attach database ? as ${ATTACHED}`).run(path);
    try {
      replaceInTransaction(database, path === undefined ? deleteRows : copyRows, tables);
    } finally {
      if (path !== undefined) database.exec(`detach database ${ATTACHED}`);
    }
  } finally {
    database.exec('pragma foreign_keys = on');
  }
}

function replaceInTransaction(
  database: DatabaseSync,
  replace: (database: DatabaseSync, table: CopiedTable) => void,
  tables: readonly CopiedTable[],
): void {
  database.exec('begin immediate');
  try {
    for (const table of tables) replace(database, table);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

function deleteRows(database: DatabaseSync, { name }: CopiedTable): void {
  database.exec(`delete from main.${quote(name)}`);
}

function copyRows(database: DatabaseSync, table: CopiedTable): void {
  deleteRows(database, table);
  const name = quote(table.name);
  const columns = table.columns.map(quote).join();
  // SQLite copies whole pages if the columns are in the same order and none are named, which takes a fraction of the time.
  const isSameOrder = readColumns(database, 'main', table) === readColumns(database, ATTACHED, table);
  const [into, from] = isSameOrder ? ['', '*'] : [`(${columns})`, columns];
  database.exec(`insert into main.${name} ${into} select ${from} from ${ATTACHED}.${name}`);
}

function readColumns(database: DatabaseSync, schema: string, { name }: CopiedTable): string {
  const rows = database.prepare('select name from pragma_table_info(?, ?) order by cid').all(name, schema);
  return rows.map((row) => String(row.name)).join();
}
