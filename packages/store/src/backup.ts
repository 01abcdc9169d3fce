import { parseDatabaseUrl } from './sql/database-url.ts';

/** Returns the file path of a SQLite database; undefined for other databases. */
export function databaseFile(databaseUrl: string): string | undefined {
  const target = parseDatabaseUrl(databaseUrl);
  return target.kind === 'file' ? target.path : undefined;
}

/** @deprecated Use {@link deleteStagedBackup}. */
/** @deprecated Use {@link restoreStagedBackup}. */
export {
  backUpFile,
  deleteStagedBackup,
  deleteStagedBackup as dropStaged,
  restoreStagedBackup,
  restoreStagedBackup as replaceByStaged,
  stageBackup,
} from './sqlite/sqlite-backup.ts';
