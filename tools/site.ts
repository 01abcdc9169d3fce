/**
 * Builds the documentation as a static site: `npm run site -- <folder> [--base <path>] [--release]`. The base is the path of the site on its
 * server; without one, the site is at the root of its host. With `--release`, the site goes into a folder of its version, next to those of
 * other releases, and the root lists them all.
 */
import { parseArgs } from 'node:util';
import { writeRelease, writeSite } from './write-site.ts';

const { values, positionals } = parseArgs({
  options: { base: { type: 'string', default: '' }, release: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: npm run site -- <folder> [--base <path>] [--release]');
  process.exit(2);
}
const base = values.base.replace(/\/$/, '');
const written = values.release ? await writeRelease(folder, base) : await writeSite(folder, base);
console.log(`Wrote ${written.files} files and ${written.redirects} redirects.`);
