import { readFileSync } from 'node:fs';

/** The version of this package. */
export function readVersion(): string {
  const content = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(content) as { version: string }).version;
}
