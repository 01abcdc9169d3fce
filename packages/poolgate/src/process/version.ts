import { readFileSync } from 'node:fs';

/** Returns the version of this package. */
export function readVersion(): string {
  // Resolved from the entry point, because the published program is one file in another folder.
  const content = readFileSync(new URL('../package.json', import.meta.resolve('poolgate')), 'utf8');
  return (JSON.parse(content) as { version: string }).version;
}
