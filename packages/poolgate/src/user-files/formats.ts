import { readCsv } from './csv-read.ts';
import { type WriteUsers, writeCsv, writeJsonLines } from './export.ts';
import type { ReadUsers } from './file-record.ts';
import { readJsonLines } from './json-lines-read.ts';

interface Format {
  readonly read: ReadUsers;
  readonly write: WriteUsers;
  /** Whether it has a place for the verifiers of passwords. */
  readonly holdsPasswords: boolean;
}

/** The forms of a file of users, by the ending of its name. */
export const FORMATS = {
  csv: { read: readCsv, write: writeCsv, holdsPasswords: false },
  jsonl: { read: readJsonLines, write: writeJsonLines, holdsPasswords: true },
} as const satisfies Readonly<Record<string, Format>>;

/** The name of a form. */
export type FormatName = keyof typeof FORMATS;

/** The names of all forms. */
export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[];

/** The form with this name; undefined where there is none. */
export function formatNamed(name: string): Format | undefined {
  return Object.hasOwn(FORMATS, name) ? FORMATS[name as FormatName] : undefined;
}
