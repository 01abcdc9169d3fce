import { DatabaseSync } from 'node:sqlite';

/** Every row of a database, by table, as JSON. */
export type DatabaseRows = Readonly<Record<string, readonly string[]>>;

/** Reads all tables of a database file that a service may have open, with sorted rows. */
export function databaseRows(databaseUrl: string): DatabaseRows {
  const database = new DatabaseSync(databaseUrl.replace(/^sqlite:/, ''), { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        database
          .prepare(`select * from "${name}"`)
          .all()
          .map((row) => JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)))
          .sort(),
      ]),
    );
  } finally {
    database.close();
  }
}

/** Returns the tables in which two readings differ. */
export function tablesThatChanged(before: DatabaseRows, after: DatabaseRows): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])).sort();
}
