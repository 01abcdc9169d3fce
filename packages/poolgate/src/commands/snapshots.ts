import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, type RunCommand, type Terminal } from '../command-line/command.ts';
import { readConfiguration } from '../config/configuration.ts';
import { ADMIN_KEY_VARIABLE } from '../config/setting-sources.ts';
import type { Settings } from '../config/settings.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { loadDevelopmentSecrets } from '../secrets/secrets-file.ts';
import { toNamedFile } from '../snapshots/snapshot-files.ts';
import { printList } from './print-list.ts';
import { requestService, type ServiceAnswer } from './request-service.ts';

/** A large store on PostgreSQL is copied row by row. */
const TIMEOUT_MS = 10 * 60_000;

/** The key of the development start, which the service and this command read from the data folder. */
async function readAdminKey({ dataDir }: Settings, environment: Terminal['environment']): Promise<string> {
  const given = environment[ADMIN_KEY_VARIABLE];
  if (given !== undefined && given !== '') return given.startsWith('pg_') ? given : `pg_${given.replace(':', '_')}`;
  if (!existsSync(join(dataDir, 'secrets.json'))) {
    throw new CommandError(
      `there is no admin key: ${join(dataDir, 'secrets.json')} does not exist, and ${ADMIN_KEY_VARIABLE} is not set`,
    );
  }
  const { adminKey } = await loadDevelopmentSecrets(dataDir, HOST_SYSTEM.random);
  return `pg_${adminKey.id}_${adminKey.secret}`;
}

/** Sends a request with the admin key. Returns the body of a success. */
async function call(terminal: Terminal, method: string, path: string): Promise<Readonly<Record<string, unknown>>> {
  const { settings } = readConfiguration(terminal.environment);
  const bearer = await readAdminKey(settings, terminal.environment);
  const headers = { authorization: `Bearer ${bearer}` };
  const address = `${settings.host}:${settings.port}`;
  let answer: ServiceAnswer;
  try {
    answer = await requestService(settings, { method, path, headers, timeoutMs: TIMEOUT_MS });
  } catch (error) {
    throw new CommandError(`no service answers at ${address} (${(error as Error).message}); start it first`, error);
  }
  const body = answer.body as Readonly<Record<string, unknown>>;
  if (answer.status === 200) return body;
  throw new CommandError(`the service at ${address} refused (${answer.status}): ${String(body.detail ?? body.title)}`);
}

/** @throws CommandError */
function readName(operands: readonly string[], { environment }: Terminal): string {
  const [name = ''] = operands;
  try {
    toNamedFile(readConfiguration(environment).settings.dataDir, name);
    return name;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new CommandError(error.message, error);
  }
}

/** A command that changes a named snapshot, or the store by one. */
const changeNamed =
  (method: string, suffix: string): RunCommand =>
  async ({ operands }, terminal) => {
    const body = await call(terminal, method, `/admin/snapshots/${readName(operands, terminal)}${suffix}`);
    terminal.out(String(body.message));
    return 0;
  };

/** Saves a snapshot. */
export const runSnapshotSave = changeNamed('PUT', '');

/** Restores a snapshot. */
export const runSnapshotRestore = changeNamed('POST', '/restore');

/** Deletes a snapshot. */
export const runSnapshotDelete = changeNamed('DELETE', '');

interface ListedSnapshot {
  readonly name: string;
  readonly bytes: number;
  readonly saved_at: string;
}

/** Prints one snapshot a line. */
export const runSnapshotList: RunCommand = async (invocation, terminal) => {
  const { snapshots } = await call(terminal, 'GET', '/admin/snapshots');
  const list = {
    columns: ['NAME', 'BYTES', 'SAVED AT'],
    empty: 'There are no snapshots. Save one: poolgate snapshot save <name>',
    rows: snapshots as readonly ListedSnapshot[],
    cells: ({ name, bytes, saved_at }: ListedSnapshot) => [name, String(bytes), saved_at],
    facts: (row: ListedSnapshot) => ({ ...row }),
  };
  await printList(list, invocation, terminal);
  return 0;
};

/** Empties the store and sets it up again. */
export const runReset: RunCommand = async (_invocation, terminal) => {
  terminal.out(String((await call(terminal, 'POST', '/admin/reset')).message));
  return 0;
};
