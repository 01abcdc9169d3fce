import { hash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BaselineRun, Detection } from './detection.ts';
import type { Fault } from './draw-faults.ts';
import type { ImportGraph } from './import-graph.ts';

/** Results of earlier runs, by key. */
export interface ResultCache<Key, Answer> {
  find(key: Key): Answer | undefined;
  save(key: Key, answer: Answer): void;
}

/** Stores a line for each fault below `tmp/`. Another tree, or other options, have another file. */
export function openDetectionCache(root: string, way: string): ResultCache<Fault, Detection> {
  const digest = digestFiles(way, digestTree(root));
  return openLineCache(join(root, 'tmp', 'planted-faults', `${digest}.jsonl`), toFaultKey);
}

/** Stores what a test executed without faults, while neither it nor its imports change. */
export function openBaselineCache(root: string, graph: ImportGraph): ResultCache<string, BaselineRun> {
  const files = digestTree(root);
  const createCacheName = (test: string): string => {
    const reached = graph.sourcesOf(test).map((file): [string, string] => [file, files.get(file) ?? '']);
    return `${test} ${digestFiles('', reached)}`;
  };
  return openLineCache(join(root, 'tmp', 'planted-faults', 'sound.jsonl'), createCacheName);
}

function openLineCache<Key, Answer>(file: string, nameOf: (key: Key) => string): ResultCache<Key, Answer> {
  mkdirSync(dirname(file), { recursive: true });
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const known = new Map(lines.map((line): [string, Answer] => JSON.parse(line)));
  return {
    find: (key) => known.get(nameOf(key)),
    save(key, answer) {
      known.set(nameOf(key), answer);
      appendFileSync(file, `${JSON.stringify([nameOf(key), answer])}\n`);
    },
  };
}

function toFaultKey({ file, start, end, text }: Fault): string {
  return `${file} ${start} ${end} ${text}`;
}

/** Returns a digest of each file: a run continues with the sources that it began with. */
function digestTree(root: string): ReadonlyMap<string, string> {
  const files = globSync(['packages/*/src/**/*.ts', 'e2e/**/*.ts'], { cwd: root, exclude: ['**/node_modules/**'] });
  return new Map(files.map((file) => [file.replaceAll('\\', '/'), hash('sha256', readFileSync(join(root, file)))]));
}

function digestFiles(text: string, files: Iterable<[string, string]>): string {
  const named = Array.from(files, (pair) => pair.join(' ')).toSorted();
  return hash('sha256', [text, ...named].join('\n')).slice(0, 16);
}
