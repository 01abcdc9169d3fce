import { readFileSync } from 'node:fs';
import type { GeneratedFile } from './generated-files.ts';

/** A generated table on a page with hand-written text. */
export interface PageTable {
  /** The line with the names of the columns. */
  readonly header: string;
  /** Lines without their line ends. */
  readonly rows: readonly string[];
}

const listCells = (header: string): readonly string[] => header.split('|').slice(1, -1);

/** Returns the page with the rows of its tables replaced. The headers are written by hand. */
export function replaceTables(file: string, tables: readonly PageTable[]): GeneratedFile {
  let text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  for (const { header, rows } of tables) {
    const head = `\n${header}\n|${listCells(header)
      .map(() => '---|')
      .join('')}\n`;
    const start = text.indexOf(head) + head.length;
    if (start < head.length) throw new Error(`${file} has no table with the header ${header}`);
    const rest = text.slice(start).replace(/^(?:\|.*\n)*/, '');
    text = `${text.slice(0, start)}${rows.map((row) => `${row}\n`).join('')}${rest}`;
  }
  return { file, text };
}
