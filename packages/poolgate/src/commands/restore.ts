import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { claimStore, inspectStore, openStore, StoreRefused, StoreUnavailable } from '@poolgate/store';
import { deleteStagedBackup, restoreStagedBackup, stageBackup } from '@poolgate/store/backup';
import type { RunCommand } from '../command-line/command.ts';
import { CommandError } from '../command-line/command.ts';
import { type Configuration, readConfiguration } from '../config/configuration.ts';
import { HOST_SYSTEM } from '../process/system.ts';
import { createKeyRing } from '../secrets/key-ring.ts';
import { loadDevelopmentSecrets } from '../secrets/secrets-file.ts';
import { requireDatabaseFile } from './database-file.ts';

async function listSecrets({ settings, mode }: Configuration): Promise<readonly string[]> {
  if (settings.secrets !== undefined) return settings.secrets;
  return mode === 'development' ? [(await loadDevelopmentSecrets(settings.dataDir, HOST_SYSTEM.random)).secret] : [];
}

/** @throws CommandError, StoreRefused the copy is not our database, or this configuration cannot open it */
async function requireUsableBackup(staged: string, configuration: Configuration): Promise<readonly string[]> {
  const url = `sqlite:${staged}`;
  await inspectStore(url);
  const { poolStore, migrated, close } = await openStore(url);
  try {
    const pool = await poolStore.pools.first();
    if (pool === undefined) throw new CommandError('nothing was restored: the file contains no user pool');
    const keyRing = createKeyRing(await listSecrets(configuration), HOST_SYSTEM.random);
    if (keyRing.findSecretOrigin(pool.secretEncrypted) === 'known') return migrated;
    throw new CommandError('nothing was restored: the file was encrypted with a secret that is not in POOLGATE_SECRET');
  } finally {
    await close();
  }
}

/** Verifies the backup and puts it into place. Returns the lines to print. */
async function replaceDatabase(file: string, path: string, configuration: Configuration): Promise<readonly string[]> {
  const staged = stageBackup(file, path);
  try {
    const migrated = await requireUsableBackup(staged, configuration);
    const suffix = `before-${new Date(HOST_SYSTEM.clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`;
    const previous = restoreStagedBackup(staged, path, suffix);
    return [
      ...migrated.map((name) => `applied ${name}`),
      `Restored ${path}.${previous === undefined ? '' : ` What was there is ${previous} now.`}`,
      'Refresh tokens that were revoked after the backup are valid again: see docs/how-to/back-up.md.',
    ];
  } finally {
    deleteStagedBackup(staged);
  }
}

/** Replaces the database file with a backup. */
export const runRestore: RunCommand = async (invocation, { environment, out }) => {
  const configuration = readConfiguration(environment);
  const { databaseUrl } = configuration.settings;
  const path = requireDatabaseFile(databaseUrl, 'use pg_restore or psql to restore a PostgreSQL database');
  const file = resolve(invocation.operands[0] ?? '');
  if (!existsSync(file)) throw new CommandError(`the file ${file} does not exist`);
  if (existsSync(path) && !invocation.has('replace')) {
    throw new CommandError(
      `${path} already contains a database. Use --replace to replace it; the old database is kept under another name`,
    );
  }
  try {
    // A service whose file was deleted has nothing open at the path except its claim.
    const release = await claimStore(databaseUrl);
    try {
      for (const line of await replaceDatabase(file, path, configuration)) out(line);
      return 0;
    } finally {
      release();
    }
  } catch (error) {
    if (!(error instanceof StoreRefused || error instanceof StoreUnavailable)) throw error;
    throw new CommandError(`nothing was restored: ${error.message}`, error);
  }
};
