import { open, rm } from 'node:fs/promises';
import type { EmbeddedPool } from '@poolgate/pool';
import type { Invocation, RunCommand, Terminal } from '../command-line/command.ts';
import { CommandError, UsageError } from '../command-line/command.ts';
import { listExportedUsers } from '../user-files/export-users.ts';
import { findUserFileFormat, USER_FILE_FORMAT_NAMES } from '../user-files/user-file-formats.ts';
import type { CommandContainer } from './with-container.ts';
import { withNamedEmbeddedPool } from './with-container.ts';

/** Only the exporting user may read personal data and password verifiers, which allow guessing. */
const OWNER_ONLY = 0o600;

/** Writes the lines of a file. Resolves once all of them are written. */
type LineSink = (lines: AsyncIterable<string>) => Promise<number>;

function createFileSink(path: string): LineSink {
  return async (lines) => {
    const file = await open(path, 'wx', OWNER_ONLY).catch((error: unknown) => {
      const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
      throw new CommandError(
        `${path} ${code === 'EEXIST' ? 'is there already' : `cannot be written (${code})`}`,
        error,
      );
    });
    let isWhole = false;
    try {
      let count = 0;
      for await (const line of lines) {
        await file.write(`${line}\n`);
        count += 1;
      }
      await file.sync();
      isWhole = true;
      return count;
    } finally {
      await file.close();
      if (!isWhole) await rm(path);
    }
  };
}

function createTerminalSink(terminal: Terminal): LineSink {
  return async (lines) => {
    let count = 0;
    for await (const line of lines) {
      terminal.out(line);
      await terminal.waitForDrain?.();
      count += 1;
    }
    return count;
  };
}

function parseFormat(invocation: Invocation) {
  const [name = 'jsonl'] = invocation.values('format');
  const format = findUserFileFormat(name);
  if (format === undefined) throw new UsageError(`--format must be one of: ${USER_FILE_FORMAT_NAMES.join(', ')}`);
  return format;
}

async function createExportTask(
  { store, userPoolId, clock }: CommandContainer,
  pool: EmbeddedPool,
  withPasswords: boolean,
) {
  const record = await store.pools.byId(userPoolId);
  return {
    users: listExportedUsers(pool, userPoolId),
    userPoolId,
    customAttributes: Object.keys(record?.settings.customAttributes ?? {}).sort(),
    withPasswords,
    nowMs: clock.now(),
  };
}

/** Writes every user of the pool to a file, or to standard output. */
export const runUserExport: RunCommand = async (invocation, terminal) => {
  const format = parseFormat(invocation);
  const [path] = invocation.values('output');
  const withPasswords = invocation.has('with-passwords');
  if (withPasswords && !format.holdsPasswords) throw new UsageError('--with-passwords needs --format jsonl');
  if (withPasswords && path === undefined) throw new UsageError('--with-passwords needs --output');
  return withNamedEmbeddedPool(invocation, terminal, async (container, pool) => {
    const take = path === undefined ? createTerminalSink(terminal) : createFileSink(path);
    const lines = await take(format.write(await createExportTask(container, pool, withPasswords)));
    // In both formats, the first line is not a user.
    terminal.err(`exported ${lines - 1}`);
    return 0;
  });
};
