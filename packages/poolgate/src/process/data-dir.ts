import { mkdir } from 'node:fs/promises';
import { StartError } from './start-error.ts';

/** Converts a failed file operation in the data folder into an error for the operator. */
export function toDataDirError(folder: string, cause: unknown): StartError {
  const reason = (cause as NodeJS.ErrnoException).code ?? 'unknown reason';
  return new StartError('data_dir', `POOLGATE_DATA_DIR: cannot use the folder ${folder} (${reason})`, cause);
}

/**
 * Creates the data folder if it is missing. Only its owner can read a folder created here.
 *
 * @throws StartError `data_dir`
 */
export async function createDataDir(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw toDataDirError(folder, error);
  });
}
