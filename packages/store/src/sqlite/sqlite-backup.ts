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

/** Files that belong to a database while it is open. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

const BUSY_TIMEOUT_MS = 5_000;

function removeWithCompanions(path: string): void {
  for (const suffix of ['', ...COMPANIONS]) rmSync(`${path}${suffix}`, { force: true });
}

/** A new name is not on the disk before its folder is. */
function syncToDisk(path: string): void {
  for (const each of [path, dirname(resolve(path))]) {
    const descriptor = openSync(each, 'r');
    fsyncSync(descriptor);
    closeSync(descriptor);
  }
}

/** An empty file that others cannot read while it is filled, and that is not what somebody else has put there. */
function createForOwner(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/** @throws StoreRefused `store_corrupt` where a page, a row or an index is damaged */
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
 * Copies a database that may be in use to a new file, as it stands at one moment, and checks the copy. It is seen under its name once
 * it is whole and on the disk.
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
      // A reader: it stops nobody who writes.
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
 * Copies a backup beside the database that it is to replace, and checks the copy. The backup itself is not touched.
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

/** Removes what {@link stageBackup} made. */
export function deleteStagedBackup(staged: string): void {
  removeWithCompanions(staged);
}

/** Leaving the write-ahead log asks for the database alone; whoever has it open stands in the way. */
function requireExclusiveAccess(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('pragma busy_timeout = 0; pragma journal_mode = delete');
  } finally {
    database.close();
  }
}

/**
 * Puts a staged copy into the place of the database. What was there stays under another name.
 * @param suffix of that name
 * @returns that name; undefined where nothing was there
 * @throws StoreUnavailable where a process has the database open
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
