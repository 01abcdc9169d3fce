import { type CopyProgress, copyStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import { CommandError, type RunCommand, UsageError } from '../command-line/command.ts';
import { readConfiguration } from '../config/configuration.ts';

/** Makes the command prompt for the URL, so that its password appears in no process list. */
const ASK = '-';

/** Copies everything to another database, and prints how many rows of each table were verified there. */
export const runStoreCopy: RunCommand = async (
  { operands: words },
  { environment, out, err, progress, readSecret },
) => {
  const { settings } = readConfiguration(environment);
  const [word = ASK] = words;
  const target = word === ASK ? (await readSecret('URL of the target database: ')).trim() : word;
  const show = progress && (({ table, rows, step }: CopyProgress) => progress(`${table}: ${rows} rows ${step}`));
  try {
    const copied = await copyStore(settings.databaseUrl, target, show);
    const entries = Object.entries(copied);
    for (const [table, rows] of entries) out(`${table} ${rows}`);
    const all = entries.reduce((sum, [, rows]) => sum + rows, 0);
    err(`Copied and verified ${all} rows in ${entries.length} tables. Set DATABASE_URL to the target.`);
    return 0;
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${error.message}`, error);
    if (error instanceof StoreRefused || error instanceof StoreUnavailable) {
      throw new CommandError(`nothing was copied: ${error.message}`, error);
    }
    throw error;
  }
};
