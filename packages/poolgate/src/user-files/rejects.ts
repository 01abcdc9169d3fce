import { open } from 'node:fs/promises';
import { toSingleLine } from '../process/one-line.ts';
import type { Rejection } from './file-record.ts';

/** The records that are not imported, one a line: its line in the file, a code word and the reason, between tabs. */
export interface Rejects {
  /** How long the list is by now, in bytes; 0 where it is not kept. */
  bytes(): number;
  add(line: number, refusal: Rejection): Promise<void>;
  close(): Promise<void>;
}

const formatRejectLine = (line: number, { code, text }: Rejection): string =>
  `${line}\t${code}\t${toSingleLine(text.replace(/\s+/g, ' '))}`;

/** Tells of each, and keeps nothing. */
export function createPrintedRejects(print: (line: string) => void): Rejects {
  return {
    bytes: () => 0,
    add: async (line, refusal) => print(formatRejectLine(line, refusal)),
    close: async () => {},
  };
}

/**
 * Keeps them in a file.
 * @param bytes how much of it stands; what comes after was written by an import that did not get to say so
 */
export async function openRejectsFile(path: string, bytes: number): Promise<Rejects> {
  const file = await open(path, 'a');
  const { size } = await file.stat();
  let length = Math.min(size, bytes);
  await file.truncate(length);
  return {
    bytes: () => length,
    async add(line, refusal) {
      const { bytesWritten } = await file.write(`${formatRejectLine(line, refusal)}\n`);
      length += bytesWritten;
    },
    close: () => file.close(),
  };
}
