import { readFileSync } from 'node:fs';
import { ERRORS } from '@poolgate/contract';
import type { GeneratedFile } from './generated-files.ts';

const TABLE = /(?<=\n\| `code` \| Status \| Meaning \|\n\|---\|---\|---\|\n)(?:\|.*\|\n)+/;

/** The table of error codes in docs/reference/api.md, from the contract. */
export function generateErrorTable(): readonly GeneratedFile[] {
  const file = 'docs/reference/api.md';
  const page = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  if (!TABLE.test(page)) throw new Error(`${file} has no table of error codes`);
  const rows = Object.entries(ERRORS).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title}. |\n`);
  return [{ file, text: page.replace(TABLE, () => rows.join('')) }];
}
