import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { inspectStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import { backUpFile } from '@poolgate/store/backup';
import type { RunCommand } from '../command-line/command.ts';
import { CommandError } from '../command-line/command.ts';
import { readConfiguration } from '../config/configuration.ts';
import { requireDatabaseFile } from './database-file.ts';

async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Copies the database file while others use it. */
export const runBackup: RunCommand = async (invocation, { environment, out, err }) => {
  const { settings } = readConfiguration(environment);
  const path = requireDatabaseFile(
    settings.databaseUrl,
    'use pg_dump to copy a PostgreSQL database while the service runs',
  );
  const target = resolve(invocation.operands[0] ?? '');
  try {
    const { exists } = await inspectStore(settings.databaseUrl);
    if (!exists) throw new CommandError('the database does not exist yet; start the service once to create it');
    const bytes = backUpFile(path, target);
    const sha256 = await digestFile(target);
    if (invocation.has('json')) out(JSON.stringify({ file: target, bytes, sha256 }));
    else out(`${target}: ${bytes} bytes, sha256 ${sha256}`);
    err('Only POOLGATE_SECRET can decrypt it. Store the two separately.');
    return 0;
  } catch (error) {
    if (!(error instanceof StoreRefused || error instanceof StoreUnavailable)) throw error;
    throw new CommandError(`no backup was made: ${error.message}`, error);
  }
};
