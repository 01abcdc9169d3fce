import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The expected content of a file. */
export interface GeneratedFile {
  /** Path in the repository. */
  readonly file: string;
  readonly text: string;
  /** A manual task after the file has changed. */
  readonly reminder?: string;
  /** Contradictions in the tables that the file is generated from. The file is written anyway. */
  readonly problems?: readonly string[];
}

/** A program that generates files. */
export interface Generator {
  /** Its source file, for error messages. */
  readonly source: string;
  readonly load: () => Promise<() => readonly GeneratedFile[]>;
}

type FileState = 'current' | 'missing' | 'outdated';

/** A generated file, and whether the repository's version is up to date. */
interface ComparedFile extends GeneratedFile {
  readonly state: FileState;
}

/** The output of generators, and the problems that each of them found. */
interface Generation {
  readonly files: readonly ComparedFile[];
  readonly problems: readonly string[];
}

function compareFile(root: string, { file, text }: GeneratedFile): FileState {
  const path = join(root, file);
  if (!existsSync(path)) return 'missing';
  return readFileSync(path, 'utf8') === text ? 'current' : 'outdated';
}

function writeFile(root: string, { file, text }: GeneratedFile): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

async function runGenerator(root: string, { source, load }: Generator): Promise<Generation> {
  try {
    const generate = await load();
    const files = generate().map((file) => ({ ...file, state: compareFile(root, file) }));
    return { files, problems: files.flatMap(({ problems = [] }) => problems) };
  } catch (error) {
    return { files: [], problems: [`${source} failed: ${error instanceof Error ? error.message : String(error)}`] };
  }
}

/** Runs the generators one after another. With `write`, each writes its files before the next one runs. */
async function runGenerators(
  generators: readonly Generator[],
  { root, write }: { readonly root: string; readonly write: boolean },
): Promise<Generation> {
  const all: Generation[] = [];
  for (const generator of generators) {
    const made = await runGenerator(root, generator);
    if (write) for (const file of made.files) if (file.state !== 'current') writeFile(root, file);
    all.push(made);
  }
  return { files: all.flatMap(({ files }) => files), problems: all.flatMap(({ problems }) => problems) };
}

const listChanged = ({ files }: Generation): readonly ComparedFile[] =>
  files.filter(({ state }) => state !== 'current');

const describe = (words: string, { reminder }: GeneratedFile): string =>
  reminder === undefined ? words : `${words} ${reminder}`;

/** The report of a run. */
export interface GenerationReport {
  readonly lines: readonly string[];
  readonly failed: boolean;
}

/** Writes every missing or outdated file. */
export async function writeGenerated(generators: readonly Generator[], root: string): Promise<GenerationReport> {
  const generation = await runGenerators(generators, { root, write: true });
  const written = listChanged(generation).map((file) => describe(`Wrote ${file.file}.`, file));
  return { lines: [...written, ...generation.problems], failed: generation.problems.length > 0 };
}

/**
 * Reports each missing or outdated file. Problems count only after every file is current, because an outdated file may cause them. Before
 * compiling they do not count: the code is broken, and the compiler shows where.
 */
export async function checkGenerated(
  generators: readonly Generator[],
  { root, beforeCompiling }: { readonly root: string; readonly beforeCompiling: boolean },
): Promise<GenerationReport> {
  const generation = await runGenerators(generators, { root, write: false });
  const changed = listChanged(generation).map((file) =>
    describe(`${file.file} is ${file.state}: run \`npm run generate\`.`, file),
  );
  const lines = changed.length > 0 || beforeCompiling ? changed : generation.problems;
  return { lines, failed: lines.length > 0 };
}
