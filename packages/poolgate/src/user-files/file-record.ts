import type { Readable } from 'node:stream';
import type { ImportedUser } from '@poolgate/pool';

/** Why a record of a file is not imported. */
export interface Rejection {
  /** A snake_case word. */
  readonly code: string;
  /** For people; it repeats no part of the record. */
  readonly text: string;
}

/** One record of a file of users. */
export interface FileRecord {
  /** The line of the file on which it ends, starting at 1. */
  readonly line: number;
  /** Its content in one text, by which files are compared. */
  readonly text: string;
  readonly content: { readonly user: ImportedUser } | { readonly rejection: Rejection };
}

/** The destination of imported users. */
export interface ImportDestination {
  readonly userPoolId: string;
  /** True: passwords in the file are ignored, and the users must reset them. */
  readonly resetPasswords: boolean;
}

/** Reads the users of a file, record by record. */
export type ReadUsers = (input: Readable, destination: ImportDestination) => AsyncGenerator<FileRecord>;

/** Creates a record without a user. */
export function createRejectedContent(code: string, text: string): FileRecord['content'] {
  return { rejection: { code, text } };
}
