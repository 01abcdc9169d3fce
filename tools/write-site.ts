import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildSite } from '../packages/poolgate/src/documentation/build-site.ts';
import { renderMovedPage, renderVersionList } from '../packages/poolgate/src/documentation/page-layout.ts';
import { readVersion } from '../packages/poolgate/src/process/version.ts';

/** How much was written. */
interface WrittenSite {
  readonly files: number;
  readonly redirects: number;
}

/** Writes the site as files for a server that has nothing else. */
export async function writeSite(folder: string, base: string, versionsUrl?: string): Promise<WrittenSite> {
  const write = (name: string, content: Uint8Array | string): void => {
    const path = join(resolve(folder), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  };
  const { files, moved } = await buildSite(base, `${base}/reference/api`, versionsUrl);
  for (const [name, bytes] of files) write(name.replace(/(?<!index)\.html$/, '/index.html'), bytes);
  const redirects = Object.entries(moved);
  for (const [from, to] of redirects) write(`${from}/index.html`, renderMovedPage(`${base}/${to}/`));
  return { files: files.size, redirects: redirects.length };
}

/**
 * Adds the site of this version to a folder with those of other releases, and lists all of them at the root.
 * @throws {RangeError} the folder already has this version: a release keeps its documentation
 */
export async function writeRelease(folder: string, base: string): Promise<WrittenSite> {
  const name = `v${readVersion()}`;
  const target = join(folder, name);
  if (existsSync(target)) throw new RangeError(`${target} exists. A release keeps its documentation.`);
  const written = await writeSite(target, `${base}/${name}`, `${base}/`);
  writeFileSync(join(folder, 'index.html'), renderVersionList(base, listReleases(folder)));
  return written;
}

function listReleases(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^v\d+\.\d+\.\d+/.test(name))
    .map((name) => name.slice(1))
    .toSorted((left, right) => right.localeCompare(left, 'en', { numeric: true }));
}
