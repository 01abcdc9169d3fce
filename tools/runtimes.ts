import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FILES = ['package.json', 'package-lock.json'] as const;
const own = fileURLToPath(new URL('runtimes/', import.meta.url));
const folder = fileURLToPath(new URL('../tmp/', import.meta.url));

/** The older runtimes of users' machines. */
export interface Runtimes {
  /** The path of Node, by major version. */
  node(major: 20 | 22 | 24): string;
  /** The path of npm 10, which Node runs. */
  readonly npm: string;
}

async function isExistingFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

/**
 * Older Nodes and npm 10, from the registry, checked against the lock file in `runtimes/`. They are kept below `tmp/`, separate from the
 * project's own installation. Concurrent runs do not disturb each other, because a whole folder appears at once.
 * @throws {Error} npm cannot install them
 */
export async function fetchRuntimes(): Promise<Runtimes> {
  const lock = await readFile(join(own, 'package-lock.json'));
  const place = join(folder, `runtimes-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`);
  if (!(await isExistingFile(place))) await install(place);
  const modules = join(place, 'node_modules');
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return {
    node: (major) => join(modules, `node-${major}-${platform}`, 'bin', program),
    npm: join(modules, 'npm/bin/npm-cli.js'),
  };
}

async function install(place: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const unfinished = await mkdtemp(`${place}-`);
  try {
    for (const file of FILES) await cp(join(own, file), join(unfinished, file));
    const words = ['ci', '--ignore-scripts', '--bin-links=false', '--prefer-offline', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', words, { cwd: unfinished });
    await rename(unfinished, place).catch(async (error: unknown) => {
      if (!(await isExistingFile(place))) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
