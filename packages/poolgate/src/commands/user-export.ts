import { open, rm } from 'node:fs/promises';
import type { EmbeddedPool } from '@poolgate/pool';
import { everyUser } from '../user-files/export.ts';
import { FORMAT_NAMES, formatNamed } from '../user-files/formats.ts';
import type { Invocation, Run, Terminal } from './command.ts';
import { CommandError, UsageError } from './command.ts';
import type { OpenContainer } from './with-container.ts';
import { withPool } from './with-container.ts';

/** Nobody but who exports may read what is about people, and what passwords could be guessed from. */
const OWNER_ONLY = 0o600;

/** Takes the lines of a file; done once all of them are where they belong. */
type LineSink = (lines: AsyncIterable<string>) => Promise<number>;

function fileSink(path: string): LineSink {
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

function terminalSink(terminal: Terminal): LineSink {
  return async (lines) => {
    let count = 0;
    for await (const line of lines) {
      terminal.out(line);
      await terminal.drained?.();
      count += 1;
    }
    return count;
  };
}

function formatOf(invocation: Invocation) {
  const [name = 'jsonl'] = invocation.values('format');
  const format = formatNamed(name);
  if (format === undefined) throw new UsageError(`--format must be one of: ${FORMAT_NAMES.join(', ')}`);
  return format;
}

async function exportTaskOf({ store, userPoolId, clock }: OpenContainer, pool: EmbeddedPool, withPasswords: boolean) {
  const record = await store.pools.byId(userPoolId);
  return {
    users: everyUser(pool, userPoolId),
    userPoolId,
    customAttributes: Object.keys(record?.settings.customAttributes ?? {}).sort(),
    withPasswords,
    nowMs: clock.now(),
  };
}

/** Writes every user of the pool to a file, or to standard output. */
export const userExport: Run = async (invocation, terminal) => {
  const format = formatOf(invocation);
  const [path] = invocation.values('output');
  const withPasswords = invocation.has('with-passwords');
  if (withPasswords && !format.holdsPasswords) throw new UsageError('--with-passwords needs --format jsonl');
  if (withPasswords && path === undefined) throw new UsageError('--with-passwords needs --output');
  return withPool(terminal, async (container, pool) => {
    const take = path === undefined ? terminalSink(terminal) : fileSink(path);
    const lines = await take(format.write(await exportTaskOf(container, pool, withPasswords)));
    // The first line is no user in either form.
    terminal.err(`exported ${lines - 1}`);
    return 0;
  });
};
