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
  /** Whether the format can contain password verifiers. */
  readonly holdsPasswords: boolean;
}

/** The formats of user files, by file extension. */
export const USER_FILE_FORMATS = {
  csv: { read: readCsv, write: writeCsv, holdsPasswords: false },
  jsonl: { read: readJsonLines, write: writeJsonLines, holdsPasswords: true },
} as const satisfies Readonly<Record<string, UserFileFormat>>;

/** The name of a format. */
export type UserFileFormatName = keyof typeof USER_FILE_FORMATS;

/** The names of all formats. */
export const USER_FILE_FORMAT_NAMES = Object.keys(USER_FILE_FORMATS) as readonly UserFileFormatName[];

/** Returns the format with this name; undefined if there is none. */
export function findUserFileFormat(name: string): UserFileFormat | undefined {
  return Object.hasOwn(USER_FILE_FORMATS, name) ? USER_FILE_FORMATS[name as UserFileFormatName] : undefined;
}
