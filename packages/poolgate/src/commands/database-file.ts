import { resolve } from 'node:path';
import { databaseFile } from '@poolgate/store/backup';
import { CommandError } from '../command-line/command.ts';

/**
 * Returns the path of a configuration's SQLite database.
 * @param otherwise what to do for another database
 * @throws CommandError
 */
export function requireDatabaseFile(databaseUrl: string, otherwise: string): string {
  const path = databaseFile(databaseUrl);
  if (path === undefined)
    throw new CommandError(`this command needs a SQLite database, but DATABASE_URL is not one: ${otherwise}`);
  return resolve(path);
}
