import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BIG = { maxBuffer: 1 << 26 };

/** A built program, and the version of its library. */
export interface GoProgram {
  readonly program: string;
  readonly version: string;
}

/**
 * Builds a program of `applications/` with the newest versions of its modules.
 * @param library the module whose version counts
 */
export async function buildGoApplication(
  folder: string,
  name: string,
  [library = '', ...others]: readonly string[],
): Promise<GoProgram> {
  const place = join(folder, name);
  await cp(fileURLToPath(new URL(`applications/${name}/`, import.meta.url)), place, { recursive: true });
  const go = (...words: readonly string[]) => run('go', words, { cwd: place, ...BIG });
  await go('mod', 'init', `example.com/${name}`);
  await go('get', `${library}@latest`, ...others.map((each) => `${each}@latest`));
  await go('mod', 'tidy');
  await go('build', '-o', name, '.');
  const { stdout } = await go('list', '-m', '-f', '{{.Version}}', library);
  return { program: join(place, name), version: stdout.trim() };
}

/** Builds the newest version of a program from the Go module proxy. */
export async function installGoProgram(folder: string, module: string, name: string): Promise<GoProgram> {
  const GOBIN = join(folder, 'bin');
  await mkdir(GOBIN, { recursive: true });
  const { stdout } = await run('go', ['list', '-m', '-f', '{{.Version}}', `${module}@latest`], { cwd: folder });
  const version = stdout.trim();
  await run('go', ['install', `${module}@${version}`], { cwd: folder, env: { ...process.env, GOBIN }, ...BIG });
  return { program: join(GOBIN, name), version };
}
