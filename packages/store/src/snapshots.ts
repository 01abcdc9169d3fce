import { copyFile, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { PoolStore } from '@poolgate/pool/store';
import { sql } from 'kysely';
import { insertRows, readPages } from './copy-rows.ts';
import { listCopiedTables, listOwnTables } from './copy-tables.ts';
import { migrate } from './migrations/migrate.ts';
import type { CopiedTable } from './sql/copied-table.ts';
import type { Database, SchemaAccess } from './sql/database.ts';
import { StoreRefused } from './sql/store-errors.ts';

/** Words that a snapshot carries in addition to the store. */
export type SnapshotNotes = Readonly<Record<string, string>>;

/** Checks a snapshot before anything is replaced. */
export type CheckSnapshot = (pools: Pick<PoolStore, 'pools' | 'clients'>) => Promise<void>;

/** Saves and restores the whole content of an open store. A snapshot is a SQLite file, whatever the database is. */
export interface StoreSnapshots {
  /** Writes a snapshot that only its owner can read, over one of the same name. */
  save(path: string, notes: SnapshotNotes): Promise<void>;
  /**
   * Replaces everything in the store, except which services run on it. Console sessions end. Tables of other applications stay as they are. A snapshot of an earlier version is migrated first.
   * @throws StoreRefused the file is no store, is damaged, or was created by a newer version, or this store lacks a table
   * @throws whatever `check` throws; nothing is changed then
   */
  restore(path: string, check: CheckSnapshot): Promise<void>;
  /** Deletes everything in the store, except which services run on it. */
  clear(): Promise<void>;
}

/** How a snapshot's file is opened: as a database, and as a store. */
export interface SnapshotPorts {
  readonly openFile: (path: string) => Promise<Database>;
  readonly openPoolStore: (database: Database) => PoolStore;
}

const NOTES_TABLE = 'poolgate_snapshot';

/** Describes processes, not content. */
const KEPT_TABLES: readonly string[] = ['replicas'];

/** @param database the open database of the store, with a current schema */
export function createStoreSnapshots(database: Database, ports: SnapshotPorts): StoreSnapshots {
  return {
    async save(path, notes) {
      const draft = `${path}.partial`;
      await removeDatabase(draft);
      await (await open(draft, 'wx', 0o600)).close();
      try {
        await copyInto(database, draft, ports);
        await useFile(draft, ports, (file) => file.withSchema((access) => writeNotes(access, notes)));
        await rename(draft, path);
      } finally {
        await removeDatabase(draft);
      }
    },
    restore: (path, check) =>
      useCopy(path, async (copy) => {
        await useFile(copy, ports, async (file) => {
          await file.withSchema(async (access) => {
            await migrate(access);
            await endConsoleSessions(access);
          });
          await check(ports.openPoolStore(file));
        });
        await replaceContent(database, copy, ports);
      }),
    clear: () => replaceContent(database, undefined, ports),
  };
}

/** A session of the snapshot may have ended since. */
async function endConsoleSessions({ kysely, translate }: SchemaAccess): Promise<void> {
  try {
    await kysely.deleteFrom('console_sessions').execute();
  } catch (error) {
    throw translate(error);
  }
}

/** Reads the words that a snapshot carries; none if the file is a backup. */
export function readNotesOfSnapshot(path: string, ports: Pick<SnapshotPorts, 'openFile'>): Promise<SnapshotNotes> {
  return useCopy(path, (copy) => useFile(copy, ports, (file) => file.withSchema(readNotes)));
}

async function readNotes({ kysely, translate, tableNames }: SchemaAccess): Promise<SnapshotNotes> {
  try {
    const tables = (await tableNames.execute(kysely)).rows;
    // A backup carries nothing else.
    if (!tables.some(({ name }) => name === NOTES_TABLE)) return {};
    const { rows } = await sql<{
      name: string;
      value: string;
    }>`select name, value from ${sql.table(NOTES_TABLE)}`.execute(kysely);
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  } catch (error) {
    throw translate(error);
  }
}

/** The store may itself be a snapshot on which a service was started, and then has earlier notes. */
async function writeNotes({ kysely, translate }: SchemaAccess, notes: SnapshotNotes): Promise<void> {
  const table = sql.table(NOTES_TABLE);
  try {
    await sql`drop table if exists ${table}`.execute(kysely);
    await sql`create table ${table} (name text primary key, value text not null)`.execute(kysely);
    for (const [name, value] of Object.entries(notes)) {
      await sql`insert into ${table} (name, value) values (${name}, ${value})`.execute(kysely);
    }
  } catch (error) {
    throw translate(error);
  }
}

async function copyInto(database: Database, path: string, ports: SnapshotPorts): Promise<void> {
  if (database.files !== undefined) return database.files.copyTo(path);
  const own = await listOwnTables();
  // Opening it creates the database.
  await rm(path);
  await useFile(path, ports, async (file) => {
    await file.withSchema((access) => migrate(access));
    await database.withSchema((reads) => file.withSchema((writes) => copyPages(reads, writes, own, deleteNothing)));
  });
}

async function replaceContent(database: Database, path: string | undefined, ports: SnapshotPorts): Promise<void> {
  const { files } = database;
  const own = await listOwnTables();
  if (files !== undefined) {
    const tables = await database.withSchema((access) => listReplacedTables(access, own));
    await files.replaceRows(path, tables);
  } else if (path === undefined) {
    await database.withSchema(async (access) => truncate(access.kysely, await listReplacedTables(access, own)));
  } else {
    await useFile(path, ports, (file) =>
      file.withSchema((reads) => database.withSchema((writes) => copyPages(reads, writes, own, truncate))),
    );
  }
}

type DeleteRows = (writes: SchemaAccess['kysely'], tables: readonly CopiedTable[]) => Promise<void>;

const deleteNothing: DeleteRows = async () => {};

const truncate: DeleteRows = async (writes, tables) => {
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(writes);
};

/** Copies all rows in one transaction, page by page. */
async function copyPages(
  source: SchemaAccess,
  target: SchemaAccess,
  own: ReadonlySet<string>,
  deleteRows: DeleteRows,
): Promise<void> {
  const targets = await listReplacedTables(target, own);
  const pairs = pairTables(await listReplacedTables(source, own), targets);
  try {
    await source.kysely.transaction().execute(async (reads) => {
      await source.snapshot?.execute(reads);
      await target.kysely.transaction().execute(async (writes) => {
        await deleteRows(writes, targets);
        for (const [table, into] of pairs) {
          for await (const page of readPages(reads, table)) await insertRows(writes, into, page);
        }
      });
    });
  } catch (error) {
    throw target.translate(error);
  }
}

/** @throws StoreRefused the rows of a table would be lost */
function pairTables(
  tables: readonly CopiedTable[],
  targets: readonly CopiedTable[],
): readonly (readonly [from: CopiedTable, into: CopiedTable])[] {
  return tables.map((table) => {
    const into = targets.find(({ name }) => name === table.name);
    if (into !== undefined) return [table, into];
    const reason = `the target has no table ${table.name}, so nothing was changed`;
    throw new StoreRefused('store_not_copied', reason);
  });
}

async function listReplacedTables(access: SchemaAccess, own: ReadonlySet<string>): Promise<readonly CopiedTable[]> {
  const tables = await listCopiedTables(access, own);
  return tables.filter(({ name }) => !KEPT_TABLES.includes(name));
}

async function useFile<Result>(
  path: string,
  { openFile }: Pick<SnapshotPorts, 'openFile'>,
  use: (file: Database) => Promise<Result>,
): Promise<Result> {
  const file = await openFile(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** Opening a database changes its file, and a snapshot stays as it is. */
async function useCopy<Result>(path: string, use: (copy: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'poolgate-snapshot-'));
  try {
    const copy = join(folder, 'copy.sqlite');
    await copyFile(resolve(path), copy);
    return await use(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(`${path}${suffix}`, { force: true });
}
