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
 * Makes a new database under another name and links it into place: the file is never seen empty, so an empty file
 * is always a truncated one. Of two processes that do this at once, one makes it and both use it.
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
 * Whether there is a database file.
 * @throws StoreRefused `store_corrupt` where a file is there but empty, or where only its write-ahead log is left:
 * starting on an empty database in their place would hide the loss.
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
 * Makes the database file and its folder where there is none yet.
 * @throws StoreRefused as {@link fileExists}, errors of the file system
 */
export function createFileIfMissing(path: string): void {
  if (fileExists(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createFile(path);
}

/**
 * Whether there is a database file. It is not made, but where it is missing it could be.
 * @throws StoreRefused as {@link fileExists}
 * @throws StoreUnavailable where there is no place for it
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

/** The nearest folder that exists is one into which this process may write. */
function requireWritableFolder(wanted: string): void {
  let folder = wanted;
  while (!existsSync(folder)) folder = dirname(folder);
  // Of what is no folder nothing can be opened.
  opendirSync(folder).closeSync();
  accessSync(folder, constants.W_OK | constants.X_OK);
}

/** How large a database file and its write-ahead log are, in bytes; 0 where there is none. */
export function readFileBytes(path: string): FileBytes {
  const [database = 0, log = 0] = [path, `${path}-wal`].map((each) => findStats(resolve(each))?.size);
  return { database, log };
}
