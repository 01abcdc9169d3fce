import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Which test files import a source, and over how many steps. */
export interface ImportGraph {
  /**
   * Returns the test files that import it: its own test, those in its folder, those whose path shares most words with its path, then those
   * with the fewest steps. Paths are relative to the tree, with `/`.
   */
  testsOf(file: string): readonly string[];
  /** Returns a file and everything in the tree that it imports. */
  sourcesOf(file: string): readonly string[];
}

const SOURCES = ['packages/*/src/**/*.ts', 'e2e/**/*.ts'];

/** Reads the imports of all files. Type imports are ignored: a test that only imports a type executes nothing of its module. */
export function createImportGraph(root: string): ImportGraph {
  const files = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).map(withSlashes);
  const entries = listEntryPoints(root);
  const imports = new Map(files.map((file) => [file, listImports(root, entries, file)]));
  const importers = new Map<string, string[]>();
  for (const [file, imported] of imports) {
    for (const name of imported) importers.set(name, [...(importers.get(name) ?? []), file]);
  }
  return {
    testsOf: (file) =>
      listReachableFiles(importers, file)
        .filter((name) => name.endsWith('.test.ts'))
        .toSorted((one, other) => measureKinship(file, other) - measureKinship(file, one)),
    sourcesOf: (file) => listReachableFiles(imports, file).filter((name) => imports.has(name)),
  };
}

/** Measures how closely the name and the folder of a test match a source. */
function measureKinship(file: string, test: string): number {
  if (test === file.replace(/\.ts$/, '.test.ts')) return Number.MAX_SAFE_INTEGER;
  if (dirname(test) === dirname(file)) return Number.MAX_SAFE_INTEGER - 1;
  const words = splitWords(test);
  return [...splitWords(file)].filter((word) => words.has(word)).length;
}

function splitWords(path: string): ReadonlySet<string> {
  return new Set(path.replace(/^packages\//, '').split(/[^a-z]+/));
}

/** By number of steps. */
function listReachableFiles(neighbours: ReadonlyMap<string, readonly string[]>, file: string): readonly string[] {
  const seen = new Set([file]);
  for (let step = [file]; step.length > 0; ) {
    const next = new Set(step.flatMap((name) => neighbours.get(name) ?? []).filter((name) => !seen.has(name)));
    step = [...next].toSorted();
    for (const name of step) seen.add(name);
  }
  return [...seen];
}

function listImports(root: string, entries: ReadonlyMap<string, string>, file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  const named = [
    ...module.staticImports
      .filter(({ entries: names }) => names.length === 0 || names.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries: names }) =>
      names.flatMap(({ moduleRequest, isType }) => (moduleRequest === null || isType ? [] : [moduleRequest.value])),
    ),
    ...listDynamicImports(readFileSync(join(root, file), 'utf8')),
  ];
  const found = named.map((name) =>
    name.startsWith('.') ? withSlashes(join(dirname(file), name)) : entries.get(name),
  );
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** Programs that a test starts as processes are also named like this. */
function listDynamicImports(source: string): readonly string[] {
  const calls = source.matchAll(/(?:import\(|new URL\(\s*)'([^']+)'/g);
  return Array.from(calls, ([, name = '']) => name);
}

/** Returns the module of each package entry point. */
function listEntryPoints(root: string): ReadonlyMap<string, string> {
  const manifests = globSync('packages/*/package.json', { cwd: root }).map(withSlashes);
  return new Map(
    manifests.flatMap((manifest) => {
      const { name, exports = {} }: Manifest = JSON.parse(readFileSync(join(root, manifest), 'utf8'));
      return Object.entries(exports)
        .filter((entry): entry is [string, string] => typeof entry[1] === 'string')
        .map(([key, path]) => [name + key.slice(1), withSlashes(join(dirname(manifest), path))] as const)
        .filter(([, path]) => existsSync(join(root, path)));
    }),
  );
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}
