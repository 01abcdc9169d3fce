/** Decides which test files share a process and in which order they run, and writes the programs that run them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { ALONE } from './alone-tests.ts';
import { FOLDERS } from './on-replicas.ts';

/** A process that runs test files. */
export interface Entry {
  /** The test file, or a program that runs several. */
  readonly path: string;
  readonly files: readonly string[];
}

/** Larger batches save little and balance worse over the cores. */
const FILES_IN_A_PROCESS = 12;

/** Files of a package load mostly the same modules, and so do the suites over the routes. */
const GROUP = new RegExp(`^(?:packages/[^/]+|e2e/(?:${FOLDERS.join('|')}))/`);

const findGroup = (file: string): string | undefined =>
  ALONE.some((alone) => alone.test(file)) ? undefined : GROUP.exec(file)?.[0];

/** The path of a file relative to the repository. */
export const formatFile = (file: string): string => relative(process.cwd(), resolve(file));

/** Shuffles the files by a seed. */
function shuffle(files: readonly string[], seed: number): string[] {
  let state = seed >>> 0;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return files
    .map((file) => ({ file, key: next() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ file }) => file);
}

/** Splits a group into as few batches as the limit allows, of about the same size. */
function dealFiles(files: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / FILES_IN_A_PROCESS);
  return Array.from({ length: count }, (_, index) => files.filter((_file, place) => place % count === index));
}

/** Browsers wait for pages only so long: on two cores, three of them at once are too many. */
const isBrowserTest = ([first = '']: readonly string[]): boolean => first.startsWith('e2e/browser/');

/** Spreads the browser tests evenly among the others. */
function spreadBrowserTests(batches: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const others = batches.filter((batch) => !isBrowserTest(batch));
  const browsers = batches.filter(isBrowserTest);
  const findPlace = (count: number): number => Math.floor((count * others.length) / browsers.length);
  if (browsers.length === 0) return others;
  return browsers.flatMap((batch, place) => [batch, ...others.slice(findPlace(place), findPlace(place + 1))]);
}

/**
 * Splits the files into batches. Files that run alone come first, because the longest are among them, and the packages last: their
 * batches are short, so all cores have work until the end.
 */
export function planBatches(files: readonly string[], seed: number): readonly (readonly string[])[] {
  const groups = Map.groupBy(shuffle(files.map(formatFile), seed), findGroup);
  const alone = (groups.get(undefined) ?? []).map((file) => [file]);
  groups.delete(undefined);
  const batches = [...groups.values()].flatMap(dealFiles);
  const isPackage = ([first = '']: readonly string[]): boolean => first.startsWith('packages');
  const suites = batches.filter((batch) => !isPackage(batch));
  return spreadBrowserTests([...alone, ...suites, ...batches.filter(isPackage)]);
}

const BATCH = import.meta.resolve('./test-batch.ts');

/** Writes a program for each batch. */
export function createEntries(batches: readonly (readonly string[])[]): {
  readonly entries: readonly Entry[];
  remove(): void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-tests-'));
  const entries = batches.map((files, index): Entry => {
    const [first = ''] = files;
    if (files.length === 1) return { path: first, files };
    const path = join(folder, `batch-${index + 1}.mjs`);
    writeFileSync(path, `import { runBatch } from ${JSON.stringify(BATCH)};\nrunBatch(${JSON.stringify(files)});\n`);
    return { path, files };
  });
  return { entries, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
