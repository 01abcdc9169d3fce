/**
 * Publishes a release: `npm run publish-packages -- [--dry-run]`. In a workflow with the permission `id-token: write`, npm attests where
 * each package was built (provenance), so no one has to trust a token or a machine. The tag must match the version, and everything must be
 * committed. Published packages are skipped, so an interrupted run can be repeated.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packAll } from './pack.ts';
import { ARE_PACKAGES_PUBLISHED } from './published.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The facts that allow or prevent a release. */
export interface ReleaseFacts {
  readonly version: string;
  /** The tag of the checked-out commit; undefined if it has none. */
  readonly tag: string | undefined;
  /** The output of `git status`. */
  readonly changed: string;
  readonly changelog: string;
  /** Whether the documents install the packages by name. */
  readonly areNamed: boolean;
}

/** Returns why a release may not be published; empty if it may. */
export function listReleaseProblems({ version, tag, changed, changelog, areNamed }: ReleaseFacts): readonly string[] {
  return [
    ...(tag === `v${version}` ? [] : [`the commit must carry the tag v${version}, and carries ${tag ?? 'none'}`]),
    ...(changed === '' ? [] : ['there are changes that are not checked in']),
    ...(changelog.includes(`## ${version}`) ? [] : [`CHANGELOG.md has no section ${version}`]),
    ...(areNamed ? [] : ['the documents install from a clone: see ARE_PACKAGES_PUBLISHED in tools/published.ts']),
  ];
}

/** Returns npm's arguments. A version with a hyphen is a prerelease, which npm installs only on request. */
export function createPublishArguments(tarball: string, version: string, isDry: boolean): readonly string[] {
  const tag = version.includes('-') ? 'next' : 'latest';
  return ['publish', tarball, '--access', 'public', '--provenance', '--tag', tag, ...(isDry ? ['--dry-run'] : [])];
}

function runGit(...words: readonly string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}

function findCheckedOutTag(): string | undefined {
  try {
    return runGit('describe', '--exact-match', '--tags');
  } catch {
    return undefined;
  }
}

function isPublished(name: string, version: string): boolean {
  try {
    return execFileSync('npm', ['view', `${name}@${version}`, 'version'], { encoding: 'utf8' }).trim() === version;
  } catch {
    return false;
  }
}

/** Converts `poolgate-store-1.3.0.tgz` into `@poolgate/store`. */
export function toPackageName(tarball: string, version: string): string {
  const stem = basename(tarball).replace(`-${version}.tgz`, '');
  return stem === 'poolgate' ? stem : stem.replace('-', '/').replace(/^/, '@');
}

async function publish(isDry: boolean): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const facts = { version, tag: findCheckedOutTag(), changed: runGit('status', '--porcelain'), changelog };
  const faults = listReleaseProblems({ ...facts, areNamed: ARE_PACKAGES_PUBLISHED });
  if (faults.length > 0 && !isDry) throw new Error(`not published: ${faults.join('; ')}`);
  for (const fault of faults) console.error(`would not be published: ${fault}`);
  const folder = mkdtempSync(join(tmpdir(), 'poolgate-publish-'));
  try {
    for (const tarball of await packAll(folder)) {
      const name = toPackageName(tarball, version);
      if (!isDry && isPublished(name, version)) console.log(`${name}@${version} is published already`);
      else execFileSync('npm', [...createPublishArguments(tarball, version, isDry)], { stdio: 'inherit' });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) await publish(process.argv.includes('--dry-run'));
