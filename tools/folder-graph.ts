/**
 * Prints the folders of each package from bottom to top, with the folders that each one imports and how often: `npm run node --
 * tools/folder-graph.ts [--check] [--root=<folder>] [<package> ...]`. It exits with 1 if imports break the order of `tools/layers.ts`,
 * folders import each other in a cycle, or a folder is missing in the table or in the package. `--check` prints only these problems. Tests
 * and `testing` folders are excluded: a test may set up its subject with any part of its package.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { LAYERS, listForbiddenFolders } from './layers.ts';

interface FolderImport {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Statements and calls that import a module, outside of comments. */
const IMPORT = /(?:^(?:import|export)\b[^;]*?\bfrom\s+|^import\s+|\bimport\(\s*)'(\.[^']+)'/gm;
const COMMENT = /\/\*\*[\s\S]*?\*\//g;

const { values, positionals } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    root: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
  },
  allowPositionals: true,
});

function listSourceFiles(source: string): readonly string[] {
  return globSync('**/*.ts', { cwd: source })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.ts$|(?:^|\/)testing\//.test(file))
    .sort();
}

function listImports(source: string, file: string): readonly FolderImport[] {
  const from = posix.dirname(file);
  const text = readFileSync(posix.join(source, file), 'utf8').replaceAll(COMMENT, '');
  return Array.from(text.matchAll(IMPORT), ([, path = '']) => ({
    file,
    from,
    to: posix.dirname(posix.join(from, path)),
  })).filter(({ to }) => to !== from && !to.startsWith('..'));
}

/** Returns each group of folders that import each other, directly or through others. */
function findCycles(imports: readonly FolderImport[]): readonly string[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const reached = (start: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const waiting = [start];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
      for (const { to } of next.get(folder) ?? [])
        if (!found.has(to)) {
          found.add(to);
          waiting.push(to);
        }
    return found;
  };
  const reach = new Map([...next.keys()].map((folder) => [folder, reached(folder)]));
  const cycles = [...reach.keys()].map((folder) =>
    [...(reach.get(folder) ?? [])].filter((other) => reach.get(other)?.has(folder)).sort(),
  );
  return [...new Set(cycles.filter((cycle) => cycle.length > 0).map((cycle) => cycle.join(', ')))];
}

function listProblems(name: string, files: readonly string[], imports: readonly FolderImport[]): readonly string[] {
  const layers = LAYERS[name];
  if (layers === undefined) return [`packages/${name} is missing in tools/layers.ts`];
  const listed = new Set(layers.flat());
  const present = new Set(files.map((file) => posix.dirname(file)));
  const unlisted = [...present].filter((folder) => !listed.has(folder));
  const forbidden = imports.filter(
    ({ from, to }) => listed.has(from) && listForbiddenFolders(layers, from).includes(to),
  );
  return [
    ...unlisted.map((folder) => `packages/${name}/src/${folder} is missing in tools/layers.ts`),
    ...[...listed.difference(present)].map(
      (folder) => `packages/${name}/src/${folder} is listed in tools/layers.ts, but has no source file`,
    ),
    ...forbidden.map(
      ({ file, to }) => `packages/${name}/src/${file} may not import the folder ${to}: see tools/layers.ts`,
    ),
    ...findCycles(imports).map((cycle) => `packages/${name}/src has a cycle of folders: ${cycle}`),
  ];
}

function printGraph(name: string, imports: readonly FolderImport[]): void {
  console.log(`\n${name}`);
  for (const folder of (LAYERS[name] ?? []).flat()) {
    const targets = Map.groupBy(
      imports.filter(({ from }) => from === folder),
      ({ to }) => to,
    );
    const counts = [...targets].map(([to, all]) => `${to} ${all.length}`);
    console.log(`  ${folder}${counts.length === 0 ? '' : ` -> ${counts.join(', ')}`}`);
  }
}

const chosen =
  positionals.length > 0
    ? positionals
    : [...new Set([...Object.keys(LAYERS), ...globSync('*', { cwd: posix.join(values.root, 'packages') })])];
for (const name of chosen) {
  const source = posix.join(values.root.replaceAll('\\', '/'), 'packages', name, 'src');
  const files = existsSync(source) ? listSourceFiles(source) : [];
  const imports = files.flatMap((file) => listImports(source, file));
  if (!values.check) printGraph(name, imports);
  for (const problem of listProblems(name, files, imports)) {
    console.error(problem);
    process.exitCode = 1;
  }
}
