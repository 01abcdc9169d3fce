import { parseDatabaseUrl } from './sql/database-url.ts';

/**
 * Claims a store for one service, so that a second service on the same SQLite file is refused. PostgreSQL allows any number. The claim ends
 * with the process at the latest. Commands need no claim.
 * @returns a function that releases the claim
 * @throws StoreRefused `store_in_use`: another service uses the same file
 * @throws StoreUnavailable the file's folder cannot be used
 */
export async function claimStore(databaseUrl: string): Promise<() => void> {
  const target = parseDatabaseUrl(databaseUrl);
  return target.kind === 'file' ? (await import('./sqlite/service-lock.ts')).lockForService(target.path) : () => {};
}
