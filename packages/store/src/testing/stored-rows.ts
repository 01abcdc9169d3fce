import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { withServiceLimits } from './postgres.ts';

/** The rows of every table, each as one text. */
export type StoredRows = ReadonlyMap<string, readonly string[]>;

type Row = Readonly<Record<string, unknown>>;

function asText(row: Row): string {
  return JSON.stringify(Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)]));
}

/** The number of bytes in the values of such a row. */
export function countRowBytes(row: string): number {
  const cells = JSON.parse(row) as readonly (readonly [string, string])[];
  return cells.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0);
}

function readSqliteRows(path: string): StoredRows {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all();
    return new Map(
      tables.map(({ name }) => [String(name), database.prepare(`select * from "${name}"`).all().map(asText)]),
    );
  } finally {
    database.close();
  }
}

async function readPostgresRows(url: string): Promise<StoredRows> {
  const client = new pg.Client({ connectionString: withServiceLimits(url) });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema()',
    );
    const found = new Map<string, readonly string[]>();
    for (const { name } of tables) {
      const { rows } = await client.query<Row>(`select * from ${client.escapeIdentifier(name)}`);
      found.set(name, rows.map(asText));
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Services renew their announcements by time, independent of requests. */
const OF_SERVICES = 'replicas';

/** Reads everything that requests left in a persistent store while a service has it open. */
export async function readStoredRows(databaseUrl: string): Promise<StoredRows> {
  const rows = databaseUrl.startsWith('sqlite:')
    ? readSqliteRows(databaseUrl.slice('sqlite:'.length))
    : await readPostgresRows(databaseUrl);
  return new Map([...rows].filter(([table]) => table !== OF_SERVICES));
}

/** The size of the database in bytes, including indexes but without free pages. */
export async function countStoredBytes(databaseUrl: string): Promise<number> {
  if (databaseUrl.startsWith('sqlite:')) {
    const database = new DatabaseSync(databaseUrl.slice('sqlite:'.length), { readOnly: true });
    const number = (name: string) => Number(Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0]);
    const bytes = (number('page_count') - number('freelist_count')) * number('page_size');
    database.close();
    return bytes;
  }
  const client = new pg.Client({ connectionString: withServiceLimits(databaseUrl) });
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = current_schema()`,
  );
  await client.end();
  return Number(rows[0]?.bytes);
}
