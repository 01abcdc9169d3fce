import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  opendirSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused } from '../sql/store-errors.ts';
import type { FileBytes } from '../sql/store-figures.ts';
import { translateFileError } from './sqlite-errors.ts';

function findStats(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/**
 * Creates a new database under another name and links it into place. The file is never visible while empty, so an empty file is always a
 * truncated one. If two processes do this at once, one creates it and both use it.
 */
function createFile(path: string): void {
  const draft = `${path}.new-${process.pid}`;
  rmSync(draft, { force: true });
  try {
    const database = new DatabaseSync(draft);
    database.exec('pragma journal_mode = wal');
    database.close();
    chmodSync(draft, 0o600);
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Whether the database file exists.
 * @throws StoreRefused `store_corrupt`: the file is empty, or only its write-ahead log is left; starting with an empty database would hide
 *   the loss
 */
function fileExists(path: string): boolean {
  const file = findStats(path);
  if (file?.size === 0) throw new StoreRefused('store_corrupt', 'the database file is empty: it was truncated');
  if (file !== undefined) return true;
  if ((findStats(`${path}-wal`)?.size ?? 0) > 0) {
    throw new StoreRefused('store_corrupt', 'the database file is missing, but its write-ahead log is there');
  }
  return false;
}

/**
 * Creates the database file and its folder if they do not exist.
 * @throws StoreRefused as {@link fileExists}, errors of the file system
 */
export function createFileIfMissing(path: string): void {
  if (fileExists(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createFile(path);
}

/**
 * Whether the database file exists. A missing file is not created, but must be possible to create.
 * @throws StoreRefused as {@link fileExists}
 * @throws StoreUnavailable the file could not be created
 */
export function databaseFileExists(path: string): boolean {
  try {
    if (fileExists(path)) return true;
    requireWritableFolder(dirname(resolve(path)));
    return false;
  } catch (error) {
    throw translateFileError(error);
  }
}

/** Requires that this process can write to the nearest existing folder. */
function requireWritableFolder(wanted: string): void {
  let folder = wanted;
  while (!existsSync(folder)) folder = dirname(folder);
  // Throws if it is not a folder.
  opendirSync(folder).closeSync();
  accessSync(folder, constants.W_OK | constants.X_OK);
}

/** The sizes of a database file and its write-ahead log in bytes; 0 for a missing file. */
export function readFileBytes(path: string): FileBytes {
  const [database = 0, log = 0] = [path, `${path}-wal`].map((each) => findStats(resolve(each))?.size);
  return { database, log };
}
