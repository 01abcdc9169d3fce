import { inspectStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import type { Configuration } from '../config/configuration.ts';
import { type Finding, failed, ok, warn } from './finding.ts';

/** Whether the database is there and up to date. It is neither made nor changed. */
export async function checkStore({ settings }: Configuration): Promise<Finding> {
  try {
    const { exists, pending } = await inspectStore(settings.databaseUrl);
    if (!exists) return warn('There is no database yet.', 'The first start makes it; nothing has to be done.');
    if (pending.length === 0) return ok('The database answers, and its schema is up to date.');
    return warn(
      `The schema lacks ${pending.length} changes (${pending.join(', ')}).`,
      'Run poolgate migrate, or start the service: it does so by itself.',
    );
  } catch (error) {
    if (error instanceof StoreRefused)
      return failed(`The database is refused: ${error.message}.`, 'Check DATABASE_URL.');
    if (error instanceof StoreUnavailable) {
      return failed(
        `The database cannot be reached: ${error.message}.`,
        'Check DATABASE_URL and POOLGATE_DATA_DIR; a server has to run.',
      );
    }
    throw error;
  }
}
