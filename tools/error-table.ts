import { ERRORS } from '@poolgate/contract';
import type { GeneratedFile } from './generated-files.ts';
import { replaceTables } from './page-table.ts';

/** Generates the table of error codes in docs/reference/api.md from the contract. */
export function generateErrorTable(): readonly GeneratedFile[] {
  const rows = Object.entries(ERRORS).map(([code, { status, title }]) => `| \`${code}\` | ${status} | ${title}. |`);
  return [replaceTables('docs/reference/api.md', [{ header: '| `code` | Status | Meaning |', rows }])];
}
