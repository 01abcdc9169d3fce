/** The files of snapshots in the data folder, and whether a snapshot fits a service. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const EXTENSION = '.sqlite';
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** A file of the data folder's snapshots. */
export interface SnapshotFile {
  readonly name: string;
  readonly bytes: number;
  readonly savedAtMs: number;
}

const toFolder = (dataDir: string): string => resolve(dataDir, 'snapshots');

/** Whether a text names a file instead of a snapshot of the data folder. */
const isPath = (text: string): boolean => text.endsWith(EXTENSION) || /[\\/]/.test(text);

/**
 * Returns the file of a named snapshot.
 * @throws RangeError the name has characters that could lead out of the folder
 */
export function toNamedFile(dataDir: string, name: string): string {
  if (!NAME.test(name)) {
    throw new RangeError(
      `The name of a snapshot consists of letters, digits, "-" and "_", unlike ${JSON.stringify(name)}.`,
    );
  }
  return join(toFolder(dataDir), `${name}${EXTENSION}`);
}

/**
 * Returns the file of a snapshot that a program names, or whose path it gives.
 * @throws RangeError as {@link toNamedFile}
 */
export function toSnapshotFile(dataDir: string, nameOrPath: string): string {
  return isPath(nameOrPath) ? resolve(nameOrPath) : toNamedFile(dataDir, nameOrPath);
}

/** Creates the folder of a snapshot, which only its owner can enter. */
export async function createSnapshotFolder(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
}

/** Lists the named snapshots in the order of their names. */
export async function listSnapshotFiles(dataDir: string): Promise<readonly SnapshotFile[]> {
  const folder = toFolder(dataDir);
  const entries = await readdir(folder).catch(() => []);
  const names = entries
    .filter((entry) => entry.endsWith(EXTENSION))
    .map((entry) => entry.slice(0, -EXTENSION.length))
    .filter((name) => NAME.test(name))
    .toSorted();
  return Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, `${name}${EXTENSION}`));
      return { name, bytes: size, savedAtMs: Math.floor(mtimeMs) };
    }),
  );
}

/** Deletes a named snapshot. Returns whether it existed. */
export async function deleteSnapshotFile(dataDir: string, name: string): Promise<boolean> {
  const path = toNamedFile(dataDir, name);
  const exists = (await stat(path).catch(() => undefined)) !== undefined;
  await rm(path, { force: true });
  return exists;
}
