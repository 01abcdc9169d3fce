/**
 * Import and export of users as CSV or JSON lines. An import resumes after an interruption.
 */
import { type WriteUsers, writeCsv, writeJsonLines } from './export-users.ts';
import type { ReadUsers } from './file-record.ts';
import { readCsv } from './read-csv.ts';
import { readJsonLines } from './read-json-lines.ts';

interface UserFileFormat {
  readonly read: ReadUsers;
  readonly write: WriteUsers;
  /** Whether it has a place for the verifiers of passwords. */
  readonly holdsPasswords: boolean;
}

/** The forms of a file of users, by the ending of its name. */
export const USER_FILE_FORMATS = {
  csv: { read: readCsv, write: writeCsv, holdsPasswords: false },
  jsonl: { read: readJsonLines, write: writeJsonLines, holdsPasswords: true },
} as const satisfies Readonly<Record<string, UserFileFormat>>;

/** The name of a form. */
export type UserFileFormatName = keyof typeof USER_FILE_FORMATS;

/** The names of all forms. */
export const USER_FILE_FORMAT_NAMES = Object.keys(USER_FILE_FORMATS) as readonly UserFileFormatName[];

/** The form with this name; undefined where there is none. */
export function findUserFileFormat(name: string): UserFileFormat | undefined {
  return Object.hasOwn(USER_FILE_FORMATS, name) ? USER_FILE_FORMATS[name as UserFileFormatName] : undefined;
}
