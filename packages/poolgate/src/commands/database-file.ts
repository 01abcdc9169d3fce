import { resolve } from 'node:path';
import { databaseFile } from '@poolgate/store/backup';
import { CommandError } from '../command-line/command.ts';

/**
 * The path of the SQLite database of a configuration.
 * @param otherwise what to do where it is another database
 * @throws CommandError
 */
export function requireDatabaseFile(databaseUrl: string, otherwise: string): string {
  const path = databaseFile(databaseUrl);
  if (path === undefined)
    throw new CommandError(`this is for a SQLite file, and DATABASE_URL names none: ${otherwise}`);
  return resolve(path);
}
