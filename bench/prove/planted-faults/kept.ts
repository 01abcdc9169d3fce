import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Fault } from './draw.ts';
import type { Sighting } from './plant.ts';

/** What earlier runs on the same tree found. */
export interface Kept {
  of(fault: Fault): Sighting | undefined;
  keep(fault: Fault, sighting: Sighting): void;
}

/** Keeps a line for each fault below `tmp/`. Another tree, or another way to look, has another file. */
export function keptSightings(root: string, way: string): Kept {
  const file = join(root, 'tmp', 'planted-faults', `${digestOf(root, way)}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const known = new Map(lines.map((line): [string, Sighting] => JSON.parse(line)));
  return {
    of: (fault) => known.get(keyOf(fault)),
    keep: (fault, sighting) => appendFileSync(file, `${JSON.stringify([keyOf(fault), sighting])}\n`),
  };
}

function keyOf({ file, start, end, text }: Fault): string {
  return `${file} ${start} ${end} ${text}`;
}

function digestOf(root: string, way: string): string {
  const hash = createHash('sha256').update(way);
  const files = globSync(['packages/*/src/**/*.ts', 'e2e/**/*.ts'], { cwd: root, exclude: ['**/node_modules/**'] });
  for (const file of files.toSorted()) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
