import { parseDatabaseUrl } from './sql/database-url.ts';

/**
 * Claims a store for one service, so that a second one on the same SQLite file is refused. On PostgreSQL any number may run.
 * The claim ends with the process at the latest; commands need none.
 * @returns releases the claim
 * @throws StoreRefused `store_in_use` where another service runs on the same file
 * @throws StoreUnavailable where the folder of the file cannot be used
 */
export async function claimStore(databaseUrl: string): Promise<() => void> {
  const target = parseDatabaseUrl(databaseUrl);
  return target.kind === 'file' ? (await import('./sqlite/service-lock.ts')).lockForService(target.path) : () => {};
}
