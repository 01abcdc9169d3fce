import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A copy of the sources in which faults are planted. */
export interface ScratchTree {
  readonly root: string;
  remove(): void;
}

const NOT_COPIED: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git', 'tmp', 'bench']);

/** Copies a tree. Its node_modules are links, so that the tree's own packages are the copies, and all others are shared. */
export function copyTree(original: string): ScratchTree {
  const root = mkdtempSync(join(tmpdir(), 'poolgate-planted-'));
  for (const name of readdirSync(original)) {
    if (NOT_COPIED.has(name)) continue;
    cpSync(join(original, name), join(root, name), {
      recursive: true,
      filter: (path) => !NOT_COPIED.has(basename(path)),
    });
  }
  linkInstalledPackages(join(original, 'node_modules'), join(root, 'node_modules'));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function linkInstalledPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const path = join(from, name);
    if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), join(to, name));
    else if (name.startsWith('@')) linkInstalledPackages(path, join(to, name));
    else symlinkSync(path, join(to, name));
  }
}
