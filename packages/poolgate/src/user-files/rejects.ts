import { open } from 'node:fs/promises';
import { toSingleLine } from '../process/one-line.ts';
import type { Rejection } from './file-record.ts';

/** The records that are not imported, one per line: its line in the file, a code and the reason, separated by tabs. */
export interface Rejects {
  /** The current size of the list in bytes; 0 if it is not stored. */
  bytes(): number;
  add(line: number, refusal: Rejection): Promise<void>;
  close(): Promise<void>;
}

const formatRejectLine = (line: number, { code, text }: Rejection): string =>
  `${line}\t${code}\t${toSingleLine(text.replace(/\s+/g, ' '))}`;

/** Prints each record and stores none. */
export function createPrintedRejects(print: (line: string) => void): Rejects {
  return {
    bytes: () => 0,
    add: async (line, refusal) => print(formatRejectLine(line, refusal)),
    close: async () => {},
  };
}

/**
 * Stores the records in a file.
 * @param bytes the size of the recorded part; an interrupted import wrote the rest and did not record it
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
