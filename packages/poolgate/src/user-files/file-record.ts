import type { Readable } from 'node:stream';
import type { ImportedUser } from '@poolgate/pool';

/** Why a record of a file is not imported. */
export interface Rejection {
  /** A snake_case word. */
  readonly code: string;
  /** For people; it repeats nothing of the record. */
  readonly text: string;
}

/** One record of a file of users. */
export interface FileRecord {
  /** The line of the file on which it ends; the first one is 1. */
  readonly line: number;
  /** What it holds, in one text: files are compared by it. */
  readonly text: string;
  readonly content: { readonly user: ImportedUser } | { readonly rejection: Rejection };
}

/** The pool that users are imported into. */
export interface ImportDestination {
  readonly userPoolId: string;
  /** True: passwords in the file are left out, and their users have to reset them. */
  readonly resetPasswords: boolean;
}

/** Reads the users of a file, record by record. */
export type ReadUsers = (input: Readable, destination: ImportDestination) => AsyncGenerator<FileRecord>;

/** A record that holds no user. */
export function createRejectedContent(code: string, text: string): FileRecord['content'] {
  return { rejection: { code, text } };
}
