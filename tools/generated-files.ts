import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file as it should be. */
export interface GeneratedFile {
  /** Path in the repository. */
  readonly file: string;
  readonly text: string;
  /** What to do by hand when the file changes. */
  readonly reminder?: string;
  /** Contradictions in the tables that the file is generated from; the file is written all the same. */
  readonly problems?: readonly string[];
}

/** A program that generates files. */
export interface Generator {
  /** Its file, as it is named when it fails. */
  readonly source: string;
  readonly load: () => Promise<() => readonly GeneratedFile[]>;
}

type FileState = 'current' | 'missing' | 'outdated';

/** A generated file and whether the repository has it as it should be. */
interface ComparedFile extends GeneratedFile {
  readonly state: FileState;
}

/** What generators made, and the problems that each of them found. */
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

/** Runs the generators one after the other. With `write`, each writes its files before the next one runs. */
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

/** What a run reports. */
export interface GenerationReport {
  readonly lines: readonly string[];
  readonly failed: boolean;
}

/** Writes every file that is missing or outdated. */
export async function writeGenerated(generators: readonly Generator[], root: string): Promise<GenerationReport> {
  const generation = await runGenerators(generators, { root, write: true });
  const written = listChanged(generation).map((file) => describe(`Wrote ${file.file}.`, file));
  return { lines: [...written, ...generation.problems], failed: generation.problems.length > 0 };
}

/**
 * Names each file that is missing or outdated. Problems count once every file is current, because they may follow from one that is not.
 * Before compiling they do not count at all: the code is broken, and the compiler says where.
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
