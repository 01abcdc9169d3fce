import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Identifies a file, whatever its name. */
function findIdentity(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * Remembers the files of a database that was just opened.
 * @returns whether the same files are still at their paths; an open file that was deleted or replaced would accept writes that are lost
 */
export function createIdentityCheck(path: string): () => boolean {
  const files = [path, `${path}-wal`]
    .map((name) => ({ name: resolve(name), identity: findIdentity(name) }))
    .filter(({ identity }) => identity !== undefined);
  return () => files.every(({ name, identity }) => findIdentity(name) === identity);
}
