import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { storeName } from '@poolgate/store';
import { databaseFile } from '@poolgate/store/backup';
import type { Configuration } from '../config/configuration.ts';
import type { Settings } from '../config/settings.ts';
import { StartError } from '../process/start-error.ts';

const FILE_NAME = 'pool.json';

const NOTE =
  'Poolgate keeps its user pool in this store. While this file exists, Poolgate does not replace a lost pool with an empty one.';

/** The record in a data folder of the pool that was served from it. */
export interface PoolMarker {
  readonly path: string;
  /** The name of the store, without credentials. */
  readonly store: string;
  readonly userPoolId: string;
}

type StoreSettings = Pick<Settings, 'databaseUrl' | 'dataDir'>;

const IN_MEMORY = 'sqlite::memory:';

/** The marker of a SQLite file is in the same folder, so that both are lost or kept together. */
function findMarkerFolder({ databaseUrl, dataDir }: StoreSettings): string {
  const file = databaseFile(databaseUrl);
  return file === undefined ? resolve(dataDir) : dirname(resolve(file));
}

async function readMarker(path: string): Promise<PoolMarker | undefined> {
  try {
    const { store, user_pool_id: userPoolId } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    return typeof store === 'string' && typeof userPoolId === 'string' ? { path, store, userPoolId } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the marker next to the database file, or in the data folder; undefined if neither has one. */
export async function findPoolMarker(settings: StoreSettings): Promise<PoolMarker | undefined> {
  if (settings.databaseUrl === IN_MEMORY) return undefined;
  for (const folder of new Set([findMarkerFolder(settings), resolve(settings.dataDir)])) {
    const marker = await readMarker(join(folder, FILE_NAME));
    if (marker !== undefined) return marker;
  }
  return undefined;
}

/**
 * Records which store contains which pool. It does not create a missing data folder and ignores one without write access: the marker is
 * evidence for later starts, and nothing depends on it.
 */
export async function writePoolMarker(settings: StoreSettings, userPoolId: string): Promise<void> {
  if (settings.databaseUrl === IN_MEMORY) return;
  const path = join(findMarkerFolder(settings), FILE_NAME);
  const store = storeName(settings.databaseUrl);
  const known = await readMarker(path);
  if (known?.store === store && known.userPoolId === userPoolId) return;
  const draft = `${path}.${process.pid}`;
  try {
    const content = { note: NOTE, store, user_pool_id: userPoolId };
    await writeFile(draft, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
    await rename(draft, path);
  } catch {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** Deletes the marker of a store that is about to be emptied on purpose. */
export async function deletePoolMarker(settings: StoreSettings): Promise<void> {
  const marker = await findPoolMarker(settings);
  if (marker?.store === storeName(settings.databaseUrl)) await rm(marker.path, { force: true });
}

/**
 * Returns why a start must not create an empty pool; undefined if it may. In development an unused database is fine, because test suites
 * create a new one for each run.
 */
export function explainEmptyPoolRefusal(
  { settings, mode }: Configuration,
  marker: PoolMarker | undefined,
): string | undefined {
  if (marker === undefined) return undefined;
  const name = storeName(settings.databaseUrl);
  if (mode === 'development' && marker.store !== name) return undefined;
  return (
    `the store (${name}) contains no user pool, but according to ${marker.path} the pool ${marker.userPoolId} is in ${marker.store}. ` +
    `Fix DATABASE_URL or restore a backup. To start with an empty pool instead, delete ${marker.path}`
  );
}

/** Returns why a start on a store without a pool is rejected; undefined if it is not. */
export async function explainLostPool(configuration: Configuration): Promise<string | undefined> {
  if (configuration.settings.provider !== 'embedded') return undefined;
  return explainEmptyPoolRefusal(configuration, await findPoolMarker(configuration.settings));
}

/**
 * Stops a start if its SQLite file was lost, before an empty file takes its place. `doctor` and `restore` would mistake that file for a
 * database.
 * @throws StartError `store_refused`
 */
export async function refuseLostDatabaseFile(configuration: Configuration): Promise<void> {
  // The marker first, which is written after the file: a concurrent start finds both or neither.
  const reason = await explainLostPool(configuration);
  const file = databaseFile(configuration.settings.databaseUrl);
  if (reason === undefined || file === undefined || existsSync(file)) return;
  throw new StartError('store_refused', `DATABASE_URL: ${reason}`);
}
