import { createInterface } from 'node:readline';
import { CommandError } from '../command-line/command.ts';
import type { FileRecord, ImportDestination, ReadUsers } from './file-record.ts';
import { createRejectedContent } from './file-record.ts';
import { type FileHeader, parseHeaderLine, parseUserLine } from './user-json-line.ts';

const BYTE_ORDER_MARK = /^\uFEFF/;

/** Reads users from JSON lines: an optional header, then one user per line. Empty lines count but contain no user. */
export const readJsonLines: ReadUsers = async function* readJsonLines(input, destination) {
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  let line = 0;
  let header: FileHeader | undefined;
  for await (const raw of lines) {
    line += 1;
    const text = line === 1 ? raw.replace(BYTE_ORDER_MARK, '') : raw;
    if (line === 1) header = parseHeaderLine(text);
    if (line === 1 && header !== undefined) refuseFileOfOtherPool(header, destination);
    else if (text.trim() !== '') yield { line, text, content: parseContent(text, header, destination) };
  }
};

/** Better now than after the first thousand lines. */
function refuseFileOfOtherPool(
  { user_pool_id, passwords }: FileHeader,
  { userPoolId, resetPasswords }: ImportDestination,
): void {
  if (!passwords || user_pool_id === userPoolId || resetPasswords) return;
  throw new CommandError(
    `the passwords in this file only work in the pool ${user_pool_id}, but this pool is ${userPoolId}. Serve that pool ID (IDP_USER_POOL_ID), or ignore the passwords (--reset-passwords)`,
  );
}

function parseContent(
  text: string,
  header: FileHeader | undefined,
  destination: ImportDestination,
): FileRecord['content'] {
  const content = parseUserLine(text);
  if (!('user' in content) || content.user.password === undefined) return content;
  const { password: _, ...user } = content.user;
  if (destination.resetPasswords) return { user };
  return header?.user_pool_id === destination.userPoolId
    ? content
    : createRejectedContent(
        'foreign_password',
        'has a password, but the file does not state that it belongs to this pool',
      );
}
