import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { parseDatabaseUrl } from '../sql/database-url.ts';
import { withServiceLimits } from './postgres.ts';

/**
 * Dumps a whole database as SQL statements, one on each line: the schema, then rows in the order of the schema's foreign keys. They
 * recreate the database in an empty one of the same kind.
 * @param url a SQLite file that is not open, or a PostgreSQL database
 */
export async function dumpDatabase(url: string): Promise<string> {
  const target = parseDatabaseUrl(url);
  if (target.kind === 'memory') throw new TypeError('url must name a database that outlives its process');
  const lines = target.kind === 'file' ? dumpSqlite(target.path) : await dumpPostgres(target.servers.urls[0] ?? '');
  return `${lines.join('\n')}\n`;
}

const oneLine = (sql: string): string => `${sql.replace(/\s*\n\s*/g, ' ')};`;
const quoted = (name: string): string => `"${name}"`;

function insert(table: string, columns: readonly string[], values: string): string {
  return `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values (${values});`;
}

function dumpSqlite(path: string): readonly string[] {
  const database = new DatabaseSync(path);
  try {
    const made = database
      .prepare("select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%'")
      .all() as { type: string; name: string; sql: string }[];
    const rows = made
      .filter(({ type }) => type === 'table')
      .flatMap(({ name }) => {
        const columns = database.prepare('select name from pragma_table_info(?)').all(name) as { name: string }[];
        const names = columns.map((column) => column.name);
        const values = names.map((column) => `quote(${quoted(column)})`).join(` || ', ' || `);
        const order = names.map((_, at) => at + 2).join(', ');
        const all = database.prepare(
          `select ${values} as line, ${names.map(quoted).join(', ')} from ${quoted(name)} order by ${order}`,
        );
        return (all.all() as { line: string }[]).map(({ line }) => insert(name, names, line));
      });
    return ['pragma foreign_keys = off;', ...made.map(({ sql }) => oneLine(sql)), ...rows];
  } finally {
    database.close();
  }
}

const COLUMNS = `select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as fallback, l.collname as "collation"
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_collation l on l.oid = a.attcollation and l.collname <> 'default'
  where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attnum`;
const CONSTRAINTS = `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as made
  from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  order by contype = 'f', conrelid::regclass::text, conname`;
const INDEXES = `select pg_get_indexdef(i.indexrelid) as made from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace and not exists (select from pg_constraint where conindid = i.indexrelid)
  order by c.relname`;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly fallback: string | null;
  readonly collation: string | null;
}

const columnLine = ({ name, type, required, fallback, collation }: Column): string =>
  [
    quoted(name),
    type,
    ...(collation === null ? [] : [`collate ${quoted(collation)}`]),
    ...(fallback === null ? [] : [`default ${fallback}`]),
    ...(required ? ['not null'] : []),
  ].join(' ');

async function dumpPostgres(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: withServiceLimits(url) });
  await client.connect();
  try {
    const tables = Map.groupBy((await client.query<Column>(COLUMNS)).rows, ({ table }) => table);
    const made = Array.from(
      tables,
      ([table, columns]) => `create table ${quoted(table)} (${columns.map(columnLine).join(', ')});`,
    );
    const rows: string[] = [];
    for (const [table, columns] of tables) {
      const names = columns.map(({ name }) => name);
      const values = names.map((name) => `quote_nullable(${quoted(name)}::text)`).join(` || ', ' || `);
      const all = await client.query<{ line: string }>(`select ${values} as line from ${quoted(table)} order by 1`);
      rows.push(...all.rows.map(({ line }) => insert(table, names, line)));
    }
    const constraints = await client.query<{ table: string; name: string; made: string }>(CONSTRAINTS);
    const indexes = await client.query<{ made: string }>(INDEXES);
    return [
      ...made,
      ...rows,
      ...constraints.rows.map((row) => `alter table ${row.table} add constraint ${quoted(row.name)} ${row.made};`),
      ...indexes.rows.map((row) => `${row.made};`),
    ];
  } finally {
    await client.end();
  }
}
