import {
  inspectStore,
  type ServerState,
  StoreRefused,
  StoreUnavailable,
  storeAccess,
  storeName,
} from '@poolgate/store';
import type { Configuration } from '../config/configuration.ts';
import { explainLostPool } from '../providers/pool-marker.ts';
import { createFault, createOkFinding, createWarning, type Finding } from './findings/finding.ts';

/** Whether the database exists and is up to date, and the state of its server. It is neither created nor changed. */
export async function checkStore(configuration: Configuration): Promise<Finding | readonly Finding[]> {
  const { settings } = configuration;
  try {
    const { exists, hasPool, pending, server } = await inspectStore(settings.databaseUrl);
    const lost = hasPool ? undefined : await explainLostPool(configuration);
    if (lost !== undefined)
      return createFault(`The service refuses to start: ${lost}.`, 'Check DATABASE_URL, or restore a backup.');
    if (!exists) return createWarning('The database does not exist yet.', 'Nothing to do: the first start creates it.');
    return [
      createOkFinding(`The store is ${storeName(settings.databaseUrl)}.`),
      toSchemaFinding(pending),
      ...(server === undefined ? [] : [toServerFinding(server)]),
    ];
  } catch (error) {
    if (error instanceof StoreRefused)
      return createFault(`The database is refused: ${error.message}.`, 'Check DATABASE_URL.');
    if (error instanceof StoreUnavailable) {
      return createFault(
        `The database cannot be reached: ${error.message} (${storeAccess(settings.databaseUrl)}).`,
        'Check DATABASE_URL and POOLGATE_DATA_DIR, and that the database server is running.',
      );
    }
    throw error;
  }
}

function toSchemaFinding(pending: readonly string[]): Finding {
  if (pending.length === 0) return createOkFinding('The database is reachable and its schema is up to date.');
  return createWarning(
    `The schema lacks ${pending.length} changes (${pending.join(', ')}).`,
    'Run poolgate migrate, or start the service, which migrates automatically.',
  );
}

function toServerFinding({ isReadOnly, limits, transactionLimits }: ServerState): Finding {
  if (isReadOnly) {
    return createFault(
      'The database server does not accept writes.',
      'Point DATABASE_URL to the primary: list all servers and add target_session_attrs=read-write.',
    );
  }
  const [inside, outside] = [transactionLimits, limits].map(formatLimits);
  return createOkFinding(`Time limits in transactions: ${inside}. Outside, by role or database: ${outside}.`);
}

function formatLimits(limits: Readonly<Record<string, number>>): string {
  return Object.entries(limits)
    .map(([name, milliseconds]) => `${name} ${milliseconds === 0 ? 'none' : `${milliseconds} ms`}`)
    .join(', ');
}
