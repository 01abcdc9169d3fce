import { type Kysely, sql } from 'kysely';
import { digestTable, insertRows, readPages } from './copy-rows.ts';
import { listCopiedTables, listOwnTables } from './copy-tables.ts';
import { listPendingMigrations, migrate } from './migrations/migrate.ts';
import { connectDatabase, databaseExists } from './open-store.ts';
import type { CopiedTable } from './sql/copied-table.ts';
import type { SchemaAccess } from './sql/database.ts';
import { parseDatabaseUrl } from './sql/database-url.ts';
import { StoreRefused } from './sql/store-errors.ts';
import type { Tables } from './sql/tables.ts';

/** The progress of a copy. */
export interface CopyProgress {
  readonly table: string;
  readonly rows: number;
  readonly step: 'copied' | 'checked';
}

/** The number of rows of each table that were copied and verified. */
export type CopiedRowCounts = Readonly<Record<string, number>>;

/**
 * Copies everything from one database to another, empty one. It writes in a single transaction and compares every row before the commit.
 * Nothing may write to the source meanwhile; SQLite ensures that.
 * @throws TypeError a URL has an unknown form, or both are SQLite, for which a backup is the way to copy
 * @throws StoreRefused the source has another schema version, the target is not empty, or a row differs; the target is then unchanged
 * @throws StoreUnavailable
 */
export async function copyStore(
  fromUrl: string,
  toUrl: string,
  onProgress: (progress: CopyProgress) => void = () => {},
): Promise<CopiedRowCounts> {
  const [from, to] = [parseDatabaseUrl(fromUrl), parseDatabaseUrl(toUrl)];
  if (from.kind !== 'postgres' && to.kind !== 'postgres') throw new TypeError('one of both must be PostgreSQL');
  if (!(await databaseExists(from))) throw new StoreRefused('store_not_copied', 'there is no database to copy');
  const own = await listOwnTables();
  const source = await connectDatabase(from);
  try {
    const target = await connectDatabase(to);
    try {
      return await source.withSchema((reads) => target.withSchema((writes) => copyAll(reads, writes, own, onProgress)));
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyAll(
  source: SchemaAccess,
  target: SchemaAccess,
  own: ReadonlySet<string>,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopiedRowCounts> {
  const pending = await listPendingMigrations(source);
  if (pending.length > 0) {
    throw new StoreRefused('store_not_copied', `the source lacks ${pending.join(', ')}: run poolgate migrate first`);
  }
  await migrate(target);
  const [tables, there] = [await listCopiedTables(source, own), await listCopiedTables(target, own)];
  const pairs = tables.map((table) => ({ table, into: requireCounterpart(table, there) }));
  try {
    return await source.kysely.transaction().execute(async (reads) => {
      // All tables are read from one snapshot.
      await source.snapshot?.execute(reads);
      return target.kysely.transaction().execute((writes) => copyTables({ reads, writes, pairs, onProgress }));
    });
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    throw target.translate(error);
  }
}

interface CopyJob {
  readonly reads: Kysely<Tables>;
  readonly writes: Kysely<Tables>;
  readonly pairs: readonly { readonly table: CopiedTable; readonly into: CopiedTable }[];
  readonly onProgress: (progress: CopyProgress) => void;
}

async function copyTables({ reads, writes, pairs, onProgress }: CopyJob): Promise<CopiedRowCounts> {
  for (const { into } of pairs) await assertEmpty(writes, into);
  for (const { table, into } of pairs) {
    let rows = 0;
    for await (const page of readPages(reads, table)) {
      await insertRows(writes, into, page);
      rows += page.length;
      onProgress({ table: table.name, rows, step: 'copied' });
    }
  }
  const copied: Record<string, number> = {};
  for (const { table, into } of pairs) {
    const [before, after] = [await digestTable(reads, table), await digestTable(writes, into)];
    if (before.digestHex !== after.digestHex) {
      throw new StoreRefused('store_not_copied', `rows of ${table.name} differ in the copy; nothing of it was kept`);
    }
    copied[table.name] = after.rows;
    onProgress({ table: table.name, rows: after.rows, step: 'checked' });
  }
  return copied;
}

function requireCounterpart(table: CopiedTable, there: readonly CopiedTable[]): CopiedTable {
  const found = there.find(({ name }) => name === table.name);
  if (found === undefined || found.columns.join() !== table.columns.join() || found.key.join() !== table.key.join()) {
    throw new StoreRefused('store_not_copied', `the table ${table.name} is another one in the target`);
  }
  return found;
}

async function assertEmpty(kysely: Kysely<Tables>, { name }: CopiedTable): Promise<void> {
  const { rows } = await sql`select 1 as one from ${sql.table(name)} limit 1`.execute(kysely);
  if (rows.length > 0) throw new StoreRefused('store_not_copied', `the target is not empty: ${name} has rows`);
}
