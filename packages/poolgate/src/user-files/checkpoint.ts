import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../command-line/command.ts';

/** The progress of an import of a file. It contains no data of users. */
export interface Checkpoint {
  readonly user_pool_id: string;
  readonly started_at_ms: number;
  /** The number of processed records. */
  readonly records: number;
  /** Their SHA-256 in hex: the file must still start with them. */
  readonly digest: string;
  readonly imported: number;
  readonly rejected: number;
  /** The size of the list of rejects in bytes. */
  readonly rejects_bytes: number;
}

/** Returns the path of a file's checkpoint. */
function toCheckpointPath(file: string): string {
  return `${file}.checkpoint`;
}

/** Writes a complete file to the disk, under a name that nothing reads. */
async function writeToDisk(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Flushes a folder's names to the disk, if the system supports that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    // An import creates this file before it imports the first user: a power failure may have kept only the name.
    if (text === '') {
      await rm(path);
      return undefined;
    }
    return JSON.parse(text) as Checkpoint;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`cannot read ${path}; delete it to start over`, error);
  }
}

/**
 * Returns where the last import of a file stopped; undefined if there is nothing to resume.
 * @throws {CommandError} an unfinished import of the file must not be resumed, or had another pool as its destination
 */
export async function findResumePoint(
  file: string,
  userPoolId: string,
  isResumed: boolean,
): Promise<Checkpoint | undefined> {
  const path = toCheckpointPath(file);
  const known = await readCheckpoint(path);
  if (known === undefined) return undefined;
  if (!isResumed) {
    throw new CommandError(
      `an earlier import of this file was interrupted. Resume it with --resume, or delete ${path} to start over`,
    );
  }
  if (known.user_pool_id !== userPoolId) {
    throw new CommandError(
      `the interrupted import was for the pool ${known.user_pool_id}, but this pool is ${userPoolId}`,
    );
  }
  return known;
}

/**
 * Writes the first checkpoint of a file, before the first user is imported.
 * @throws {CommandError} it cannot be written, or another import of the file was first
 */
export async function createCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  const path = toCheckpointPath(file);
  const whole = `${path}.${randomUUID()}`;
  try {
    await writeToDisk(whole, JSON.stringify(checkpoint));
    // Unlike a rename, this fails if the checkpoint exists.
    await link(whole, path);
    await syncFolder(path);
  } catch (error) {
    throw new CommandError(`cannot write ${path}, so the import could not be resumed`, error);
  } finally {
    await rm(whole, { force: true });
  }
}

/** Replaces the checkpoint of a file atomically: after a crash or power loss it is the old or the new one. */
export async function saveCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  const path = toCheckpointPath(file);
  await writeToDisk(`${path}.new`, JSON.stringify(checkpoint));
  await rename(`${path}.new`, path);
  await syncFolder(path);
}

/** The import is complete. */
export function removeCheckpoint(file: string): Promise<void> {
  return rm(toCheckpointPath(file), { force: true });
}
