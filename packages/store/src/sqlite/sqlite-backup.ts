import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused, StoreUnavailable } from '../sql/store-errors.ts';
import { translateFileError } from './sqlite-errors.ts';

/** Files that belong to an open database. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

const BUSY_TIMEOUT_MS = 5_000;

function removeWithCompanions(path: string): void {
  for (const suffix of ['', ...COMPANIONS]) rmSync(`${path}${suffix}`, { force: true });
}

/** A new name is durable only once its folder is. */
function syncToDisk(path: string): void {
  for (const each of [path, dirname(resolve(path))]) {
    const descriptor = openSync(each, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** Creates an empty file that others cannot read, and that no one else created before. */
function createForOwner(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/** @throws StoreRefused `store_corrupt`: a page, a row or an index is damaged */
function requireIntactDatabase(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const verdict = Object.values(database.prepare('pragma integrity_check(1)').get() ?? {})[0];
    if (verdict !== 'ok') throw new StoreRefused('store_corrupt', 'the copy is damaged');
  } finally {
    database.close();
  }
}

function translateErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translateFileError(error);
  }
}

/**
 * Copies a database that may be in use to a new file, as a snapshot, and verifies the copy. The file gets its name once it is complete and
 * durable.
 * @returns its size in bytes
 * @throws StoreRefused, StoreUnavailable
 */
export function backUpFile(path: string, target: string): number {
  const draft = `${target}.partial`;
  return translateErrors(() => {
    if (existsSync(target)) throw new StoreUnavailable('there is a file of that name already');
    removeWithCompanions(draft);
    try {
      createForOwner(draft);
      // A reader does not block writers.
      const database = new DatabaseSync(path, { readOnly: true });
      try {
        database.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}`);
        database.prepare('vacuum into ?').run(draft);
      } finally {
        database.close();
      }
      requireIntactDatabase(draft);
      syncToDisk(draft);
      renameSync(draft, target);
      syncToDisk(target);
      return statSync(target).size;
    } finally {
      removeWithCompanions(draft);
    }
  });
}

/**
 * Copies a backup next to the database that it will replace, and verifies the copy. The backup itself stays unchanged.
 * @returns the path of the copy
 * @throws StoreRefused, StoreUnavailable
 */
export function stageBackup(backup: string, path: string): string {
  const staged = `${path}.restoring`;
  return translateErrors(() => {
    removeWithCompanions(staged);
    copyFileSync(backup, staged);
    chmodSync(staged, 0o600);
    try {
      requireIntactDatabase(staged);
    } catch (error) {
      removeWithCompanions(staged);
      throw error;
    }
    return staged;
  });
}

/** Deletes what {@link stageBackup} created. */
export function deleteStagedBackup(staged: string): void {
  removeWithCompanions(staged);
}

/** Leaving WAL mode requires exclusive access, so it fails if another process has the database open. */
function requireExclusiveAccess(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma busy_timeout = 0; pragma journal_mode = delete');
  } finally {
    database.close();
  }
}

/**
 * Replaces the database with a staged copy. The previous database stays under another name.
 * @param suffix the suffix of that name
 * @returns that name; undefined if no database existed
 * @throws StoreUnavailable a process has the database open
 */
export function restoreStagedBackup(staged: string, path: string, suffix: string): string | undefined {
  return translateErrors(() => {
    const previous = existsSync(path) ? `${path}.${suffix}` : undefined;
    if (previous !== undefined) {
      requireExclusiveAccess(path);
      renameSync(path, previous);
    }
    for (const companion of COMPANIONS) rmSync(`${path}${companion}`, { force: true });
    syncToDisk(staged);
    renameSync(staged, path);
    syncToDisk(path);
    return previous;
  });
}
