import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../../', import.meta.url).pathname;
/** The scopes of the workspace's packages. */
const OWN: ReadonlySet<string> = new Set(['@poolgate', 'poolgate']);

/**
 * Extracts the sources of a version from git, with the current dependencies.
 * @param folder their destination
 * @returns the program
 * @throws {Error} git does not know the version: a clone without tags (`git fetch --tags`)
 */
export function unpackOldVersion(version: string, folder: string): string {
  const tree = join(folder, 'old');
  const modules = join(tree, 'node_modules');
  mkdirSync(join(modules, '@poolgate'), { recursive: true });
  const tarball = execFileSync('git', ['archive', version, 'packages'], { cwd: ROOT, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['x', '-C', tree], { input: tarball });
  const installed = join(ROOT, 'node_modules');
  for (const name of readdirSync(installed)) {
    if (!OWN.has(name) && !name.startsWith('.')) symlinkSync(join(installed, name), join(modules, name));
  }
  for (const name of readdirSync(join(tree, 'packages'))) {
    const link = name === 'poolgate' ? 'poolgate' : join('@poolgate', name);
    symlinkSync(join(tree, 'packages', name), join(modules, link));
  }
  return join(tree, 'packages/poolgate/src/main.ts');
}
