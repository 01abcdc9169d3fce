import { type FileHandle, open } from 'node:fs/promises';
import { extname } from 'node:path';
import type { EmbeddedPool } from '@poolgate/pool';
import type { Invocation, RunCommand, Terminal } from '../command-line/command.ts';
import { CommandError, UsageError } from '../command-line/command.ts';
import {
  type Checkpoint,
  createCheckpoint,
  findResumePoint,
  removeCheckpoint,
  saveCheckpoint,
} from '../user-files/checkpoint.ts';
import type { ReadUsers } from '../user-files/file-record.ts';
import { importIntoPool } from '../user-files/import-into-pool.ts';
import { importRecords } from '../user-files/import-records.ts';
import { createPrintedRejects, openRejectsFile, type Rejects } from '../user-files/rejects.ts';
import { findUserFileFormat, USER_FILE_FORMAT_NAMES } from '../user-files/user-file-formats.ts';
import { translateProviderErrors } from './provider-errors.ts';
import type { CommandContainer } from './with-container.ts';
import { withNamedEmbeddedPool } from './with-container.ts';

function requireUserReader(path: string): ReadUsers {
  const format = findUserFileFormat(extname(path).slice(1).toLowerCase());
  if (format === undefined) throw new UsageError(`the file name must end in ${formatFileEndings()}`);
  return format.read;
}

const formatFileEndings = (): string => USER_FILE_FORMAT_NAMES.map((name) => `.${name}`).join(' or ');

async function openImportFile(path: string): Promise<FileHandle> {
  const file = await open(path).catch((error: unknown) => {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new CommandError(`${path} cannot be read (${reason})`, error);
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new CommandError(`${path} is not a file`);
}

function openRejects(invocation: Invocation, terminal: Terminal, from: Checkpoint): Promise<Rejects> {
  const [path] = invocation.values('rejects');
  return path === undefined
    ? Promise.resolve(createPrintedRejects((line) => terminal.err(line)))
    : openRejectsFile(path, from.rejects_bytes);
}

const START = { records: 0, digest: '', imported: 0, rejected: 0, rejects_bytes: 0 } as const;

interface ImportSource {
  readonly path: string;
  readonly file: FileHandle;
  readonly read: ReadUsers;
  readonly pool: EmbeddedPool;
}

async function importFile(
  { path, file, read, pool }: ImportSource,
  container: CommandContainer,
  invocation: Invocation,
  terminal: Terminal,
): Promise<Checkpoint> {
  const { userPoolId, clock } = container;
  const fresh = { ...START, user_pool_id: userPoolId, started_at_ms: clock.now() };
  const stop = await findResumePoint(path, userPoolId, invocation.has('resume'));
  const from = stop ?? fresh;
  const rejects = await openRejects(invocation, terminal, from);
  const { size } = await file.stat();
  const input = file.createReadStream({ autoClose: false });
  const progress = ({ imported, rejected }: Checkpoint): void =>
    terminal.progress?.(
      `imported ${imported}, rejected ${rejected} (${Math.floor((100 * input.bytesRead) / Math.max(size, 1))} % read)`,
    );
  try {
    return await importRecords({
      pool: { operations: pool.operations, importUsers: importIntoPool(pool, container) },
      records: read(input, { userPoolId, resetPasswords: invocation.has('reset-passwords') }),
      from,
      isResumed: stop !== undefined,
      rejects,
      begin: (checkpoint) => createCheckpoint(path, checkpoint),
      save: async (checkpoint) => {
        await saveCheckpoint(path, checkpoint);
        progress(checkpoint);
      },
    });
  } finally {
    await rejects.close();
  }
}

/** Imports users from a file. Prints their number, and each rejected line. */
export const runUserImport: RunCommand = async (invocation, terminal) => {
  const [path = ''] = invocation.operands;
  const read = requireUserReader(path);
  const file = await openImportFile(path);
  try {
    const { imported, rejected } = await withNamedEmbeddedPool(invocation, terminal, (container, pool) =>
      translateProviderErrors(importFile({ path, file, read, pool }, container, invocation, terminal)),
    );
    await removeCheckpoint(path);
    terminal.out(`imported ${imported}, rejected ${rejected}`);
    return rejected === 0 ? 0 : 1;
  } finally {
    await file.close();
  }
};
