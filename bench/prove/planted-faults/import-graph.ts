import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Which test files reach a source by imports, of how many steps each. */
export interface ImportGraph {
  /**
   * Test files that reach it: its own one, those beside it, those whose path has most words of its path, then those of the fewest steps.
   * Paths are relative to the tree, with `/`.
   */
  testsOf(file: string): readonly string[];
  /** A file, and all of the tree that it reaches by imports. */
  sourcesOf(file: string): readonly string[];
}

const SOURCES = ['packages/*/src/**/*.ts', 'e2e/**/*.ts'];

/** Reads who imports whom. Types are looked through: a test that names a type only runs nothing of its module. */
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

/** How much the name and the folder of a test say that it is about a source. */
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

/** Also programs that a test starts as processes are named so. */
function listDynamicImports(source: string): readonly string[] {
  const calls = source.matchAll(/(?:import\(|new URL\(\s*)'([^']+)'/g);
  return Array.from(calls, ([, name = '']) => name);
}

/** What each entry point of a package is a name of. */
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
