import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bundleClient } from '../../../tools/client-bundle.ts';
import { type ExampleProgram, startProgram } from './example-program.ts';

const run = promisify(execFile);
const EXAMPLES = fileURLToPath(new URL('../../../examples/', import.meta.url));
const KEPT = fileURLToPath(new URL('../../../tmp/', import.meta.url));
/** The packages that an example installs from the neighboring folder. */
const PACKED = ['client', 'contract', 'srp'] as const;

/** An example that is installed with its own lock file, in a copy of its folder. */
export interface InstalledExample {
  /** Starts the installed program. @param words the program, below node_modules, and its arguments */
  start(words: readonly string[], env: Readonly<Record<string, string>>): Promise<ExampleProgram>;
}

/** Installing and building takes seconds of a core, and minutes on a busy machine. */
export const PREPARATION = { timeout: 900_000 } as const;

const isExistingFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/**
 * Installs an example from the registry, once for each lock file, and builds it, once for each state of its files. It is kept below `tmp/`.
 * The client's files are built from the current sources. They contain its own modules, so the packages next to it are empty.
 *
 * @param builder below node_modules, with its arguments
 */
export async function buildExample(name: 'react' | 'nextjs', builder: readonly string[]): Promise<InstalledExample> {
  const lock = await readFile(join(EXAMPLES, name, 'package-lock.json'));
  const place = join(KEPT, `example-${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  if (!(await isExistingFile(place))) await install(name, place);
  const folder = join(place, name);
  const client = join(folder, 'node_modules/@poolgate/client/dist');
  await cp(join(EXAMPLES, name), folder, { recursive: true, filter: isSourceFile });
  await bundleClient(client);
  const state = await digestFolders([join(EXAMPLES, name), client]);
  const mark = join(place, 'built');
  const installed = ([file = '', ...words]: readonly string[]) => [join(folder, 'node_modules', file), ...words];
  if ((await readFile(mark, 'utf8').catch(() => '')) !== state) {
    await run(process.execPath, installed(builder), { cwd: folder, env: { PATH: process.env.PATH, ...PRODUCTION } });
    await writeFile(mark, state);
  }
  return { start: (words, env) => startProgram(installed(words), { ...PRODUCTION, ...env }, folder) };
}

const PRODUCTION = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' } as const;

/** Not what was installed or built in the clone itself. */
function isSourceFile(path: string): boolean {
  return !/[\\/](?:node_modules|dist|\.next)(?:[\\/]|$)/.test(path.slice(EXAMPLES.length - 1));
}

/** Of every file in some folders. */
async function digestFolders(folders: readonly string[]): Promise<string> {
  const digest = createHash('sha256');
  for (const folder of folders) {
    const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const own = names.filter((path) => !path.startsWith(EXAMPLES) || isSourceFile(path)).sort();
    for (const path of own) digest.update(`${path} `).update(await readFile(path));
  }
  return digest.digest('hex');
}

async function install(name: string, place: string): Promise<void> {
  await mkdir(KEPT, { recursive: true });
  const unfinished = await mkdtemp(`${place}-`);
  try {
    await mkdir(join(unfinished, name));
    await mkdir(join(unfinished, 'packages'));
    for (const each of PACKED) await pack(each, unfinished);
    for (const file of ['package.json', 'package-lock.json'])
      await cp(join(EXAMPLES, name, file), join(unfinished, name, file));
    const words = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await run('npm', words, { cwd: join(unfinished, name) });
    await rename(unfinished, place).catch(async (error: unknown) => {
      if (!(await isExistingFile(place))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A tarball as `npm run pack` creates it, without the types, which take long and which no example needs. */
async function pack(name: (typeof PACKED)[number], folder: string): Promise<void> {
  const text = await readFile(new URL(`../../../packages/${name}/package.json`, import.meta.url), 'utf8');
  const { name: published, version, exports, dependencies } = JSON.parse(text) as Manifest;
  const built = Object.entries(exports).map(([entry, source]) => [
    entry,
    source.replace('./src/', './dist/').replace(/\.ts$/, '.js'),
  ]);
  const stage = join(folder, `stage-${name}`);
  await mkdir(stage);
  const manifest = { name: published, version, type: 'module', exports: Object.fromEntries(built), dependencies };
  await writeFile(join(stage, 'package.json'), JSON.stringify(manifest));
  await run('npm', ['pack', '--silent', '--pack-destination', join(folder, 'packages')], { cwd: stage });
  await rm(stage, { recursive: true });
}
