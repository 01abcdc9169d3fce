import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError } from '../command-line/command.ts';

/** How far the import of a file has come. It holds nothing of its users. */
export interface Checkpoint {
  readonly user_pool_id: string;
  readonly started_at_ms: number;
  /** How many records are dealt with. */
  readonly records: number;
  /** SHA-256 over them, hex: the file must still begin like this. */
  readonly digest: string;
  readonly imported: number;
  readonly rejected: number;
  /** How long the list of rejects was, in bytes. */
  readonly rejects_bytes: number;
}

/** Where the checkpoint of a file is. */
function toCheckpointPath(file: string): string {
  return `${file}.checkpoint`;
}

/** Writes a whole file to the disk, under a name that nobody reads. */
async function writeToDisk(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Brings a folder's names to the disk, where the system can do that. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
}

async function readCheckpoint(path: string): Promise<Checkpoint | undefined> {
  try {
    const text = await readFile(path, 'utf8');
    // The first thing that an import did, before it imported anybody, was to make this file: a power failure may have kept its name alone.
    if (text === '') {
      await rm(path);
      return undefined;
    }
    return JSON.parse(text) as Checkpoint;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new CommandError(`${path} cannot be read: remove it to begin anew`, error);
  }
}

/**
 * Where the last import of a file stopped; undefined where there is nothing to go on with.
 * @throws {CommandError} an import of the file was not finished and is not to be resumed, or went to another pool
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
      `an import of this file was not finished: --resume goes on with it, without ${path} it begins anew`,
    );
  }
  if (known.user_pool_id !== userPoolId) {
    throw new CommandError(
      `the import of this file was begun in the pool ${known.user_pool_id}, and this one is ${userPoolId}`,
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
    // Unlike a change of its name, this fails where the checkpoint is there already.
    await link(whole, path);
    await syncFolder(path);
  } catch (error) {
    throw new CommandError(`${path} cannot be written: the import could not be resumed`, error);
  } finally {
    await rm(whole, { force: true });
  }
}

/** Replaces the checkpoint of a file as a whole: whoever is killed here, or loses power, leaves the old one or the new one. */
export async function saveCheckpoint(file: string, checkpoint: Checkpoint): Promise<void> {
  const path = toCheckpointPath(file);
  await writeToDisk(`${path}.new`, JSON.stringify(checkpoint));
  await rename(`${path}.new`, path);
  await syncFolder(path);
}

/** The import is finished. */
export function removeCheckpoint(file: string): Promise<void> {
  return rm(toCheckpointPath(file), { force: true });
}
