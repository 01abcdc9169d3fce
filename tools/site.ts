/**
 * Builds the documentation as a static site: `npm run site -- <folder> [--base <path>]`. The base is the path of the site on its server,
 * such as `/v2.0.6`; without one, the site is at the root of its host.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from '../packages/poolgate/src/documentation/build-site.ts';
import { renderMovedPage } from '../packages/poolgate/src/documentation/page-layout.ts';

const { values, positionals } = parseArgs({
  options: { base: { type: 'string', default: '' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: npm run site -- <folder> [--base <path>]');
  process.exit(2);
}
const base = values.base.replace(/\/$/, '');
const { files, moved } = await buildSite(base, `${base}/reference/api`);
for (const [name, bytes] of files) write(name.replace(/(?<!index)\.html$/, '/index.html'), bytes);
for (const [from, to] of Object.entries(moved)) write(`${from}/index.html`, renderMovedPage(`${base}/${to}/`));
console.log(`Wrote ${files.size} files and ${Object.keys(moved).length} redirects.`);

function write(name: string, content: Uint8Array | string): void {
  const path = join(resolve(folder ?? ''), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
