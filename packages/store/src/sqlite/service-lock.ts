import { closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused, StoreUnavailable } from '../sql/store-errors.ts';
import { isBusyError, translateFileError } from './sqlite-errors.ts';

/** The real path of the database file, so that every path to it leads to the same lock. */
function resolveRealPath(path: string): string {
  const folder = dirname(resolve(path));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    return realpathSync(path);
  } catch {
    return join(realpathSync(folder), basename(path));
  }
}

/** Never opens an existing lock file, because POSIX drops all of a process's locks on a file when it closes any descriptor of it. */
function createLockFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Two services that start at the same moment can see each other's attempt. One waits until the other has given up. */
const BUSY_TIMEOUT_MS = 100;

function lockExclusively(path: string): DatabaseSync {
  const lock = new DatabaseSync(path);
  try {
    lock.exec(`pragma busy_timeout = ${BUSY_TIMEOUT_MS}; begin exclusive`);
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/**
 * Claims a database file for one service. The lock is an open transaction on an empty file next to the database. The operating system
 * releases it when the process ends, for whatever reason. Commands need no claim.
 * @returns a function that releases the claim
 * @throws StoreRefused `store_in_use`: another service has claimed the file
 * @throws StoreUnavailable the lock file cannot be used
 */
export function lockForService(path: string): () => void {
  const lock = openLock(path);
  let isHeld = true;
  return () => {
    if (isHeld) lock.close();
    isHeld = false;
  };
}

function openLock(path: string): DatabaseSync {
  const lockPath = toLockPath(path);
  try {
    createLockFile(lockPath);
    return lockExclusively(lockPath);
  } catch (error) {
    if (isBusyError(error)) {
      throw new StoreRefused(
        'store_in_use',
        `another service is running on the SQLite file ${resolve(path)}. Stop it first, or use PostgreSQL for several replicas`,
        { cause: error },
      );
    }
    const reason = (error as Error).message;
    throw new StoreUnavailable(
      `the lock file ${lockPath} cannot be used (${reason}). Let the user of the service write to it`,
      { cause: error },
    );
  }
}

function toLockPath(path: string): string {
  try {
    return `${resolveRealPath(path)}.lock`;
  } catch (error) {
    throw translateFileError(error);
  }
}
