import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Tells one file from another, whatever their names. */
function findIdentity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Remembers which files a database that was just opened consists of.
 * @returns whether the same files are still at their paths: an open file that was deleted or replaced takes writes that nobody will read
 */
export function createIdentityCheck(path: string): () => boolean {
  const files = [path, `${path}-wal`]
    .map((name) => ({ name: resolve(name), identity: findIdentity(name) }))
    .filter(({ identity }) => identity !== undefined);
  return () => files.every(({ name, identity }) => findIdentity(name) === identity);
}
